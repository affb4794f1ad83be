"""The history of a system as a line: where its points lie in a picture of fixed size."""

import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from beff.store.entry import Entry
from beff.store.trend import Series

WIDTH, HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 16, 32


@dataclass(frozen=True)
class Point:
    """A run in the picture; `step` is the ratio where the system changed, else None."""

    x: float
    y: float
    entry: Entry
    step: float | None


@dataclass(frozen=True)
class Level:
    """The median between two changes."""

    x_from: float
    x_to: float
    y: float
    value: float


@dataclass(frozen=True)
class TrendChart:
    """Points oldest first, the levels between changes, and two or more marks of the value axis."""

    width: int
    height: int
    points: list[Point]
    levels: list[Level]
    ticks: list[tuple[float, float]]


def trend_chart(series: Series) -> TrendChart:
    """Lay out a series of at least one run over time, values in GB/s from zero up."""
    values = [(entry.value_MBps or 0.0) * 1e-3 for entry in series.entries]
    measured = [entry.measured_at for entry in series.entries]
    times = [moment.timestamp() if moment else 0.0 for moment in measured]
    first, span = times[0], (times[-1] - times[0]) or 1.0
    step = _tick(max(values))
    top = math.ceil(max(values) / step) * step
    across, upright = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def x_of(index: int) -> float:
        return round(_LEFT + 8 + (across - 16) * (times[index] - first) / span, 1)

    def y_of(value: float) -> float:
        return round(_TOP + upright * (1 - value / top), 1)

    points = []
    for index, entry in enumerate(series.entries):
        change = series.step_at(index)
        points.append(
            Point(x_of(index), y_of(values[index]), entry, change.ratio if change else None)
        )
    starts = [0, *(change.index for change in series.steps), len(values)]
    levels = []
    for begin, end in pairwise(starts):
        level = median(values[begin:end])
        levels.append(Level(x_of(begin) - 6, x_of(end - 1) + 6, y_of(level), level))
    ticks = [(y_of(step * number), step * number) for number in range(round(top / step) + 1)]
    return TrendChart(WIDTH, HEIGHT, points, levels, ticks)


def _tick(largest: float) -> float:
    """Return a round distance that gives three to six marks."""
    power = 10.0 ** math.floor(math.log10(largest))
    return next(power * part for part in (0.2, 0.5, 1, 2, 5) if largest / (power * part) <= 5)
