"""Drawing charts, for files and for pages, by one theme."""
# ruff: noqa: PLC0415 - the drawing library is of an extra, and takes long to start

import json
import re
import resource
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any

from beff.result.errors import BeffError
from beff.result.numbers import format_size
from beff.show.charts.spec import Chart, Spec, plain

_THEME = json.loads(Path(__file__).with_name("theme.json").read_text("utf-8"))
"""Seven shapes with eight colours: 56 series stay different, also without colours."""
_NAMES = [f"var(--series-{place + 1}, var(--series-{place % 8 + 1}))" for place in range(56)]
"""A name for each series, by which the script of the page knows it, with one of eight colours."""
PAGE: Spec = _THEME["config"]
PAGE["range"]["category"] = _NAMES
"""For SVG inside the HTML page, whose style sheet sets the colours for light, dark and print."""
_VARIABLE = re.compile(r"var\(--(?:series-\d+, var\(--)?([a-z0-9-]+)\)+")
PAPER: Spec = json.loads(_VARIABLE.sub(lambda name: _THEME["paper"][name[1]], json.dumps(PAGE))) | {
    "background": "#ffffff"
}
"""For picture files and print."""

_CAPTION_CHARACTERS, _TITLE_CHARACTERS = 58, 40
"""Of a line above each panel."""
_OF_SERIES = ("color", "shape", "opacity")
_INDEPENDENT = {
    "resolve": dict.fromkeys(("scale", "legend"), dict.fromkeys(_OF_SERIES, "independent"))
}
"""Charts, and panels that differ in it, have colours and legends of their own."""


def _legend(panel: Spec) -> Any:
    return panel["encoding"].get("color")


def plain_texts(fields: Any) -> Any:
    """Return nested dicts and lists with all their texts made plain."""
    if isinstance(fields, dict):
        return {name: plain_texts(value) for name, value in fields.items()}
    if isinstance(fields, list):
        return [plain_texts(value) for value in fields]
    return plain(fields) if isinstance(fields, str) else fields


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


_PIXELS_PER_CSS_PIXEL = 2


def drawn(charts: Sequence[Chart], ending: str, *, titled: bool = True) -> bytes:
    """Draw charts under each other as .svg, .png or .pdf; `titled` ones say what is seen.

    Panels share a legend where it is the same. SVG has descriptions as `aria-label`. Raises
    BeffError where none can be drawn.
    """
    if (reason := why_no_pictures()) is not None:
        raise BeffError(reason)
    import vl_convert

    parts = []
    for chart in charts:
        legends = [_legend(panel) for panel in chart.panels]
        apart = {} if all(one == legends[0] for one in legends) else _INDEPENDENT
        panels = {"concat": [*chart.panels], "columns": chart.columns, **apart}
        beside = min(3, chart.columns, len(legends))
        text = wrap(chart.title if titled else chart.stamp, _TITLE_CHARACTERS * beside)
        title: Spec = {"text": text, "anchor": "start"}
        if titled:
            caption = wrap(chart.caption, _CAPTION_CHARACTERS * beside)
            title |= {"subtitle": caption, "subtitlePadding": 6, "fontSize": 16, "offset": 14}
        parts.append({**panels, "title": title})
    # groups in groups count: .pdf bears 28 levels
    below = {"vconcat": parts, "spacing": 40, **_INDEPENDENT}
    whole = plain_texts(below if len(parts) > 1 else parts[0])
    fields = {**whole, "config": PAPER, "padding": 24 if titled else 4}
    if ending == ".svg":
        return vl_convert.vegalite_to_svg(fields).encode()
    if ending == ".png":
        return vl_convert.vegalite_to_png(fields, scale=_PIXELS_PER_CSS_PIXEL)
    return vl_convert.vegalite_to_pdf(fields)


def page_svgs(chart: Chart) -> list[str]:
    """Return an SVG element for each panel, which a page puts where it can.

    All of them are narrow enough for a telephone. Of neighbours with the same legend the last one
    has it.
    """
    import vl_convert

    drawn = []
    for panel, following in zip(chart.panels, [*chart.panels[1:], None], strict=True):
        encoding = dict(panel["encoding"])
        if following is not None and _legend(panel) == _legend(following):
            encoding |= {
                one: {**encoding[one], "legend": None} for one in _OF_SERIES if encoding.get(one)
            }
        fields = plain_texts({**panel, "encoding": encoding}) | {"config": PAGE, "padding": 4}
        drawn.append(vl_convert.vegalite_to_svg(fields))
    return drawn
