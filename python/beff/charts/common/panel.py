"""A diagram, and what all share: their data, lines, points and plain words."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
from altair.typing import ChartType

# Everything but the characters of XML 1.0 (section 2.2): control characters, halves of pairs.
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain(text: str) -> str:
    """Replace what XML cannot hold, which a host name or label may, by question marks."""
    return _NOT_IN_XML.sub("?", text)


def plain_texts(fields: Any) -> Any:
    """Return nested dicts and lists with all their texts, keys included, made plain."""
    if isinstance(fields, dict):
        return {plain_texts(key): plain_texts(value) for key, value in fields.items()}
    if isinstance(fields, list):
        return [plain_texts(value) for value in fields]
    return plain(fields) if isinstance(fields, str) else fields


Row = Mapping[str, Any]
"""What a point shows: the fields of its axes, `series`, and `text` that describes it.

A value of None on an axis is a gap in the line.
"""

_POINT_SIZE = 28
"""Area of a point, in square pixels."""


def inline(rows: Sequence[Row]) -> alt.Data:
    """Return rows as the data of a chart: as text, which charts hand on without copying it."""
    text = json.dumps(plain_texts([dict(row) for row in rows]), allow_nan=False)
    return alt.Data(  # type: ignore[no-untyped-call]
        values=text, format=alt.JsonDataFormat(type="json")
    )


def has_values(rows: Iterable[Row], field: str = "MBps") -> bool:
    """Whether there is anything to draw."""
    return any(row[field] is not None for row in rows)


def line_panel(
    rows: Sequence[Row],
    x: alt.X,
    y: alt.Y,
    series: Sequence[str],
    *,
    columns: int,
    size: tuple[int, int],
    shown: Sequence[str] | None = None,
    title: str = "",
    point_size: int = _POINT_SIZE,
) -> ChartType:
    """Draw a line through the points of each series, in the order of `series` in the legend.

    That has so many `columns`, and of the series only those `shown`, if given. `size` is in pixels.
    Hollow are the points of rows whose field `loose` is true, which stand beside the lines, and
    whose field `short` is. Rows with `low` and `high` have a band.
    """
    scale = alt.Scale(domain=list(series))
    names = alt.Undefined if shown is None else list(shown)
    legend = alt.Legend(title=None, columns=columns, values=names)
    colour = alt.Color("series:N", scale=scale, legend=legend)
    shape = alt.Shape("series:N", scale=scale, legend=legend)

    def chart(chosen: Sequence[Row]) -> alt.Chart:
        return alt.Chart(inline(chosen)).encode(x=x, y=y, color=colour)

    hollow = [row for row in rows if row.get("loose") or row.get("short")]
    solid = [row for row in rows if not row.get("loose") and not row.get("short")]
    layers = [
        chart([row for row in rows if not row.get("loose")]).mark_line(),
        chart(solid).mark_point(size=point_size).encode(shape=shape, description="text:N"),
    ]
    banded = [row for row in rows if "low" in row and not row.get("loose")]
    if banded:
        ends = {"y": y.copy(), "y2": alt.Y2("high:Q")}
        ends["y"].shorthand = "low:Q"
        layers.insert(0, chart(banded).mark_area(opacity=0.18, aria=False).encode(**ends))
    if hollow:
        points = chart(hollow).mark_point(filled=False, size=point_size + _POINT_SIZE)
        layers.append(points.encode(shape=shape, description="text:N"))
    panel = alt.layer(*layers).properties(width=size[0], height=size[1])
    return panel.properties(title=title) if title else panel


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
    chart: ChartType
