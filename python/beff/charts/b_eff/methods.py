"""Bandwidth over the message size by each method: averages, and grids in all directions."""

from typing import Any

from beff.charts.b_eff.lines import GROUPS, PER_PROCESS
from beff.charts.b_eff.loops import Loops, average_rows, pattern_rows
from beff.charts.common.axes import log_axis, size_axis
from beff.charts.common.panel import Figure, has_values, line_panel
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
        {"hconcat": panels},
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


_ALL_DIRECTIONS = (40, 44, 41, 48)
"""Acyclic and cyclic grids of two and of three dimensions whose exchanges are one call of each."""


def grids_by_method(loops: Loops) -> Figure | None:
    """Draw what the paper (section 2.1) has these patterns for: collective or not."""
    grids = {p.id: p for p in loops.patterns("additional") if p.id in _ALL_DIRECTIONS}
    rows_of = {
        grids[pattern].name: [
            row | {"series": method}
            for method in loops.methods
            for row in pattern_rows(loops, loops.of_method(method), grids[pattern])
        ]
        for pattern in _ALL_DIRECTIONS
        if pattern in grids
    }
    rows_of = {name: rows for name, rows in rows_of.items() if has_values(rows)}
    if len(loops.methods) == 1 or not rows_of:
        return None
    y = log_axis((row["MBps"] for rows in rows_of.values() for row in rows), PER_PROCESS)
    x = size_axis(loops.sizes_bytes)
    panels = [
        line_panel(rows, x, y, loops.methods, columns=3, size=(360, 240), title=name)
        for name, rows in rows_of.items()
    ]
    return Figure(
        "grids_by_method",
        "Grids: collective or not",
        "Bandwidth per process over the message size of the two- and three-dimensional grids, all"
        " directions at once, by each method: alltoallv is one collective call, sendrecv and"
        " nonblocking are messages of their own. Best repetition.",
        f"One line for each method. {_at_largest(rows_of)}",
        {"concat": panels, "columns": 2},
    )
