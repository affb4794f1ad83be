"""The diagrams as lines of points, for gnuplot, which draws them itself.

They are read from the charts, so each diagram is computed once. Bars are left out.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from beff.analysis.subject import Subject
from beff.charts.common.figure import Figure
from beff.charts.table import figures_of

Point = tuple[float, float]
View = dict[str, Any]
"""A part of a chart, or a field of it, as Vega-Lite writes it."""
_LARGEST = 1e300
"""Far from every figure: a drawing program can still add a margin to it."""
_MARGIN = 1.05


@dataclass(frozen=True)
class Axis:
    """An axis with its title, which holds the unit; without ticks the drawing program has some."""

    title: str
    is_log: bool
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Line:
    """A name in the legend and its points, by choice joined by a line."""

    label: str
    points: tuple[Point, ...]
    is_joined: bool


@dataclass(frozen=True)
class Plot:
    """A diagram; `name` is unique within a report and fit for a file's name."""

    name: str
    title: str
    x: Axis
    y: Axis
    lines: tuple[Line, ...]


def plots_of(subject: Subject) -> list[Plot]:
    """Return the diagrams of all results, then those that a result of several has for itself."""
    shared = list(figures_of(subject))
    if len(subject.results) == 1:
        title = f"{subject.results[0].label}: "
        return [plot for figure in shared for plot in plots_of_figure(figure, title=title)]
    plots = [plot for figure in shared for plot in plots_of_figure(figure)]
    drawn = {figure.key for figure in shared}
    for number, entry in enumerate(subject.results, start=1):
        for figure in figures_of(Subject((entry,))):
            if figure.key not in drawn:
                plots += plots_of_figure(figure, f"{number}-", f"{entry.label}: ")
    return plots


def plots_of_figure(figure: Figure, name: str = "", title: str = "") -> list[Plot]:
    """Return a plot for each panel; names and titles begin with the given ones."""
    name, title = name + figure.key.replace("_", "-"), title + figure.title
    panels = list(_panels(figure.chart.to_dict(validate=False)))
    plots = []
    for number, (heading, units) in enumerate(panels, start=1):
        place = f"-{number}" if len(panels) > 1 else ""
        lines = _lines(units)
        if lines:
            full = f"{title}: {heading}" if heading else title
            x, y = (_axis(units[0]["encoding"][side], lines, side) for side in "xy")
            plots.append(Plot(name + place, full, x, y, tuple(lines)))
    return plots


def _panels(view: View, data: View | None = None) -> Iterator[tuple[str, list[View]]]:
    """Yield the title of each panel and its marks, each with its data."""
    data = view.get("data", data)
    for arranged in ("vconcat", "hconcat", "concat"):
        for part in view.get(arranged, ()):
            yield from _panels(part, data)
    if "layer" in view or "mark" in view:
        yield view.get("title", ""), list(_units(view, data))


def _units(view: View, data: View | None) -> Iterator[View]:
    data = view.get("data", data)
    if "mark" in view:
        yield {"mark": view["mark"], "encoding": view["encoding"], "data": data}
    for part in view.get("layer", ()):
        yield from _units(part, data)


def _lines(units: Sequence[View]) -> list[Line]:
    """Return the lines, then the points that no line goes through."""
    lines: list[Line] = []
    joined: list[View] = []
    for kind in ("line", "point"):
        for unit in units:
            if unit["mark"]["type"] != kind or unit["data"] in joined:
                continue
            lines += _lines_of(unit, is_joined=kind == "line")
            joined.append(unit["data"])
    return lines


def _lines_of(unit: View, *, is_joined: bool) -> list[Line]:
    encoding = unit["encoding"]
    x, y = encoding["x"], encoding["y"]
    named_by = [encoding[what]["field"] for what in ("color", "strokeDash") if what in encoding]
    points: dict[str, list[Point]] = {}
    for row in json.loads(unit["data"]["values"]):
        label = ", ".join(row[field] for field in named_by) or unit["mark"].get("style", "")
        point = row[x["field"]], row[y["field"]]
        if _shows(x, point[0]) and _shows(y, point[1]):
            points.setdefault(label, []).append(point)
    return [Line(label, tuple(found), is_joined) for label, found in points.items()]


def _shows(channel: View, value: float | None) -> bool:
    if value is None or abs(value) > _LARGEST:
        return False
    return not _is_log(channel) or value > 1 / _LARGEST


def _axis(channel: View, lines: Sequence[Line], side: str) -> Axis:
    """Return an axis with the chart's bounds, or from zero to beyond the largest value."""
    values = [point[side == "y"] for line in lines for point in line.points]
    low, high = channel["scale"].get("domain") or (0.0, max(values) * _MARGIN or 1.0)
    axis = channel["axis"]
    places = list(dict.fromkeys(axis.get("values", ())))
    texts = [f"{place:.10g}" for place in places]
    if "labelExpr" in axis:  # as `axes.labels` writes it: the texts come first
        texts, _ = json.JSONDecoder().raw_decode(axis["labelExpr"])
    ticks = tuple(zip(places, texts, strict=True))
    return Axis(channel["title"], _is_log(channel), low, high, ticks)


def _is_log(channel: View) -> bool:
    return bool(channel["scale"].get("type") == "log")
