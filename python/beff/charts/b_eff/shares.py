"""Rings and random rings as shares of the ping-pong: what is left when all communicate."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from beff.analysis.b_eff.averages import logavg
from beff.analysis.b_eff.definition import OFFICIAL_METHODS
from beff.charts.b_eff.loops import Loops
from beff.charts.common.axes import linear_axis, positive, size_axis
from beff.charts.common.panel import Figure
from beff.charts.common.vega_lite import Chart, channel, marks
from beff.model.b_eff_result import Pattern
from beff.model.numbers import format_size, percent, rate
from beff.model.samples import loop_samples

PING_PONG = "ping-pong"
_BEST = "best pattern"
_NAMES = {"ring": "rings", "random": "random rings"}
_HIGHEST = 200.0
"""Shares beyond, where something disturbed the ping-pong, are drawn at the edge."""
Repetitions = Mapping[tuple[int, int], Sequence[Sequence[float]]]
"""By pattern and size: for each official method, MB/s per process of its repetitions."""


def shares(loops: Loops) -> Figure | None:
    """Draw the shares of the ping-pong; of the best pattern where no ping-pong was measured."""
    reference, rows = share_rows(loops)
    if not rows:
        return None
    highest = max(100.0, *(row["percent"] for row in rows))
    edge = f" More than {_HIGHEST:.0f} % is drawn at the edge." if highest > _HIGHEST else ""
    return Figure(
        "shares_of_pingpong",
        f"Share of the {reference}",
        f"Bandwidth per process when all communicate, divided by that of the {reference} at the"
        " same message size; logarithmic average over the patterns. Line: best repetition, which"
        f" counts. Band: down to the worst one.{edge}",
        _ends(rows, reference),
        _chart(rows, reference, min(highest, _HIGHEST)),
    )


def share_rows(loops: Loops) -> tuple[str, list[dict[str, Any]]]:
    """Return the name of the reference, and by group and size the shares in per cent.

    `percent` is that of the best repetition of each loop, `worst` of the worst; both are of the
    reference by its best repetition.
    """
    found = _repetitions(loops)
    reference, of_size = _reference(loops, found)
    rows = []
    for group, name in _NAMES.items():
        patterns = loops.patterns(group)
        for size in loops.sizes:
            best = _average(found, patterns, size, max)
            worst = _average(found, patterns, size, min)
            if best is None or worst is None or not of_size.get(size):
                continue
            size_bytes = loops.result.message_sizes_bytes[size]
            share, least = best / of_size[size], worst / of_size[size]
            rows.append(
                {
                    "series": name,
                    "size_bytes": size_bytes,
                    "percent": 100 * share,
                    "worst": 100 * least,
                    "text": f"{name}, {format_size(size_bytes)}: {percent(share)} of the"
                    f" {reference}, {rate(best)} of {rate(of_size[size])} per process;"
                    f" {percent(least)} by the worst repetition",
                }
            )
    return reference, rows


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


def _reference(loops: Loops, found: Repetitions) -> tuple[str, dict[int, float]]:
    """Return what 100 % is at each size: of the ping-pong all that moves, as one sends at a time.

    The share at L_max is then that of the summary.
    """
    pingpong = [p for p in loops.patterns("additional") if p.name == PING_PONG]
    if pingpong:
        (one,) = pingpong[:1]
        values = {size: _best(found.get((one.id, size), ())) for size in loops.sizes}
        return PING_PONG, {s: v * one.processes for s, v in values.items() if v is not None}
    all_of = {
        size: [_best(of) for (_, at), of in found.items() if at == size] for size in loops.sizes
    }
    known = {size: [v for v in values if v is not None] for size, values in all_of.items()}
    return _BEST, {size: max(values) for size, values in known.items() if values}


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


def _best(methods: Iterable[Sequence[float]]) -> float | None:
    return max((max(values) for values in methods if values), default=None)


def _ends(rows: Sequence[Mapping[str, Any]], reference: str) -> str:
    parts = []
    for series in dict.fromkeys(row["series"] for row in rows):
        first, *_, last = [row for row in rows if row["series"] == series] * 2
        ends = (
            f"{row['percent']:.0f} % at {format_size(row['size_bytes'])}" for row in (first, last)
        )
        parts.append(f"{series} {' and '.join(ends)} of the {reference}")
    return "; ".join(parts) + "."


def _chart(rows: list[dict[str, Any]], reference: str, highest: float) -> Chart:
    drawn = [row | {name: min(row[name], highest) for name in ("percent", "worst")} for row in rows]
    names = [name for name in _NAMES.values() if any(row["series"] == name for row in rows)]
    legend = {"title": None, "symbolOpacity": 1}
    named = channel("series:N", scale={"domain": names}, legend=legend)
    y = linear_axis([highest], f"% of the {reference}", "percent")
    lines = {"x": size_axis([row["size_bytes"] for row in rows]), "y": y, "color": named}
    layers = [
        marks("area", drawn, {**lines, "y2": "worst:Q"}, opacity=0.18, aria=False),
        marks("line", drawn, lines),
        marks("point", drawn, {**lines, "shape": named, "description": "text:N"}, size=28),
        marks("rule", [{"percent": 100.0}], {"y": y}, strokeDash=[4, 3]),
    ]
    return {"layer": layers, "width": 560, "height": 300}
