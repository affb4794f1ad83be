"""b_pairs as a benchmark of `beff run`."""

from contextlib import suppress
from itertools import pairwise

from beff.cli.run_benchmarks import STALL_LIMIT_S, Benchmark, Job
from beff.launch.follow import follow_b_pairs
from beff.launch.target import Target
from beff.model.load import as_b_pairs
from beff.model.quantities import parse_duration

FEWEST_HOSTS = 4
"""From so many on `beff run` measures pairs as well: three cannot be judged."""
_FEWEST_PASSES = 3

B_PAIRS = Benchmark(
    name="b_pairs",
    own_options=("--output", "--overwrite", "--progress", "--quiet", "--memory-per-process"),
    follow=follow_b_pairs,
    read=as_b_pairs,
)


def b_pairs_job(target: Target, options: list[str], stall_limit_s: float | None) -> Job:
    """Return the job that measures b_pairs with these engine options."""
    limit_s = stall_limit_s or STALL_LIMIT_S + _longest_rest_s(options)
    return Job(B_PAIRS, target, lambda _: options, lambda result: result.valid, limit_s)


def _longest_rest_s(options: list[str]) -> float:
    """Return how long a run of this --duration may rest between two passes: it has three at least.

    What is no duration counts nothing, as the program refuses it.
    """
    given = [value for option, value in pairwise(options) if option == "--duration"]
    prefix = "--duration="
    given += [option.removeprefix(prefix) for option in options if option.startswith(prefix)]
    durations = []
    for text in given:
        with suppress(ValueError):
            durations.append(parse_duration(text))
    return max(durations, default=0.0) / _FEWEST_PASSES
