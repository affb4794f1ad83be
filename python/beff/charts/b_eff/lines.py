"""Bandwidth over the message size: rings and random patterns, and single patterns."""

from collections.abc import Sequence
from typing import Any

from beff.charts.b_eff.loops import (
    Chosen,
    Loops,
    average_rows,
    describe,
    pattern_rows,
    per_process,
)
from beff.charts.common.axes import log_axis, size_axis
from beff.charts.common.panel import Figure, has_values, line_panel
from beff.charts.common.vega_lite import Chart, channel, independent, marks
from beff.model.b_eff_result import Pattern
from beff.model.numbers import counted, format_size, rate

GROUPS = {"ring": "rings", "random": "random"}
"""Name in the legend by the group's name in the result."""
_STATISTICS = ("best", "average", "worst")
PER_PROCESS = "bandwidth per process"


def rings_and_random(loops: Loops) -> Figure | None:
    """Draw what the best method reaches."""
    rows = spread_rows(loops, loops.best)
    if not rows:
        return None
    y = log_axis((row["MBps"] for row in rows), PER_PROCESS)
    chart = _panel(loops, rows, y)
    return Figure(
        "rings_and_random",
        "Rings and random rings",
        f"Bandwidth per process over the message size, best method and repetition, of"
        f" {_who(loops)}: the worst and the best pattern and the logarithmic average at each size.",
        f"Lines over the message size. {summary(loops)}",
        chart,
    )


def spread_rows(loops: Loops, chosen: Chosen) -> list[dict[str, Any]]:
    """Return worst, average and best bandwidth per process by group and message size."""
    rows: list[dict[str, Any]] = []
    for group, name in GROUPS.items():
        patterns = loops.patterns(group)
        if not patterns:
            continue
        averages = average_rows(loops, chosen, patterns, name)
        for size, average in zip(loops.sizes, averages, strict=True):
            found = [loop for loop in (chosen(p.id, size) for p in patterns) if loop is not None]
            if not found:
                rows += [average | {"statistic": statistic} for statistic in _STATISTICS]
                continue
            rows.append(average | {"statistic": "average"})
            for statistic, choose in (("worst", min), ("best", max)):
                loop = choose(found, key=per_process)
                value = {"statistic": statistic, "MBps": per_process(loop)}
                rows.append(average | value | {"text": f"{statistic} of {name}: {describe(loop)}"})
    return rows if has_values(rows) else []


def summary(loops: Loops) -> str:
    """Write the averages of the groups at the smallest and the largest message."""
    parts = []
    for group, name in GROUPS.items():
        rows = average_rows(loops, loops.best, loops.patterns(group), name)
        known = [row for row in rows if row["MBps"] is not None]
        if known:
            ends = (
                f"{rate(row['MBps'])} at {format_size(row['size_bytes'])}"
                for row in (known[0], known[-1])
            )
            parts.append(f"{name}: on average {' and '.join(ends)} per process")
    return "; ".join(parts) + "."


def _who(loops: Loops) -> str:
    rings, random = (len(loops.patterns(group)) for group in GROUPS)
    parts = []
    if rings:
        parts.append(counted(rings, "ring pattern"))
    if random:
        parts.append(counted(random, "random pattern"))
    return " and ".join(parts)


def _panel(loops: Loops, rows: list[dict[str, Any]], y: Chart) -> Chart:
    groups = [name for group, name in GROUPS.items() if loops.patterns(group)]
    named = channel("series:N", title="patterns", scale={"domain": groups})
    dashes = channel(
        "statistic:N",
        title="over the patterns",
        scale={"domain": list(_STATISTICS), "range": [[6, 3], [1, 0], [2, 2]]},
        legend={"symbolType": "stroke", "symbolStrokeWidth": 1.6, "symbolSize": 500},
    )
    base = {"x": size_axis(loops.sizes_bytes), "y": y, "color": named}
    lines = marks("line", rows, {**base, "strokeDash": dashes})
    points = marks("point", rows, {**base, "shape": named, "description": "text:N"}, size=20)
    return {"layer": [lines, points], "width": 560, "height": 380}


_FAMILIES = {
    "cycle, bisections, ping-pong": (36, 37, 38, 39),
    "2-D Cartesian": (40, 42, 43, 44),
    "3-D Cartesian": (41, 45, 46, 47, 48),
}
"""Additional patterns that one diagram shows together."""


def rings_against_random(loops: Loops) -> Figure | None:
    """Draw each ring pattern, and the average of the random ones."""
    rings, random = loops.patterns("ring"), loops.patterns("random")
    if not rings:
        return None
    rows = [row for pattern in rings for row in pattern_rows(loops, loops.best, pattern)]
    series, beside = [pattern.name for pattern in rings], ""
    if random:
        series.append("random, average")
        rows += average_rows(loops, loops.best, random, series[-1])
        beside = f", and the logarithmic average of {counted(len(random), 'random pattern')}"
    if not has_values(rows):
        return None
    return Figure(
        "rings_against_random",
        "Rings against random rings" if random else "Rings",
        "Bandwidth per process over the message size, best method and repetition: the patterns of"
        f" rings{beside}.",
        f"One line for each pattern. {_averages(rings)}",
        line_panel(
            rows,
            size_axis(loops.sizes_bytes),
            log_axis((row["MBps"] for row in rows), PER_PROCESS),
            series,
            columns=4,
            size=(560, 380),
        ),
    )


def additional_patterns(loops: Loops) -> Figure | None:
    """Draw the patterns that never enter the value."""
    patterns, chart = loops.patterns("additional"), _families(loops)
    if chart is None:
        return None
    return Figure(
        "additional_patterns",
        "Additional patterns",
        "Bandwidth over the message size, divided by the processes that take part; best method and"
        f" repetition. {_role(patterns)}",
        f"One line for each pattern. {_averages(patterns)}",
        chart,
    )


def _families(loops: Loops) -> Chart | None:
    """Draw a diagram for each family; None without a point."""
    additional = {pattern.id: pattern for pattern in loops.patterns("additional")}
    rows_of: dict[str, list[dict[str, Any]]] = {}
    for family, ids in _FAMILIES.items():
        patterns = [additional[pattern] for pattern in ids if pattern in additional]
        rows = [row for p in patterns for row in pattern_rows(loops, loops.best, p)]
        if has_values(rows):
            rows_of[family] = rows
    if not rows_of:
        return None
    y = log_axis((row["MBps"] for rows in rows_of.values() for row in rows), PER_PROCESS)
    panels = [
        line_panel(
            rows,
            size_axis(loops.sizes_bytes),
            y,
            [additional[pattern].name for pattern in _FAMILIES[family] if pattern in additional],
            columns=1,
            size=(230, 230),
            title=family,
        )
        for family, rows in rows_of.items()
    ]
    return {"hconcat": panels, "spacing": 12, **independent("color", "shape")}


def _averages(patterns: Sequence[Pattern]) -> str:
    known = [p for p in patterns if p.bandwidth_MBps is not None]
    if not known:
        return "No pattern was measured with all message sizes."
    values = (f"{p.name} {rate((p.bandwidth_MBps or 0) / p.processes)}" for p in known)
    return f"Per process, averaged over the message sizes: {'; '.join(values)}."


def _role(patterns: Sequence[Pattern]) -> str:
    """Say which of the patterns enter the value, which some do by definition 3.1."""
    averaged = [pattern.name for pattern in patterns if pattern.averaged]
    if averaged:
        return f"By the definition of this result {'; '.join(averaged)} enter the value."
    return "These patterns never enter the value."
