"""Whether the times of single processes can be what they claim to be."""

from math import exp, inf, log

from beff.analysis.b_eff.patterns import patterns_for
from beff.analysis.b_eff.relative_times import SIZES
from beff.analysis.finding import Comparison
from beff.model.b_eff_result import BEffResult, ProcessTimes

_ROUNDING = 1e-3
"""The times are given with four digits."""


def check_process_time_structure(result: BEffResult, check: Comparison) -> None:
    """One list per pattern of the result, or none at all; each with one entry per process."""
    times = result.process_times
    if times is None:
        return
    ids = [pattern.id for pattern in result.patterns]
    path: list[str | int] = ["process_times", "pattern"]
    check.require(times.pattern in ([], ids), path, times.pattern, f"none or {ids}")
    n = result.environment.processes
    for name, table in _tables(times).items():
        check.require(
            len(table) == len(times.pattern),
            ["process_times", name],
            f"{len(table)} lists",
            f"{len(times.pattern)} lists, one per pattern",
        )
        for index, seconds in enumerate(table):
            path = ["process_times", name, index]
            check.require(len(seconds) == n, path, f"{len(seconds)} entries", f"{n} entries")


def check_process_times(result: BEffResult, check: Comparison) -> None:
    """Each time lies between the best of the quickest and the best of the slowest processes."""
    times = result.process_times
    if times is None:
        return
    bounds = time_bounds(result)
    existing = patterns_for(result.environment.processes)
    for name, table in _tables(times).items():
        for index, (pattern, seconds) in enumerate(zip(times.pattern, table, strict=True)):
            low, high = bounds.get((name, pattern), (inf, -inf))
            for rank, time in enumerate(seconds):
                path: list[str | int] = ["process_times", name, index, rank]
                if time is not None and rank >= existing[pattern].processes:
                    check.report(path, time, None)
                elif time is not None and not low * (1 - _ROUNDING) <= time <= high * (
                    1 + _ROUNDING
                ):
                    check.report(path, time, f"between {low} and {high}, as the samples say")


def _tables(times: ProcessTimes) -> dict[str, list[list[float | None]]]:
    return {"short_s": times.short_s, "long_s": times.long_s}


def time_bounds(result: BEffResult) -> dict[tuple[str, int], tuple[float, float]]:
    """By table and pattern: geometric means over the sizes of the best time of one iteration."""
    s = result.samples
    best: dict[tuple[int, int], tuple[float, float]] = {}
    for pattern, size, length, low, high in zip(
        s.pattern, s.size, s.loop_length, s.time_min_s, s.time_max_s, strict=True
    ):
        before = best.get((pattern, size), (inf, inf))
        best[pattern, size] = (min(before[0], low / length), min(before[1], high / length))
    bounds = {}
    for messages, sizes in SIZES.items():
        for pattern in {pattern for pattern, _ in best}:
            found = [best[pattern, size] for size in sizes if (pattern, size) in best]
            if found and all(low > 0 for low, _ in found):
                low, high = (
                    exp(sum(map(log, ends)) / len(ends)) for ends in zip(*found, strict=True)
                )
                bounds[f"{messages}_s", pattern] = (low, high)
    return bounds
