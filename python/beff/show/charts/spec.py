"""Charts as rows and Vega-Lite specifications: what charts share."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from beff.definition.subject import by_key
from beff.result.bounds import Figure
from beff.show.parts.sentences import WORDS, filled

Row = dict[str, Any]
"""A point, its fields with units in their names.

`panel` is the title of its panel, `series` has a colour, `text` describes the point, `low` and
`high` are the range of its value, and one with a `look` is hollow: `beside` the lines, or on them.
A value None is a gap in a line.
"""
Spec = dict[str, Any]
"""A specification of Vega-Lite, or a part of one."""

WIDTH, HEIGHT = 290, 220
"""Of the inside of a panel: with its axis it fills the width of a telephone."""
NOT_VALID = "NOT VALID"


@dataclass(frozen=True)
class Chart:
    """A diagram. `key` is its lasting name, for files and anchors.

    `caption` says in one or two sentences what is seen, with units and source. Each panel holds its
    rows as `data`; so many `columns` of them stand beside each other. `stamp` is in the title, and
    in the picture where that has none.
    """

    key: str
    title: str
    caption: str
    panels: Sequence[Any]
    columns: int = 3
    stamp: str = ""

    @property
    def rows(self) -> list[Row]:
        """The rows of all panels, with the title of theirs."""
        return [
            {"panel": panel["title"]["text"], **row}
            for panel in self.panels
            for row in rows_of(panel)
        ]


def chart(
    name: str, panels: Sequence[Spec], *, part: object = None, columns: int = 3, **facts: Any
) -> Chart:
    """Return a chart, whose title and caption the table of sentences has, filled with facts.

    Of several charts with a `name` that of each `part` has a key of its own.
    """
    title, caption = (filled(words, facts) for words in WORDS["charts"][name])
    key = name if part is None else f"{name}_{part}"
    return Chart(key, title, caption, panels, columns)


def stamped(chart: Chart, labels: Collection[str] | None = None) -> Chart:
    """Return a chart that says that what it shows is not valid, with hollow points.

    `labels` are those of the results, by default all; points of others' series stay as they are.
    """

    def hollow(row: Row) -> Row:
        of_others = labels is not None and row.get("series") not in labels
        return row if of_others else {**row, "look": row.get("look") or "not valid"}

    panels = [{**one, "data": {"values": [*map(hollow, rows_of(one))]}} for one in chart.panels]
    stamp = NOT_VALID if labels is None else f"{NOT_VALID}: {', '.join(labels)}"
    return replace(chart, title=f"{chart.title}, {stamp}", panels=panels, stamp=stamp)


def rows_of(panel: Spec) -> list[Row]:
    """Return the rows of a panel."""
    rows: list[Row] = panel["data"]["values"]
    return rows


def described(panel: Spec) -> str:
    """Describe a panel where it cannot be seen: its title, and where each line begins and ends."""
    texts = by_key((row.get("series"), row["text"]) for row in rows_of(panel) if row.get("text"))
    ends = [text for of in texts.values() for text in dict.fromkeys((of[0], of[-1]))]
    return "; ".join(filter(None, [panel["title"]["text"], *ends]))


# Everything but the characters of XML 1.0 (section 2.2): control characters, halves of pairs.
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain(text: str) -> str:
    """Replace what XML cannot hold, which a host name or label may, by question marks."""
    return _NOT_IN_XML.sub("?", text)


def positive(value: Figure) -> Figure:
    """Return a value that a logarithmic axis can show; None for any other."""
    return value if value is not None and isfinite(value) and value > 0 else None


def series_in(rows: Iterable[Row]) -> list[str]:
    """Return the names of series in the order of their first rows."""
    return list(dict.fromkeys(row["series"] for row in rows if "series" in row))


# --- parts of specifications -----------------------------------------------------------------

NUMBER = "format(datum.value, '.6~g')"
"""Write a tick whose unit the title of the axis has."""
_RATE = "replace(format(datum.value * 1e6, '.3~s'), /([kMGTP]?)$/, ' $1') + 'B/s'"
"""Write a tick of an axis in MB/s: 1500 is `1.5 GB/s`."""
_SIZE = (
    "datum.value < 1024 ? datum.value + ' B' : datum.value < 1048576"
    " ? format(datum.value / 1024, '.4~g') + ' KiB'"
    " : format(datum.value / 1048576, '.4~g') + ' MiB'"
)


def labels(ticks: Mapping[float, str]) -> Spec:
    """Return an axis whose ticks have these texts, by two lists, as no text may become code."""
    expression = f"{json.dumps([*map(plain, ticks.values())])}[indexof({[*ticks]}, datum.value)]"
    return {"values": [*ticks], "labelExpr": expression}


def quantity(field: str, title: str | None, scale: Spec, axis: Spec | None = None) -> Spec:
    """Return a field as an axis that is drawn as `axis` says, or not at all."""
    scale = {"nice": False, **scale}
    return {"field": field, "type": "quantitative", "title": title, "scale": scale, "axis": axis}


def _ends(rows: Iterable[Row], field: str) -> tuple[float, float]:
    """Return the smallest and the largest value above 0, ranges included."""
    values = [row.get(one) or 0 for row in rows for one in (field, "low", "high")]
    known = [value for value in values if value > 0] or [1.0]
    return min(known), max(known)


def size_axis(rows: Iterable[Row]) -> Spec:
    """Return a logarithmic axis over message sizes in byte."""
    low, high = _ends(({"size": row["size_bytes"]} for row in rows), "size")
    scale = {"type": "log", "base": 2, "domain": [low, max(high, 2 * low)]}
    return quantity("size_bytes", "message size", scale, {"tickCount": 4, "labelExpr": _SIZE})


def log_axis(rows: Iterable[Row], field: str, title: str, write: str = _RATE) -> Spec:
    """Return a logarithmic axis that holds all positive values and their ranges."""
    low, high = _ends(rows, field)
    scale = {"type": "log", "domain": [low / 1.1, high * 1.1]}
    factors = (1, 2, 5) if high / low < 2e3 else (1,)
    ticks = [factor * 10.0**decade for decade in range(-9, 9) for factor in factors]
    shown = [tick for tick in ticks if low / 1.1 <= tick <= high * 1.1] or [low]
    return quantity(field, title, scale, {"values": shown, "labelExpr": write})


def linear_axis(rows: Iterable[Row], field: str, title: str, write: str = _RATE) -> Spec:
    """Return an axis from zero for values that are compared by their length."""
    scale = {"domain": [0, _ends(rows, field)[1]], "nice": 6}
    return quantity(field, title, scale, {"tickCount": 6, "labelExpr": write})


def share_axis(rows: Sequence[Row], title: str) -> Spec:
    """Return an axis of per cent up to 100, from a round value below the lowest."""
    low, _ = _ends(rows, "percent")
    return quantity("percent", title, {"domain": [min(low // 10 * 10, 90), 100]}, {"tickCount": 6})


def process_axis(rows: Iterable[Row]) -> Spec:
    """Return a logarithmic axis over numbers of processes; of many powers of two have ticks."""
    counts = sorted({row["processes"] for row in rows}) or [1]
    scale = {"type": "log", "base": 2, "domain": [counts[0] / 1.25, counts[-1] * 1.25]}
    ticks = {"values": counts} if len(counts) <= 8 else {"tickCount": 12}
    return quantity("processes", "number of processes", scale, {**ticks, "format": "d"})


def places(field: str, end: float, ticks: Spec | None = None, *, down: bool = False) -> Spec:
    """Return an axis of places from 0 on, drawn where it has ticks; `down` from the top."""
    return quantity(field, None, {"domain": [end, 0] if down else [0, end]}, ticks)


NAMES = {
    "field": "name",
    "type": "nominal",
    "title": None,
    "sort": None,
    "axis": {"labelLimit": 160, "labelOverlap": False},
}
"""An axis of lines with names, in the order of the rows."""


def coloured(names: Sequence[str], shown: Sequence[str] | None = None, **more: Any) -> Spec:
    """Return the encoding that tells series apart by colour and shape.

    The legend has the series that are `shown`, by default all; `more` are fields of the channels.
    """
    values = [*names] if shown is None else [*shown]
    entry = 46 + 6.6 * max(map(len, values), default=1)  # symbol, gap and characters
    legend = {"symbolOpacity": 1, "values": values, "columns": max(1, int(WIDTH // entry))}
    both = {"field": "series", "type": "nominal", "title": None, "legend": legend, **more}
    both = {**both, "scale": {"domain": [*names]}}
    return {"color": both, "shape": both}


_BLANK = 0.3
"""Strength of the grey of what was not measured, which no colour of a level is like."""


def strengths(levels: Sequence[str]) -> Spec:
    """Return the encoding of eight levels by the strength of a colour; the last is not known."""
    colour = coloured(levels)["color"]
    strong: Spec = {"domain": [*levels], "type": "ordinal"}
    strong["range"] = [0.12, 0.25, 0.38, 0.52, 0.67, 0.83, 1.0, _BLANK]
    times = {"domain": [*levels], "range": "times"}
    return {"color": {**colour, "scale": times}, "opacity": {**colour, "scale": strong}}


DESCRIBED = {"description": {"field": "text", "type": "nominal"}}


def layer(mark: str, encoding: Spec, when: str = "true", **look: Any) -> Spec:
    """Return a layer of the rows for which `when` holds."""
    transform = [{"filter": when}]
    return {"mark": {"type": mark, **look}, "encoding": encoding, "transform": transform}


_ON = "datum.look != 'beside'"


def curves(medians_of: str = "") -> list[Spec]:
    """Return the layers of lines with points, and a band: the range of a row.

    Of values of several runs, a field, the line is their median and the band from the least to the
    highest, by the places of points along the axis; those beside the lines are points alone.
    """
    band: Spec = {"y": {"field": "low"}, "y2": {"field": "high"}, "shape": None}
    line: Spec = {"shape": None}
    if medians_of:
        least, middle, most = (
            {"aggregate": how, "field": medians_of} for how in ("min", "median", "max")
        )
        band, line = {**band, "y": least, "y2": most}, {**line, "y": middle}
    where = _ON if medians_of else "isValid(datum.low)"
    return [
        layer("area", band, when=where, fillOpacity=0.18, aria=False),
        layer("line", line, when=_ON),
        *points(),
    ]


def points(size: float = 28) -> list[Spec]:
    """Return the layers of points of an area in square pixels; those with a look are hollow."""
    return [
        layer("point", DESCRIBED, when="!datum.look", size=size),
        layer("point", DESCRIBED, when="datum.look", size=size + 16, filled=False),
    ]


def bars(**look: Any) -> list[Spec]:
    """Return the layers of bars; those with a look are hollow."""
    return [
        layer("bar", DESCRIBED, when="!datum.look", **look),
        layer("bar", DESCRIBED, when="datum.look", filled=False, **look),
    ]


ONCE = {"transform": [{"aggregate": [{"op": "count", "as": "rows"}]}]}
"""Of a layer that shows no row."""


def across(field: str) -> Spec:
    """Return the layer of a dashed line across, at the highest value of a field."""
    place = {"aggregate": "max", "field": field}
    return layer("rule", {"x": None, "color": None, "shape": None, "y": place}, strokeDash=[4, 3])


def facets(rows: Iterable[Row], encoding: Spec, layers: Sequence[Spec], **look: Any) -> list[Spec]:
    """Return a panel over the same axes for each `panel` that rows with a value name.

    Without a colour in the encoding, each has those of its series; a `look` has its size.
    """
    panels = []
    for title, values in by_key((row.get("panel", ""), row) for row in rows).items():
        if any(row.get(encoding["y"]["field"]) is not None for row in values):
            axes = encoding if "color" in encoding else encoding | coloured(series_in(values))
            parts = {"data": {"values": values}, "encoding": axes, "layer": [*layers]}
            panels.append(
                {"title": {"text": title}, "width": WIDTH, "height": HEIGHT, **parts, **look}
            )
    return panels
