"""How much time a job needs, and how it is divided among the benchmarks in it."""

from dataclasses import dataclass

from beff.model.errors import WrongUsageError
from beff.model.numbers import format_duration

B_EFF_LIMIT_S = 10 * 60.0
"""It takes one or two minutes, more where processes are many or slow."""
_IO_FACTOR = (1 + 2 * 2) / 3
"""Rewrite and read repeat the calls of the write: T/3 each when as fast as the write; here twice
that, as in the first of the longer cases that `b_eff_io --plan` shows."""
_LONGEST_MARGIN_S = 5 * 60.0
_MARGIN = 0.1


@dataclass(frozen=True)
class JobTime:
    """Seconds of a job and of the benchmarks in it; None for one that is not measured.

    The limits end the benchmarks so long before the job ends that their results are written.
    """

    job_s: float
    b_eff_limit_s: float | None
    io_limit_s: float | None


def divide_time(b_eff: bool, io_time_s: float | None, given_s: float | None) -> JobTime:
    """Return the times of a job that measures b_eff, or b_eff_io with T = `io_time_s`, or both.

    `given_s` is the time that the job may take, None for what it needs. Raises WrongUsageError
    when that is less than the scheduled time of b_eff_io.
    """
    io_needs_s = 0.0 if io_time_s is None else _IO_FACTOR * io_time_s
    if given_s is None:
        b_eff_s = B_EFF_LIMIT_S if b_eff else 0.0
        job_s = b_eff_s + io_needs_s + _LONGEST_MARGIN_S
        return JobTime(job_s, b_eff_s or None, io_needs_s or None)
    usable_s = given_s - min(_LONGEST_MARGIN_S, _MARGIN * given_s)
    if io_time_s is None:
        return JobTime(given_s, usable_s, None)
    b_eff_s = min(B_EFF_LIMIT_S, usable_s / 3) if b_eff else 0.0
    if usable_s - b_eff_s < io_time_s:
        needed = divide_time(b_eff, io_time_s, None).job_s
        raise WrongUsageError(
            f"--time {format_duration(given_s)}: too short for b_eff_io with T ="
            f" {format_duration(io_time_s)}; give {format_duration(needed)}, or less with --io-time"
        )
    return JobTime(given_s, b_eff_s or None, usable_s - b_eff_s)
