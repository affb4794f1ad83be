"""How much time a job needs, and how it is divided among the benchmarks in it."""

from collections.abc import Mapping
from dataclasses import dataclass

from beff.model.errors import WrongUsageError
from beff.model.numbers import format_duration

LIMIT_S = 10 * 60.0
"""Of b_eff and b_pairs, which take one or two minutes; more where processes are many or slow."""
IO = "b_eff_io"
_IO_FACTOR = (1 + 2 * 2) / 3
"""Rewrite and read repeat the calls of the write: T/3 each when as fast as the write; here twice
that, as in the first of the longer cases that `b_eff_io --plan` shows."""
_LONGEST_MARGIN_S = 5 * 60.0
_MARGIN = 0.1


@dataclass(frozen=True)
class JobTime:
    """Seconds of a job and, by name, of the benchmarks in it.

    The limits end the benchmarks so long before the job ends that their results are written.
    """

    job_s: float
    limits_s: Mapping[str, float]


def divide_time(
    limits_s: Mapping[str, float], io_time_s: float | None, given_s: float | None
) -> JobTime:
    """Return the times of a job of benchmarks with these limits, and b_eff_io with T = `io_time_s`.

    `io_time_s` is None where it is not measured, `given_s` is the time that the job may take, None
    for what it needs. Raises WrongUsageError when that is less than T.
    """
    io_needs_s = {} if io_time_s is None else {IO: _IO_FACTOR * io_time_s}
    if given_s is None:
        needs_s = {**limits_s, **io_needs_s}
        return JobTime(sum(needs_s.values()) + _LONGEST_MARGIN_S, needs_s)
    usable_s = given_s - min(_LONGEST_MARGIN_S, _MARGIN * given_s)
    if io_time_s is None:
        return JobTime(given_s, {name: usable_s / len(limits_s) for name in limits_s})
    others_s = {
        name: min(limit_s, usable_s / 3 / len(limits_s)) for name, limit_s in limits_s.items()
    }
    io_s = usable_s - sum(others_s.values())
    if io_s < io_time_s:
        needed = divide_time(limits_s, io_time_s, None).job_s
        raise WrongUsageError(
            f"--walltime {format_duration(given_s)}: too short for b_eff_io with T ="
            f" {format_duration(io_time_s)}; give {format_duration(needed)}, or less with --time"
        )
    return JobTime(given_s, {**others_s, IO: io_s})
