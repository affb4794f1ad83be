"""A diagram as data."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import ceil, floor, isfinite, log10

from beff.model.result_parts import Figure

Point = tuple[float, float]
_LOG_MARGIN = 1.3
_SMALLEST, _LARGEST = 1e-300, 1e300
"""Far from every bandwidth; the powers of ten around what lies between are numbers."""


@dataclass(frozen=True)
class Series:
    """A line of a diagram: its name in the legend and its points."""

    label: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Plot:
    """A diagram with a logarithmic vertical axis.

    `name` is unique within a report and fit for a file's name. `ticks` are places and labels on the
    horizontal axis; without them the powers of ten are labelled.
    """

    name: str
    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    ticks: tuple[tuple[float, str], ...] = ()
    log_x: bool = True

    @property
    def x_range(self) -> tuple[float, float]:
        """Bounds of the horizontal axis, with a margin around ticks."""
        places = [x for line in self.series for x, _ in line.points]
        if self.log_x:
            margin = _LOG_MARGIN if self.ticks else 1.0
            return min(places) / margin, max(places) * margin
        return min(places) - 1, max(places) + 1

    @property
    def y_range(self) -> tuple[float, float]:
        """Bounds of the vertical axis, which are powers of ten."""
        values = [y for line in self.series for _, y in line.points]
        low, high = floor(log10(min(values))), ceil(log10(max(values)))
        return 10.0**low, 10.0 ** max(high, low + 1)


def series(label: str, points: Iterable[tuple[float, Figure]]) -> Series:
    """Return a line of the points that a logarithmic axis can show."""
    shown = (
        (x, y) for x, y in points if y is not None and _SMALLEST < y < _LARGEST and isfinite(x)
    )
    return Series(label, tuple(shown))


def drawable(plots: Iterable[Plot]) -> list[Plot]:
    """Leave out lines without a point, and diagrams without a line."""
    kept = []
    for plot in plots:
        lines = tuple(line for line in plot.series if line.points)
        if lines:
            kept.append(replace(plot, series=lines))
    return kept


def process_ticks(lines: Iterable[Series]) -> tuple[tuple[float, str], ...]:
    """Return a tick for every number of processes that a line has."""
    places = sorted({x for line in lines for x, _ in line.points})
    return tuple((place, f"{place:g}") for place in places)
