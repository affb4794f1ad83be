"""The change between two sides with its confidence interval; docs/compare.md gives the reasons.

Everything is done on natural logarithms: a change is ln(B / A), so that B against A is the exact
opposite of A against B, and noise is a share of the figure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, fsum, sqrt

from beff.analysis.compare.student import normal_quantile, two_sided_quantile

MEASURED_FROM = 3
"""With this many degrees of freedom (five runs in all) the runs themselves tell their noise."""
ONE_AFTER_THE_OTHER = 1.8
"""How much wider an interval must be when one side was measured before the other.

Runs next to each other in time are alike: they correlate by about 0.5 (docs/compare.md). Then the
mean of n runs scatters by more than s / sqrt(n), and s comes out too small; for 3 to 10 runs both
together make up a factor of sqrt(3.2). Sides that alternate meet the same times and need none.
"""


@dataclass(frozen=True)
class Interval:
    """An estimate of ln(B / A) and the ends of its confidence interval."""

    estimate: float
    low: float
    high: float

    @property
    def shares(self) -> tuple[float, float, float]:
        """B / A - 1: estimate, low end, high end."""
        return expm1(self.estimate), expm1(self.low), expm1(self.high)

    def reversed(self) -> "Interval":
        """Return the interval of -estimate."""
        return Interval(-self.estimate, -self.high, -self.low)


def degrees_of_freedom(runs_a: int, runs_b: int) -> int:
    """Return how many independent differences between runs of the same side there are."""
    return runs_a + runs_b - 2


def noise_is_measured(runs_a: int, runs_b: int) -> bool:
    """Whether there are enough runs to take the noise from them."""
    return degrees_of_freedom(runs_a, runs_b) >= MEASURED_FROM


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean; the order of the values has no influence, not even on the last bit."""
    return fsum(values) / len(values)


def scatter(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the standard deviation of runs around the mean of their side, of both sides."""
    degrees = degrees_of_freedom(len(a), len(b))
    if degrees == 0:
        return 0.0
    squares = [(value - mean(side)) ** 2 for side in (a, b) for value in side]
    return sqrt(fsum(squares) / degrees)


def change_interval(
    a: Sequence[float],
    b: Sequence[float],
    confidence: float,
    assumed_noise: float,
    alternated: bool = True,
) -> Interval:
    """Return the interval of mean(b) - mean(a), where `a` and `b` hold ln(figure) of each run.

    With enough runs it is Student's interval with the scatter of both sides together, widened
    unless the sides alternated in time. With fewer it is the normal one with the larger of that
    scatter and `assumed_noise`, the standard deviation of ln(figure) from run to run.
    """
    estimate = mean(b) - mean(a)
    found = scatter(a, b)
    if noise_is_measured(len(a), len(b)):
        quantile = two_sided_quantile(confidence, degrees_of_freedom(len(a), len(b)))
        width = quantile * found * (1.0 if alternated else ONE_AFTER_THE_OTHER)
    else:
        width = normal_quantile(confidence) * max(found, assumed_noise)
    half = width * sqrt(1 / len(a) + 1 / len(b))
    return Interval(estimate, estimate - half, estimate + half)
