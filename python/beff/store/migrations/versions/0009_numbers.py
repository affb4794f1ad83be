"""Numbers of systems and entries, which stand in addresses, are never given twice."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_EMPTIED = ("result_files", "members", "entries")
"""Tables that refer to one that is made anew, the referring ones first."""
_AUTOINCREMENT = {"sqlite_autoincrement": True}


def upgrade() -> None:
    """Make SQLite count on, as PostgreSQL does, also after what was removed before."""
    if op.get_bind().dialect.name != "sqlite":
        return
    for table in _EMPTIED:
        op.execute(sa.text(f"CREATE TABLE {table}_kept AS SELECT * FROM {table}"))
        op.execute(sa.text(f"DELETE FROM {table}"))
    for table in ("systems", "entries"):
        with op.batch_alter_table(table, recreate="always", table_kwargs=_AUTOINCREMENT):
            pass
    for table in reversed(_EMPTIED):
        op.execute(sa.text(f"INSERT INTO {table} SELECT * FROM {table}_kept"))
        op.execute(sa.text(f"DROP TABLE {table}_kept"))
    _count_from("systems", _largest_in_editions())
    removed = "SELECT max(CAST(substr(subject, 7) AS INTEGER)) FROM audit WHERE action = 'remove'"
    _count_from("entries", op.get_bind().scalar(sa.text(removed)) or 0)


def _largest_in_editions() -> int:
    texts = op.get_bind().scalars(sa.text("SELECT standings FROM editions"))
    return max(
        (standing.get("id", 0) for text in texts for standing in json.loads(text)), default=0
    )


def _count_from(table: str, number: int) -> None:
    """Let the next number of a table be above one that was given."""
    largest = f"(SELECT max(id) FROM {table})"
    op.execute(sa.text(f"DELETE FROM sqlite_sequence WHERE name = '{table}'"))
    counted = f"INSERT INTO sqlite_sequence VALUES ('{table}', max(coalesce({largest}, 0), :n))"
    op.get_bind().execute(sa.text(counted), {"n": number})
