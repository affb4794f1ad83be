"""Whose a system is; several may claim the same measurement until the operator decides."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_CONVENTION = {"uq": "uq_%(table_name)s_%(column_0_name)s"}


def upgrade() -> None:
    """Add owners and warnings; hashes and samples may be there twice while they wait."""
    op.add_column("systems", sa.Column("owner", sa.String(120)))
    op.add_column("entries", sa.Column("warnings", sa.Text()))
    op.create_table(
        "members",
        sa.Column(
            "system_id",
            sa.Integer(),
            sa.ForeignKey("systems.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("token", sa.String(120), primary_key=True),
    )
    if op.get_bind().dialect.name == "postgresql":
        for name in ("sha256", "measurement"):
            op.drop_constraint(f"entries_{name}_key", "entries")
        op.alter_column("entries", "measurement", type_=sa.String(500))
    else:
        _rebuild()
    op.create_index("ix_entries_sha256", "entries", ["sha256"])


def _rebuild() -> None:
    """Make the table anew, as SQLite needs it; dropping the old one empties that of the files."""
    op.execute(sa.text("CREATE TABLE files_kept AS SELECT * FROM result_files"))
    with op.batch_alter_table("entries", naming_convention=_CONVENTION) as table:
        for name in ("sha256", "measurement"):
            table.drop_constraint(f"uq_entries_{name}", type_="unique")
        table.alter_column("measurement", type_=sa.String(500))
    op.execute(sa.text("DELETE FROM result_files"))
    op.execute(sa.text("INSERT INTO result_files SELECT * FROM files_kept"))
    op.execute(sa.text("DROP TABLE files_kept"))
