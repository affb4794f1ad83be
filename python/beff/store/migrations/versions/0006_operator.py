"""Operators, quotas, refusals; and a log that REPLACE cannot rewrite either."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_SQLITE = """
CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'notes of the audit log are never changed'); END
"""


def upgrade() -> None:
    """Add the columns and the rule."""
    op.add_column(
        "tokens", sa.Column("operator", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("tokens", sa.Column("quota", sa.Integer()))
    op.add_column("entries", sa.Column("refusal", sa.String(500)))
    if op.get_bind().dialect.name == "sqlite":  # PostgreSQL has no REPLACE
        op.execute(sa.text(_SQLITE))
