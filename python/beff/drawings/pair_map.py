"""The map of pairs: every two hosts as a square, the darker the slower they exchange messages."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, exp, log

import numpy as np

from beff.analysis.b_pairs.kind import Kind
from beff.analysis.b_pairs.kinds import kinds_of
from beff.analysis.b_pairs.levels import quantiles, quick_level
from beff.analysis.b_pairs.pair_map import KINDS, Floats, PairMap
from beff.analysis.b_pairs.schedule import Ints
from beff.charts.common.theme import Theme
from beff.drawings.canvas import Canvas
from beff.model.numbers import format_size, measured, rate

MOST_ORDERED = 1024
"""Of more units only the order of ranks is drawn: the other takes the square of them in memory."""
_WIDTH = 984.0
_SIDE, _TOP, _FOOT = 400.0, 96.0, 74.0
_NAMES = 70.0
"""Height of the names above a map."""
_LEFTS = (76.0, 572.0)
_MOST_SQUARES = 64
"""In a row: beyond, a square stands for several units."""
_MOST_NAMES, _NAME_LENGTH = 32, 12
_FACTORS = (1.1, 1.25, 1.5, 2.0, 3.0, 5.0)
"""Fixed steps of time over that of quick pairs: noise is not stretched to fill the colours."""
_NOISY_SHARE = 0.5
"""Where more of the pairs lie beyond the third step, the steps are spread over all there is."""
_STRENGTHS = (0.12, 0.25, 0.38, 0.52, 0.67, 0.83, 1.0)
_BLANK = 0.3
"""Strength of the grey of pairs that were not measured, which no colour of times is like."""


@dataclass(frozen=True)
class _Panel:
    """One map: levels of the squares (NaN where no pair met), beyond the quick pairs."""

    left: float
    top: float
    beyond: Floats
    factors: tuple[float, ...]
    units_of_square: int
    names: list[str]


def draw_pair_map(pairs: PairMap, theme: Theme) -> str:
    """Draw latency and bandwidth, by rank and by similarity, as SVG."""
    canvas = Canvas(_WIDTH, theme)
    n = pairs.units
    orders = {f"{pairs.plural} in the order of the result": np.arange(n)}
    if n <= MOST_ORDERED:
        orders["similar ones beside each other"] = by_similarity(pairs)
    each = ceil(n / _MOST_SQUARES)
    canvas.text((12, 24), f"The map of pairs of {n} {pairs.plural}", size=17, bold=True)
    words = "One square per pair, the fastest of its measurements; grey: not measured."
    if each > 1:
        words = (
            f"One square per {each} x {each} {pairs.plural}: the slowest pair among them, each by"
            " the fastest of its measurements; grey: not measured."
        )
    canvas.text((12, 43), words, colour=theme.soft_ink)
    top = 62.0
    for kind in KINDS:
        best = pairs.times[kind]
        quick = quick_level(best)
        factors = steps_of(best - quick)
        canvas.line((12, top), (_WIDTH - 12, top), theme.grid, width=1)
        canvas.text((12, top + 18), _heading(pairs, kind, quick), size=12)
        for left, (name, order) in zip(_LEFTS, orders.items(), strict=False):
            canvas.text((left, top + 40), name, colour=theme.soft_ink)
            squares = _squares(pairs, best - quick, order, each)
            names = [pairs.names[unit] for unit in order]
            _draw(canvas, _Panel(left, top + 50 + _NAMES, squares, factors, each, names))
        _legend(canvas, top + 50 + _NAMES + _SIDE + 22, pairs, kind, quick, factors)
        canvas.flush()
        top += _TOP + _NAMES + _SIDE + _FOOT - 46
    return canvas.svg(top, f"The map of pairs of {n} {pairs.plural}")


def steps_of(beyond: Floats) -> tuple[float, ...]:
    """Return the steps of time, as factors of quick pairs, by their logarithms beyond these.

    Where noise puts most pairs beyond the fixed steps, rising ones up to the slowest twentieth.
    """
    known = beyond[~np.isnan(beyond)]
    if not known.size or (known > log(_FACTORS[2])).mean() <= _NOISY_SHARE:
        return _FACTORS
    last = max(float(np.quantile(known, 0.95)), log(_FACTORS[-1]))
    steps = (float(f"{exp(last * place / len(_FACTORS)):.2g}") for place in range(1, 7))
    return tuple(steps)


def _heading(pairs: PairMap, kind: str, quick: float) -> str:
    size = format_size(pairs.bytes_of[kind])
    what = "Latency" if kind == "small" else "Bandwidth"
    return f"{what}: an exchange of {size} both ways takes quick pairs {_time(quick)}" + (
        "" if kind == "small" else f", {_bandwidth(pairs, quick)} each way"
    )


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


def _draw(canvas: Canvas, panel: _Panel) -> None:
    """Draw the squares, one element for each colour, then the frame and the names."""
    count = len(panel.beyond)
    side = _SIDE / count
    corner = panel.left, panel.top
    courses: dict[int, list[str]] = {}
    for row, start, length, level in _runs(panel.beyond, panel.factors):
        courses.setdefault(level, []).append(f"M{start},{row}h{length}v1h{-length}z")
    for level, parts in sorted(courses.items()):
        colour = canvas.theme.soft_ink if level < 0 else canvas.series(1)
        strength = _BLANK if level < 0 else _STRENGTHS[level]
        canvas.area(corner, side, "".join(parts), colour, opacity=strength)
    canvas.box(corner, (_SIDE, _SIDE), "none", stroke=canvas.theme.soft_ink)
    step = max(1, ceil(count / _MOST_NAMES))
    size = min(11.0, 0.9 * side * step)
    for square in range(0, count, step):
        name = panel.names[square * panel.units_of_square]
        shown = name if len(name) <= _NAME_LENGTH else f"{name[: _NAME_LENGTH - 1]}…"
        at = (panel.left - 4, panel.top + (square + 0.5) * side + 0.35 * size)
        canvas.text(at, shown, size=size, anchor="end", colour=canvas.theme.soft_ink)
        above = panel.left + (square + 0.5) * side + 0.35 * size, panel.top - 4
        canvas.text(above, shown, size=size, colour=canvas.theme.soft_ink, upwards=True)


def _runs(beyond: Floats, factors: tuple[float, ...]) -> Iterator[tuple[int, int, int, int]]:
    """Yield row, first column, length and level of squares of one colour beside each other.

    The level is -1 where nothing was measured.
    """
    limits = np.log(factors)
    levels = np.where(np.isnan(beyond), -1, np.searchsorted(limits, beyond, side="right"))
    for row, line in enumerate(levels.tolist()):
        start = 0
        for column in range(1, len(line) + 1):
            if column == len(line) or line[column] != line[start]:
                yield row, start, column - start, line[start]
                start = column


def _legend(  # noqa: PLR0917
    canvas: Canvas,
    top: float,
    pairs: PairMap,
    kind: str,
    quick: float,
    factors: tuple[float, ...],
) -> None:
    """Draw the colours with what they stand for, then that of pairs that were not measured."""
    width = (_WIDTH - 2 * 12) / (len(_STRENGTHS) + 1)
    left = 12 + len(_STRENGTHS) * width
    canvas.box((left, top), (26, 14), canvas.theme.soft_ink, opacity=_BLANK)
    canvas.text((left + 31, top + 11), "not measured")
    for level, strength in enumerate(_STRENGTHS):
        left = 12 + level * width
        canvas.box(
            (left, top), (26, 14), canvas.series(1), opacity=strength, stroke=canvas.theme.grid
        )
        last = level == len(factors)
        factor = factors[level - last]
        limit = quick + log(factor)
        value = _time(limit) if kind == "small" else _bandwidth(pairs, limit)
        canvas.text((left + 31, top + 11), f"{'above' if last else 'to'} x {factor:g}")
        words = ("to", "above") if kind == "small" else ("down to", "below")
        words_of_value = f"{words[last]} {value}"
        canvas.text((left, top + 29), words_of_value, size=10, colour=canvas.theme.soft_ink)


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
