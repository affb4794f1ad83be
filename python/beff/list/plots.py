"""Pictures of a list: where points, their ranges, names, levels and the marks of axes lie."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from statistics import median
from typing import Any

from beff.list.figures import IO_KEYS
from beff.list.folder import ListedSystem
from beff.list.pages import figure, gbps, size_of
from beff.list.ranking import GROUPS, standings
from beff.list.standings import HISTORIC
from beff.store.trend import Series

WIDTH, HEIGHT = 640, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 20, 30, 48
_GBPS = 1e-3
_MOST_DOTS = 2000
_LETTER, _LINE = 6.5, 12
"""What a name takes in the picture."""
_BESIDE, _LINES, _SHORT = 8, (4, -8, 16), 16
"""How far a name stands beside its point, its base line below it, and a name made shorter."""


@dataclass(frozen=True)
class Dot:
    """A usual run; `low` and `high` are the range of those like it.

    `name_at` is where its name begins, or ends where it is `before` the point.
    """

    x: float
    y: float
    name: str
    label: str
    slug: str
    historic: bool
    low: float | None = None
    high: float | None = None
    name_at: tuple[float, float] | None = None
    before: bool = False


def plots(systems: Sequence[ListedSystem]) -> list[dict[str, Any]]:
    """Return the plots that have at least one point: dots, and (place, text) of the marks of axes.

    Titles of both axes are `across` and `upright`.
    """
    b_eff, io = "b_eff, GB/s", "b_eff_io, GB/s"
    return [
        *_plot("Communication over processes", "processes", b_eff, _sizes(systems)),
        *_plot("Communication over years", "year of the run", b_eff, _years(systems), years=True),
        *_plot("File I/O against communication", b_eff, io, _both(systems)),
    ]


def _sizes(systems: Sequence[ListedSystem]) -> Iterable[Dot]:
    for system in systems:
        for usual in system.usual:
            value = None if usual.why else usual.entry.b_eff_MBps
            if value and usual.entry.processes:
                repeated = f", the usual of {usual.runs} runs" if usual.runs > 1 else ""
                yield Dot(
                    usual.entry.processes,
                    value * _GBPS,
                    system.name,
                    f"{system.name}: {gbps([value])} GB/s, {size_of(usual)} processes{repeated}",
                    system.slug,
                    usual.group == HISTORIC,
                    (usual.low[0] or value) * _GBPS if repeated else None,
                    (usual.high[0] or value) * _GBPS if repeated else None,
                )


def _years(systems: Sequence[ListedSystem]) -> Iterable[Dot]:
    for group in (group for group in GROUPS if not group.apart):
        for system, standing in standings(systems, group):
            value, year = standing.figure("b_eff"), standing.b_eff and standing.b_eff.year
            if value and year:
                label = f"{system.name}: {gbps([value])} GB/s in {year}"
                yield Dot(
                    *(year, value * _GBPS, system.name, label, system.slug),
                    historic=group.name == HISTORIC,
                )


def _both(systems: Sequence[ListedSystem]) -> Iterable[Dot]:
    for group in GROUPS:
        for system, standing in standings(systems, group):
            x, y = standing.figure("b_eff"), standing.figure(IO_KEYS[system.io_release])
            if x and y:
                label = f"{system.name}: b_eff {gbps([x])} GB/s, b_eff_io {gbps([y])} GB/s"
                yield Dot(
                    *(x * _GBPS, y * _GBPS, system.name, label, system.slug),
                    historic=group.name == HISTORIC,
                )


def _plot(
    title: str, across: str, upright: str, found: Iterable[Dot], *, years: bool = False
) -> list[dict[str, Any]]:
    """Lay the dots out, on logarithmic axes but for years; the largest where there are too many.

    Those of today have their names, the best first, where there is place for them.
    """
    dots = sorted(found, key=lambda dot: dot.y, reverse=True)[:_MOST_DOTS]
    if not dots:
        return []
    xs = [dot.x for dot in dots]
    low_x, high_x, marks_x = _decades(xs)
    if years:
        low_x, high_x = min(xs) - 1, max(xs) + 1
        step = max(1, math.ceil((high_x - low_x) / 6))
        marks_x = list(range(int(low_x), int(high_x) + 1, step))
    low_y, high_y, marks_y = _decades([y for dot in dots for y in (dot.y, dot.low, dot.high) if y])

    def place_x(value: float) -> float:
        part = value if years else math.log10(value)
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * (part - low_x) / (high_x - low_x), 1)

    def place_y(value: float) -> float:
        part = (math.log10(value) - low_y) / (high_y - low_y)
        return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * part, 1)

    placed = [
        replace(
            dot,
            x=place_x(dot.x),
            y=place_y(dot.y),
            low=place_y(dot.low) if dot.low else None,
            high=place_y(dot.high) if dot.high else None,
        )
        for dot in dots
    ]
    taken = [(dot.x - 5, dot.x + 5, dot.y - 5, dot.y + 5) for dot in placed]
    return [
        {
            "title": title,
            "across": across,
            "upright": upright,
            "dots": [dot if dot.historic else _with_name(dot, taken) for dot in placed],
            "marks_across": [(place_x(at), f"{at:.0f}" if years else figure(at)) for at in marks_x],
            "marks_upright": [(place_y(value), figure(value)) for value in marks_y],
        }
    ]


def _with_name(dot: Dot, taken: list[tuple[float, float, float, float]]) -> Dot:
    """Place the name of a dot, or its beginning, beside what is taken, and take its place."""
    short = dot.name if len(dot.name) <= _SHORT else dot.name[: _SHORT - 1].rstrip() + "…"
    for name, down, before in product(dict.fromkeys((dot.name, short)), _LINES, (False, True)):
        wide = _LETTER * len(name)
        left = dot.x - _BESIDE - wide if before else dot.x + _BESIDE
        top = dot.y + down - 10
        free = all(
            left + wide < x_from or x_to < left or top + _LINE < y_from or y_to < top
            for x_from, x_to, y_from, y_to in taken
        )
        if free and _LEFT <= left <= WIDTH - wide:
            taken.append((left, left + wide, top, top + _LINE))
            at = round(left + wide if before else left, 1)
            return replace(dot, name=name, name_at=(at, round(dot.y + down, 1)), before=before)
    return dot


def _decades(values: list[float]) -> tuple[float, float, list[float]]:
    """Return both ends of a logarithmic axis as exponents, and the powers of ten on it."""
    first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    last = max(last, first + 1)
    step = max(1, (last - first) // 6)
    return first, last, [10.0**power for power in range(first, last + 1, step)]


TREND_HEIGHT = 220
_TREND_LEFT, _TREND_RIGHT, _TREND_TOP, _TREND_BOTTOM = 64, 16, 16, 32


def trend(series: Series) -> dict[str, Any]:
    """Lay out a series of at least one run over time, values in GB/s from zero up.

    Points are (x, y, entry, whether the system changed there), levels the medians between changes
    as (from x, to x, y), ticks (y, value).
    """
    values = [(entry.value_MBps or 0.0) * _GBPS for entry in series.entries]
    measured = [entry.measured_at for entry in series.entries]
    times = [moment.timestamp() if moment else 0.0 for moment in measured]
    first, span = times[0], (times[-1] - times[0]) or 1.0
    power = 10.0 ** math.floor(math.log10(max(values)))
    step = next(power * part for part in (0.2, 0.5, 1, 2, 5) if max(values) / (power * part) <= 5)
    top = math.ceil(max(values) / step) * step
    across, upright = WIDTH - _TREND_LEFT - _TREND_RIGHT, TREND_HEIGHT - _TREND_TOP - _TREND_BOTTOM

    def x_of(index: int) -> float:
        return round(_TREND_LEFT + 8 + (across - 16) * (times[index] - first) / span, 1)

    def y_of(value: float) -> float:
        return round(_TREND_TOP + upright * (1 - value / top), 1)

    starts = [0, *(change.index for change in series.steps), len(values)]
    return {
        "points": [
            (x_of(index), y_of(values[index]), entry, index in starts[1:-1])
            for index, entry in enumerate(series.entries)
        ],
        "levels": [
            (x_of(begin) - 6, x_of(end - 1) + 6, y_of(median(values[begin:end])))
            for begin, end in pairwise(starts)
        ],
        "ticks": [(y_of(step * tick), step * tick) for tick in range(round(top / step) + 1)],
    }
