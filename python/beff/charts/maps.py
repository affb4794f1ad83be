"""What b_pairs measured: maps of units, and what a network gives as a whole.

The darker a square of a map, the slower two units are. Each stands for two hosts, or processes, of
many for several of them.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from math import ceil, exp, log

import numpy as np

from beff.charts.axes import linear_axis
from beff.charts.chart import Axis, Chart, Marks, Panel, Part, Row, texts
from beff.definition.b_pairs_plan import Ints, parts_of, spread_steps
from beff.definition.imported_pairs import KINDS
from beff.maps.kind import Kind
from beff.maps.kinds import kinds_of
from beff.maps.levels import quantiles, quick_level
from beff.maps.network_text import (
    FIRST_HALVES,
    halves_name,
    unit_name,
)
from beff.maps.pair_map import Floats, PairMap
from beff.result.b_pairs_result import BPairsResult
from beff.result.numbers import format_size, measured, percent, rate

MOST_ORDERED = 1024
"""Of more units only the order of the result is drawn: the other takes their square in memory."""
_SIDE = 284.0
"""Of a map, which fits a telephone."""
_MOST_SQUARES = 64
"""In a row: beyond, a square stands for several units."""
_NAME_SIZE, _NAME_LENGTH = 12.0, 12
_FACTORS = (1.1, 1.25, 1.5, 2.0, 3.0, 5.0)
"""Fixed steps of time over that of quick pairs: noise is not stretched to fill the colours."""
_NOISY_SHARE = 0.5
"""Where more of the pairs lie beyond the third step, the steps are spread over all there is."""
LEVELS = 7
"""As many strengths as a colour has."""


def pairs_chart(pairs: PairMap, bad: Collection[str] = ()) -> Chart:
    """Draw latency and bandwidth of all pairs, by rank and by similarity.

    Units with the names of `bad` are always labelled.
    """
    each = ceil(pairs.units / _MOST_SQUARES)
    about = (
        "One square per pair, the fastest of its measurements; grey: not measured."
        if each == 1
        else f"One square per {each} x {each} {pairs.plural}: the slowest pair among them, each by"
        " the fastest of its measurements; grey: not measured."
    )
    orders = {f"{pairs.plural} in the order of the result": np.arange(pairs.units)}
    if pairs.units <= MOST_ORDERED:
        orders["similar ones beside each other"] = by_similarity(pairs)
    parts = [_part(pairs, kind, orders, bad) for kind in KINDS]
    title = f"The map of pairs of {pairs.units} {pairs.plural}"
    alt = " ".join(f"{part.heading}." for part in parts)
    return Chart("pairs", title, about, alt, parts)


def _part(pairs: PairMap, kind: str, orders: dict[str, Ints], bad: Collection[str]) -> Part:
    """Return a map for each order of the units."""
    best = pairs.times[kind]
    quick = quick_level(best)
    factors = steps_of(best - quick)
    each = ceil(pairs.units / _MOST_SQUARES)
    names = _level_names(pairs, kind, quick, factors)
    panels = []
    for title, order in orders.items():
        beyond = _squares(pairs, best - quick, order, each)
        levels = np.searchsorted(np.log(factors), beyond, side="right")
        levels[np.isnan(beyond)] = LEVELS
        units = [pairs.names[unit] for unit in order]
        panels.append(_map(title, levels, names, _labels(units, each, bad)))
    of_large = "" if kind == "small" else f", {_bandwidth(pairs, quick)} each way"
    heading = (
        f"{'Latency' if kind == 'small' else 'Bandwidth'}: an exchange of"
        f" {format_size(pairs.bytes_of[kind])} both ways takes quick pairs {_time(quick)}{of_large}"
    )
    return Part(panels, heading=heading)


def _map(
    title: str, levels: Ints, names: Sequence[str], labels: dict[int, tuple[str, bool]]
) -> Panel:
    """Return a panel of squares by their level; labels say whether they are bold."""
    count = len(levels)
    rows = [
        Row(column, row, names[level], x2=column + length, y2=row + 1)
        for row, column, length, level in runs(levels.tolist())
    ]
    ticks = {
        square + 0.5: name if len(name) <= _NAME_LENGTH else f"{name[: _NAME_LENGTH - 1]}…"
        for square, (name, _) in labels.items()
    }
    bold = [square + 0.5 for square, (_, is_bold) in labels.items() if is_bold]
    return Panel(
        Axis(None, (0, count), ticks, grid=False, at_top=True, bold=bold),
        Axis(None, (count, 0), ticks, grid=False, bold=bold),
        [Marks("square", rows)],
        names,
        (_SIDE, _SIDE),
        title,
        legend=2,
        colours="times",
    )


def runs(levels: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, int, int]]:
    """Yield row, first column, length and level of squares of one level beside each other."""
    for row, line in enumerate(levels):
        start = 0
        for level, equal in groupby(line):
            length = len(list(equal))
            yield row, start, length, level
            start += length


def _labels(units: Sequence[str], each: int, bad: Collection[str]) -> dict[int, tuple[str, bool]]:
    """Return by square a name and whether it is bad: all bad ones, of the others what has room.

    A square of several units has the name of its first bad one, else of its first one.
    """
    of_squares = [units[start : start + each] for start in range(0, len(units), each)]
    found = {
        square: (name, True)
        for square, names in enumerate(of_squares)
        for name in names[::-1]
        if name in bad
    }
    room = ceil(_NAME_SIZE * len(of_squares) / _SIDE)
    for square in range(0, len(of_squares), room):
        if not any(abs(square - other) < room and is_bad for other, (_, is_bad) in found.items()):
            found[square] = (of_squares[square][0], False)
    return found


def steps_of(beyond: Floats) -> tuple[float, ...]:
    """Return the steps of time, as factors of quick pairs, by their logarithms beyond these.

    Where noise puts most pairs beyond the fixed steps, rising ones up to the slowest twentieth.
    """
    known = beyond[~np.isnan(beyond)]
    if not known.size or (known > log(_FACTORS[2])).mean() <= _NOISY_SHARE:
        return _FACTORS
    last = max(float(np.quantile(known, 0.95)), log(_FACTORS[-1]))
    return tuple(float(f"{exp(last * place / LEVELS):.2g}") for place in range(1, LEVELS))


def _level_names(pairs: PairMap, kind: str, quick: float, factors: Sequence[float]) -> list[str]:
    """Return what the legend says of each level, and of what was not measured."""

    def value(factor: float) -> str:
        at = quick + log(factor)
        return _time(at) if kind == "small" else _bandwidth(pairs, at)

    to, above = ("to", "above") if kind == "small" else ("down to", "below")
    names = [f"to x {factor:g}: {to} {value(factor)}" for factor in factors]
    return [*names, f"above x {factors[-1]:g}: {above} {value(factors[-1])}", "not measured"]


def _time(logarithm: float) -> str:
    return measured(exp(logarithm) * 1e-3, "us")


def _bandwidth(pairs: PairMap, logarithm: float) -> str:
    return rate(pairs.bytes_of["large"] / exp(logarithm) * 1e3)


def _squares(pairs: PairMap, beyond: Floats, order: Ints, each: int) -> Floats:
    """Return the slowest pair of each square; a median would hide a slow host among others."""
    place = np.empty(pairs.units, dtype=np.int64)
    place[order] = np.arange(pairs.units) // each
    count = ceil(pairs.units / each)
    known = ~np.isnan(beyond)
    rows, columns = place[pairs.first[known]], place[pairs.second[known]]
    # of rounds in which the same two meet, the quickest
    low = np.minimum(pairs.first[known], pairs.second[known])
    high = np.maximum(pairs.first[known], pairs.second[known])
    _, same = np.unique(low * pairs.units + high, return_inverse=True)
    least = np.full(int(same.max(initial=-1)) + 1, np.inf)
    np.minimum.at(least, same, beyond[known])
    squares = np.full((count, count), -np.inf)
    np.maximum.at(squares, (rows, columns), least[same])
    np.maximum.at(squares, (columns, rows), least[same])
    squares[np.isneginf(squares)] = np.nan
    return squares


def by_similarity(pairs: PairMap) -> Ints:
    """Return all units in an order in which similar ones are neighbours.

    Memory and time grow with the square of the units.
    """
    # SciPy takes 0.3 s to load
    from scipy.cluster.hierarchy import leaves_list, linkage  # noqa: PLC0415
    from scipy.spatial.distance import squareform  # noqa: PLC0415

    if pairs.units < 2:
        return np.arange(pairs.units)
    kinds = kinds_of(pairs)
    beyond = sum((_beyond(pairs, kind) for kind in kinds), np.zeros((pairs.units, pairs.units)))
    order = leaves_list(linkage(squareform(beyond, checks=False), "average"))
    return order.astype(np.int64)


def _beyond(pairs: PairMap, found: Kind) -> Floats:
    """Return for every two units ln(time) beyond the quick pairs, at least 0.

    Of pairs that did not meet: what is usual between their groups, with the slower of both units.
    """
    raw = pairs.times[found.kind]
    square = np.zeros((pairs.units, pairs.units))
    if np.isnan(raw).all():
        return square
    first, second = np.nonzero(~np.eye(pairs.units, dtype=bool))
    square[first, second] = np.nan_to_num(found.modelled(first, second), nan=np.nanmedian(raw))
    best = quantiles(found.links.of, raw, len(found.links.first), 0.0)
    met = ~np.isnan(best)
    ends = found.links.first[met], found.links.second[met]
    square[ends] = square[ends[::-1]] = best[met]
    square = np.maximum(square - quick_level(raw), 0)
    np.fill_diagonal(square, 0)
    return square


def bisection(result: BPairsResult) -> Chart | None:
    """Draw each step as a point, by halves, the least one larger; None without a measured step."""
    asked, found = result.plan.bisection, result.bisection
    if asked is None or found is None or found.minimum is None:
        return None
    least = found.minimum
    names: dict[float, str] = {}
    rows: list[Row] = []
    smallest: list[Row] = []
    for place, halves in enumerate(found.halves):
        steps = spread_steps(len(parts_of(result.plan, asked, result.options["seed"], place)[1]))
        names[place + 0.5] = FIRST_HALVES.get(halves.kind, f"drawn {place}")
        for step, total in zip(steps, halves.steps.sum_MBps, strict=False):
            at = place + 0.08 + 0.84 * (step + 0.5) / len(steps)
            text = f"{names[place + 0.5]}, step {step + 1}: {rate(total)}"
            is_least = (place, step) == (least.halves, least.step)
            (smallest if is_least else rows).append(
                Row(at, total, "least" if is_least else "step", text)
            )
    alone = [] if least.full_MBps is None else [Row(0, least.full_MBps)]
    of_alone = ""
    if alone:
        share = percent((result.summary.bisection_percent or 0) / 100)
        has = rate(least.full_MBps)
        of_alone = f" Dashed: what its pairs have alone, {has}, of which it has {share}."
    pair = f"{unit_name(result, least.first)} and {unit_name(result, least.second)}"
    units = "hosts" if result.plan.unit == "host" else "processes"
    title = f"halves of the {units}; within each, the steps in their order"
    x = Axis(title, (0, len(names)), names)
    points = [Marks("point", rows), Marks("point", smallest, size=110)]
    marks = [*points, Marks("level", alone, "soft")]
    y = linear_axis([*rows, *smallest, *alone], "sum over all pairs, both ways")
    return Chart(
        "bisection",
        "Bisection: the sum over all pairs of each step, both ways",
        f"Least: {rate(result.summary.bisection_MBps)} in step {least.step + 1} of"
        f" {halves_name(result, least.halves)}; its slowest pair: {pair}, {rate(least.pair_MBps)}."
        f"{of_alone}",
        f"Least of {len(rows) + 1} steps: {texts(smallest)}",
        [Part([Panel(x, y, marks, ("step", "least"), (560, 320), legend=2)])],
    )
