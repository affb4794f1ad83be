"""The value as an area: columns over the 21 sizes, under the rectangle of the longest message."""

from typing import Any

from beff.analysis.b_eff.averages import logavg
from beff.analysis.b_eff.derive import Area, Areas, areas_of
from beff.charts.b_eff.lines import PER_PROCESS
from beff.charts.b_eff.loops import Loops
from beff.charts.common.axes import labels, linear_axis, positive
from beff.charts.common.panel import Figure
from beff.charts.common.vega_lite import Chart, channel, marks
from beff.model.b_eff_result import Pattern
from beff.model.numbers import format_size, rate

_TICKS = (0, 4, 8, 12, 16, 20)
"""Columns with a label: 1, 16, 256 and 4096 byte, the middle of the rest, and L_max."""
_COLUMNS, _VALUE, _RECTANGLE = "columns", "value", "rectangle"


def area_under_the_curve(loops: Loops) -> Figure | None:
    """Draw the first group and the random rings; None for a result without a value."""
    areas = areas_of(loops.result)
    if areas is None:
        return None
    first_name = "rings" if loops.result.definition == "3.5" else "cyclic grids"
    patterns = [pattern for pattern in loops.result.patterns if pattern.averaged]
    groups = {
        first_name: (areas.first, [p for p in patterns if p.group != "random"]),
        "random rings": (areas.random, [p for p in patterns if p.group == "random"]),
    }
    highest = max(
        [row["MBps"] for _, members in groups.values() for row in column_rows(loops, members)]
        + [area.asymptotic_MBps for area, _ in groups.values()]
    )
    heights = [highest, *(area.value_MBps for area, _ in groups.values())]
    if not all(positive(height) for height in heights):  # times that no clock can measure
        return None
    panels = [
        _panel(loops, name, area, members, highest) for name, (area, members) in groups.items()
    ]
    return Figure(
        "area_under_the_curve",
        "The value as an area",
        "Bandwidth per process over the 21 message sizes at equal distances. Columns: logarithmic"
        " average of the patterns. Dashed frame: as high as the bandwidth at L_max. Line across:"
        " the value per process, which is the height of the frame times its share. The share is"
        " averaged over the patterns one by one, so the columns fill the frame a little less.",
        caption_of(areas, first_name),
        {"hconcat": panels, "spacing": 24},
    )


def caption_of(areas: Areas, first_name: str) -> str:
    """Write all three values as products."""
    named = {first_name: areas.first, "random rings": areas.random, "b_eff": areas.both}
    return "; ".join(f"{name}: {product(area)}" for name, area in named.items()) + "."


def product(area: Area) -> str:
    """Write a value as its product: `4 processes · 812 MB/s · 0.4213 = 1368 MB/s`."""
    return (
        f"{area.processes} processes · {rate(area.asymptotic_MBps)} · {area.share:.4f}"
        f" = {rate(area.value_MBps)}"
    )


def column_rows(loops: Loops, patterns: list[Pattern]) -> list[dict[str, Any]]:
    """Return a column for each message size: the logarithmic average per process, in MB/s."""
    processes = loops.result.environment.processes
    rows = []
    for index, size in enumerate(loops.result.message_sizes_bytes):
        found = [p.bandwidth_by_size_MBps[index] for p in patterns]
        known = [value / processes for value in found if value is not None and value > 0]
        value = logavg(known) if known else 0.0
        rows.append(
            {
                "left": index,
                "right": index + 1,
                "zero": 0,
                "MBps": value,
                "series": _COLUMNS,
                "text": f"{format_size(size)}: {rate(value)} per process",
            }
        )
    return rows


def _panel(loops: Loops, name: str, area: Area, patterns: list[Pattern], highest: float) -> Chart:
    rows = column_rows(loops, patterns)
    sizes = loops.result.message_sizes_bytes
    ticks = {tick + 0.5: format_size(sizes[tick]) for tick in _TICKS}
    x = channel(
        "left:Q",
        title="message size, equidistant",
        scale={"domain": [0, len(sizes)], "nice": False},
        axis={"values": list(ticks), "labelExpr": labels(ticks), "grid": False},
    )
    y = linear_axis([highest], PER_PROCESS)
    width = len(sizes)
    value = area.value_MBps / area.processes
    frame = [
        {"left": 0, "right": 0, "zero": 0, "MBps": area.asymptotic_MBps},
        {"left": 0, "right": width, "zero": area.asymptotic_MBps, "MBps": area.asymptotic_MBps},
        {"left": width, "right": width, "zero": 0, "MBps": area.asymptotic_MBps},
    ]
    line = [{"left": 0, "right": width, "zero": value, "MBps": value}]
    colour = channel("series:N", scale={"domain": [_COLUMNS, _VALUE, _RECTANGLE]}, legend=None)
    spans: Chart = {"x": x, "x2": "right:Q", "y": y, "y2": "zero:Q", "color": colour}
    columns = marks("bar", rows, {**spans, "description": "text:N"}, opacity=0.55)
    rules = [
        marks(
            "rule",
            [row | {"series": series} for row in lines],
            spans,
            strokeWidth=stroke,
            strokeDash=dash,
            aria=False,
        )
        for series, lines, stroke, dash in (
            (_RECTANGLE, frame, 1.6, [6, 3]),
            (_VALUE, line, 2.4, [1, 0]),
        )
    ]
    title = f"{name}: {area.share:.1%} of the frame".replace("%", " %")
    return {"layer": [columns, *rules], "width": 330, "height": 280, "title": title}
