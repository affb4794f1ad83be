"""Quantiles of Student's t distribution for whole degrees of freedom.

The finite series of Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
"""

from functools import lru_cache
from math import atan, cos, pi, sin, sqrt, tan
from statistics import NormalDist

_LIKE_NORMAL = 10_000
"""From this many degrees of freedom on the normal distribution serves; they differ by 1e-4."""
_HALVINGS = 100


def central_probability(t: float, degrees: int) -> float:
    """Return P(|T| <= t) for t >= 0 and at least one degree of freedom."""
    return _series(atan(t / sqrt(degrees)), degrees)


@lru_cache
def two_sided_quantile(probability: float, degrees: int) -> float:
    """Return the t with P(|T| <= t) = probability, which lies between 0 and 1."""
    if degrees >= _LIKE_NORMAL:
        return normal_quantile(probability)
    low, high = 0.0, pi / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _series(middle, degrees) < probability:
            low = middle
        else:
            high = middle
    return sqrt(degrees) * tan((low + high) / 2)


def normal_quantile(probability: float) -> float:
    """Return the z with P(|Z| <= z) = probability for the standard normal distribution."""
    return NormalDist().inv_cdf((1 + probability) / 2)


def _series(angle: float, degrees: int) -> float:
    """Return the probability as a function of the angle atan(t / sqrt(degrees))."""
    if degrees == 1:
        return 2 * angle / pi
    square = cos(angle) ** 2
    odd = degrees % 2 == 1
    term = cos(angle) if odd else 1.0
    total = term
    for step in range(3 if odd else 2, degrees - 1, 2):
        term *= square * (step - 1) / step
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
