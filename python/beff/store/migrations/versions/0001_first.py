"""Systems, entries and the files of results."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "systems",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(120), nullable=False, unique=True),
        sa.Column("site", sa.String(500)),
        sa.Column("year", sa.Integer()),
        sa.Column("nodes", sa.BigInteger()),
        sa.Column("cpus", sa.String(500)),
        sa.Column("cores", sa.BigInteger()),
        sa.Column("accelerators", sa.String(500)),
        sa.Column("memory_bytes", sa.BigInteger()),
        sa.Column("interconnect", sa.String(500)),
        sa.Column("file_system", sa.String(500)),
        sa.Column("rmax_gflops", sa.Double()),
        sa.Column("power_kw", sa.Double()),
        sa.Column("price_range", sa.String(500)),
        sa.Column("note", sa.String(500)),
    )
    op.create_table(
        "entries",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("system_id", sa.Integer(), sa.ForeignKey("systems.id"), nullable=False),
        sa.Column("benchmark", sa.String(16), nullable=False),
        sa.Column("definition", sa.String(16)),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("not_met", sa.String(500)),
        sa.Column("cautions", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(64), unique=True),
        sa.Column("measurement", sa.String(64), nullable=False, unique=True),
        sa.Column("source", sa.String(500)),
        sa.Column("measured_at", sa.DateTime()),
        sa.Column("year", sa.Integer()),
        sa.Column("added_at", sa.DateTime(), nullable=False),
        sa.Column("processes", sa.BigInteger(), nullable=False),
        sa.Column("nodes", sa.BigInteger()),
        sa.Column("memory_per_process_bytes", sa.BigInteger()),
        sa.Column("mpi", sa.String(500)),
        sa.Column("b_eff_mbps", sa.Double()),
        sa.Column("b_eff_per_process_mbps", sa.Double()),
        sa.Column("rings_mbps", sa.Double()),
        sa.Column("random_mbps", sa.Double()),
        sa.Column("lmax_bytes", sa.BigInteger()),
        sa.Column("at_lmax_mbps", sa.Double()),
        sa.Column("at_lmax_per_process_mbps", sa.Double()),
        sa.Column("rings_at_lmax_per_process_mbps", sa.Double()),
        sa.Column("latency_us", sa.Double()),
        sa.Column("pingpong_latency_us", sa.Double()),
        sa.Column("pingpong_mbps", sa.Double()),
        sa.Column("total_memory_exchange_s", sa.Double()),
        sa.Column("rmax_gflops", sa.Double()),
        sa.Column("balance_bytes_per_flop", sa.Double()),
        sa.Column("io_value_mbps", sa.Double()),
        sa.Column("io_value_1_mbps", sa.Double()),
        sa.Column("io_write_mbps", sa.Double()),
        sa.Column("io_rewrite_mbps", sa.Double()),
        sa.Column("io_read_mbps", sa.Double()),
        sa.Column("io_time_s", sa.Double()),
        sa.Column("total_memory_write_min", sa.Double()),
        sa.CheckConstraint(
            "status IN ('valid', 'invalid', 'partial', 'historic')", name="known_status"
        ),
    )
    op.create_index("entries_by_rank", "entries", ["benchmark", "status", "system_id"])
    op.create_index("ix_entries_system_id", "entries", ["system_id"])
    op.create_table(
        "result_files",
        sa.Column(
            "entry_id",
            sa.Integer(),
            sa.ForeignKey("entries.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("compressed", sa.LargeBinary(), nullable=False),
    )
