"""The change between two sides with its uncertainty; docs/explanation/statistics.md.

Everything is done on natural logarithms: a change is ln(B / A), so that B against A is the exact
opposite of A against B, and noise is a share of the figure.
"""
# ruff: noqa: PLC0415 - SciPy is imported only where something is compared: it takes 0.3 s

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, fsum, sqrt
from statistics import median

from beff.analysis.compare.units import Units

MEASURED_FROM = 3
"""With this many degrees of freedom (five runs in all) the runs themselves tell their noise."""
ONE_AFTER_THE_OTHER = 1.8
"""How much wider an interval must be when one side was measured before the other.

Runs next to each other in time are alike: they correlate by about 0.5 (statistics.md).
Then the mean of n runs scatters by more than s / sqrt(n), and s comes out too small; for 3 to 10
runs both together make up a factor of sqrt(3.2). Sides that alternate meet the same times and need
none.
"""


@dataclass(frozen=True)
class Interval:
    """The ends of a confidence interval of ln(B / A)."""

    low: float
    high: float

    @property
    def shares(self) -> tuple[float, float]:
        """B / A - 1 at the low and the high end."""
        return expm1(self.low), expm1(self.high)

    def reversed(self) -> "Interval":
        """Return the interval of ln(A / B)."""
        return Interval(-self.high, -self.low)


@dataclass(frozen=True)
class Change:
    """An estimate of ln(B / A) and how sure it is.

    `of_medians` is what the medians of the sides say, which a single run far off does not move.
    `error` is its standard error as the runs tell it, with `degrees` of freedom (0: they do not);
    `assumed_error` is the one that noise known from elsewhere gives, 0 where the runs tell theirs.
    """

    estimate: float
    of_medians: float
    error: float
    degrees: float
    assumed_error: float

    def interval(self, confidence: float) -> Interval:
        """Return the interval: Student's by the runs or the normal one, whichever is wider."""
        half = self.half_width(confidence)
        return Interval(self.estimate - half, self.estimate + half)

    def half_width(self, confidence: float) -> float:
        """Return half the width of the interval."""
        from scipy.special import ndtri, stdtrit

        upper = (1 + confidence) / 2
        half = float(ndtri(upper)) * self.assumed_error
        if self.degrees > 0:
            half = max(half, float(stdtrit(self.degrees, upper)) * self.error)
        return half

    def chance_within(self, margin: float) -> float:
        """Return how likely such an estimate is, at most, if the change lies within +- margin.

        Two-sided: 1 - this is the largest confidence with which the interval lies beyond.
        """
        from scipy.special import ndtr, stdtr

        beyond = abs(self.estimate) - margin
        if beyond <= 0:
            return 1.0
        chance = 0.0
        if self.assumed_error > 0:
            chance = 2 * float(ndtr(-beyond / self.assumed_error))
        if self.degrees > 0 and self.error > 0:
            chance = max(chance, 2 * float(stdtr(self.degrees, -beyond / self.error)))
        return min(1.0, chance)


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean; the order of the values has no influence, not even on the last bit."""
    return fsum(values) / len(values)


def scatter(units: Units) -> float:
    """Return the standard deviation of units around the mean of their side, of both sides."""
    if units.degrees <= 0:
        return 0.0
    return sqrt((_squares(units.a) + _squares(units.b)) / units.degrees)


def noise_is_measured(units: Units) -> bool:
    """Whether there are enough units to take the noise from them."""
    return units.degrees >= MEASURED_FROM


def change(units: Units, assumed_noise: float, widening: float = 1.0) -> Change:
    """Return mean(b) - mean(a) of units, which hold ln(figure), with Welch's standard error.

    Where a side has a single unit, the other's spread stands for it. Where the units do not tell
    their noise, `assumed_noise`, a standard deviation of ln(figure), is the least that is believed.
    """
    n, m = len(units.a), len(units.b)
    estimate = mean(units.b) - mean(units.a)
    middle = median(units.b) - median(units.a)
    assumed = 0.0
    if not noise_is_measured(units):
        assumed = max(assumed_noise, scatter(units)) * sqrt(1 / n + 1 / m)
    if units.degrees <= 0:
        return Change(estimate, middle, 0.0, 0.0, assumed)
    left = units.degrees / (n + m - 2)
    if n > 1 and m > 1:
        parts = (_squares(units.a) / (n - 1) / n, n - 1), (_squares(units.b) / (m - 1) / m, m - 1)
        square = fsum(part for part, _ in parts)
        weights = fsum(part**2 / degrees for part, degrees in parts)
        degrees = square**2 / weights if weights > 0 else n + m - 2
    else:
        square = (_squares(units.a) + _squares(units.b)) / (n + m - 2) * (1 / n + 1 / m)
        degrees = n + m - 2
    error = sqrt(square / left) * widening
    return Change(estimate, middle, error, max(degrees * left, 1.0), assumed)


def _squares(side: Sequence[float]) -> float:
    middle = mean(side)
    return fsum((value - middle) ** 2 for value in side)
