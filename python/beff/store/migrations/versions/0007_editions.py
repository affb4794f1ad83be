"""Editions of the list."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add their table."""
    op.create_table(
        "editions",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("standings", sa.Text(), nullable=False),
    )
