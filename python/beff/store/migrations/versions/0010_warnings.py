"""Whose a system is, is told as it is now, no more as it was when a result was sent."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_OLD = re.compile(r"^system '.*' belongs to '.*'(\n|$)", re.MULTILINE)


def upgrade() -> None:
    """Take the old warnings out of what may wait."""
    connection = op.get_bind()
    kept = "SELECT id, warnings FROM entries WHERE warnings LIKE '%belongs to%'"
    for number, text in connection.execute(sa.text(kept)).all():
        connection.execute(
            sa.text("UPDATE entries SET warnings = :text WHERE id = :id"),
            {"text": _OLD.sub("", text).rstrip("\n") or None, "id": number},
        )
