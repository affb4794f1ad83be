"""From a URL or path to an open store with the newest tables."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError
from sqlalchemy.orm import Session

from beff.store.errors import StoreError
from beff.store.migrations import upgrade

ENVIRONMENT_VARIABLE = "BEFF_DATABASE"
_LOCK_WAIT_S = 30
_ADVISORY_LOCK = 0x62656666
"""Any number that nothing else in the database locks."""
_WRITES = "beff_writes"
"""Execution option of transactions that will write."""


def default_database() -> str:
    """Return $BEFF_DATABASE, else the path of the file in the user's data folder."""
    given = os.environ.get(ENVIRONMENT_VARIABLE)
    if given:
        return given
    data_home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return str(Path(data_home) / "beff" / "store.sqlite3")


def database_url(text: str) -> URL:
    """Read `postgresql://...`, `sqlite:///PATH` or the plain path of an SQLite file."""
    if "://" not in text:
        return URL.create("sqlite", database=str(Path(text).expanduser()))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        url = None
    backend = None if url is None else url.get_backend_name()
    if url is None or backend not in ("sqlite", "postgresql"):
        raise StoreError(
            f"--database {_without_password(text)}: is no URL of a database that beff knows; write"
            " postgresql://USER@HOST/NAME or the path of an SQLite file"
        )
    return url.set(drivername="postgresql+psycopg") if backend == "postgresql" else url


def _without_password(text: str) -> str:
    """Return a URL without what stands between its scheme and its host."""
    scheme, mark, rest = text.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"


class Store:
    """An open store; `read` and `write` give sessions. Use `open_store` to make one."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Give a session that sees one state of the store and changes nothing."""
        with _explained(self.engine), Session(self.engine) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Give a session whose changes are all made at the end, or none of them."""
        writing = self.engine.execution_options(**{_WRITES: True})
        with _explained(self.engine), Session(writing) as session, session.begin():
            yield session

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


@contextmanager
def open_store(database: str) -> Iterator[Store]:
    """Open a store, make or upgrade its tables, and close it at the end. Raises StoreError."""
    engine = make_engine(database_url(database))
    store = Store(engine)
    try:
        with _explained(engine), engine.execution_options(**{_WRITES: True}).begin() as connection:
            upgrade(connection)
        yield store
    finally:
        store.close()


def make_engine(url: URL) -> Engine:
    """Return an engine for a database; makes the folder of an SQLite file. Raises StoreError."""
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url)
    return _postgresql_engine(url)


def _postgresql_engine(url: URL) -> Engine:
    try:
        engine = create_engine(url, pool_pre_ping=True)
    except ModuleNotFoundError:
        raise StoreError(
            "PostgreSQL needs the package psycopg; install it with pip install 'beff[postgresql]'"
        ) from None

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if connection.get_execution_options().get(_WRITES, False):
            # One writer at a time, as in SQLite: two that store the same result see each other.
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")

    return engine


def _sqlite_engine(url: URL) -> Engine:
    if url.database and url.database != ":memory:":
        folder = Path(url.database).parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise StoreError(
                f"the folder {folder} cannot be made ({problem.strerror}); name another database"
                " with --database"
            ) from None
    engine = create_engine(url, connect_args={"timeout": _LOCK_WAIT_S})

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA journal_mode = WAL")  # readers do not wait for a writer
        cursor.execute("PRAGMA synchronous = FULL")  # what was stored survives a crash
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES, False)
        # A transaction that reads first and locks later fails when another one wrote in between.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


@contextmanager
def _explained(engine: Engine) -> Iterator[None]:
    """Turn errors of the database itself into StoreError."""
    try:
        yield
    except OperationalError as problem:
        reason = str(problem.orig).strip().partition("\n")[0]
        shown = engine.url.render_as_string(hide_password=True)
        raise StoreError(f"the database {shown} cannot be used ({reason})") from problem
    except SQLAlchemyError as problem:
        reason = str(getattr(problem, "orig", problem)).strip().partition("\n")[0]
        raise StoreError(f"the database refused a change or question ({reason})") from problem
