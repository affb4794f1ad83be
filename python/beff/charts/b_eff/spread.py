"""Rings and random rings over the message size: worst, average and best pattern of each group."""

from typing import Any

import altair as alt
from altair.typing import ChartType

from beff.charts.axes import log_axis, size_axis
from beff.charts.b_eff.loops import (
    Chosen,
    Loops,
    average_rows,
    describe,
    per_process,
)
from beff.charts.figure import Figure
from beff.charts.panel import has_values, inline
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


def _panel(loops: Loops, rows: list[dict[str, Any]], y: alt.Y) -> ChartType:
    groups = [name for group, name in GROUPS.items() if loops.patterns(group)]
    scale = alt.Scale(domain=groups)
    base = alt.Chart(inline(rows)).encode(
        x=size_axis(loops.sizes_bytes),
        y=y,
        color=alt.Color("series:N", title="patterns", scale=scale),
    )
    lines = base.mark_line().encode(
        strokeDash=alt.StrokeDash(
            "statistic:N",
            title="over the patterns",
            scale=alt.Scale(domain=list(_STATISTICS), range=[[6, 3], [1, 0], [2, 2]]),
            legend=alt.Legend(symbolType="stroke", symbolStrokeWidth=1.6, symbolSize=500),
        )
    )
    points = base.mark_point(size=20).encode(
        shape=alt.Shape("series:N", title="patterns", scale=scale), description="text:N"
    )
    return alt.layer(lines, points).properties(width=560, height=380)
