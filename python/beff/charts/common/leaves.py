"""A figure taken apart into panels that stand beside or below each other, as a page has room."""

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise

from beff.charts.common.vega_lite import Chart

PANEL_WIDTH = 290
"""Of the inside of a panel, in CSS pixels: with its axis it fills the width of a telephone."""
_NAME_WIDTH = 150
"""Of names at an axis; a panel beside shorter ones is broader."""
_WITH_NAMES = 330.0
"""Of names and the inside of their panel."""
_TALLEST = 240
_LEGEND_WIDTH = 300.0
_SYMBOL_WIDTH, _CHARACTER_WIDTH = 46.0, 6.6
"""Of an entry of a legend: with the distance to the next one; each character of its text."""
_CONCATENATED = ("concat", "hconcat", "vconcat")
_WITH_LEGENDS = ("color", "shape", "strokeDash")


def leaves_of(chart: Chart) -> list[Chart]:
    """Return the panels of a chart for a narrow page, each complete in itself.

    Of neighbours with the same legend the last one has it.
    """
    leaves = list(_leaves(json.loads(json.dumps(chart))))
    for leaf in leaves:
        _narrow(leaf)
    for leaf, following in pairwise(leaves):
        if _legends(leaf) == _legends(following):
            for encoding in _encodings(leaf):
                for channel in _WITH_LEGENDS:
                    if channel in encoding and "field" in encoding[channel]:
                        encoding[channel]["legend"] = None
    return leaves


def _leaves(chart: Chart) -> Iterator[Chart]:
    parts = next((chart[name] for name in _CONCATENATED if name in chart), None)
    if parts is None:
        yield chart
        return
    for part in parts:
        yield from _leaves(part)


def _encodings(chart: Chart) -> Iterator[Chart]:
    if "encoding" in chart:
        yield chart["encoding"]
    for layer in chart.get("layer", ()):
        yield from _encodings(layer)


def _legends(chart: Chart) -> str:
    """Return what the legends of a panel look like."""
    found = {}
    for encoding in _encodings(chart):
        for channel in _WITH_LEGENDS:
            shown = encoding.get(channel, {})
            if "field" in shown:
                found[channel] = [shown.get("title"), shown.get("scale"), shown.get("legend")]
    return json.dumps(found, sort_keys=True)


def _narrow(chart: Chart) -> None:
    """Give a panel the size for a narrow page, and its legends as many columns as fit."""
    names = 0.0
    for encoding in _encodings(chart):
        for channel in encoding.values():
            axis = channel.get("axis") if isinstance(channel, Mapping) else None
            if axis:
                if axis.pop("minExtent", None) is not None:
                    longest = max(map(len, channel["sort"]), default=0)
                    names = min(_NAME_WIDTH, _CHARACTER_WIDTH * longest)
                axis.pop("labelFontSize", None)
                axis |= {"labelOverlap": "greedy", "labelSeparation": 6}
                if "labelLimit" in axis:
                    axis["labelLimit"] = _NAME_WIDTH
        for channel in _WITH_LEGENDS:
            legend = encoding.get(channel, {}).get("legend")
            if legend:
                domain = encoding[channel].get("scale", {}).get("domain", [])
                legend["columns"] = _columns(legend.get("values") or domain)
    chart["width"] = min(chart["width"], _WITH_NAMES - names if names else PANEL_WIDTH)
    if not names:
        chart["height"] = min(chart["height"], _TALLEST)


def _columns(names: list[str]) -> int:
    widest = max(map(len, names), default=1)
    return max(1, int(_LEGEND_WIDTH // (_SYMBOL_WIDTH + _CHARACTER_WIDTH * widest)))
