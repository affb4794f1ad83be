"""b_eff as a benchmark of `beff run`."""

from beff.cli.run_benchmark import AnyResult, Benchmark, Job
from beff.cli.tables import comparison_table, notes
from beff.launch.follow import follow_b_eff
from beff.launch.target import Target
from beff.model.load import as_b_eff
from beff.model.published import published_results

B_EFF = Benchmark(
    name="b_eff",
    own_options=("--output", "--progress", "--quiet", "--memory-per-process"),
    follow=follow_b_eff,
    read=as_b_eff,
    table=lambda documents: [comparison_table(map(as_b_eff, documents), published_results())],
    notes=lambda: notes(published_results()),
    remarks=lambda _: [],
)


def b_eff_job(target: Target, options: list[str]) -> Job:
    """Return the job that measures b_eff with these engine options."""
    return Job(B_EFF, target, lambda _: options, _accepts)


def _accepts(result: AnyResult) -> bool:
    return result.valid
