"""Charts as SVG, PNG and PDF: rows become a chart of the drawing library, written small."""

import json
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from itertools import pairwise
from textwrap import wrap
from typing import Any

import vl_convert

from beff.charts.chart import Axis, Chart, Marks, Panel, Part
from beff.charts.theme import Theme
from beff.result.errors import BeffError
from beff.result.numbers import format_size

Fields = dict[str, Any]
"""A chart in Vega-Lite or Vega, or a part of one, with the names that their references have."""

KINDS: Mapping[str, tuple[Fields, str]] = {
    "line": ({"type": "line"}, "x y colour order"),
    "dashed": ({"type": "line", "strokeDash": [6, 3]}, "x y colour order"),
    "dashes": ({"type": "line"}, "x y colour order dash"),
    "point": ({"type": "point"}, "x y colour shape description"),
    "hollow": ({"type": "point", "filled": False}, "x y colour shape description"),
    "beside": ({"type": "point", "filled": False}, "x y description"),
    "dot": ({"type": "circle", "aria": False}, "x y colour"),
    "band": ({"type": "area", "opacity": 0.18, "aria": False}, "x upwards colour order"),
    "bar": ({"type": "bar"}, "x y colour description"),
    "frame": ({"type": "bar", "filled": False}, "x y colour description"),
    "group": ({"type": "bar"}, "x y colour offset description"),
    "column": ({"type": "bar"}, "x y x2 y2 colour description"),
    "box": ({"type": "rect", "aria": False}, "x y x2 y2 colour"),
    "square": ({"type": "rect", "aria": False}, "x y x2 y2 strength"),
    "cell": ({"type": "point", "shape": "square"}, "x y strength description"),
    "outline": ({"type": "rect", "filled": False, "aria": False}, "x y x2 y2"),
    "stripe": ({"type": "rect"}, "x x2"),
    "range": ({"type": "rule", "aria": False}, "y across"),
    "interval": ({"type": "rule", "aria": False}, "y across colour"),
    "level": ({"type": "rule", "strokeDash": [4, 3]}, "y"),
    "upright": ({"type": "rule"}, "x"),
    "words": ({"type": "text", "aria": False}, "x y words"),
    "label": ({"type": "text", "align": "left", "aria": False}, "x y words"),
}
"""The marks of the library by the kinds of ours, and what their rows decide."""
_SIZES = {"line": "strokeWidth", "rule": "strokeWidth", "text": "fontSize"}
"""What the size of a mark is; else its own."""
_CAPTION_CHARACTERS = 105
_DASHES = {"best": [6, 3], "average": [1, 0], "worst": [2, 2]}
STRENGTHS = (0.12, 0.25, 0.38, 0.52, 0.67, 0.83, 1.0)
"""Of the colour of a square, by level."""
_BLANK = 0.3
"""Strength of the grey of what was not measured, which no colour of a level is like."""

# Of a page, in CSS pixels.
_PANEL_WIDTH, _TALLEST = 290, 240
"""Of the inside of a panel: with its axis it fills the width of a telephone."""
_WITH_NAMES, _NAME_WIDTH = 330.0, 150
"""Of names and the inside of their panel, and of names at an axis."""
_TITLE_CHARACTER_WIDTH, _WIDER = 8.0, 0.5
"""Of a title in a browser, and how much wider at each side a character is there than measured."""
_LEGEND_WIDTH, _SYMBOL_WIDTH, _CHARACTER_WIDTH = 300.0, 46.0, 6.6
"""Of a legend, and of an entry: with the distance to the next one; each character of its text."""


def _layer(panel: Panel, marks: Marks, legend: Fields | None, *, narrow: bool) -> Fields:
    """Return marks in Vega-Lite. The data are text, which is handed on without copying it."""
    look, channels = KINDS[marks.kind]
    width = min(panel.size[0], _PANEL_WIDTH if narrow else panel.size[0])
    x, y = (
        _axis(axis, field, width, narrow=narrow) for axis, field in ((panel.x, "x"), (panel.y, "y"))
    )
    series = {"field": "series", "type": "nominal", "title": panel.named, "legend": legend}
    domain = {"domain": list(panel.series)}
    shapes = {"range": list(panel.shapes)} if panel.shapes else {}
    strengths = [*STRENGTHS, _BLANK][: len(panel.series)]
    of_series = {**series, "scale": {**domain, "range": panel.colours}}
    of_channel: Mapping[str, Fields] = {
        "x": {"x": x},
        "y": {"y": y},
        "x2": {"x2": {"field": "x2"}},
        "y2": {"y2": {"field": "y2"}},
        "upwards": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
        "across": {"x": {**x, "field": "low"}, "x2": {"field": "high"}},
        "colour": {} if marks.style else {"color": of_series},
        "strength": {
            "color": of_series,
            "opacity": {**series, "scale": {**domain, "type": "ordinal", "range": strengths}},
        },
        "shape": {"shape": {**series, "scale": {**domain, **shapes}}},
        "offset": {"xOffset": {"field": "series", "type": "nominal", "scale": domain}},
        "dash": {
            "strokeDash": {
                "field": "look",
                "type": "nominal",
                "title": "over the patterns",
                "scale": {"domain": list(_DASHES), "range": list(_DASHES.values())},
                "legend": {"symbolType": "stroke", "symbolStrokeWidth": 1.6, "symbolSize": 500},
            }
        },
        "order": {"order": {"value": None}},
        "description": {"description": {"field": "text", "type": "nominal"}},
        "words": {"text": {"field": "text", "type": "nominal"}},
    }
    mark = {**look, **({"style": marks.style} if marks.style else {})}
    if marks.size is not None:
        mark[_SIZES.get(look["type"], "height" if look["type"] == "bar" else "size")] = marks.size
    if marks.opacity != 1:
        mark["opacity"] = marks.opacity
    rows = [plain_texts(row.fields) for row in marks.rows]
    return {
        "data": {"values": json.dumps(rows, allow_nan=False), "format": {"type": "json"}},
        "mark": mark,
        "encoding": {
            channel: shown
            for name in channels.split()
            for channel, shown in of_channel[name].items()
        },
    }


def _axis(axis: Axis, field: str, width: float, *, narrow: bool) -> Fields:
    """Return what an axis of a panel of this width shows of a field; no name of it is left out."""
    shown: Fields = {"field": field, "title": axis.title}
    if axis.names:
        label: Fields = {"labelLimit": _NAME_WIDTH}
        if field == "x":
            longest = _CHARACTER_WIDTH * (max(map(len, axis.names)) + 1)
            angle = 0 if longest * len(axis.names) <= width else -40
            label = {"labelAngle": angle, "labelOverlap": False, "titlePadding": 12}
        if field == "y" and not narrow:
            label = {"labelLimit": 260, "minExtent": 190}
        return {**shown, "type": "nominal", "sort": list(axis.names), "axis": label}
    kind = {"type": "log"} if axis.is_log else {"type": "linear", "zero": False}
    shown |= {"type": "quantitative", "scale": {**kind, "domain": list(axis.ends), "nice": False}}
    if not axis.ticks:
        return {**shown, "axis": None}
    look: Fields = {
        "values": list(axis.ticks),
        "labelExpr": labels(axis.ticks),
        "titlePadding": 12,  # fonts of a browser may be wider than those that were measured
        "grid": axis.grid,
    }
    if not axis.grid and axis.title is None:  # names of places
        weight = f"indexof({json.dumps(list(axis.bold))}, datum.value) < 0 ? 'normal' : 'bold'"
        look |= {"ticks": False, "labelOverlap": False, "labelFontWeight": {"expr": weight}}
    if axis.at_top:
        look |= {"orient": "top", "labelAngle": -90}
    return {**shown, "axis": look}


def labels(texts: Mapping[float, str]) -> str:
    """Return the Vega expression that gives each tick its text.

    Two lists and no object: its keys could not be negative.
    """
    values = json.dumps(list(texts), allow_nan=False)
    return f"{json.dumps([plain(text) for text in texts.values()])}[indexof({values}, datum.value)]"


def _panel(panel: Panel, *, narrow: bool = False, with_legend: bool = True) -> Fields:
    """Return a panel in Vega-Lite; a narrow one fits a telephone."""
    width, height = panel.size
    legend: Fields | None = None
    if panel.legend and with_legend:
        legend = {"columns": panel.legend, "symbolOpacity": 1}
        names = panel.series if panel.shown is None else panel.shown
        if panel.shown is not None:
            legend["values"] = list(names)
        if narrow:
            entry = _SYMBOL_WIDTH + _CHARACTER_WIDTH * max(map(len, names), default=1)
            legend["columns"] = max(1, int(_LEGEND_WIDTH // entry))
    has_axes = bool(panel.x.ticks or panel.x.names)
    if narrow and panel.y.names:
        longest = max(map(len, panel.y.names))
        width = min(width, _WITH_NAMES - min(_NAME_WIDTH, _CHARACTER_WIDTH * longest))
    elif narrow and has_axes:
        is_square, width = width == height, min(width, _PANEL_WIDTH)
        height = width if is_square else min(height, _TALLEST)
    fields: Fields = {
        "layer": [
            _layer(panel, marks, legend, narrow=narrow) for marks in panel.marks if marks.rows
        ],
        "width": width,
        "height": height,
    }
    if not has_axes:
        fields["view"] = {"stroke": None}
    if panel.title:
        fields["title"] = {"text": panel.title, "subtitle": panel.below}
    return fields


def _stacked(drawn: Sequence[Fields], spacing: int) -> Fields:
    """Return pictures, at least one, under each other."""
    return {"vconcat": drawn, "spacing": spacing, **_INDEPENDENT} if drawn[1:] else drawn[0]


def _part(part: Part) -> Fields:
    panels = [_panel(panel) for panel in part.panels]
    if len(panels) == 1 and not part.heading and "title" not in panels[0]:
        return panels[0]
    fields: Fields = {"concat": panels, "columns": part.columns or len(panels)}
    if part.heading:
        fields["title"] = {"text": part.heading, "anchor": "start", "offset": 10}
    is_shared = len({(tuple(panel.series), panel.legend) for panel in part.panels}) == 1
    return fields if is_shared else {**fields, **_INDEPENDENT}


_OWN = dict.fromkeys(("color", "shape", "strokeDash", "opacity"), "independent")
_INDEPENDENT = {"resolve": {"scale": _OWN, "legend": _OWN}}
"""Each part of a chart has colours and legends of its own."""


def specification(charts: Sequence[Chart], theme: Theme) -> Fields:
    """Return charts, at least one, under each other in Vega-Lite with the theme applied."""
    drawn = [_stacked([*map(_part, chart.parts)], 24) for chart in charts]
    if theme.headed:
        for fields, chart in zip(drawn, charts, strict=True):
            fields["title"] = {
                "text": chart.title,
                "subtitle": wrap(chart.caption, _CAPTION_CHARACTERS),
                "anchor": "start",
                "fontSize": 16,
                "offset": 14,
                "subtitlePadding": 6,
            }
    else:
        for fields, chart in zip(drawn, charts, strict=True):
            if chart.stamp:
                fields["title"] = {"text": chart.stamp, "anchor": "start"}
    look = {"config": theme.config(), "padding": _padding(12, 24) if theme.headed else 4}
    return {**plain_texts(_stacked(drawn, 40)), **look}


# Everything but the characters of XML 1.0 (section 2.2): control characters, halves of pairs.
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain(text: str) -> str:
    """Replace what XML cannot hold, which a host name or label may, by question marks."""
    return _NOT_IN_XML.sub("?", text)


def plain_texts(fields: Any) -> Any:
    """Return nested dicts and lists with all their texts made plain."""
    if isinstance(fields, dict):
        return {name: plain_texts(value) for name, value in fields.items()}
    if isinstance(fields, list):
        return [plain_texts(value) for value in fields]
    return plain(fields) if isinstance(fields, str) else fields


_CHANNELS = ("fill", "stroke", "shape", "strokeDash")
"""What distinguishes the marks of one series from those of another."""
_NOT_NAMED = ("symbol", "rect")
"""Marks of pictures and maps, whose kinds have no words for those who do not see them."""


def name_series(drawing: dict[str, Any]) -> None:
    """Let marks and entries of legends of a drawing in Vega name their series.

    Role descriptions are "point: ids" (or line, bar, ...) with an id for each legend that the mark
    belongs to, and "entry: id". An id is a name without blanks.
    """
    for group in (drawing, *_marks(drawing)):
        for legend in group.get("legends", ()):
            symbols = legend.setdefault("encode", {}).setdefault("symbols", {})
            _name(symbols.setdefault("update", {}), "entry", _id("datum.value"))
    for mark in _marks(drawing):
        look = mark.get("encode", {}).get("update", {})
        rules = [look[channel] for channel in _CHANNELS if "scale" in look.get(channel, ())]
        ids = " + ' ' + ".join(dict.fromkeys(_id(f"datum.{rule['field']}") for rule in rules))
        kind = look.get("ariaRoleDescription", {}).get("value", mark["type"])
        if ids and kind not in _NOT_NAMED:
            _name(look, kind, ids)
            mark["aria"] = True


def _marks(group: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for mark in group.get("marks", ()):
        yield mark
        yield from _marks(mark)


def _name(look: dict[str, Any], kind: str, ids: str) -> None:
    look["aria"] = {"value": True}
    look["ariaRoleDescription"] = {"signal": f"'{kind}: ' + {ids}"}
    look.setdefault("description", {"signal": ids})


def _id(text: str) -> str:
    return rf"replace({text}, /\s+/g, '_')"


_COORDINATES = re.compile(r' (?:d|transform)="[^"]*"')
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}(?![\de])")
_NOT_DISPLAYED = re.compile(r'<path [^<>]*display="none"/>')
_FILLED_WITHOUT_STROKE = re.compile(r'( fill="[^"]*") stroke-width="2"(?= opacity="1"/>)')


def compact(drawn: str) -> str:
    """Leave out of an SVG what nobody sees: a page holds thousands of points.

    Coordinates keep a hundredth of a pixel; paths that are not displayed and attributes with SVG's
    default value go. Texts stay as they are: their quotes and angle brackets are escaped.
    """
    drawn = _COORDINATES.sub(lambda found: _LONG_NUMBER.sub(_rounded, found[0]), drawn)
    drawn = _NOT_DISPLAYED.sub("", drawn)
    return _FILLED_WITHOUT_STROKE.sub(r"\1", drawn).replace(' opacity="1"', "")


def _rounded(number: re.Match[str]) -> str:
    text = f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@cache
def why_no_pictures() -> str | None:
    """Say why the drawing library cannot start; None where it can.

    It has V8, which reserves address space beyond the limits of many batch queues and ends the
    whole process where it gets none: so under a limit it is tried in a process of its own.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    trial = "import vl_convert; vl_convert.vega_to_svg({'width': 9, 'height': 9})"
    tried = subprocess.run([sys.executable, "-c", trial], capture_output=True, check=False)
    if tried.returncode == 0:
        return None
    return (
        "there are no pictures, as the drawing library needs more address space than"
        f" {format_size(limit)} (ulimit -v); raise that limit, or draw elsewhere"
    )


def _require_pictures() -> None:
    """Raise BeffError where nothing can be drawn."""
    reason = why_no_pictures()
    if reason is not None:
        raise BeffError(reason)


_NO_ADDRESSES: list[str] = []


def svg(charts: Sequence[Chart], theme: Theme) -> str:
    """Draw charts under each other as an SVG element.

    Points carry their description as `aria-label`, all marks their series (see `name_series`).
    """
    return _drawn(specification(charts, theme))


def panels(chart: Chart, theme: Theme) -> list[list[str]]:
    """Draw a chart as an SVG element for each panel of its parts, which a page puts where it can.

    All of them are narrow enough for a telephone. Of neighbours with the same legend the last one
    has it.
    """
    drawn = []
    for part in chart.parts:
        legends = [(panel.series, panel.shown) for panel in part.panels] + [None]
        with_legend = (own != following for own, following in pairwise(legends))
        drawn.append(
            [
                _drawn(
                    {
                        **plain_texts(_panel(panel, narrow=True, with_legend=has)),
                        "config": theme.config(),
                        "padding": _padding(4, 4 + _overhang(panel)),
                    }
                )
                for panel, has in zip(part.panels, with_legend, strict=True)
            ]
        )
    return drawn


def _overhang(panel: Panel) -> float:
    """Return what a title needs beyond each side of a panel that it is wider than."""
    characters = len(panel.title)
    return _WIDER * characters if characters * _TITLE_CHARACTER_WIDTH > panel.size[0] else 0.0


def _padding(above: float, beside: float) -> Fields:
    return {"top": above, "bottom": above, "left": beside, "right": beside}


def _drawn(fields: Fields) -> str:
    _require_pictures()
    drawing = vl_convert.vegalite_to_vega(fields)
    name_series(drawing)
    return compact(vl_convert.vega_to_svg(drawing, allowed_base_urls=_NO_ADDRESSES))


def png(charts: Sequence[Chart], theme: Theme, scale: float) -> bytes:
    """Draw charts as a PNG picture; `scale` is in pixels per CSS pixel."""
    _require_pictures()
    return vl_convert.vegalite_to_png(
        specification(charts, theme), scale=scale, allowed_base_urls=_NO_ADDRESSES
    )


def pdf(charts: Sequence[Chart], theme: Theme, title: str) -> bytes:
    """Draw charts as a PDF document, one to a page, with a bookmark for each."""
    from pypdf import PdfReader, PdfWriter  # noqa: PLC0415 - which no other picture needs

    _require_pictures()
    document = PdfWriter()
    for number, chart in enumerate(charts):
        page = vl_convert.vegalite_to_pdf(
            specification([chart], theme), allowed_base_urls=_NO_ADDRESSES
        )
        document.append(PdfReader(BytesIO(page)), import_outline=False)
        document.add_outline_item(title=chart.title, page_number=number)
    document.add_metadata({"/Title": title})
    document.compress_identical_objects()
    target = BytesIO()
    document.write(target)
    return target.getvalue()
