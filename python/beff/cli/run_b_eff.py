"""b_eff as a benchmark of `beff run`."""

from beff.cli.run_benchmark import Benchmark, Job
from beff.launch.follow import follow_b_eff
from beff.launch.target import Target
from beff.model.load import as_b_eff

B_EFF = Benchmark(
    name="b_eff",
    own_options=("--output", "--overwrite", "--progress", "--quiet", "--memory-per-process"),
    follow=follow_b_eff,
    read=as_b_eff,
)

STALL_LIMIT_S = 15 * 60.0
"""A loop takes milliseconds, at most seconds; starting many processes may take minutes."""


def b_eff_job(target: Target, options: list[str], stall_limit_s: float | None) -> Job:
    """Return the job that measures b_eff with these engine options."""
    limit_s = stall_limit_s or STALL_LIMIT_S
    return Job(B_EFF, target, lambda _: options, lambda result: result.valid, limit_s)
