"""Results from others: tokens, waiting for publication, and a log of all changes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_REFUSAL = "notes of the audit log are never changed"
_POSTGRESQL = (
    f"""
    CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '{_REFUSAL}'; END $$
    """,
    """
    CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()
    """,
)
_SQLITE = tuple(
    f"""
    CREATE TRIGGER audit_no_{action} BEFORE {action} ON audit
    BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END
    """
    for action in ("update", "delete")
)


def upgrade() -> None:
    """Add the columns and tables; what is there already was added by the operator."""
    op.add_column(
        "entries", sa.Column("published", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.add_column("entries", sa.Column("submitted_by", sa.String(120)))
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(120), nullable=False, unique=True),
        sa.Column("sha256", sa.String(64), nullable=False, unique=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("revoked_at", sa.DateTime()),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("actor", sa.String(120), nullable=False),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("subject", sa.String(500), nullable=False),
        sa.Column("detail", sa.String(500)),
    )
    statements = _POSTGRESQL if op.get_bind().dialect.name == "postgresql" else _SQLITE
    for statement in statements:
        op.execute(sa.text(statement))
