"""The best loops of a result of b_eff: what each point of its charts stands for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from beff.charts.axes import PER_PROCESS, log_axis, positive, size_axis
from beff.charts.chart import Panel, Row, lines, series_in
from beff.result.b_eff_result import BEffResult, Pattern
from beff.result.numbers import counted, format_size, rate
from beff.result.samples import Cell, LoopSample, best_loops
from beff.verify.b_eff.averages import logavg
from beff.verify.b_eff.definition import OFFICIAL_METHODS

GROUPS = {"ring": "rings", "random": "random"}
"""Name in the legend by the group's name in the result."""
Chosen = Callable[[int, int], LoopSample | None]
"""The loop that counts for a pattern's id and the index of a message size; None without one."""


@dataclass(frozen=True)
class Loops:
    """The best repetition of each pattern, method and size, of loops that the clock resolved.

    `sizes` are the indices of the message sizes that were measured for any pattern. A size that one
    of the patterns lacks is a gap in its line; a size that the run left out is none.
    """

    result: BEffResult
    sizes: tuple[int, ...]
    by_cell: Mapping[Cell, LoopSample]

    @property
    def methods(self) -> list[str]:
        """Methods with a loop, in the order of the result."""
        found = {cell.method for cell in self.by_cell}
        return [method for method in self.result.methods if method in found]

    @property
    def sizes_bytes(self) -> list[int]:
        """The measured message sizes."""
        return [self.result.message_sizes_bytes[size] for size in self.sizes]

    def best(self, pattern: int, size: int) -> LoopSample | None:
        """Return the best loop of the official methods, which is the one that counts."""
        found = (self.by_cell.get(Cell(pattern, size, method)) for method in OFFICIAL_METHODS)
        return max((loop for loop in found if loop is not None), key=per_process, default=None)

    def of_method(self, method: str) -> Chosen:
        """Return what chooses the best loop of one method."""
        return lambda pattern, size: self.by_cell.get(Cell(pattern, size, method))

    def patterns(self, *groups: str) -> list[Pattern]:
        """Patterns of these groups with at least one loop."""
        measured = {cell.pattern for cell in self.by_cell}
        return [p for p in self.result.patterns if p.group in groups and p.id in measured]


def loops_of(result: BEffResult) -> Loops:
    """Find the best loops of a result."""
    best = {
        cell: loop
        for cell, loop in best_loops(result).items()
        if positive(loop.bandwidth_MBps) is not None
    }
    return Loops(result, tuple(sorted({cell.size for cell in best})), best)


def per_process(loop: LoopSample) -> float:
    """Bandwidth in MB/s of each process that takes part in the pattern."""
    return loop.bandwidth_MBps / loop.pattern.processes


def describe(loop: LoopSample) -> str:
    """Describe a point that is one loop."""
    host = f" on {loop.host}" if loop.host is not None else ""
    return (
        f"{loop.pattern.name}, {format_size(loop.size_bytes)}: {rate(per_process(loop))} per"
        f" process, {rate(loop.bandwidth_MBps)} in all; {loop.method}, repetition"
        f" {loop.repetition + 1}, slowest rank {loop.slowest_rank}{host}"
    )


def pattern_rows(loops: Loops, chosen: Chosen, pattern: Pattern) -> list[Row]:
    """Return the points of one pattern over the message sizes, in MB/s per process."""
    rows = []
    for size, size_bytes in zip(loops.sizes, loops.sizes_bytes, strict=True):
        loop = chosen(pattern.id, size)
        value, text = (None, "") if loop is None else (per_process(loop), describe(loop))
        rows.append(Row(size_bytes, value, pattern.name, text))
    return rows


def average_rows(
    loops: Loops, chosen: Chosen, patterns: Sequence[Pattern], series: str
) -> list[Row]:
    """Return the logarithmic averages over patterns at each message size, in MB/s per process."""
    rows = []
    for size, size_bytes in zip(loops.sizes, loops.sizes_bytes, strict=True):
        found = [loop for loop in (chosen(p.id, size) for p in patterns) if loop is not None]
        value = logavg(map(per_process, found)) if found else None
        text = (
            f"{series}, {format_size(size_bytes)}: {rate(value)} per process, logarithmic average"
            f" of {counted(len(found), 'pattern')}"
        )
        rows.append(Row(size_bytes, value, series, text))
    return rows


def panels_over_sizes(
    rows_of: Mapping[str, Sequence[Row]],
    *,
    size: tuple[int, int],
    legend: int,
    series: Sequence[str] | None = None,
) -> list[Panel]:
    """Return a panel of bandwidths over the message size for each title, with one scale.

    Without `series` each panel has its own.
    """
    rows = [row for of_panel in rows_of.values() for row in of_panel]
    x = size_axis([int(row.x) for row in rows])
    y = log_axis(rows, PER_PROCESS)
    return [
        Panel(x, y, lines(shown), series or series_in(shown), size, title, legend=legend)
        for title, shown in rows_of.items()
        if shown
    ]
