"""Charts of one result of b_eff: bandwidths and times over the message size."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from beff.charts.axes import (
    PER_PROCESS,
    log_axis,
    plain_tick,
    positive,
    rate_tick,
    share_axis,
    size_axis,
)
from beff.charts.chart import (
    Axis,
    Chart,
    Marks,
    Panel,
    Part,
    Row,
    ends,
    has_values,
    lines,
    renamed,
    series_in,
)
from beff.definition.averages import logavg
from beff.definition.b_eff_patterns import OFFICIAL_METHODS, PING_PONG, patterns_for
from beff.result.b_eff_result import BEffResult, Pattern
from beff.result.bounds import Figure
from beff.result.numbers import counted, duration, format_size, percent, rate
from beff.result.samples import Cell, LoopSample, best_loops

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


def over_sizes(
    key: str,
    title: str,
    caption: str,
    alt: str,
    rows_of: Mapping[str, Sequence[Row]],
    *,
    size: tuple[int, int] = (560, 380),
    legend: int = 3,
    series: Sequence[str] | None = None,
    columns: int = 0,
    unit: tuple[str, Callable[[float], str]] = (PER_PROCESS, rate_tick),
    axis: Axis | None = None,
    draw: Callable[[Sequence[Row]], list[Marks]] = lines,
) -> Chart | None:
    """Draw a panel over the message size for each title that has values, all with one scale.

    Without `axis` it is logarithmic; without `series` each panel has its own. None where there is
    no value.
    """
    shown = {name: rows for name, rows in rows_of.items() if has_values(rows)}
    every = [row for rows in shown.values() for row in rows]
    if not every:
        return None
    x, y = size_axis([int(row.x) for row in every]), axis or log_axis(every, *unit)
    panels = [
        Panel(x, y, draw(rows), series or series_in(rows), size, name, legend=legend)
        for name, rows in shown.items()
    ]
    return Chart(key, title, caption, alt, [Part(panels, columns)])


_STATISTICS = ("best", "average", "worst")


def rings_and_random(loops: Loops) -> Chart | None:
    """Draw what the best method reaches."""
    kinds = zip(GROUPS, ("ring pattern", "random pattern"), strict=True)
    counts = [(len(loops.patterns(group)), kind) for group, kind in kinds]
    who = " and ".join(counted(count, kind) for count, kind in counts if count)
    return over_sizes(
        "rings_and_random",
        "Rings and random rings",
        f"Bandwidth per process over the message size, best method and repetition, of {who}: the"
        " worst and the best pattern and the logarithmic average at each size.",
        f"On average per process {averages(loops)}",
        {"": spread_rows(loops, loops.best)},
        draw=lambda rows: [Marks("dashes", rows), Marks("point", rows, size=20)],
    )


def spread_rows(loops: Loops, chosen: Chosen) -> list[Row]:
    """Return worst, average and best bandwidth per process by group and message size."""
    rows: list[Row] = []
    for group, name in GROUPS.items():
        patterns = loops.patterns(group)
        average_of = average_rows(loops, chosen, patterns, name) if patterns else []
        for size, average in zip(loops.sizes, average_of, strict=False):
            found = [loop for loop in (chosen(p.id, size) for p in patterns) if loop is not None]
            if not found:
                rows += [replace(average, look=statistic) for statistic in _STATISTICS]
                continue
            rows.append(replace(average, look="average"))
            for statistic, choose in (("worst", min), ("best", max)):
                loop = choose(found, key=per_process)
                text = f"{statistic} of {name}: {describe(loop)}"
                rows.append(replace(average, look=statistic, y=per_process(loop), text=text))
    return rows


def averages(loops: Loops) -> str:
    """Write the averages of the groups at the smallest and the largest message."""
    groups = ((loops.patterns(group), name) for group, name in GROUPS.items())
    return ends([row for of, name in groups for row in average_rows(loops, loops.best, of, name)])


def shares_of_best(loops: Loops) -> Chart | None:
    """Draw each ring pattern and the average of the random ones; None where nothing is compared."""
    rings, random = loops.patterns("ring"), loops.patterns("random")
    rows = [row for pattern in rings for row in pattern_rows(loops, loops.best, pattern)]
    if random:
        rows += average_rows(loops, loops.best, random, "random, average")
    if len(series_in(rows)) == 1:
        return None
    shown = of_best(rows)
    return over_sizes(
        "shares_of_best",
        "Share of the best pattern",
        "Bandwidth per process of the patterns of rings, and the logarithmic average of the random"
        " ones, divided by the highest of these at the same message size; best method and"
        " repetition.",
        f"Share of the best: {ends(shown, share)}",
        {"": shown},
        size=(560, 300),
        legend=4,
        axis=share_axis(shown, "% of the best"),
    )


def of_best(rows: Sequence[Row]) -> list[Row]:
    """Turn values into per cent of the highest at the same place, whose difference is then seen."""
    best: dict[float | str, float] = {}
    for row in rows:
        if row.y is not None:
            best[row.x] = max(row.value, best.get(row.x, 0.0))
    return [
        row
        if row.y is None
        else replace(
            row,
            y=100 * (row.value / best[row.x]),
            text=f"{percent(row.value / best[row.x])} of the best; {row.text}",
        )
        for row in rows
    ]


def share(value: Figure) -> str:
    """Write per cent."""
    return f"{value or 0:.0f} %"


def _averages_of(patterns: Sequence[Pattern]) -> str:
    known = [p for p in patterns if p.bandwidth_MBps is not None]
    if not known:
        return "One line for each pattern; none was measured with all message sizes."
    values = (f"{p.name} {rate((p.bandwidth_MBps or 0) / p.processes)}" for p in known)
    return f"Per process, averaged over the message sizes: {'; '.join(values)}."


_FAMILIES = {
    "cycle, bisections, ping-pong": (36, 37, 38, 39),
    "2-D Cartesian": (40, 42, 43, 44),
    "3-D Cartesian": (41, 45, 46, 47, 48),
}
"""Additional patterns that one panel shows together."""


def additional_patterns(loops: Loops) -> Chart | None:
    """Draw the patterns that never enter the value."""
    patterns = {pattern.id: pattern for pattern in loops.patterns("additional")}
    rows_of = {
        family: [
            row
            for number in ids
            if number in patterns
            for row in pattern_rows(loops, loops.best, patterns[number])
        ]
        for family, ids in _FAMILIES.items()
    }
    averaged = "; ".join(pattern.name for pattern in patterns.values() if pattern.averaged)
    return over_sizes(
        "additional_patterns",
        "Additional patterns",
        "Bandwidth over the message size, divided by the processes that take part; best method and"
        " repetition. "
        + (
            f"By the definition of this result {averaged} enter the value."
            if averaged
            else "These patterns never enter the value."
        ),
        _averages_of([*patterns.values()]),
        rows_of,
        size=(230, 230),
        legend=1,
    )


def methods(loops: Loops) -> Chart | None:
    """Draw the average over rings, and over random patterns, by each method."""
    groups = {name: loops.patterns(group) for group, name in GROUPS.items()}
    return _by_method(
        loops,
        "methods",
        "Comparison of methods",
        "Logarithmic average of the bandwidth per process, best repetition of one method at a time,"
        " divided by that of the best method at the same message size.",
        {
            f"{name}: average of {counted(len(patterns), 'pattern')}": [
                row
                for method in loops.methods
                for row in average_rows(loops, loops.of_method(method), patterns, method)
            ]
            for name, patterns in groups.items()
            if patterns
        },
    )


_ALL_DIRECTIONS = (40, 44, 41, 48)
"""Acyclic and cyclic grids of two and of three dimensions whose exchanges are one call of each."""


def grids_by_method(loops: Loops) -> Chart | None:
    """Draw what the paper (section 2.1) has these patterns for: collective or not."""
    grids = {p.id: p for p in loops.patterns("additional")}
    return _by_method(
        loops,
        "grids_by_method",
        "Grids: collective or not",
        "Bandwidth per process of the two- and three-dimensional grids, all directions at once, by"
        " each method, divided by that of the best method at the same message size: alltoallv is"
        " one collective call, sendrecv and nonblocking are messages of their own. Best"
        " repetition.",
        {
            grid.name: [
                row
                for method in loops.methods
                for row in renamed(pattern_rows(loops, loops.of_method(method), grid), method)
            ]
            for grid in (grids[number] for number in _ALL_DIRECTIONS if number in grids)
        },
    )


def _by_method(
    loops: Loops, key: str, title: str, caption: str, rows_of: Mapping[str, Sequence[Row]]
) -> Chart | None:
    """Draw a panel for each title, two beside each other; None where nothing is compared."""
    if len(loops.methods) == 1:
        return None
    shown = {name: of_best(rows) for name, rows in rows_of.items() if has_values(rows)}
    every = [row for rows in shown.values() for row in rows]
    return over_sizes(
        key,
        title,
        caption,
        " ".join(f"{name}: {ends(rows, share)}" for name, rows in shown.items()),
        shown,
        size=(360, 270),
        series=loops.methods,
        columns=2,
        axis=share_axis(every, "% of the best method"),
    )


_PAIRS = (37, 38, PING_PONG)
"""Bisections and ping-pong, whose processes do not all send at the same time."""


def time_per_message(loops: Loops) -> Chart | None:
    """Draw the time of a message, which at 1 byte is the latency that the result reports."""
    rows = message_rows(loops)
    return over_sizes(
        "time_per_message",
        "Time per message",
        "Time of one message over its size, best method and repetition: message size divided by the"
        " bandwidth of each process that sends at the same time. At 1 byte it is the latency.",
        f"One line for each pattern. {ends(rows, lambda us: duration((us or 0) / 1e6))}",
        {"": rows},
        unit=("µs per message", plain_tick),
    )


def message_rows(loops: Loops) -> list[Row]:
    """Return the points: averages over rings and random patterns, and single ones, in µs."""
    rows: list[Row] = []
    for group, name in GROUPS.items():
        patterns = loops.patterns(group)
        if patterns:
            rows += _timed(average_rows(loops, loops.best, patterns, f"{name}, average"), 1.0)
    facts = patterns_for(loops.result.environment.processes)
    for pattern in loops.patterns("additional"):
        if pattern.id in _PAIRS:
            of_pattern = pattern_rows(loops, loops.best, pattern)
            rows += _timed(of_pattern, facts[pattern.id].senders / pattern.processes)
    return rows


def _timed(rows: Iterable[Row], share: float) -> list[Row]:
    """Turn MB/s per process into µs; `share` of the processes send at the same time."""
    timed = []
    for row in rows:
        us = None if row.y is None else float(row.x) * share / row.value
        took = "" if us is None else f"{duration(us / 1e6)} per message; "
        timed.append(replace(row, y=us, text=took + row.text))
    return timed
