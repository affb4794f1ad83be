"""Plots over all results: where the points, their ranges, names and the marks of both axes lie."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from beff.list.figures import IO_KEYS
from beff.list.folder import ListedSystem
from beff.list.pages import figure, gbps, size_of
from beff.list.ranking import GROUPS, standings
from beff.list.standings import HISTORIC

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


@dataclass(frozen=True)
class SystemPlot:
    """Dots in the picture, and (place, text) of the marks of both axes."""

    title: str
    across: str
    upright: str
    dots: list[Dot]
    marks_across: list[tuple[float, str]]
    marks_upright: list[tuple[float, str]]


def plots(systems: Sequence[ListedSystem]) -> list[SystemPlot]:
    """Return the plots that have at least one point."""
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
) -> list[SystemPlot]:
    """Lay the dots out, on logarithmic axes but for years; the largest where there are too many."""
    dots = sorted(found, key=lambda dot: dot.y, reverse=True)[:_MOST_DOTS]
    if not dots:
        return []
    xs = [dot.x for dot in dots]
    ys = [y for dot in dots for y in (dot.y, dot.low, dot.high) if y]
    low_x, high_x, marks_x = _year_axis(xs) if years else _decades(xs)
    low_y, high_y, marks_y = _decades(ys)

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
    return [
        SystemPlot(
            title,
            across,
            upright,
            _named(placed),
            [(place_x(value), f"{value:.0f}" if years else figure(value)) for value in marks_x],
            [(place_y(value), figure(value)) for value in marks_y],
        )
    ]


def _named(dots: list[Dot]) -> list[Dot]:
    """Give the dots of today their names, the best first, where there is place for them."""
    taken = [(dot.x - 5, dot.x + 5, dot.y - 5, dot.y + 5) for dot in dots]
    return [dot if dot.historic else _with_name(dot, taken) for dot in dots]


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


def _year_axis(values: list[float]) -> tuple[float, float, list[float]]:
    first, last = min(values) - 1, max(values) + 1
    step = max(1, math.ceil((last - first) / 6))
    return first, last, list(range(int(first), int(last) + 1, step))
