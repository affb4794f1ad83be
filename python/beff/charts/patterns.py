"""The patterns of b_eff for a number of processes: rings, random rings, bisections, grids.

What a pattern is comes from the second implementation of the definition; here it only gets places.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import cos, hypot, pi, prod, sin

from beff.charts.chart import Axis, Chart, Marks, Panel, Part, Row
from beff.definition.b_eff_patterns import (
    PING_PONG,
    RANDOM_PATTERNS,
    Draw,
    cartesian_directions,
    draw_of,
    is_seed,
    pattern_grid,
    patterns_for,
    rings_in,
)
from beff.result.b_eff_result import BEffFigures
from beff.result.result_parts import ImportedHead

Point = tuple[float, float]
MOST_PROCESSES = 32
"""Of patterns and files, so that each process differs from the others."""
_ROOM = (144.0, 128.0)
"""Of a pattern, in CSS pixels from its upper left corner."""
_CENTRE = (_ROOM[0] / 2, _ROOM[1] / 2)
_SERIES = tuple(map(str, range(MOST_PROCESSES // 2)))
_SOFT, _FAINT = "soft", "faint"
_ROWS: Mapping[str, Sequence[int]] = {
    "Rings: averaged": (0, 1, 2, 3, 4, 5),
    "Random rings, three of 30: averaged. Cycle and bisections: measured beside the value": (
        *(6, 7, 8, 36, 37, 38),
    ),
    "Ping-pong and two-dimensional grids: measured beside the value": (39, 40, 42, 43, 44),
    "Three-dimensional grids: measured beside the value": (41, 45, 46, 47, 48),
}
_HEADINGS_3_1 = (
    "Rings: one ring averaged",
    list(_ROWS)[1],
    "Ping-pong and two-dimensional grids: cyclic ones averaged",
    "Three-dimensional grids: cyclic ones averaged",
)
_NAMES = {pattern: facts.name for pattern, facts in patterns_for(8).items()}
"""Names of all patterns; 8 processes have every one."""
_WORST_CYCLE, _FIRST_GRID = 36, 40
_MOST_LABELS_IN_DEPTH, _MOST_SIZES = 27, 6


@dataclass
class _Drawn:
    """Lines and processes of a pattern by their style, what is said of it, or why it is missing."""

    lines: dict[str, list[Row]] = field(default_factory=dict)
    dots: dict[tuple[str, float], list[Row]] = field(default_factory=dict)
    below: str = ""
    missing: str = ""

    def line(self, a: Point, b: Point, look: str, bow: float = 0) -> None:
        """Draw a line that rises `bow` to the left of its middle."""
        length = max(hypot(b[0] - a[0], b[1] - a[1]), 1e-9)
        across = ((b[1] - a[1]) / length, (a[0] - b[0]) / length)
        steps = 10 if bow else 1
        drawn = self.lines.setdefault(_FAINT if look == _FAINT else "", [])
        for share in (step / steps for step in range(steps + 1)):
            rise = 4 * bow * share * (1 - share)
            x, y = (p + share * (q - p) + rise * n for p, q, n in zip(a, b, across, strict=True))
            drawn.append(Row(x, y, look))
        drawn.append(Row(b[0], None, look))

    def process(self, at: Point, rank: int, radius: float, look: str) -> None:
        """Draw a process."""
        style = "" if look in _SERIES else look
        self.dots.setdefault((style, radius), []).append(Row(*at, look, str(rank)))

    def panel(self, title: str) -> Panel:
        """Return all that was drawn; ranks stand in processes that have room for them."""
        marks = [
            Marks("line", rows, style, 0.8 if style else 1.4)
            for style, rows in sorted(self.lines.items(), reverse=True)
        ]
        widest = max((len(row.text) for rows in self.dots.values() for row in rows), default=1)
        for (style, radius), rows in self.dots.items():
            marks.append(Marks("dot", rows, style, pi * radius**2))
            size = min(1.35 * radius, 2.6 * radius / widest, 10)
            if size >= 6:
                marks.append(Marks("words", rows, "paper", size))
        if self.missing:
            marks = [Marks("words", [Row(*_CENTRE, text=self.missing)], "soft", 11)]
        x, y = Axis(ends=(0, _ROOM[0])), Axis(ends=(_ROOM[1], 0))
        return Panel(x, y, marks, _SERIES, _ROOM, title, self.below)


def patterns_of(result: BEffFigures) -> Chart | None:
    """Draw the patterns of a result; None for too few or too many processes."""
    n = result.environment.processes
    if not 2 <= n <= MOST_PROCESSES:
        return None
    options = {} if isinstance(result, ImportedHead) else result.options
    draw = draw_of(options) if is_seed(options.get("seed")) else None
    return patterns(n, draw, result.definition)


def patterns(processes: int, draw: Draw | None, definition: str = "3.5") -> Chart:
    """Draw all patterns for 2 to MOST_PROCESSES processes.

    `draw` is that of a run; None draws some random orders and says that they are examples.
    """
    orders = (
        "Random orders are examples." if draw is None else f"Random orders by seed {draw.run_seed}."
    )
    headings = _HEADINGS_3_1 if definition == "3.1" else _ROWS
    return Chart(
        "patterns",
        f"The patterns with {processes} processes",
        "A line is a message there and one back in each iteration (ping-pong: in turn). Numbers are"
        f" ranks; where MPI may reorder the processes, places. {orders}",
        f"{len(patterns_for(processes))} of {len(_NAMES)} patterns exist.",
        [
            Part([_tile(number, processes, draw or Draw(0)) for number in row], heading=heading)
            for heading, row in zip(headings, _ROWS.values(), strict=True)
        ],
    )


def _tile(number: int, n: int, draw: Draw) -> Panel:
    title = f"{number}: {_NAMES[number]}"
    if number not in patterns_for(n):
        return _Drawn(missing="left out: extent 1").panel(title)
    if number >= _FIRST_GRID:
        return _grid(number, n).panel(title)
    rings = [draw.ring(number, n)] if number in RANDOM_PATTERNS else rings_in(number, n, draw)
    if number == _WORST_CYCLE or number in RANDOM_PATTERNS:
        return _order(rings[0]).panel(title)
    if number > _WORST_CYCLE:
        return _pairs(rings, 2 if number == PING_PONG else n).panel(title)
    return _rings(rings).panel(title)


def _rings(rings: Sequence[Sequence[int]]) -> _Drawn:
    """Draw each ring as a circle of its processes."""
    count = len(rings)
    columns = max(range(1, count + 1), key=lambda c: min(_ROOM[0] / c, _ROOM[1] / -(-count // c)))
    width, height = _ROOM[0] / columns, _ROOM[1] / -(-count // columns)
    sizes = [len(ring) for ring in rings]
    below = "size " + ", ".join(map(str, sizes))
    if count > _MOST_SIZES:
        below = ", ".join(f"{sizes.count(size)} of {size}" for size in dict.fromkeys(sizes))
    drawn = _Drawn(below=below)
    for place, ring in enumerate(rings):
        in_row = min(columns, count - place // columns * columns)
        centre = (
            _CENTRE[0] + (place % columns + 0.5 - in_row / 2) * width,
            (place // columns + 0.5) * height,
        )
        radius, places = _circle(centre, min(width, height) / 2, len(ring))
        for a, b in pairwise([*places, places[0]] if len(ring) > 2 else places):
            drawn.line(a, b, _SERIES[place])
        for rank, at in zip(ring, places, strict=True):
            drawn.process(at, rank, radius, _SERIES[place])
    return drawn


def _circle(centre: Point, room: float, count: int) -> tuple[float, list[Point]]:
    """Return how large processes on a circle are, and their places clockwise from the top."""
    share = 0.55 * sin(pi / max(count, 2))
    radius = round(max(1.3, min(9.0, room * share / (1 + share))), 1)
    reach = room - radius - 2
    angles = [2 * pi * place / count for place in range(count)]
    return radius, [(centre[0] + reach * sin(a), centre[1] - reach * cos(a)) for a in angles]


def _order(order: Sequence[int]) -> _Drawn:
    """Draw a ring through processes that stand in the order of their ranks on a circle."""
    radius, places = _circle(_CENTRE, min(_ROOM) / 2, len(order))
    more = ", …" if len(order) > 6 else ""
    drawn = _Drawn(below=", ".join(map(str, order[:6])) + more)
    for a, b in pairwise([*order, order[0]]):
        drawn.line(places[a], places[b], _SERIES[0])
    for rank, at in enumerate(places):
        drawn.process(at, rank, radius, _SOFT)
    return drawn


def _pairs(pairs: Sequence[Sequence[int]], n: int) -> _Drawn:
    """Draw pairs as bows over the row of processes."""
    step = min(_ROOM[0] / n, 40)
    height = min(0.42 * step * max(b - a for a, b in pairs), 92)
    paired = {rank for pair in pairs for rank in pair}
    idle = "" if len(paired) == n else f", rank {n - 1} idle"
    drawn = _Drawn(below=f"{len(pairs)} pair{'s' if len(pairs) > 1 else ''}{idle}")
    left = _CENTRE[0] - (n - 1) * step / 2
    places = [(left + rank * step, _CENTRE[1] + height / 2) for rank in range(n)]
    for a, b in pairs:
        bow = max(min(0.42 * (b - a) * step, 92), 6)
        drawn.line(places[a], places[b], _SERIES[0], bow)
    for rank, at in enumerate(places):
        radius = round(max(1.2, min(9.0, 0.42 * step)), 1)
        drawn.process(at, rank, radius, _SOFT if rank in paired else _FAINT)
    return drawn


def _grid(number: int, n: int) -> _Drawn:
    """Draw a grid, dimension x to the right, y down, z into the depth."""
    dimensions, directions, cyclic = cartesian_directions(number)
    grid = pattern_grid(n, dimensions)
    axes = _steps(grid)
    radius = round(max(1.8, min(8.0, 0.22 * axes[0][0])), 1)
    if prod(grid) > _MOST_LABELS_IN_DEPTH and dimensions == 3:
        radius = min(radius, 3)

    def at(cell: Sequence[int]) -> Point:
        offsets = [k - (extent - 1) / 2 for k, extent in zip(cell, grid, strict=True)]
        x, y = (
            middle + sum(o * axis[way] for o, axis in zip(offsets, axes, strict=True))
            for way, middle in enumerate(_CENTRE)
        )
        return x, y

    extents = " x ".join(map(str, grid))
    drawn = _Drawn(
        below=extents if prod(grid) == n else f"{extents} = {prod(grid)} of {n} processes"
    )
    cells = list(product(*map(range, grid)))
    for cell, (way, extent) in product(cells, enumerate(grid)):
        look = _SERIES[way] if way in directions else _FAINT
        if cell[way] < extent - 1:
            drawn.line(at(cell), at(_moved(cell, way, cell[way] + 1)), look)
        elif look != _FAINT and cyclic and extent > 2:
            length = (extent - 1) * max(map(abs, axes[way]))
            drawn.line(at(_moved(cell, way, 0)), at(cell), look, min(0.07 * length, 4.5) * 2)
    for rank, cell in reversed(list(enumerate(cells))):
        drawn.process(at(cell), rank, radius, _SOFT)
    return drawn


def _moved(cell: Sequence[int], way: int, to: int) -> list[int]:
    return [to if place == way else k for place, k in enumerate(cell)]


def _steps(grid: Sequence[int]) -> list[Point]:
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
