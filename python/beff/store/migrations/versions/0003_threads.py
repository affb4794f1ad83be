"""Threads of a process, and what the user says of the file system."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns; they stay empty for what is there already."""
    op.add_column("entries", sa.Column("omp_num_threads", sa.String(120)))
    op.add_column("entries", sa.Column("cores_per_process", sa.BigInteger()))
    op.add_column("entries", sa.Column("filesystem_note", sa.String(500)))
