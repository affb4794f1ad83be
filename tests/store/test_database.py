"""Opening: names of databases, first tables, upgrades, and what cannot be opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from beff.store.changes import remove_entry
from beff.store.database import Store, database_url, default_database, make_engine, open_store
from beff.store.errors import StoreError
from beff.store.migrations import configuration, upgrade
from beff.store.owners import warnings_of
from beff.store.queries import entries, entry_of
from beff.store.tables import Member, System, Table
from store_support import add, result_of

_FIRST_ENTRY = """
INSERT INTO entries (id, system_id, benchmark, status, cautions, measurement, added_at, processes,
                     b_eff_mbps)
VALUES (7, 3, 'b_eff', 'historic', 0, 'x', '2026-01-02 03:04:05', 24, 1522.0)
"""


def test_a_database_of_the_first_migration_opens(database: str) -> None:
    engine = make_engine(database_url(database))
    with engine.begin() as connection:
        upgrade(connection, "0001")
        connection.execute(text("INSERT INTO systems (id, name) VALUES (3, 'Old one')"))
        connection.execute(text(_FIRST_ENTRY))
        connection.execute(text("INSERT INTO result_files VALUES (7, 4, :file)"), {"file": b"kept"})
    engine.dispose()
    with open_store(database) as store, store.read() as session:
        (entry,) = entries(session)
        assert (entry.id, entry.system.name, entry.b_eff_MBps) == (7, "Old one", 1522.0)
        assert entry.added_at.isoformat() == "2026-01-02T03:04:05+00:00"
        assert entry.file is not None
        assert entry.file.compressed == b"kept"


_BEFORE_NUMBERS = """
INSERT INTO systems (id, name, owner) VALUES (3, 'Old one', 'us');
INSERT INTO members VALUES (3, 'them');
INSERT INTO result_files VALUES (7, 4, 'kept');
INSERT INTO editions VALUES ('2026-01', '2026-01-02 03:04:05', '[{"id": 5}]');
INSERT INTO audit (at, actor, action, subject) VALUES
    ('2026-01-02 03:04:05', 'us', 'remove', 'entry 9'),
    ('2026-01-02 03:04:05', 'us', 'hardware', 'system 12')
"""


def test_numbers_of_what_was_removed_are_not_given_again(tmp_path: Path) -> None:
    """Nor after an upgrade, which keeps all rows, bounds and rules."""
    path = str(tmp_path / "store.sqlite3")
    engine = make_engine(database_url(path))
    with engine.begin() as connection:
        upgrade(connection, "0008")
        systems, *others = _BEFORE_NUMBERS.split(";")
        for statement in (systems, _FIRST_ENTRY, *others):
            connection.exec_driver_sql(statement)
    engine.dispose()
    with open_store(path) as store:
        with store.write() as session:
            (entry,) = entries(session)
            assert (entry.id, entry.system.owner, entry.b_eff_MBps) == (7, "us", 1522.0)
            assert session.get(Member, (3, "them")) is not None
            assert entry.file is not None
            new = System(name="New one")
            session.add(new)
            session.flush()
            assert new.id == 6
        number = add(store, result_of(), "New one")
        assert number == 10
        with store.write() as session:
            remove_entry(session, entry_of(session, str(number)))
        assert add(store, result_of(), "Newer one") == 11
        for statement in (
            "DELETE FROM audit",
            "INSERT OR REPLACE INTO audit SELECT * FROM audit",
            "UPDATE entries SET status = 'ranked'",
            "UPDATE entries SET system_id = 999",
        ):
            with pytest.raises(StoreError), store.write() as session:
                session.execute(text(statement))


def test_a_number_is_given_once(store: Store) -> None:
    def stored(name: str) -> tuple[int, int]:
        number = add(store, result_of(), name)
        with store.write() as session:
            entry = entry_of(session, str(number))
            system = entry.system_id
            remove_entry(session, entry)
        return number, system

    first, second = stored("A"), stored("B")
    assert second > first
    assert second[1] > first[1]


def test_warnings_of_whose_a_system_is_are_made_anew(database: str) -> None:
    engine = make_engine(database_url(database))
    warnings = "system 'Old one' belongs to 'us'\ndate: the run ended before it began"
    with engine.begin() as connection:
        upgrade(connection, "0009")
        connection.execute(text("INSERT INTO systems (id, name, owner) VALUES (3, 'Old', 'us')"))
        connection.execute(text(_FIRST_ENTRY))
        changed = "UPDATE entries SET published = :no, warnings = :warnings"
        connection.execute(text(changed), {"no": False, "warnings": warnings})
    engine.dispose()
    with open_store(database) as store, store.read() as session:
        (entry,) = entries(session)
        entry.submitted_by = "you"
        whose, date = warnings_of(session, entry)
        assert (whose, date) == ("system 'Old' belongs to 'us'", warnings.splitlines()[1])


def test_migrations_make_the_tables_of_the_code(database: str) -> None:
    with open_store(database) as store, store.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Table.metadata) == []
        scripts = ScriptDirectory.from_config(configuration(connection))
        assert context.get_current_revision() == scripts.get_current_head()


def test_a_database_of_a_newer_version_is_left_alone(database: str) -> None:
    with open_store(database) as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="newer version of beff"), open_store(database):
        pass


@pytest.mark.parametrize(
    "name",
    ["mysql://user:secret@host/name", "postgresql://user:secret@host:port/x", "nonsense://"],
)
def test_what_is_no_database(name: str) -> None:
    with pytest.raises(StoreError, match="--database") as refusal:
        database_url(name)
    assert "secret" not in str(refusal.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no database at all\n" * 100)
    with pytest.raises(StoreError, match="file is not a database"), open_store(str(path)):
        pass
    assert path.read_text().startswith("no database")


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    url = f"postgresql://user:secret@/name?host={tmp_path}"
    with pytest.raises(StoreError, match="cannot be used") as refusal, open_store(url):
        pass
    assert "secret" not in str(refusal.value)


def test_the_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BEFF_DATABASE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_database() == str(tmp_path / "beff" / "store.sqlite3")
    monkeypatch.setenv("BEFF_DATABASE", "postgresql://host/name")
    assert default_database() == "postgresql://host/name"
    with open_store(str(tmp_path / "new" / "store.sqlite3")) as store, store.read() as session:
        assert entries(session) == []
