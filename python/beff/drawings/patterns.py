"""The patterns of b_eff for a number of processes: rings, random rings, bisections, grids."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, prod, sin

from beff.analysis.b_eff.definition import (
    RANDOM_PATTERNS,
    Draw,
    PatternFacts,
    cartesian_directions,
    pattern_grid,
    patterns_for,
    rings_in,
)
from beff.charts.common.theme import Theme
from beff.drawings.canvas import Canvas, Parts, Point
from beff.model.numbers import counted

_WIDTH, _COLUMNS = 984.0, 6
_TILE = _WIDTH / _COLUMNS
_ROOM = (_TILE - 20, 128.0)
"""Of a tile for its drawing."""
_TILE_HEIGHT = _ROOM[1] + 54
_HEAD, _FOOT = 62.0, 30.0
_MARGIN = 6.0
"""On both sides of a tile alone."""
_ROWS = ((0, 1, 2, 3, 4, 5), (6, 7, 8, 36, 37, 38), (39, 40, 42, 43, 44), (41, 45, 46, 47, 48))
_HEADINGS = (
    "Rings: averaged",
    "Random rings, three of 30: averaged. Cycle and bisections: measured beside the value",
    "Ping-pong and two-dimensional grids: measured beside the value",
    "Three-dimensional grids: measured beside the value",
)
_HEADINGS_3_1 = (
    "Rings: one ring averaged",
    _HEADINGS[1],
    "Ping-pong and two-dimensional grids: cyclic ones averaged",
    "Three-dimensional grids: cyclic ones averaged",
)
_WORST_CYCLE = 36
_BISECTIONS, _PING_PONG = (37, 38), 39
_MOST_LABELS_IN_DEPTH = 27
_LONG_TITLE = 27
"""Characters from which on a title has no room for bold letters."""


@dataclass(frozen=True)
class _Tile:
    """Where a pattern is drawn; `centre` is that of its room."""

    canvas: Canvas
    left: float
    top: float

    @property
    def centre(self) -> Point:
        return self.left + _TILE / 2, self.top + 42 + _ROOM[1] / 2

    def words(self, title: str, below: str) -> None:
        """Write the name of the pattern and what is said of it."""
        at = (self.left + _TILE / 2, self.top + 14)
        self.canvas.text(at, title, anchor="middle", bold=len(title) < _LONG_TITLE)
        colour = self.canvas.theme.soft_ink
        at = (self.left + _TILE / 2, self.top + 29)
        self.canvas.text(at, below, anchor="middle", colour=colour)


def draw_patterns(processes: int, draw: Draw | None, theme: Theme) -> str:
    """Draw all patterns for 2 to MOST_PROCESSES processes as SVG, by choice of the theme titled.

    `draw` is that of a run; None draws some random orders and says that they are examples.
    """
    title = f"The patterns of b_eff with {processes} processes"
    canvas = Canvas(_WIDTH, theme)
    top = _HEAD if theme.headed else 8.0
    if theme.headed:
        canvas.text((12, 24), title, size=17, bold=True)
        canvas.text((12, 43), about_patterns(draw), colour=theme.soft_ink)
    for row, heading in zip(_ROWS, _HEADINGS, strict=True):
        canvas.line((12, top), (_WIDTH - 12, top), theme.grid, width=1)
        canvas.text((12, top + 16), heading, size=12, colour=theme.soft_ink)
        for column, number in enumerate(row):
            _draw_tile(_Tile(canvas, column * _TILE, top + 22), number, processes, draw)
        top += 22 + _TILE_HEIGHT
    return canvas.svg(top + _FOOT - 20, title)


def pattern_parts(processes: int, draw: Draw | None, theme: Theme, definition: str) -> Parts:
    """Draw the same for a page, each pattern alone."""
    parts: Parts = []
    headings = _HEADINGS_3_1 if definition == "3.1" else _HEADINGS
    for row, heading in zip(_ROWS, headings, strict=True):
        drawn = []
        for number in row:
            canvas = Canvas(_TILE + 2 * _MARGIN, theme)
            _draw_tile(_Tile(canvas, _MARGIN, 0), number, processes, draw)
            name = f"{number}: {_NAMES[number]}"
            drawn.append((name, canvas.svg(_TILE_HEIGHT, name)))
        parts.append((heading, drawn))
    return parts


def about_patterns(draw: Draw | None) -> str:
    """Say what lines and numbers are."""
    orders = (
        "Random orders are examples." if draw is None else f"Random orders by seed {draw.run_seed}."
    )
    return (
        "A line is a message there and one back in each iteration (ping-pong: in turn). Numbers are"
        f" ranks; where MPI may reorder the processes, places. {orders}"
    )


def _draw_tile(tile: _Tile, number: int, processes: int, draw: Draw | None) -> None:
    existing = patterns_for(processes)
    if number in existing:
        _draw(tile, existing[number], processes, draw or Draw(0))
    else:
        tile.words(f"{number}: {_NAMES[number]}", "left out: extent 1")
    tile.canvas.flush()


_NAMES = {pattern: facts.name for pattern, facts in patterns_for(8).items()}
"""Names of all patterns; 8 processes have every one."""


def _draw(tile: _Tile, facts: PatternFacts, n: int, draw: Draw) -> None:
    number = facts.id
    if number >= 40:
        _draw_grid(tile, facts, n)
        return
    if number in RANDOM_PATTERNS:
        below = _draw_order(tile, draw.ring(number, n))
    elif number in _BISECTIONS:
        below = _draw_pairs(tile, rings_in(number, n, draw), n)
    elif number == _PING_PONG:
        below = _draw_pairs(tile, rings_in(number, n, draw), 2)
    elif number == _WORST_CYCLE:
        below = _draw_order(tile, rings_in(number, n, draw)[0])
    else:
        below = _draw_rings(tile, rings_in(number, n, draw))
    tile.words(f"{number}: {facts.name}", below)
    tile.canvas.flush()


def _draw_rings(tile: _Tile, rings: Sequence[Sequence[int]]) -> str:
    """Draw each ring as a circle of its processes."""
    columns = max(
        range(1, len(rings) + 1),
        key=lambda c: min(_ROOM[0] / c, _ROOM[1] / -(-len(rings) // c)),
    )
    rows = -(-len(rings) // columns)
    cell = (_ROOM[0] / columns, _ROOM[1] / rows)
    widest = len(str(rings[-1][-1]))
    for place, ring in enumerate(rings):
        row_length = min(columns, len(rings) - place // columns * columns)
        centre = (
            tile.centre[0] + (place % columns + 0.5 - row_length / 2) * cell[0],
            tile.centre[1] - _ROOM[1] / 2 + (place // columns + 0.5) * cell[1],
        )
        _draw_circle(
            tile.canvas,
            centre,
            min(cell) / 2,
            ring,
            colour=tile.canvas.series(place),
            widest=widest,
        )
    return _sizes(rings)


def _sizes(rings: Sequence[Sequence[int]]) -> str:
    """Write the sizes of rings in their order: `2, 2, 3`, of many `15 of 8, 1 of 7`."""
    sizes = [len(ring) for ring in rings]
    if len(sizes) <= 6:
        return "size " + ", ".join(map(str, sizes))
    runs: list[list[int]] = []
    for size in sizes:
        if runs and runs[-1][1] == size:
            runs[-1][0] += 1
        else:
            runs.append([1, size])
    return ", ".join(f"{count} of {size}" for count, size in runs)


def _draw_circle(
    canvas: Canvas, centre: Point, room: float, ring: Sequence[int], *, colour: str, widest: int
) -> None:
    """Draw one ring."""
    m = len(ring)
    radius = _node_radius(room, m)
    reach = room - radius - 2
    places = [_on_circle(centre, reach, place / m) for place in range(m)]
    for index, place in enumerate(places):
        if m > 1 and not (m == 2 and index == 1):
            canvas.line(place, places[(index + 1) % m], colour)
    for rank, place in zip(ring, places, strict=True):
        _node(canvas, place, radius, rank, colour=colour, widest=widest)


def _node_radius(room: float, m: int) -> float:
    """Return how large the processes of a ring can be that has `room` from centre to edge."""
    share = 0.55 * sin(pi / max(m, 2))
    return max(1.3, min(9.0, room * share / (1 + share)))


def _on_circle(centre: Point, radius: float, turn: float) -> Point:
    """Return a place on a circle, clockwise from the top; two places stand beside each other."""
    angle = 2 * pi * turn
    return centre[0] + radius * sin(angle), centre[1] - radius * cos(angle)


def _node(canvas: Canvas, at: Point, radius: float, rank: int, *, colour: str, widest: int) -> None:
    """Draw a process, with its rank if one of `widest` digits can be read."""
    canvas.dot(at, radius, colour)
    size = min(1.35 * radius, 2.6 * radius / widest, 10)
    if size >= 6:
        canvas.label((at[0], at[1] + 0.36 * size), str(rank), size)


def _draw_order(tile: _Tile, order: Sequence[int]) -> str:
    """Draw a ring through processes that stand in the order of their ranks on a circle."""
    canvas, n = tile.canvas, len(order)
    room = min(_ROOM) / 2
    radius = _node_radius(room, n)
    places = [_on_circle(tile.centre, room - radius - 2, rank / n) for rank in range(n)]
    soft = canvas.theme.soft_ink
    for place, a in enumerate(order):
        b = order[(place + 1) % n]
        canvas.line(places[a], places[b], canvas.series(0), width=1.4 if n <= 24 else 0.8)
    for rank, at in enumerate(places):
        _node(canvas, at, radius, rank, colour=soft, widest=len(str(n - 1)))
    return ", ".join(map(str, order[:6])) + (", …" if n > 6 else "")


def _draw_pairs(tile: _Tile, pairs: Sequence[Sequence[int]], n: int) -> str:
    """Draw pairs as bows over the row of processes."""
    canvas = tile.canvas
    step = min(_ROOM[0] / n, 40)
    widest = max(b - a for a, b in pairs) * step
    base = tile.centre[1] + min(0.42 * widest, 92) / 2
    places = [(tile.centre[0] - n * step / 2 + (rank + 0.5) * step, base) for rank in range(n)]
    radius = max(1.2, min(9.0, 0.42 * step))
    for a, b in pairs:
        height = min(0.42 * (places[b][0] - places[a][0]), 92)
        width = 1.4 if n <= 24 else 1
        canvas.bow(places[a], places[b], max(height, 6), canvas.series(0), width=width)
    paired = {rank for pair in pairs for rank in pair}
    for rank, place in enumerate(places):
        colour = canvas.theme.soft_ink if rank in paired else canvas.theme.grid
        _node(canvas, place, radius, rank, colour=colour, widest=len(str(n - 1)))
    count = counted(len(pairs), "pair")
    return count if len(paired) == n else f"{count}, rank {n - 1} idle"


def _draw_grid(tile: _Tile, facts: PatternFacts, n: int) -> None:
    """Draw a grid, dimension x to the right, y down, z into the depth."""
    dimensions, directions, cyclic = cartesian_directions(facts.id)
    grid = pattern_grid(n, dimensions)
    canvas = tile.canvas
    axes = _axes(grid)
    soft, widest = canvas.theme.soft_ink, len(str(prod(grid) - 1))
    radius = max(1.8, min(8.0, 0.22 * axes[0][0]))
    if prod(grid) > _MOST_LABELS_IN_DEPTH and dimensions == 3:
        radius = min(radius, 3)
    cells = [_cell(index, grid) for index in range(prod(grid))]

    def at(cell: Sequence[float]) -> Point:
        offsets = [k - (extent - 1) / 2 for k, extent in zip(cell, grid, strict=True)]
        return (
            tile.centre[0] + sum(o * axis[0] for o, axis in zip(offsets, axes, strict=False)),
            tile.centre[1] + sum(o * axis[1] for o, axis in zip(offsets, axes, strict=False)),
        )

    for cell in cells:
        for direction in range(dimensions):
            extent, last = grid[direction], grid[direction] - 1
            if extent == 1:
                continue
            used = direction in directions
            tint = canvas.series(direction) if used else canvas.theme.grid
            if cell[direction] < last:
                after = [k + (d == direction) for d, k in enumerate(cell)]
                canvas.line(at(cell), at(after), tint, width=1.4 if used else 0.8)
            elif used and cyclic and extent > 2:
                first = [0 if d == direction else k for d, k in enumerate(cell)]
                length = (extent - 1) * max(abs(axes[direction][0]), abs(axes[direction][1]))
                canvas.bow(at(first), at(cell), min(0.14 * length, 9), tint, width=1.2)
    for cell in reversed(cells):
        _node(canvas, at(cell), radius, _rank(cell, grid), colour=soft, widest=widest)
    extents = " x ".join(map(str, grid))
    said = extents if prod(grid) == n else f"{extents} = {prod(grid)} of {n} processes"
    tile.words(f"{facts.id}: {facts.name}", said)
    canvas.flush()


def _axes(grid: Sequence[int]) -> list[Point]:
    """Return the steps along the dimensions in pixels, so that the grid fits its room."""
    width, height = _ROOM[0] - 24, _ROOM[1] - 24
    if len(grid) == 2:
        step = min(width / max(grid[0] - 1, 1), height / max(grid[1] - 1, 1), 40)
        return [(step, 0), (0, step)]
    depth = (0.42, -0.36)
    x_steps = grid[0] - 1 + depth[0] * (grid[2] - 1)
    y_steps = grid[1] - 1 - depth[1] * (grid[2] - 1)
    step = min(width / max(x_steps, 1), height / max(y_steps, 1), 46)
    return [(step, 0), (0, step), (depth[0] * step, depth[1] * step)]


def _cell(index: int, extents: Sequence[int]) -> list[int]:
    """Return the coordinates of a place that is counted row by row, the last one fastest."""
    cell = []
    for extent in reversed(extents):
        cell.append(index % extent)
        index //= extent
    return cell[::-1]


def _rank(cell: Sequence[int], grid: Sequence[int]) -> int:
    rank = 0
    for k, extent in zip(cell, grid, strict=True):
        rank = rank * extent + k
    return rank
