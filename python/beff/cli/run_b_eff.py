"""b_eff as a benchmark of `beff run`."""

from beff.cli.run_benchmark import Benchmark, Job
from beff.launch.follow import follow_b_eff
from beff.launch.target import Target
from beff.model.b_eff_result import BEffResult
from beff.model.load import Document, as_b_eff
from beff.report.tables.published import b_eff_table_1
from beff.report.tables.spread import range_text
from beff.report.tables.table import Table


def _spread_remarks(document: Document) -> list[str]:
    """Say what the value would be by other repetitions than the best."""
    found = range_text(document)
    return [] if found is None else [f"repetitions: {found}"]


def _tables(documents: list[Document]) -> list[Table]:
    results = map(as_b_eff, documents)
    return [b_eff_table_1((_name(result), result) for result in results)]


def _name(result: BEffResult) -> str:
    simulation = result.environment.simulation
    if simulation is None:
        return "this machine"
    platform = simulation.platform
    return f"simulated {'network' if platform is None else platform.name}"


B_EFF = Benchmark(
    name="b_eff",
    own_options=("--output", "--overwrite", "--progress", "--quiet", "--memory-per-process"),
    follow=follow_b_eff,
    read=as_b_eff,
    tables=_tables,
    remarks=_spread_remarks,
)

STALL_LIMIT_S = 15 * 60.0
"""A loop takes milliseconds, at most seconds; starting many processes may take minutes."""


def b_eff_job(target: Target, options: list[str], stall_limit_s: float | None) -> Job:
    """Return the job that measures b_eff with these engine options."""
    limit_s = stall_limit_s or STALL_LIMIT_S
    return Job(B_EFF, target, lambda _: options, lambda result: result.valid, limit_s)
