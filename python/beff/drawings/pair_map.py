"""The map of pairs: every two hosts as a square, the darker the slower they exchange messages."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import ceil, exp, log

import numpy as np

from beff.analysis.b_pairs.kind import Kind
from beff.analysis.b_pairs.kinds import kinds_of
from beff.analysis.b_pairs.levels import quantiles, quick_level
from beff.analysis.b_pairs.pair_map import KINDS, Floats, PairMap
from beff.analysis.b_pairs.schedule import Ints
from beff.charts.common.theme import Theme
from beff.drawings.canvas import Canvas, Parts, Point
from beff.model.numbers import format_size, measured, rate

MOST_ORDERED = 1024
"""Of more units only the order of ranks is drawn: the other takes the square of them in memory."""
_WIDTH = 984.0
_SIDE, _TOP, _FOOT = 400.0, 96.0, 74.0
_NARROW_SIDE, _LEFT, _MARGIN = 284.0, 76.0, 6.0
"""Of a map alone, which fits a telephone."""
_NAMES = 70.0
"""Height of the names above a map."""
_LEFTS = (_LEFT, 572.0)
_MOST_SQUARES = 64
"""In a row: beyond, a square stands for several units."""
_NAME_SIZE, _NAME_LENGTH = 11.0, 12
_FACTORS = (1.1, 1.25, 1.5, 2.0, 3.0, 5.0)
"""Fixed steps of time over that of quick pairs: noise is not stretched to fill the colours."""
_NOISY_SHARE = 0.5
"""Where more of the pairs lie beyond the third step, the steps are spread over all there is."""
STRENGTHS = (0.12, 0.25, 0.38, 0.52, 0.67, 0.83, 1.0)
"""Of a colour, by level."""
_NAME_SHARE = 0.9
"""Of the height of the squares that a name may stand beside."""
_ENTRY_WIDTH, _ENTRY_HEIGHT = 118.0, 42.0
"""Of the legend."""
_BLANK = 0.3
"""Strength of the grey of pairs that were not measured, which no colour of times is like."""


@dataclass(frozen=True)
class _Panel:
    """One map: levels of the squares (NaN where no pair met), beyond the quick pairs.

    `bad` are the names of units that are labelled whatever room there is.
    """

    title: str
    beyond: Floats
    factors: tuple[float, ...]
    units_of_square: int
    names: list[str]
    bad: Collection[str]


def draw_pair_map(pairs: PairMap, theme: Theme, bad: Collection[str] = ()) -> str:
    """Draw latency and bandwidth, by rank and by similarity, as SVG.

    Units with the names of `bad` are always labelled. The theme says whether there is a title.
    """
    canvas = Canvas(_WIDTH, theme)
    title = f"The map of pairs of {pairs.units} {pairs.plural}"
    top = 62.0 if theme.headed else 8.0
    if theme.headed:
        canvas.text((12, 24), title, size=17, bold=True)
        canvas.text((12, 43), about_squares(pairs), colour=theme.soft_ink)
    orders = _orders(pairs)
    for kind in KINDS:
        heading, panels = _panels(pairs, kind, orders, bad)
        canvas.line((12, top), (_WIDTH - 12, top), theme.grid, width=1)
        canvas.text((12, top + 18), heading, size=12)
        for left, panel in zip(_LEFTS, panels, strict=False):
            canvas.text((left, top + 40), panel.title, colour=theme.soft_ink)
            _draw(canvas, panel, (left, top + 50 + _NAMES), _SIDE)
        _legend(canvas, top + 50 + _NAMES + _SIDE + 22, pairs, kind, panels[0].factors)
        canvas.flush()
        top += _TOP + _NAMES + _SIDE + _FOOT - 46
    return canvas.svg(top, title)


def pair_map_parts(pairs: PairMap, theme: Theme, bad: Collection[str]) -> Parts:
    """Draw the same for a page, each map and each legend alone."""
    orders = _orders(pairs)
    width = _LEFT + _NARROW_SIDE + _MARGIN
    parts: Parts = []
    for kind in KINDS:
        heading, panels = _panels(pairs, kind, orders, bad)
        drawn = []
        for panel in panels:
            canvas = Canvas(width, theme)
            canvas.text((_LEFT, 14), panel.title, colour=theme.soft_ink)
            _draw(canvas, panel, (_LEFT, 24 + _NAMES), _NARROW_SIDE)
            drawn.append((panel.title, canvas.svg(28 + _NAMES + _NARROW_SIDE, panel.title)))
        canvas = Canvas(width, theme)
        _legend(canvas, 6, pairs, kind, panels[0].factors)
        drawn.append(("Colours", canvas.svg(_legend_height(width), "Colours")))
        parts.append((heading, drawn))
    return parts


def about_squares(pairs: PairMap) -> str:
    """Say what a square stands for."""
    each = ceil(pairs.units / _MOST_SQUARES)
    if each == 1:
        return "One square per pair, the fastest of its measurements; grey: not measured."
    return (
        f"One square per {each} x {each} {pairs.plural}: the slowest pair among them, each by"
        " the fastest of its measurements; grey: not measured."
    )


def _orders(pairs: PairMap) -> dict[str, Ints]:
    orders = {f"{pairs.plural} in the order of the result": np.arange(pairs.units)}
    if pairs.units <= MOST_ORDERED:
        orders["similar ones beside each other"] = by_similarity(pairs)
    return orders


def _panels(
    pairs: PairMap, kind: str, orders: Mapping[str, Ints], bad: Collection[str]
) -> tuple[str, list[_Panel]]:
    """Return what stands above the maps of a kind, and a map for each order."""
    best = pairs.times[kind]
    quick = quick_level(best)
    factors = steps_of(best - quick)
    each = ceil(pairs.units / _MOST_SQUARES)
    panels = [
        _Panel(
            name,
            _squares(pairs, best - quick, order, each),
            factors,
            each,
            [pairs.names[unit] for unit in order],
            bad,
        )
        for name, order in orders.items()
    ]
    return _heading(pairs, kind, quick), panels


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


def _draw(canvas: Canvas, panel: _Panel, corner: Point, width: float) -> None:
    """Draw the squares, one element for each colour, then the frame and the names."""
    side = width / len(panel.beyond)
    courses: dict[int, list[str]] = {}
    for row, start, length, level in runs(_levels(panel)):
        courses.setdefault(level, []).append(f"M{start},{row}h{length}v1h{-length}z")
    for level, parts in sorted(courses.items()):
        colour = canvas.theme.soft_ink if level < 0 else canvas.series(1)
        strength = _BLANK if level < 0 else STRENGTHS[level]
        canvas.area(corner, side, "".join(parts), colour, opacity=strength)
    canvas.box(corner, (width, width), "none", stroke=canvas.theme.soft_ink)
    for square, name, is_bad in _labels(panel, side):
        shown = name if len(name) <= _NAME_LENGTH else f"{name[: _NAME_LENGTH - 1]}…"
        colour = canvas.theme.ink if is_bad else canvas.theme.soft_ink
        middle = (square + 0.5) * side + 0.35 * _NAME_SIZE
        at = (corner[0] - 4, corner[1] + middle)
        canvas.text(at, shown, size=_NAME_SIZE, anchor="end", colour=colour, bold=is_bad)
        above = corner[0] + middle, corner[1] - 4
        canvas.text(above, shown, size=_NAME_SIZE, colour=colour, bold=is_bad, upwards=True)


def _labels(panel: _Panel, side: float) -> Iterator[tuple[int, str, bool]]:
    """Yield square, name and whether it is bad: all bad ones, of the others what has room.

    A square of several units has the name of its first bad one, else of its first one.
    """
    each = panel.units_of_square
    of_squares = [panel.names[start : start + each] for start in range(0, len(panel.names), each)]
    bad = {
        square: name
        for square, names in enumerate(of_squares)
        for name in names[::-1]
        if name in panel.bad
    }
    room = ceil(_NAME_SIZE / (_NAME_SHARE * side))
    for square in range(0, len(of_squares), room):
        if not any(abs(square - one) < room for one in bad):
            yield square, of_squares[square][0], False
    for square, name in bad.items():
        yield square, name, True


def _levels(panel: _Panel) -> list[list[int]]:
    """Return the level of each square; -1 where nothing was measured."""
    beyond, limits = panel.beyond, np.log(panel.factors)
    levels = np.where(np.isnan(beyond), -1, np.searchsorted(limits, beyond, side="right"))
    found: list[list[int]] = levels.tolist()
    return found


def runs(levels: list[list[int]]) -> Iterator[tuple[int, int, int, int]]:
    """Yield row, first column, length and level of squares of one level beside each other."""
    for row, line in enumerate(levels):
        start = 0
        for column in range(1, len(line) + 1):
            if column == len(line) or line[column] != line[start]:
                yield row, start, column - start, line[start]
                start = column


def _legend_columns(width: float) -> int:
    return int((width - 2 * _MARGIN) // _ENTRY_WIDTH)


def _legend_height(width: float) -> float:
    return ceil((len(STRENGTHS) + 1) / _legend_columns(width)) * _ENTRY_HEIGHT


def _legend(
    canvas: Canvas, top: float, pairs: PairMap, kind: str, factors: tuple[float, ...]
) -> None:
    """Draw the colours with what they stand for, then that of pairs that were not measured."""
    columns = _legend_columns(canvas.width)
    width = (canvas.width - 2 * _MARGIN) / columns
    quick = quick_level(pairs.times[kind])

    def place(entry: int) -> Point:
        return _MARGIN + entry % columns * width, top + entry // columns * _ENTRY_HEIGHT

    blank = place(len(STRENGTHS))
    canvas.box(blank, (26, 14), canvas.theme.soft_ink, opacity=_BLANK)
    canvas.text((blank[0] + 31, blank[1] + 11), "not measured")
    for level, strength in enumerate(STRENGTHS):
        left, line = place(level)
        canvas.box(
            (left, line), (26, 14), canvas.series(1), opacity=strength, stroke=canvas.theme.grid
        )
        last = level == len(factors)
        factor = factors[level - last]
        limit = quick + log(factor)
        value = _time(limit) if kind == "small" else _bandwidth(pairs, limit)
        canvas.text((left + 31, line + 11), f"{'above' if last else 'to'} x {factor:g}")
        words = ("to", "above") if kind == "small" else ("down to", "below")
        words_of_value = f"{words[last]} {value}"
        canvas.text((left, line + 29), words_of_value, colour=canvas.theme.soft_ink)


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
