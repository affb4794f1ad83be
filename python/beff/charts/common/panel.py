"""A diagram, and what many share: lines with points."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beff.charts.common.vega_lite import Chart, Row, channel, marks

_POINT_SIZE = 28
"""Area of a point, in square pixels."""


def has_values(rows: Iterable[Row], field: str = "MBps") -> bool:
    """Whether there is anything to draw."""
    return any(row[field] is not None for row in rows)


def line_panel(
    rows: Sequence[Row],
    x: Chart,
    y: Chart,
    series: Sequence[str],
    *,
    columns: int,
    size: tuple[int, int],
    shown: Sequence[str] | None = None,
    title: str = "",
    point_size: int = _POINT_SIZE,
) -> Chart:
    """Draw a line through the points of each series, in the order of `series` in the legend.

    That has so many `columns`, and of the series only those `shown`, if given. `size` is in pixels.
    Hollow are the points of rows whose field `loose` is true, which stand beside the lines, and
    whose field `short` is. Rows with `low` and `high` have a band.
    """
    legend: Chart = {"title": None, "columns": columns}
    if shown is not None:
        legend["values"] = list(shown)
    named = channel("series:N", scale={"domain": list(series)}, legend=legend)
    lines: Chart = {"x": x, "y": y, "color": named}
    points: Chart = {**lines, "shape": named, "description": "text:N"}
    banded = [row for row in rows if "low" in row and not row.get("loose")]
    hollow = [row for row in rows if row.get("loose") or row.get("short")]
    solid = [row for row in rows if not row.get("loose") and not row.get("short")]
    layers = []
    if banded:
        ends: Chart = {"y": {**y, "field": "low"}, "y2": "high:Q"}
        layers.append(marks("area", banded, {**lines, **ends}, opacity=0.18, aria=False))
    layers += [
        marks("line", [row for row in rows if not row.get("loose")], lines),
        marks("point", solid, points, size=point_size),
    ]
    if hollow:
        layers.append(marks("point", hollow, points, filled=False, size=point_size + _POINT_SIZE))
    panel: Chart = {"layer": layers, "width": size[0], "height": size[1]}
    return {**panel, "title": title} if title else panel


def thinned(rows: Sequence[Row]) -> list[Row]:
    """Leave out points of a long line evenly, but never its ends or extremes.

    Rows must be in the order of their axis. A diagram stays legible, and small in a page.
    """
    of_series: dict[str, list[Row]] = {}
    for row in rows:
        of_series.setdefault(row["series"], []).append(row)
    return [row for line in of_series.values() for row in _thinned_line(line)]


def _thinned_line(line: list[Row]) -> list[Row]:
    if len(line) <= _MOST_POINTS:
        return line
    known = [index for index, row in enumerate(line) if row["MBps"] is not None]
    step = len(line) / _MOST_POINTS
    kept = {int(number * step) for number in range(_MOST_POINTS)} | {len(line) - 1}
    if known:
        kept |= {choose(known, key=lambda i: line[i]["MBps"]) for choose in (min, max)}
    return [line[index] for index in sorted(kept)]


_MOST_POINTS = 100


@dataclass(frozen=True)
class Figure:
    """A diagram, drawn by the functions of `render`.

    `key` is its lasting name, for files and anchors. `caption` says in one or two sentences what
    is seen, with units and source. `alt` stands for the picture where it cannot be seen, so it
    holds the essential numbers. The chart names no colours: those are the theme's.
    """

    key: str
    title: str
    caption: str
    alt: str
    chart: Chart
