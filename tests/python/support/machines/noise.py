"""What chance adds to a time in the map: a median of series, by the slower of two processes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from support.machines.ways import Floats


@dataclass(frozen=True)
class Noise:
    """Of single times; what lasts for rounds is in `Course`.

    `sd` is the standard deviation of a time's logarithm, or of what its absolute value is taken of
    where the noise is `one_sided`. A share `tails` of the times lies under something that outlasts
    the series, and a share `interrupts` of the single series under something shorter, which counts
    where it hits three of the five; both take longer by a Pareto factor of this index.
    """

    sd: float = 0.03
    one_sided: bool = False
    tails: float = 0.0
    interrupts: float = 0.0
    index: float = 1.2

    def factors(self, count: int, chance: np.random.Generator) -> Floats:
        """Return by what chance multiplies so many times."""
        logs = chance.normal(0, self.sd, count) if self.sd else np.zeros(count)
        factors: Floats = np.exp(np.abs(logs) if self.one_sided else logs)
        hit = np.flatnonzero(chance.random(count) < self.tails)
        factors[hit] *= 1 + chance.pareto(self.index, len(hit))
        if self.interrupts:
            factors *= self._interrupted(count, chance)
        return factors

    def _interrupted(self, count: int, chance: np.random.Generator) -> Floats:
        """Return the factors of what is kept of the series."""
        shares, chances = _kept_of_series()
        beyond = np.interp(chance.random(count), chances, shares) - (1 - self.interrupts)
        rest = np.clip(1 - beyond / self.interrupts, 1e-6, 1)
        factors: Floats = rest ** (-1 / self.index)
        return factors


@cache
def _kept_of_series() -> tuple[Floats, Floats]:
    """Return shares of the times of single series, and the chance to keep one from below each.

    The median of five is below with the chance of a beta distribution with 3 and 3; the slower of
    two processes is where both are.
    """
    share = np.linspace(0, 1, 4001)
    median = share**3 * (10 - 15 * share + 6 * share**2)
    return share, median**2
