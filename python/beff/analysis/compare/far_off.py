"""Runs that lie far off the others of their side: shown, never left out.

The distance from the mean of the others is Student's, with the scatter of all others of both sides
(the externally studentized residual), so that the rate of false alarms is that of a test.
"""
# ruff: noqa: PLC0415 - SciPy is imported only where something is compared: it takes 0.3 s

from collections.abc import Iterator
from math import expm1, log1p, sqrt
from statistics import median

from beff.analysis.compare.interval import mean, scatter
from beff.analysis.compare.units import Units

ERROR_RATE = 0.01
"""Probability that any of the runs is wrongly called far off in one figure."""
LEAST = log1p(0.2)
"""Nearer runs are not worth a word."""
_FEWEST = 3
"""Of fewer runs of a side nobody can tell which one is off."""


def far_off(units: Units) -> Iterator[tuple[int, int, float]]:
    """Yield side (0: A), place and distance from the side's median, a share, of runs far off."""
    from scipy.special import stdtrit

    runs = len(units.a) + len(units.b)
    for side, own in enumerate((units.a, units.b)):
        for place, figure in enumerate(own) if len(own) >= _FEWEST else ():
            rest = (*own[:place], *own[place + 1 :])
            others = Units(*((rest, units.b) if side == 0 else (units.a, rest)), units.lost)
            if others.degrees <= 0 or abs(figure - mean(rest)) < LEAST:
                continue
            limit = float(stdtrit(others.degrees, 1 - ERROR_RATE / 2 / runs))
            error = scatter(others) * sqrt(1 + 1 / len(rest))
            if abs(figure - mean(rest)) > limit * error:
                yield side, place, expm1(figure - median(own))
