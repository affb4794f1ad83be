"""A matrix of messages: a square for each two units, the darker the more bytes go between them."""

from math import ceil

import numpy as np

from beff.analysis.b_pairs.network_text import ShownMatrix, about_matrix
from beff.analysis.b_pairs.pair_map import Floats
from beff.charts.common.theme import Theme
from beff.drawings.canvas import Canvas, Point
from beff.drawings.pair_map import STRENGTHS, runs
from beff.model.numbers import counted, format_size

_WIDTH, _SIDE = 640.0, 480.0
_LEFT, _NAMES = 96.0, 84.0
_MOST_SQUARES = 64
"""In a row: beyond, a square stands for several units."""
_NAME_SIZE, _NAME_LENGTH = 11.0, 12
_ENTRY = 82.0
"""Width of an entry of the legend."""


def draw_matrix(shown: ShownMatrix, theme: Theme) -> str:
    """Draw it as SVG; the theme says whether there is a title."""
    canvas = Canvas(_WIDTH, theme)
    title = f"Matrix {shown.name}"
    top = 62.0 if theme.headed else 8.0
    each = ceil(len(shown.names) / _MOST_SQUARES)
    if theme.headed:
        canvas.text((12, 24), title, size=17, bold=True)
        canvas.text((12, 43), about_matrix(shown).removeprefix(f"{shown.name}: "), size=10)
    squares = _squares(shown, each)
    corner = (_LEFT, top + _NAMES)
    _draw_squares(canvas, squares, corner)
    _draw_names(canvas, shown, each, len(squares), corner)
    below = corner[1] + _SIDE + 22
    _legend(canvas, float(squares.max()), below)
    of_each = f"{each} x {each} {shown.plural}" if each > 1 else f"two {shown.plural}"
    words = f"Rows send, columns receive; a square is {of_each}, with the bytes of an iteration."
    canvas.text((12, below + 48), words, colour=theme.soft_ink)
    return canvas.svg(below + 60, f"{title} of {counted(len(shown.names), shown.unit)}")


def _squares(shown: ShownMatrix, each: int) -> Floats:
    """Return the bytes of each square."""
    sender, receiver, volume, _ = shown.between_units()
    count = ceil(len(shown.names) / each)
    squares = np.zeros((count, count))
    np.add.at(squares, (sender // each, receiver // each), volume)
    return squares


def _levels(squares: Floats) -> list[list[int]]:
    """Return a strength for each square: each has half of the bytes of the next; -1 has none."""
    with np.errstate(divide="ignore"):
        halvings = np.floor(np.log2(squares.max() / squares))
    strongest = len(STRENGTHS) - 1
    levels = np.where(squares > 0, np.maximum(strongest - halvings, 0), -1)
    found: list[list[int]] = levels.astype(np.int64).tolist()
    return found


def _draw_squares(canvas: Canvas, squares: Floats, corner: Point) -> None:
    side = _SIDE / len(squares)
    courses: dict[int, list[str]] = {}
    for row, start, length, level in runs(_levels(squares)):
        if level >= 0:
            courses.setdefault(level, []).append(f"M{start},{row}h{length}v1h{-length}z")
    for level, parts in sorted(courses.items()):
        opacity = STRENGTHS[level]
        canvas.area(corner, side, "".join(parts), canvas.series(0), opacity=opacity)
    canvas.box(corner, (_SIDE, _SIDE), "none", stroke=canvas.theme.soft_ink)


def _draw_names(canvas: Canvas, shown: ShownMatrix, each: int, count: int, corner: Point) -> None:
    """Name every square that has room, by the first of its units."""
    side = _SIDE / count
    for square in range(0, count, ceil(_NAME_SIZE / side)):
        name = shown.names[square * each]
        short = name if len(name) <= _NAME_LENGTH else f"{name[: _NAME_LENGTH - 1]}…"
        middle = (square + 0.5) * side + 0.35 * _NAME_SIZE
        colour = canvas.theme.soft_ink
        beside, above = (corner[0] - 4, corner[1] + middle), (corner[0] + middle, corner[1] - 4)
        canvas.text(beside, short, size=_NAME_SIZE, anchor="end", colour=colour)
        canvas.text(above, short, size=_NAME_SIZE, colour=colour, upwards=True)


def _legend(canvas: Canvas, most: float, top: float) -> None:
    """Draw the colours, the strongest last, each with the most bytes that it stands for."""
    last = len(STRENGTHS) - 1
    for level, strength in enumerate(STRENGTHS):
        left = 12 + level * _ENTRY
        fill = canvas.series(0)
        canvas.box((left, top), (26, 14), fill, opacity=strength, stroke=canvas.theme.grid)
        words = f"to {format_size(ceil(most / 2 ** (last - level)))}"
        canvas.text((left, top + 28), words, size=10, colour=canvas.theme.soft_ink)
