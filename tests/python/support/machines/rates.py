"""Pairs that differ by chance: no switch explains who is near whom."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from support.machines.ways import Floats, Ints, Ways


@dataclass(frozen=True)
class Rates:
    """Short messages of each pair take longer by a share that is drawn.

    `sd` is the standard deviation of the value that this is the absolute value of.
    """

    units: int
    sd: float
    seed: int

    @property
    def capacities(self) -> Floats:
        """There is no link but the ports of hosts."""
        return np.zeros(0)

    @cached_property
    def _late(self) -> Floats:
        drawn = np.random.default_rng(self.seed).normal(0, self.sd, (self.units, self.units))
        return np.maximum(abs(drawn), abs(drawn.T))

    def ways(self, first: Ints, second: Ints, chance: np.random.Generator) -> Ways:
        """Return ways without links."""
        return Ways(np.empty((len(first), 0), dtype=np.int64), self._late[first, second])
