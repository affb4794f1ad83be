"""b_pairs as a benchmark of `beff run`."""

from beff.cli.run_benchmarks import Benchmark, Job
from beff.launch.follow_pairs import follow_b_pairs
from beff.launch.target import Target
from beff.model.load import as_b_pairs

FEWEST_HOSTS = 4
"""From so many on `beff run` measures pairs as well: three cannot be judged."""
_STALL_LIMIT_S = 15 * 60.0


B_PAIRS = Benchmark(
    name="b_pairs",
    own_options=("--output", "--overwrite", "--progress", "--quiet", "--memory-per-process"),
    follow=follow_b_pairs,
    read=as_b_pairs,
)


def b_pairs_job(target: Target, options: list[str], stall_limit_s: float | None) -> Job:
    """Return the job that measures b_pairs with these engine options."""
    limit_s = stall_limit_s or _STALL_LIMIT_S
    return Job(B_PAIRS, target, lambda _: options, lambda result: result.valid, limit_s)
