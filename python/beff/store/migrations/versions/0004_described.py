"""What people wrote about a system, apart from what results tell of it."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_DESCRIBED = (
    *("site", "year", "nodes", "cpus", "cores", "accelerators", "memory_bytes", "interconnect"),
    *("file_system", "rmax_gflops", "power_kw", "price_range", "note"),
)


def upgrade() -> None:
    """Add the columns; what is known of a system was written by its operator."""
    op.add_column("systems", sa.Column("described", sa.Text()))
    op.add_column("entries", sa.Column("machine", sa.Text()))
    op.add_column("entries", sa.Column("hardware", sa.Text()))
    connection = op.get_bind()
    for row in connection.execute(sa.text("SELECT * FROM systems")).mappings().all():
        known = {name: row[name] for name in _DESCRIBED if row[name] is not None}
        if "power_kw" in known:
            known["power_kW"] = known.pop("power_kw")
        connection.execute(
            sa.text("UPDATE systems SET described = :text WHERE id = :id"),
            {"text": json.dumps(known), "id": row["id"]},
        )
