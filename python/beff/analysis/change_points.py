"""Change points of a series of figures: where a machine became faster or slower, and stayed so.

Method: the series is split where both sides lie closest to their own medians (least sum of absolute
differences). The split counts when the medians differ by more than the series' own noise explains,
and each side is then split again. All of it works on logarithms, so a step is a ratio, and on
medians, so a single bad run neither makes nor hides a step. The noise comes from differences of
neighbours: a step changes one of them, not all.

The threshold of 5 was found by simulation: of series without any step, at most one in a hundred
gets a mark when the noise is Gaussian or Laplacian, and at most three in a hundred when it is
one-sided or one run in ten is an outlier.
"""

import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

SHORTEST_PART = 3
"""A step counts when at least so many runs stand on either side."""
THRESHOLD = 5.0
"""A step must be so many standard errors of the difference of two medians."""
SMALLEST_STEP = 0.02
"""A step below 2 % is not marked, however quiet the series is."""

_SIGMA_PER_MAD = 1.4826
"""Standard deviation over median absolute deviation, for Gaussian noise."""


@dataclass(frozen=True)
class ChangePoint:
    """The run at `index` is the first after a step from `before` to `after` (medians)."""

    index: int
    before: float
    after: float

    @property
    def ratio(self) -> float:
        """How many times the figures after are those before."""
        return self.after / self.before


def change_points(values: list[float]) -> list[ChangePoint]:
    """Return the steps of a series of positive values in the order of time.

    Series of fewer than 6 values have none. Raises ValueError for a value that is not positive.
    """
    if any(value <= 0 for value in values):
        raise ValueError("change points are defined for positive values")
    logs = [math.log(value) for value in values]
    if len(logs) < 2 * SHORTEST_PART:
        return []
    starts = [0, *_splits(logs, 0, _noise(logs)), len(values)]
    levels = [median(values[first:last]) for first, last in pairwise(starts)]
    return [
        ChangePoint(index, before, after)
        for index, (before, after) in zip(starts[1:-1], pairwise(levels), strict=True)
    ]


def _noise(logs: list[float]) -> float:
    """Return the standard deviation of one value, by the median step between neighbours."""
    steps = [abs(after - before) for before, after in pairwise(logs)]
    return _SIGMA_PER_MAD * median(steps) / math.sqrt(2)


def _splits(logs: list[float], offset: int, noise: float) -> list[int]:
    """Return the places of all splits in order; `offset` is where this part begins."""
    places = range(SHORTEST_PART, len(logs) - SHORTEST_PART + 1)
    if not places:
        return []
    at = min(places, key=lambda place: _spread(logs[:place]) + _spread(logs[place:]))
    left, right = logs[:at], logs[at:]
    if not _stands_out(left, right, noise):
        return []
    return [*_splits(left, offset, noise), offset + at, *_splits(right, offset + at, noise)]


def _spread(part: list[float]) -> float:
    """Return the sum of absolute differences from the median."""
    middle = median(part)
    return math.fsum(abs(value - middle) for value in part)


def _stands_out(left: list[float], right: list[float], noise: float) -> bool:
    """Whether a step counts. The variance of a median of n values is pi / 2 that of their mean."""
    step = abs(median(right) - median(left))
    error = noise * math.sqrt(math.pi / 2 * (1 / len(left) + 1 / len(right)))
    return step >= math.log1p(SMALLEST_STEP) and step >= THRESHOLD * error
