"""A map of pairs at one kind of messages: groups taken out, and a model of each look."""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from beff.analysis.pairs.pair_map import Floats, Ints, PairMap
from beff.analysis.pairs.polish import Model

SLOW = log(1.15)
"""A unit counts as slow from 15 % more time on."""
SLOW_ROUND = SLOW / 2
"""A round counts as slow from half of that, in logarithms; a slow unit is in most of its own."""
AGREES = 0.5
"""A retest agrees when it shows half of the logarithm or more."""
BOTH_LOOKS = "slow in both looks"
NOT_ALONE = "slow in both looks, but not when alone"

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Kind:
    """The map at one kind of messages; `cells` has the level of the groups of each entry."""

    kind: str
    pairs: PairMap
    labels: Ints
    cells: Floats
    models: tuple[Model, Model]

    @property
    def tried(self) -> Mask:
        """Which units were measured in both looks."""
        return ~np.isnan(self.models[0].effects) & ~np.isnan(self.models[1].effects)

    def excess(self, look: int) -> Floats:
        """Return how far the effect of each unit lies above that of the others."""
        effects = self.models[look].effects
        return effects - np.nanmedian(effects) if self.tried.any() else effects

    def with_unit(self, unit: int) -> Mask:
        """Return which entries have a unit."""
        mask: Mask = (self.pairs.first == unit) | (self.pairs.second == unit)
        return mask

    def rounds(self, unit: int, look: int) -> tuple[int, int]:
        """Return in how many of its rounds a unit was slow, and how many it had."""
        model = self.models[look]
        own = self.with_unit(unit)
        first, second = self.pairs.first[own], self.pairs.second[own]
        above = model.rests[own] + model.effects[first] + model.effects[second]
        return int(np.sum(above > SLOW_ROUND)), int(np.sum(~np.isnan(above)))

    def retest_excess(self) -> Floats:
        """Return for each retest how far it lies above the level of pairs of the same groups."""
        pairs = self.pairs
        times = pairs.retests[self.kind]
        if not times.size:
            return times
        level = np.mean([model.level for model in self.models])
        cells = {}
        for one, other, cell in zip(
            self.labels[pairs.first].tolist(),
            self.labels[pairs.second].tolist(),
            np.nanmean(self.cells, axis=0).tolist(),
            strict=True,
        ):
            cells[min(one, other), max(one, other)] = cell
        ends = zip(
            self.labels[pairs.retest_first].tolist(),
            self.labels[pairs.retest_second].tolist(),
            strict=True,
        )
        expected = np.array([cells.get((min(e), max(e)), np.nan) for e in ends])
        excess: Floats = times - level - expected
        return excess
