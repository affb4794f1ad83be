"""Several results of b_eff in one picture."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from beff.charts.axes import log_axis, size_axis
from beff.charts.b_eff.lines import GROUPS, PER_PROCESS, summary
from beff.charts.b_eff.loops import Loops, average_rows
from beff.charts.figure import Figure
from beff.charts.overlay import first_of
from beff.charts.panel import has_values, line_panel


def overlay(results: Sequence[tuple[str, Loops]]) -> Figure | None:
    """Draw the average over rings, and over random patterns, of each result."""
    measured = [(label, loops) for label, loops in results if loops.patterns(*GROUPS)]
    labels, remark = first_of([label for label, _ in measured])
    shown = measured[: len(labels)]
    if len(shown) < 2:
        return None
    rows_of: dict[str, list[dict[str, Any]]] = {
        name: [row for label, loops in shown for row in _rows(label, loops, group, name)]
        for group, name in GROUPS.items()
    }
    if not any(map(has_values, rows_of.values())):
        return None
    y = log_axis((row["MBps"] for rows in rows_of.values() for row in rows), PER_PROCESS)
    x = size_axis([row["size_bytes"] for rows in rows_of.values() for row in rows])
    panels = [
        line_panel(rows, x, y, labels, columns=2, size=(360, 300), title=name)
        for name, rows in rows_of.items()
        if rows
    ]
    return Figure(
        "overlay",
        "Results over the message size",
        "Logarithmic average over the patterns of the bandwidth per process, best method and"
        f" repetition.{remark}",
        " ".join(f"{label}: {summary(loops)}" for label, loops in shown),
        alt.hconcat(*panels),
    )


def _rows(label: str, loops: Loops, group: str, name: str) -> list[dict[str, Any]]:
    patterns = loops.patterns(group)
    if not patterns:
        return []
    n = loops.result.environment.processes
    rows = average_rows(loops, loops.best, patterns, f"{label}, {n} processes, {name}")
    return [row | {"series": label} for row in rows]
