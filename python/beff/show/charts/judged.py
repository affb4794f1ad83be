"""What was judged, drawn: changes between two sides, values over time, the hosts of a fleet."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise
from math import exp, log, log1p
from statistics import fmean

from beff.judge.benchmarks import DECIDING
from beff.judge.change import Word
from beff.judge.compare import Comparison
from beff.judge.fleet import JudgedFleet
from beff.judge.runs import Series
from beff.maps.findings import SIZES
from beff.maps.fleet import State
from beff.result.numbers import bound, change, counted, measured
from beff.show.charts import spec as vl
from beff.show.charts.spec import Chart, Row, Spec

_LARGEST_SHARE = 4.0
"""Intervals are cut off beyond four times and a quarter."""
_TICKS = (-0.75, -0.5, -0.3, -0.2, -0.1, -0.05, -0.02, 0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 3.0)
"""Changes that the axis may name."""
_WORDS = [word.value for word in Word]


def change_chart(comparison: Comparison, threshold: float) -> Chart:
    """Draw the intervals of what decides: a forest plot. The threshold is a share."""
    tables = {name: rows for name, rows in comparison.tables.items() if name in DECIDING}
    shares = [share for rows in tables.values() for row in rows for share in row.shares[::2]]
    edge = max(1.02, (1 + threshold) ** 2, *(exp(abs(log1p(share))) for share in shares))
    edge = min(_LARGEST_SHARE, edge * 1.05)
    rows: list[Row] = []
    for name, row in ((name, row) for name, of in tables.items() for row in of):
        low, ratio, high = (min(max(1 + share, 1 / edge), edge) for share in row.shares)
        values = {"panel": name, "ratio": ratio, "low": low, "high": high}
        figure, both = row.figure, (row.change.a, row.change.b)
        a, b = (measured(figure.of_log(each), figure.unit) for each in both)
        moved = f"{change(row.shares[1])} ({bound(row.shares[0])} to {bound(row.shares[2])})"
        text = f"{figure.name}: {a} to {b}, {moved}, {row.word.value}"
        rows.append(values | {"series": row.word.value, "text": text, "name": figure.name})
    near = [tick for tick in _TICKS if abs(log1p(tick)) <= log(edge)]
    ticks = {1 + tick: f"{100 * tick:+g} %" if tick else "0" for tick in near}
    x = {"type": "log", "domain": [1 / edge, edge]}
    present = [word for word in _WORDS if word in vl.series_in(rows)]
    series = vl.coloured(_WORDS, present, title="B is")
    axes = {"x": vl.quantity("ratio", "change of B against A", x, vl.labels(ticks)), "y": vl.NAMES}
    no_row: Spec = {"y": None, "color": None, "shape": None}
    grey = {"x": {"datum": 1 / (1 + threshold)}, "x2": {"datum": 1 + threshold}, **no_row}
    ends = {"x": {"field": "low"}, "x2": {"field": "high"}, "shape": None}
    layers = [
        vl.layer("rect", grey, style="soft", opacity=0.15) | vl.ONCE,
        vl.layer("rule", {"x": {"datum": 1}, **no_row}) | vl.ONCE,
        vl.layer("rule", ends, strokeWidth=2),
        vl.layer("point", vl.DESCRIBED, size=50),
    ]
    runs_a, runs_b = comparison.a, comparison.b
    return vl.chart(
        "changes",
        vl.facets(rows, axes | series, layers, height={"step": 18}, width=vl.WIDTH - 40),
        part=f"{runs_a[0].benchmark}_{runs_a[0].result.environment.processes}",
        columns=1,
        compared=comparison.name,
        a=len(runs_a),
        b=len(runs_b),
        threshold_percent=100 * threshold,
    )


def history_chart(number: int, series: Series) -> Chart:
    """Draw runs with the levels between steps: the geometric mean of the valid ones."""
    unit = series.figure.unit
    rows: list[Row] = []
    for point in series.points:
        row: Row = {"at": 1e3 * point.when.timestamp(), "value": point.value}
        row |= {"series": "valid"} if point.counts else {"series": point.stamps, "look": "hollow"}
        rows.append(row | {"text": f"{point.when:%Y-%m-%d %H:%M}: {measured(point.value, unit)}"})
    for begin, end in pairwise([0, *(step.index for step in series.steps), len(rows)]):
        if runs := [row for row in rows[begin:end] if "look" not in row]:
            level = exp(fmean(log(run["value"]) for run in runs))
            for run in runs:
                run["level"] = level
    title, write = ("value", {}) if unit == "MB/s" else (unit, {"write": vl.NUMBER})
    axes = {"x": _TIMES, "y": vl.linear_axis(rows, "value", title, **write)}
    of_level = {"field": "level"}
    levels: Spec = {"y": of_level, "detail": of_level, "color": None, "shape": None}
    lines = vl.layer("line", levels, when="isValid(datum.level)", style="ink")
    steps = [
        f"{change(step.ratio - 1)} at {rows[step.index]['text']}, {step.word.value}"
        for step in series.steps
    ]
    panels = vl.facets(rows, axes, [*vl.points(50), lines], width=480)
    return vl.chart(
        "history", panels, part=number, title=series.title, count=len(rows), steps="; ".join(steps)
    )


_DATE = "!datum.index || !(datum.value % 864e5) ? utcFormat(datum.value, '%Y-%m-%d')"
_TICKS_OF_TIME = {"tickCount": 5, "labelExpr": f"{_DATE} : utcFormat(datum.value, '%H:%M')"}
_TIMES = {
    **vl.quantity("at", "start of the run (UTC)", {"type": "utc", "padding": 14}, _TICKS_OF_TIME),
    "type": "temporal",
}
"""An axis of times in ms: of midnights, or of hours with the date where it begins."""


# --- the hosts of a fleet ------------------------------------------------------------------------

_WIDTH, _HEIGHT = 464, 600
"""Of all cells, in pixels: one screen."""
_LARGEST, _SMALLEST = 24, 6
"""From a cell to the next one, in pixels."""
_STEPS = (1.05, 1.15, 1.25, 1.5, 2.0, 3.0)
_LEVELS = (
    *(f"to x {step:g}" for step in _STEPS),
    f"above x {_STEPS[-1]:g}, or no answer",
    "not known",
)


def fleet_chart(judged: JudgedFleet) -> Chart:
    """Draw all hosts by their larger factor of short and of long messages.

    Those of a leaf lie beside each other, in one row where they fit.
    """
    # n2 before n10, and unknown leaves last
    hosts = sorted(judged.hosts(), key=lambda one: (len(one.name), one.name))
    hosts.sort(key=lambda one: (one.leaf is None, one.leaf))
    leaves = [len([*of_leaf]) for _, of_leaf in groupby(hosts, key=lambda one: one.leaf)]
    for pitch in range(_LARGEST, _SMALLEST - 1, -1):
        cells = _places(leaves, _WIDTH // pitch)
        height = (cells[-1][0] + 1) * pitch
        if height <= _HEIGHT:
            break
    rows: list[Row] = []
    for host, (row, column) in zip(hosts, cells, strict=True):
        level, facts = _LEVELS[-1], [host.word(judged.days)]
        facts += [
            f"x {times:.2f} in {SIZES[kind]} messages" for kind, times in host.factors.items()
        ]
        if host.last >= 0:
            facts.append(f"measured {counted(round(host.days), 'day')} ago")
        if host.state == State.NO_ANSWER:
            level = _LEVELS[len(_STEPS)]
        elif host.factors:
            level = _LEVELS[bisect_right(_STEPS, max(host.factors.values()))]
        place = {"column": (column + 0.5) * pitch, "row": (row + 0.5) * pitch}
        text = f"{host.name}: {', '.join(facts)}"
        rows.append({"host": host.name, **place, "series": level, "text": text})
    axes = {"x": vl.places("column", _WIDTH), "y": vl.places("row", height, down=True)}
    counts = Counter(host.word(judged.days) for host in judged.hosts())
    cell = vl.layer("point", vl.DESCRIBED, shape="square", size=(pitch - 1) ** 2)
    look = {"width": _WIDTH, "height": height, "view": {"stroke": None}}
    panels = vl.facets(rows, axes | vl.strengths(_LEVELS), [cell], **look)
    states = [f"{count} {word}" for word, count in counts.items()]
    return vl.chart("fleet", panels, count=len(hosts), states=states)


def _places(leaves: Sequence[int], columns: int) -> list[tuple[int, int]]:
    """Return row and column of each cell; leaves are apart, and in one row where they fit."""
    row, column, cells = 0, 0, []
    for size in leaves:
        if column and column + size > columns:
            row, column = row + 1, 0
        for _ in range(size):
            if column == columns:
                row, column = row + 1, 0
            cells.append((row, column))
            column += 1
        column += 1
    return cells
