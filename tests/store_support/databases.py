"""Databases to test on: SQLite in a file, and a PostgreSQL server of the tests' own."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from beff.store.database import database_url
from needed import GET_IT

_WAIT_S = 240


def _programs() -> Path | None:
    """The folder of PostgreSQL's programs, of the newest version."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)
    found = shutil.which("pg_ctl")
    candidates = [*reversed(folders), *([Path(found).resolve().parent] if found else [])]
    return next((path for path in candidates if (path / "initdb").exists()), None)


def _unprivileged_user() -> str | None:
    """Whom the server shall run as; None for the present user. PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def _server(programs: Path) -> Iterator[str]:
    """A server on a Unix socket in a temporary folder; gives the URL of its first database."""
    user = _unprivileged_user()
    folder = Path(tempfile.mkdtemp(prefix="beff-pg-"))
    data = folder / "data"
    patient = ("-w", "-t", str(_WAIT_S))
    if user is not None:
        shutil.chown(folder, user)

    def call(*command: str | Path) -> None:
        subprocess.run(
            command, user=user, cwd=folder, check=True, timeout=_WAIT_S, stdout=subprocess.DEVNULL
        )

    try:
        call(
            programs / "initdb",
            "-D",
            data,
            "-U",
            "beff",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        )
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        call(
            programs / "pg_ctl", "-D", data, *patient, "-l", folder / "log", "-o", options, "start"
        )
        try:
            yield f"postgresql://beff@/postgres?host={folder}"
        finally:
            call(programs / "pg_ctl", "-D", data, *patient, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The URL of a server's first database; skips where there is no PostgreSQL."""
    programs = _programs()
    if programs is None:
        pytest.skip(f"PostgreSQL (initdb, pg_ctl) is not installed; {GET_IT}")
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("the package psycopg is not installed; pip install --group test installs it")
    with _server(programs) as url:
        yield url


@pytest.fixture
def postgresql_url(postgresql_server: str, request: pytest.FixtureRequest) -> str:
    """The URL of an empty database of its own."""
    name = f"test_{abs(hash(request.node.nodeid))}"
    engine = create_engine(database_url(postgresql_server), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return postgresql_server.replace("/postgres?", f"/{name}?")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind, as --database names it."""
    if request.param == "sqlite":
        return str(tmp_path / "store.sqlite3")
    url: str = request.getfixturevalue("postgresql_url")
    return url
