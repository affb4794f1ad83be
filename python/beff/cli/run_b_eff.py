"""b_eff as a benchmark of `beff run`."""

from beff.analysis.spread import spread_of
from beff.cli.run_benchmark import Benchmark, Job
from beff.cli.tables import comparison_table, notes
from beff.launch.follow import follow_b_eff
from beff.launch.target import Target
from beff.model.contract import MeasuredResult
from beff.model.load import Document, as_b_eff
from beff.model.numbers import short
from beff.model.published import published_results


def _spread_remarks(document: Document) -> list[str]:
    """Say what the value would be by other repetitions than the best."""
    spread = spread_of(document)
    value = next(iter(spread.values), None)
    if value is None:
        return []
    drift = "-" if value.drift is None else f"{100 * value.drift:+.1f} %"
    return [
        f"by the median instead of the best repetition: b_eff {short(value.median)} MB/s,"
        f" {100 * value.behind:.1f} % less; by the worst: {short(value.worst)} MB/s; last against"
        f" first repetition: {drift}"
    ]


B_EFF = Benchmark(
    name="b_eff",
    own_options=("--output", "--progress", "--quiet", "--memory-per-process"),
    follow=follow_b_eff,
    read=as_b_eff,
    table=lambda documents: [comparison_table(map(as_b_eff, documents), published_results())],
    notes=lambda: notes(published_results()),
    remarks=_spread_remarks,
)

STALL_LIMIT_S = 10 * 60.0
"""A loop takes milliseconds, at most seconds; starting many processes may take minutes."""


def b_eff_job(target: Target, options: list[str], stall_limit_s: float | None) -> Job:
    """Return the job that measures b_eff with these engine options."""
    return Job(B_EFF, target, lambda _: options, _accepts, stall_limit_s or STALL_LIMIT_S)


def _accepts(result: MeasuredResult) -> bool:
    return result.valid
