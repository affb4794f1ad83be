"""Charts of one result of b_eff: bandwidths and times over the message size."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from beff.charts.axes import PER_PROCESS, log_axis, plain_tick, size_axis
from beff.charts.chart import (
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
from beff.charts.loops import (
    GROUPS,
    Chosen,
    Loops,
    average_rows,
    describe,
    panels_over_sizes,
    pattern_rows,
    per_process,
)
from beff.result.b_eff_result import Pattern
from beff.result.numbers import counted, duration, rate
from beff.verify.b_eff.definition import PING_PONG, patterns_for

_STATISTICS = ("best", "average", "worst")


def rings_and_random(loops: Loops) -> Chart | None:
    """Draw what the best method reaches."""
    rows = spread_rows(loops, loops.best)
    if not rows:
        return None
    kinds = zip(GROUPS, ("ring pattern", "random pattern"), strict=True)
    counts = [(len(loops.patterns(group)), kind) for group, kind in kinds]
    who = " and ".join(counted(count, kind) for count, kind in counts if count)
    y = log_axis(rows, PER_PROCESS)
    marks = [Marks("dashes", rows), Marks("point", rows, size=20)]
    panel = Panel(size_axis(loops.sizes_bytes), y, marks, series_in(rows), legend=3)
    return Chart(
        "rings_and_random",
        "Rings and random rings",
        f"Bandwidth per process over the message size, best method and repetition, of {who}: the"
        " worst and the best pattern and the logarithmic average at each size.",
        f"On average per process {averages(loops)}",
        [Part([panel])],
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
    return rows if has_values(rows) else []


def averages(loops: Loops) -> str:
    """Write the averages of the groups at the smallest and the largest message."""
    groups = ((loops.patterns(group), name) for group, name in GROUPS.items())
    return ends([row for of, name in groups for row in average_rows(loops, loops.best, of, name)])


def rings_against_random(loops: Loops) -> Chart | None:
    """Draw each ring pattern, and the average of the random ones."""
    rings, random = loops.patterns("ring"), loops.patterns("random")
    if not rings:
        return None
    rows = [row for pattern in rings for row in pattern_rows(loops, loops.best, pattern)]
    beside = ""
    if random:
        rows += average_rows(loops, loops.best, random, "random, average")
        beside = f", and the logarithmic average of {counted(len(random), 'random pattern')}"
    if not has_values(rows):
        return None
    return Chart(
        "rings_against_random",
        "Rings against random rings" if random else "Rings",
        "Bandwidth per process over the message size, best method and repetition: the patterns of"
        f" rings{beside}.",
        _averages_of(rings),
        [Part(panels_over_sizes({"": rows}, size=(560, 380), legend=4))],
    )


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
    patterns = loops.patterns("additional")
    additional = {pattern.id: pattern for pattern in patterns}
    rows_of = {
        family: [
            row
            for number in ids
            if number in additional
            for row in pattern_rows(loops, loops.best, additional[number])
        ]
        for family, ids in _FAMILIES.items()
    }
    rows_of = {family: rows for family, rows in rows_of.items() if has_values(rows)}
    if not rows_of:
        return None
    averaged = [pattern.name for pattern in patterns if pattern.averaged]
    return Chart(
        "additional_patterns",
        "Additional patterns",
        "Bandwidth over the message size, divided by the processes that take part; best method and"
        " repetition. "
        + (
            f"By the definition of this result {'; '.join(averaged)} enter the value."
            if averaged
            else "These patterns never enter the value."
        ),
        _averages_of(patterns),
        [Part(panels_over_sizes(rows_of, size=(230, 230), legend=1))],
    )


def methods(loops: Loops) -> Chart | None:
    """Draw the average over rings, and over random patterns, by each method."""
    groups = {name: loops.patterns(group) for group, name in GROUPS.items()}
    rows_of = {
        f"{name}: average of {counted(len(patterns), 'pattern')}": [
            row
            for method in loops.methods
            for row in average_rows(loops, loops.of_method(method), patterns, method)
        ]
        for name, patterns in groups.items()
        if patterns
    }
    return _by_method(
        loops,
        rows_of,
        "methods",
        "Comparison of methods",
        "Logarithmic average of the bandwidth per process over the message size, best repetition of"
        " one method at a time.",
    )


_ALL_DIRECTIONS = (40, 44, 41, 48)
"""Acyclic and cyclic grids of two and of three dimensions whose exchanges are one call of each."""


def grids_by_method(loops: Loops) -> Chart | None:
    """Draw what the paper (section 2.1) has these patterns for: collective or not."""
    grids = {p.id: p for p in loops.patterns("additional")}
    rows_of = {
        grids[number].name: [
            row
            for method in loops.methods
            for row in renamed(pattern_rows(loops, loops.of_method(method), grids[number]), method)
        ]
        for number in _ALL_DIRECTIONS
        if number in grids
    }
    return _by_method(
        loops,
        {name: rows for name, rows in rows_of.items() if has_values(rows)},
        "grids_by_method",
        "Grids: collective or not",
        "Bandwidth per process over the message size of the two- and three-dimensional grids, all"
        " directions at once, by each method: alltoallv is one collective call, sendrecv and"
        " nonblocking are messages of their own. Best repetition.",
    )


def _by_method(
    loops: Loops, rows_of: Mapping[str, Sequence[Row]], key: str, title: str, caption: str
) -> Chart | None:
    """Draw a panel for each title, two beside each other; None where nothing is compared."""
    if len(loops.methods) == 1 or not any(map(has_values, rows_of.values())):
        return None
    panels = panels_over_sizes(rows_of, size=(360, 270), legend=3, series=loops.methods)
    alt = " ".join(f"{name}: {ends(rows)}" for name, rows in rows_of.items())
    return Chart(key, title, caption, alt, [Part(panels, 2)])


_PAIRS = (37, 38, PING_PONG)
"""Bisections and ping-pong, whose processes do not all send at the same time."""


def time_per_message(loops: Loops) -> Chart | None:
    """Draw the time of a message, which at 1 byte is the latency that the result reports."""
    rows = message_rows(loops)
    if not has_values(rows):
        return None
    y = log_axis(rows, "µs per message", plain_tick)
    panel = Panel(size_axis(loops.sizes_bytes), y, lines(rows), series_in(rows), legend=3)
    return Chart(
        "time_per_message",
        "Time per message",
        "Time of one message over its size, best method and repetition: message size divided by the"
        " bandwidth of each process that sends at the same time. At 1 byte it is the latency.",
        f"One line for each pattern. {ends(rows, lambda us: duration((us or 0) / 1e6))}",
        [Part([panel])],
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
