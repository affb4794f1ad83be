"""Change points of a series of figures: where a machine became faster or slower, and stayed so.

Method: a series is cut into two or three parts, in each possible way, and an analysis of variance
asks of each whether the parts differ by more than the runs within them do. The surest cut counts
if chance would find one as sure in at most one of a hundred series (Bonferroni: the probability of
the F test times the number of ways). Each part is then cut again. All of it works on logarithms, so
a step is a ratio. Three parts at once, as two would not show what was mended again. Neighbours
that are alike make the parts differ more, which is taken off.

The spread within the parts is that of all their runs. So a machine that is in one of two states by
chance is a noisy machine, not one with many steps. A single run far off neither makes nor hides a
step: what lies farther beyond the percentiles 10 or 90 than these lie apart is drawn in to there.
"""

# ruff: noqa: PLC0415 - SciPy takes 0.3 s
import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

SHORTEST_PART = 3
"""A step counts when at least so many runs stand on either side."""
FALSE_MARKS = 0.01
"""The share of series without a step that may get one, for each series that is cut."""
SMALLEST_STEP = 0.02
"""A step below 2 % is not marked, however quiet the series is."""
FEWEST_FOR_CORRELATION = 12
"""Fewer runs do not show whether neighbours are alike."""
TAKEN_BY_CUTS = 0.2
"""Parts that were chosen to differ most take so much of the correlation of neighbours along."""

_Values = NDArray[np.float64]
_TAIL = 0.1
_ROUNDING = 1e-12
"""Spread of equal logarithms."""


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
    if len(values) < 2 * SHORTEST_PART:
        return []
    starts = [0, *_steps(np.log(values), 0), len(values)]
    levels = [median(values[first:last]) for first, last in pairwise(starts)]
    return [
        ChangePoint(index, before, after)
        for index, (before, after) in zip(starts[1:-1], pairwise(levels), strict=True)
    ]


def _steps(logs: _Values, offset: int) -> list[int]:
    """Return the places of all steps in order; `offset` is where this part begins."""
    cuts = _surest_cut(_drawn_in(logs))
    found = []
    for begin, end in pairwise([0, *cuts, len(logs)] if cuts else ()):
        found += [offset + begin] * (begin > 0) + _steps(logs[begin:end], offset + begin)
    return found


def _drawn_in(logs: _Values) -> _Values:
    low = np.quantile(logs, _TAIL, method="higher")
    high = np.quantile(logs, 1 - _TAIL, method="lower")
    return np.clip(logs, 2 * low - high, 2 * high - low)


def _surest_cut(logs: _Values) -> tuple[int, ...]:
    """Return where to cut into the two or three parts that differ most surely, if any do."""
    from scipy.special import fdtrc

    n = len(logs)
    logs = logs - logs.mean()
    sums = np.concatenate([[0.0], np.cumsum(logs)])
    places = np.arange(SHORTEST_PART, n - SHORTEST_PART + 1)
    firsts = places[:-SHORTEST_PART]
    two = [_best_last_cut(sums, (), places)] if places.size else []
    three = [_best_last_cut(sums, (int(first),), places[first:]) for first in firsts]
    best: tuple[int, ...] = ()
    surest = FALSE_MARKS / 2
    for found, ways in ((two, places.size), (three, firsts.size * (firsts.size + 1) // 2)):
        for between, cuts in sorted(found)[-1:]:
            within = max(float(logs @ logs) - between, n * _ROUNDING**2)
            free = n - len(cuts) - 1
            ratio = between / len(cuts) / (within / free) / _inflation(logs, cuts)
            chance = ways * float(fdtrc(len(cuts), free, ratio))
            if chance <= surest:
                best, surest = cuts, chance
    return best


def _inflation(logs: _Values, cuts: tuple[int, ...]) -> float:
    """Return how much more the means of parts vary because neighbours are alike.

    (1 + r) / (1 - r) with the correlation r of neighbours within the parts (Bayley, Hammersley).
    """
    if len(logs) < FEWEST_FOR_CORRELATION:
        return 1.0
    rests = np.concatenate([part - part.mean() for part in np.split(logs, cuts)])
    squares = max(float(rests @ rests), len(logs) * _ROUNDING**2)
    correlation = float(rests[1:] @ rests[:-1]) / squares + TAKEN_BY_CUTS
    correlation = min(max(correlation, 0.0), 0.9)
    return (1 + correlation) / (1 - correlation)


def _best_last_cut(
    sums: _Values, before: tuple[int, ...], places: NDArray[np.int_]
) -> tuple[float, tuple[int, ...]]:
    """Return the sum of squares between the parts, and the cuts, for the best of the places.

    It is 0 where a step would be too small to be marked.
    """
    inner = [np.full_like(places, bound) for bound in (0, *before)]
    bounds = np.stack([*inner, places, np.full_like(places, len(sums) - 1)])
    sizes = np.diff(bounds, axis=0)
    means = np.diff(sums[bounds], axis=0) / sizes
    large = (np.abs(np.diff(means, axis=0)) >= math.log1p(SMALLEST_STEP)).all(axis=0)
    between = np.where(large, (sizes * means**2).sum(axis=0), 0.0)
    at = int(between.argmax())
    return float(between[at]), (*before, int(places[at]))
