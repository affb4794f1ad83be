"""Figures as SVG, PNG and PDF: series get their names, and drawings are written small."""

import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from textwrap import wrap
from typing import Any

import vl_convert

from beff.charts.common.leaves import leaves_of
from beff.charts.common.panel import Figure
from beff.charts.common.theme import Theme
from beff.charts.common.vega_lite import Chart, independent, plain_texts
from beff.model.errors import BeffError
from beff.model.numbers import format_size

_CHANNELS = ("fill", "stroke", "shape", "strokeDash")
"""What distinguishes the marks of one series from those of another."""


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
        if ids:
            kind = look.get("ariaRoleDescription", {}).get("value", mark["type"])
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
_CAPTION_CHARACTERS = 105


def svg(figure: Figure, theme: Theme) -> str:
    """Draw one figure as an SVG element.

    Points carry their description as `aria-label`, all marks their series (see `name_series`).
    """
    return _drawn(specification(figure, theme))


def panels(figure: Figure, theme: Theme) -> list[str]:
    """Draw a figure as an SVG element for each of its panels, which a page puts where it has room.

    All of them are narrow enough for a telephone.
    """
    whole = specification(figure, theme)
    look = {name: whole.pop(name) for name in ("config", "padding")}
    return [_drawn({**leaf, **look}) for leaf in leaves_of(whole)]


def _drawn(fields: dict[str, Any]) -> str:
    _require_pictures()
    drawing = vl_convert.vegalite_to_vega(fields)
    name_series(drawing)
    return compact(vl_convert.vega_to_svg(drawing, allowed_base_urls=_NO_ADDRESSES))


def png(figure: Figure, theme: Theme, scale: float) -> bytes:
    """Draw one figure as a PNG picture; `scale` is in pixels per CSS pixel."""
    _require_pictures()
    return vl_convert.vegalite_to_png(
        specification(figure, theme), scale=scale, allowed_base_urls=_NO_ADDRESSES
    )


def pdf(figures: Sequence[Figure], theme: Theme, title: str) -> bytes:
    """Draw figures as a PDF document, one to a page, with a bookmark for each."""
    from pypdf import PdfReader, PdfWriter  # noqa: PLC0415 - which no other picture needs

    _require_pictures()
    document = PdfWriter()
    for number, figure in enumerate(figures):
        page = vl_convert.vegalite_to_pdf(
            specification(figure, theme), allowed_base_urls=_NO_ADDRESSES
        )
        document.append(PdfReader(BytesIO(page)), import_outline=False)
        document.add_outline_item(title=figure.title, page_number=number)
    document.add_metadata({"/Title": title})
    document.compress_identical_objects()
    target = BytesIO()
    document.write(target)
    return target.getvalue()


def sheet(figures: Sequence[Figure], theme: Theme) -> Figure:
    """Put figures, at least one, under each other; a single one is returned as it is."""
    if len(figures) == 1:
        return figures[0]
    parts = [
        figure.chart | {"title": _heading(figure)} if theme.headed else figure.chart
        for figure in figures
    ]
    chart = {"vconcat": parts, "spacing": 40, **independent("color", "shape", "strokeDash")}
    return Figure("sheet", "", "", " ".join(figure.alt for figure in figures), chart)


def specification(figure: Figure, theme: Theme) -> Chart:
    """Return the figure in Vega-Lite with the theme applied."""
    fields: Chart = plain_texts(figure.chart)
    fields["config"] = theme.config()
    fields["padding"] = 12 if theme.headed else 4
    if theme.headed and figure.title:
        fields["title"] = plain_texts(_heading(figure))
    return fields


def _heading(figure: Figure) -> Chart:
    return {
        "text": figure.title,
        "subtitle": wrap(figure.caption, _CAPTION_CHARACTERS),
        "anchor": "start",
        "fontSize": 16,
        "offset": 14,
        "subtitlePadding": 6,
    }
