"""Plots over all results: where the points, their ranges and the marks of both axes lie."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.store.bounds import is_possible
from beff.store.standings import Standing, usual_and_newest
from beff.store.tables import RANKED, Entry, Status
from beff.web.pages import figure

WIDTH, HEIGHT = 640, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 20, 30, 48
_GBPS = 1e-3
_DRAWN = ("processes", "b_eff_MBps")
_MOST_RUNS = 2000
"""The newest that are drawn, so that a page stays small."""


@dataclass(frozen=True)
class Dot:
    """A result or a system; `low` and `high` are the range of its repeated runs, else None."""

    x: float
    y: float
    label: str
    target: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Plot:
    """Dots in the picture, and (place, text) of the marks of both axes."""

    title: str
    across: str
    upright: str
    dots: list[Dot]
    marks_across: list[tuple[float, str]]
    marks_upright: list[tuple[float, str]]


def plots(session: Session, standings: Sequence[Standing], *, historic: bool) -> list[Plot]:
    """Return the plots of these systems that have at least one point."""
    return [
        *_over_processes(session, standings, RANKED if historic else ("valid",)),
        *_over_years(standings),
        *_communication_against_io(standings),
    ]


def _over_processes(
    session: Session, standings: Sequence[Standing], statuses: Sequence[Status]
) -> list[Plot]:
    """Draw the usual run of each system with each number of processes, whatever part it used."""
    names = {standing.id: standing.name for standing in standings}
    entries = session.scalars(
        select(Entry)
        .where(Entry.published, Entry.status.in_(statuses), Entry.benchmark == "b_eff")
        .where(Entry.system_id.in_(names))
        .order_by(Entry.id.desc())
        .limit(_MOST_RUNS)
    )
    groups: dict[tuple[int, int], list[Entry]] = {}
    for entry in entries:
        if all(getattr(entry, name) and is_possible(name, getattr(entry, name)) for name in _DRAWN):
            groups.setdefault((entry.system_id, entry.processes), []).append(entry)
    dots = []
    for (system, processes), runs in groups.items():
        usual = usual_and_newest(runs, "b_eff")[0]
        value = usual.b_eff_MBps * _GBPS
        values = [(run.b_eff_MBps or 0.0) * _GBPS for run in runs]
        label = f"{names[system]}: {figure(value)} GB/s, {processes} processes"
        repeated = len(runs) > 1
        dots.append(
            Dot(
                processes,
                value,
                label + (f", the usual of {len(runs)} runs" if repeated else ""),
                f"results/{usual.id}",
                min(values) if repeated else None,
                max(values) if repeated else None,
            )
        )
    return _plot("Communication over processes", "processes", "b_eff, GB/s", dots)


def _over_years(standings: Sequence[Standing]) -> list[Plot]:
    dots = [
        Dot(
            standing.year,
            value * _GBPS,
            f"{standing.name}: {figure(value * _GBPS)} GB/s in {standing.year}",
            f"systems/{standing.id}",
        )
        for standing in standings
        if (value := standing.figure("b_eff")) and standing.year
    ]
    return _plot("Communication over years", "year of the run", "b_eff, GB/s", dots, years=True)


def _communication_against_io(standings: Sequence[Standing]) -> list[Plot]:
    dots = [
        Dot(
            x * _GBPS,
            y * _GBPS,
            f"{standing.name}: b_eff {figure(x * _GBPS)} GB/s, b_eff_io {figure(y * _GBPS)} GB/s",
            f"systems/{standing.id}",
        )
        for standing in standings
        if (x := standing.figure("b_eff")) and (y := standing.figure("io"))
    ]
    return _plot("File I/O against communication", "b_eff, GB/s", "b_eff_io, GB/s", dots)


def _plot(
    title: str, across: str, upright: str, dots: list[Dot], *, years: bool = False
) -> list[Plot]:
    """Lay the dots out, on logarithmic axes but for years."""
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
        Dot(
            place_x(dot.x),
            place_y(dot.y),
            dot.label,
            dot.target,
            place_y(dot.low) if dot.low else None,
            place_y(dot.high) if dot.high else None,
        )
        for dot in dots
    ]
    return [
        Plot(
            title,
            across,
            upright,
            placed,
            [(place_x(value), f"{value:.0f}" if years else figure(value)) for value in marks_x],
            [(place_y(value), figure(value)) for value in marks_y],
        )
    ]


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
