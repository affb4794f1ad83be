"""The values of a system over time, with the levels between its steps."""

from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from statistics import fmean
from typing import Any

from beff.charts.common.axes import linear_axis
from beff.charts.common.panel import Figure
from beff.charts.common.vega_lite import Chart, channel, marks
from beff.model.numbers import change, counted, rate
from beff.store.trend import Series

_SIZE = (560, 240)
_POINT_SIZE = 50


def history_figures(found: Sequence[Series]) -> list[Figure]:
    """Return a diagram for each series of two runs or more."""
    return [
        _figure(number, series)
        for number, series in enumerate(found, start=1)
        if len(series.entries) > 1
    ]


def _figure(number: int, series: Series) -> Figure:
    runs: list[dict[str, Any]] = [
        {
            "at": run.measured_at.isoformat(),
            "MBps": run.value_MBps,
            "series": "valid" if run.status == "valid" else "not valid",
            "text": f"{run.measured_at:%Y-%m-%d %H:%M}: {rate(run.value_MBps)}",
        }
        for run in series.entries
        if run.measured_at is not None
    ]
    levels = _levels(series)
    x = channel(
        "at:T",
        title="start of the run (UTC)",
        scale={"type": "utc"},
        axis={"format": "%Y-%m-%d", "labelOverlap": "greedy", "tickCount": 6},
    )
    y = linear_axis([row["MBps"] for row in (*runs, *levels)], "value")
    named = channel("series:N", legend={"title": None})
    points: Chart = {"x": x, "y": y, "color": named, "shape": named, "description": "text:N"}
    layers = [marks("point", runs, points, size=_POINT_SIZE)]
    if levels:
        layers.append(marks("line", levels, {"x": x, "y": y, "detail": "level:N"}))
    steps = [
        f"{change(step.ratio - 1)} at {runs[step.index]['text']}, {step.verdict.value}"
        for step in series.steps
    ]
    said = "; ".join(steps) or "no step is beyond the noise"
    return Figure(
        f"history_{number}",
        series.title,
        f"Values of {counted(len(runs), 'run')} over time; lines are the levels of valid runs"
        f" between steps ({said}).",
        f"{said}. " + "; ".join(row["text"] for row in runs),
        {"layer": layers, "width": _SIZE[0], "height": _SIZE[1]},
    )


def _levels(series: Series) -> list[dict[str, Any]]:
    """Return both ends of each level: the geometric mean of the valid runs between two steps."""
    rows: list[dict[str, Any]] = []
    bounds = [0, *(step.index for step in series.steps), len(series.entries)]
    for level, (begin, end) in enumerate(pairwise(bounds)):
        runs = [run for run in series.entries[begin:end] if run.status == "valid"]
        if not runs:
            continue
        value = exp(fmean(log(run.value_MBps or 1.0) for run in runs))
        rows += [
            {"at": run.measured_at.isoformat(), "MBps": value, "level": str(level)}
            for run in (runs[0], runs[-1])
            if run.measured_at is not None
        ]
    return rows
