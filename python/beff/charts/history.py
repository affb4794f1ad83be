"""The values of a system over time, with the levels between its steps."""

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from math import ceil, exp, floor, log
from statistics import fmean

from beff.charts.axes import linear_axis, plain_tick
from beff.charts.chart import Axis, Chart, Marks, Panel, Part, Row, series_in, texts
from beff.result.numbers import change, counted, measured
from beff.store.trend import Series

_DAY_S = 86_400
_HOUR_S = 3_600
_MOST_TICKS = 6
"""At the axis of times."""


def history_charts(found: Sequence[Series]) -> list[Chart]:
    """Return a chart for each series of two runs or more."""
    return [
        _chart(number, series)
        for number, series in enumerate(found, start=1)
        if len(series.points) > 1
    ]


def _chart(number: int, series: Series) -> Chart:
    unit = series.figure.unit
    runs = [
        Row(
            point.when.timestamp(),
            point.value,
            "valid" if point.counts else point.stamps,
            f"{point.when:%Y-%m-%d %H:%M}: {measured(point.value, unit)}",
        )
        for point in series.points
    ]
    levels = _levels(series)
    rows = [*runs, *(row for level in levels for row in level)]
    y = linear_axis(rows, "value") if unit == "MB/s" else linear_axis(rows, unit, plain_tick)
    marks = [
        *(
            Marks(kind, [row for row in runs if (row.series == "valid") == is_valid], size=50)
            for kind, is_valid in (("point", True), ("hollow", False))
        ),
        *(Marks("line", level, "ink") for level in levels),
    ]
    panel = Panel(_time_axis(runs), y, marks, series_in(runs), (560, 240), legend=2)
    steps = [
        f"{change(step.ratio - 1)} at {runs[step.index].text}, {step.word.value}"
        for step in series.steps
    ]
    said = "; ".join(steps) or "no step is beyond the noise"
    return Chart(
        f"history_{number}",
        series.title,
        f"Values of {counted(len(runs), 'run')} over time; lines are the levels of valid,"
        f" undisturbed runs between steps ({said}).",
        f"{said}. {texts(runs)}",
        [Part([panel])],
    )


def _time_axis(runs: Sequence[Row]) -> Axis:
    """Return an axis of seconds with some midnights, or with hours where all is within two days.

    A date stands where it begins, so none stands twice.
    """
    times = [float(row.x) for row in runs]
    first, last = min(times), max(times)
    unit, form = (_DAY_S, "%Y-%m-%d") if last - first > 2 * _DAY_S else (_HOUR_S, "%H:%M")
    step = unit * (ceil((last - first) / unit / _MOST_TICKS) or 1)
    round_to = unit if unit == _DAY_S else step
    begin = round_to * floor(first / round_to)
    margin = 0.03 * (last - first) or 1.0
    ticks: dict[float, str] = {}
    day = ""
    for at in range(begin, int(last) + 1, step):
        moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=at)
        ticks[at] = f"{moment:{form}}" if f"{moment:%Y-%m-%d}" == day else f"{moment:%Y-%m-%d}"
        day = f"{moment:%Y-%m-%d}"
    return Axis("start of the run (UTC)", (min(begin, first - margin), last + margin), ticks)


def _levels(series: Series) -> list[list[Row]]:
    """Return both ends of each level: the geometric mean of the valid runs between two steps."""
    levels = []
    bounds = [0, *(step.index for step in series.steps), len(series.points)]
    for begin, end in pairwise(bounds):
        runs = [point for point in series.points[begin:end] if point.counts]
        if runs:
            value = exp(fmean(log(run.value) for run in runs))
            levels.append([Row(run.when.timestamp(), value) for run in (runs[0], runs[-1])])
    return levels
