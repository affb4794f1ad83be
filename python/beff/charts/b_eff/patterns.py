"""Single patterns over the message size: rings against random ones, and the additional ones."""

from collections.abc import Sequence
from typing import Any

import altair as alt
from altair.typing import ChartType

from beff.charts.axes import log_axis, size_axis
from beff.charts.b_eff.loops import Loops, average_rows, pattern_rows
from beff.charts.b_eff.spread import PER_PROCESS
from beff.charts.figure import Figure
from beff.charts.panel import has_values, line_panel
from beff.model.b_eff_result import Pattern
from beff.model.numbers import counted, rate

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


def _families(loops: Loops) -> ChartType | None:
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
    row: ChartType = alt.hconcat(*panels, spacing=12).resolve_scale(
        color="independent", shape="independent"
    )
    return row


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
