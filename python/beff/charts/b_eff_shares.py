"""Rings and random rings as shares of the ping-pong, and the value as an area."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from beff.charts.axes import PER_PROCESS, linear_axis, plain_tick, positive, size_axis
from beff.charts.b_eff import Loops
from beff.charts.chart import Axis, Chart, Marks, Panel, Part, Row, ends, lines, series_in
from beff.definition.averages import logavg
from beff.definition.b_eff_parts import Area, areas_of
from beff.definition.b_eff_patterns import OFFICIAL_METHODS
from beff.result.b_eff_result import RULES, Pattern
from beff.result.numbers import format_size, percent, rate
from beff.result.samples import loop_samples

_HIGHEST = 200.0
"""Shares beyond, where something disturbed the ping-pong, are drawn at the edge."""
Repetitions = Mapping[tuple[int, int], Sequence[Sequence[float]]]
"""By pattern and size: for each official method, MB/s per process of its repetitions."""


def shares(loops: Loops) -> Chart | None:
    """Draw the shares of the ping-pong; None where none was measured."""
    rows = share_rows(loops)
    if not rows:
        return None
    highest = max(100.0, *(row.value for row in rows))
    edge = f" More than {_HIGHEST:.0f} % is drawn at the edge." if highest > _HIGHEST else ""
    top = min(highest, _HIGHEST)
    drawn = [
        replace(row, y=min(row.value, top), low=min(row.low or 0, top), high=min(row.value, top))
        for row in rows
    ]
    x = size_axis([int(row.x) for row in rows])
    y = linear_axis([Row(0, top)], "% of the ping-pong", plain_tick)
    level = Marks("level", [Row(x.ends[0], 100.0)], "soft")
    return Chart(
        "shares_of_pingpong",
        "Share of the ping-pong",
        "Bandwidth per process when all communicate, divided by that of the ping-pong at the"
        " same message size; logarithmic average over the patterns. Line: best repetition, which"
        f" counts. Band: down to the worst one.{edge}",
        f"Share of the ping-pong: {ends(rows, lambda value: f'{value:.0f} %')}",
        [Part([Panel(x, y, [*lines(drawn), level], series_in(rows), (560, 300), legend=2)])],
    )


def share_rows(loops: Loops) -> list[Row]:
    """Return by group and size the shares of the ping-pong in per cent.

    The value is that of the best repetition of each loop, `low` that of the worst; both are of the
    ping-pong by its best repetition.
    """
    found = _repetitions(loops)
    of_size = _reference(loops, found)
    rows = []
    for group, name in {"ring": "rings", "random": "random rings"}.items():
        patterns = loops.patterns(group)
        for size, size_bytes in zip(loops.sizes, loops.sizes_bytes, strict=True):
            best = _average(found, patterns, size, max)
            worst = _average(found, patterns, size, min)
            if best is None or worst is None or not of_size.get(size):
                continue
            share, least = best / of_size[size], worst / of_size[size]
            text = (
                f"{name}, {format_size(size_bytes)}: {percent(share)} of the ping-pong,"
                f" {rate(best)} of {rate(of_size[size])} per process; {percent(least)} by the worst"
                " repetition"
            )
            rows.append(Row(size_bytes, 100 * share, name, text, low=100 * least))
    return rows


def _repetitions(loops: Loops) -> Repetitions:
    by_method: defaultdict[tuple[int, int, str], list[float]] = defaultdict(list)
    result = loops.result
    for loop, size in zip(loop_samples(result), result.samples.size, strict=True):
        value = positive(loop.bandwidth_MBps)
        if value is not None and loop.method in OFFICIAL_METHODS:
            key = (loop.pattern.id, size, loop.method)
            by_method[key].append(value / loop.pattern.processes)
    found: defaultdict[tuple[int, int], list[list[float]]] = defaultdict(list)
    for (pattern, size, _), values in by_method.items():
        found[pattern, size].append(values)
    return found


def _reference(loops: Loops, found: Repetitions) -> dict[int, float]:
    """Return what 100 % is at each size: of the ping-pong all that moves, as one sends at a time.

    The share at L_max is then that of the summary.
    """
    pingpong = next((p for p in loops.patterns("additional") if p.name == "ping-pong"), None)
    if pingpong is None:
        return {}
    values = {size: found.get((pingpong.id, size)) for size in loops.sizes}
    return {size: max(map(max, of)) * pingpong.processes for size, of in values.items() if of}


def _average(
    found: Repetitions,
    patterns: Iterable[Pattern],
    size: int,
    choose: Callable[[Sequence[float]], float],
) -> float | None:
    """Average patterns, each by its best method after choosing one of the repetitions."""
    values = [
        max(map(choose, found[pattern.id, size]))
        for pattern in patterns
        if found.get((pattern.id, size))
    ]
    return logavg(values) if values else None


_TICKS = (0, 4, 8, 12, 16, 20)
"""Columns with a label: 1, 16, 256 and 4096 byte, the middle of the rest, and L_max."""


def area_under_the_curve(loops: Loops) -> Chart | None:
    """Draw the first group and the random rings; None for a result without a value.

    Columns over the 21 sizes stand under the rectangle of the longest message.
    """
    areas = areas_of(loops.result)
    if areas is None:
        return None
    first = "rings" if RULES[loops.result.definition].rings_first else "cyclic grids"
    patterns = [pattern for pattern in loops.result.patterns if pattern.averaged]
    groups = {
        first: (areas.first, [p for p in patterns if p.group != "random"]),
        "random rings": (areas.random, [p for p in patterns if p.group == "random"]),
    }
    columns = {name: column_rows(loops, members) for name, (_, members) in groups.items()}
    tops = [row.value for rows in columns.values() for row in rows]
    highest = max([*tops, *(area.asymptotic_MBps for area, _ in groups.values())])
    heights = [highest, *(area.value_MBps for area, _ in groups.values())]
    if not all(map(positive, heights)):  # times that no clock can measure
        return None
    sizes = loops.result.message_sizes_bytes
    ticks = {tick + 0.5: format_size(sizes[tick]) for tick in _TICKS}
    x = Axis("message size, equidistant", (0, len(sizes)), ticks, grid=False)
    y = linear_axis([Row(0, highest)], PER_PROCESS)
    panels = []
    for name, (area, _) in groups.items():
        top, value = area.asymptotic_MBps, area.value_MBps / area.processes
        corners = [(0, 0), (0, top), (len(sizes), top), (len(sizes), 0)]
        marks = [
            Marks("column", columns[name], opacity=0.55),
            Marks("dashed", [Row(*corner, "rectangle") for corner in corners], size=1.6),
            Marks("line", [Row(end, value, "value") for end in x.ends], size=2.4),
        ]
        title = f"{name}: {100 * area.share:.1f} % of the frame"
        panels.append(Panel(x, y, marks, ("columns", "value", "rectangle"), (330, 280), title))
    named = {**{name: area for name, (area, _) in groups.items()}, "b_eff": areas.both}
    return Chart(
        "area_under_the_curve",
        "The value as an area",
        "Bandwidth per process over the 21 message sizes at equal distances. Columns: logarithmic"
        " average of the patterns. Dashed frame: as high as the bandwidth at L_max. Line across:"
        " the value per process, which is the height of the frame times its share. The share is"
        " averaged over the patterns one by one, so the columns fill the frame a little less.",
        "; ".join(f"{name}: {product(area)}" for name, area in named.items()) + ".",
        [Part(panels)],
    )


def product(area: Area) -> str:
    """Write a value as its product: `4 processes · 812 MB/s · 0.4213 = 1368 MB/s`."""
    return (
        f"{area.processes} processes · {rate(area.asymptotic_MBps)} · {area.share:.4f}"
        f" = {rate(area.value_MBps)}"
    )


def column_rows(loops: Loops, patterns: Sequence[Pattern]) -> list[Row]:
    """Return a column for each message size: the logarithmic average per process, in MB/s."""
    processes = loops.result.environment.processes
    rows = []
    for index, size in enumerate(loops.result.message_sizes_bytes):
        found = [p.bandwidth_by_size_MBps[index] for p in patterns]
        known = [value / processes for value in found if value is not None and value > 0]
        value = logavg(known) if known else 0.0
        text = f"{format_size(size)}: {rate(value)} per process"
        rows.append(Row(index, value, "columns", text, x2=index + 1, y2=0))
    return rows
