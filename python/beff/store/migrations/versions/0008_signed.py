"""By which key a result is signed."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; it stays empty for what is there already, which nobody could sign."""
    op.add_column("entries", sa.Column("signed_by", sa.String(64)))
