"""Comparison of the methods."""

from typing import Any

import altair as alt

from beff.charts.axes import log_axis, size_axis
from beff.charts.b_eff.loops import Loops, average_rows
from beff.charts.b_eff.spread import GROUPS, PER_PROCESS
from beff.charts.figure import Figure
from beff.charts.panel import has_values, line_panel
from beff.model.numbers import counted, rate


def methods(loops: Loops) -> Figure | None:
    """Draw the average over rings, and over random patterns, by each method."""
    rows_of: dict[str, list[dict[str, Any]]] = {}
    for group, name in GROUPS.items():
        patterns = loops.patterns(group)
        if patterns:
            rows_of[f"{name}: average of {counted(len(patterns), 'pattern')}"] = [
                row
                for method in loops.methods
                for row in average_rows(loops, loops.of_method(method), patterns, method)
            ]
    if len(loops.methods) == 1 or not any(map(has_values, rows_of.values())):
        return None
    y = log_axis((row["MBps"] for rows in rows_of.values() for row in rows), PER_PROCESS)
    panels = [
        line_panel(
            rows,
            size_axis(loops.sizes_bytes),
            y,
            loops.methods,
            columns=3,
            size=(360, 300),
            title=title,
        )
        for title, rows in rows_of.items()
    ]
    return Figure(
        "methods",
        "Comparison of methods",
        "Logarithmic average of the bandwidth per process over the message size, best repetition of"
        " one method at a time.",
        f"One line for each method. {_at_largest(rows_of)}",
        alt.hconcat(*panels),
    )


def _at_largest(rows_of: dict[str, list[dict[str, Any]]]) -> str:
    parts = []
    for title, rows in rows_of.items():
        largest = max(row["size_bytes"] for row in rows)
        values = (
            f"{row['series']} {rate(row['MBps'])}" for row in rows if row["size_bytes"] == largest
        )
        parts.append(f"{title}, at the largest message per process: {', '.join(values)}.")
    return " ".join(parts)
