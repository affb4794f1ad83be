"""Whether a model can be believed: by patterns of a run that took no part, or by its own map."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import exp, expm1, log

import numpy as np

from beff.maps.pair_map import Floats
from beff.result.b_eff_result import BEffResult
from beff.result.errors import ResultError
from beff.result.numbers import percent
from beff.twin.twin import TESTED, Twin
from beff.verify.b_eff.definition import RING_PATTERNS, patterns_for
from beff.verify.b_eff.derive import measured_of

MEDIAN, NINE_IN_TEN = 0.05, 0.15
"""So near to what was measured are the patterns in the middle, and nine in ten."""
LEAST = 0.05
"""No interval is narrower: what the run did not show may be as far off as what is accepted."""


class Test(ABC):
    """Times that a model gives beside those that were measured; how far off is a logarithm."""

    @property
    @abstractmethod
    def middle(self) -> float:
        """How far half of them are off."""

    @property
    @abstractmethod
    def most(self) -> float:
        """How far nine in ten are off."""

    @property
    @abstractmethod
    def what(self) -> str:
        """Name them."""

    @property
    @abstractmethod
    def advice(self) -> str:
        """Say what disagreement comes from, and what would help."""

    @property
    def passed(self) -> bool:
        """Whether predictions are offered."""
        return self.middle <= log(1 + MEDIAN) and self.most <= log(1 + NINE_IN_TEN)

    @property
    def width(self) -> float:
        """How far a prediction may be off."""
        return max(log(1 + LEAST), self.most)

    @property
    def words(self) -> str:
        """Say how near it came."""
        return (
            f"{self.what}: {percent(expm1(self.middle), 1)} off in the middle, nine in ten within"
            f" {percent(expm1(self.most), 1)}"
        )


@dataclass(frozen=True)
class MapTest(Test):
    """ln(measured / needed) of each meeting of the map that the model is made of."""

    off: Floats

    @property
    def middle(self) -> float:
        """How far half of the meetings are off."""
        return float(np.nanmedian(abs(self.off)))

    @property
    def most(self) -> float:
        """How far nine in ten of the meetings are off."""
        return float(np.nanquantile(abs(self.off), 0.9))

    @property
    def what(self) -> str:
        """Name them."""
        return "pairs of the map by their hosts and what groups of hosts share"

    @property
    def advice(self) -> str:
        """Say what disagreement comes from, and what would help."""
        return (
            "pairs differ by what neither hosts nor groups of hosts explain: routes that collide, a"
            " torus or dragonfly, other traffic, or noise; measure again when it is quiet, longer"
        )


@dataclass(frozen=True)
class SelfTest(Test):
    """ln(measured / predicted) of each pattern: mean over the sizes, and longest messages."""

    patterns: tuple[int, ...]
    averages: Floats
    longest: Floats

    @property
    def middle(self) -> float:
        """How far half of the patterns are off, in the worst of the parts."""
        return max(float(np.median(part)) for part in self._parts)

    @property
    def most(self) -> float:
        """How far nine in ten are off, in the worst of the parts; of six rings, each of them."""
        return max(float(np.quantile(part, 0.9, method="higher")) for part in self._parts)

    @property
    def _parts(self) -> list[Floats]:
        """How far rings, and random rings, are off: half of b_eff is made of either."""
        is_ring = np.array([pattern < RING_PATTERNS for pattern in self.patterns])
        return [
            abs(off[chosen])
            for off in (self.averages, self.longest)
            for chosen in (is_ring, ~is_ring)
        ]

    @property
    def what(self) -> str:
        """Name them."""
        return f"{len(self.patterns)} rings and random rings that took no part in the fit"

    @property
    def advice(self) -> str:
        """Say what disagreement of this kind comes from, and what would help."""
        middle = expm1(float(np.median(self.longest)))
        if middle < -MEDIAN:
            return (
                "patterns are slower than hosts and uplinks of the map allow: routes that collide,"
                " a torus or dragonfly, or other traffic; measure again when it is quiet, or"
                " b_eff in the placement itself"
            )
        if middle > MEDIAN:
            return (
                "patterns are faster than hosts and uplinks of the map allow: adaptive routes, or"
                " the map was disturbed; measure the map again, longer, when it is quiet"
            )
        return (
            "patterns differ both ways: noise, or ways that only some share; measure again when it"
            " is quiet, with more repetitions, or b_eff in the placement itself"
        )

    def worst(self, count: int) -> list[tuple[int, float]]:
        """Return the patterns that disagree most, with measured / predicted."""
        off = np.where(abs(self.longest) > abs(self.averages), self.longest, self.averages)
        order = np.argsort(-abs(off))[:count]
        return [(self.patterns[place], exp(off[place])) for place in order.tolist()]


def self_test(twin: Twin, result: BEffResult) -> SelfTest:
    """Predict the averaged patterns of the run. Raises ResultError where some are missing."""
    figures = measured_of(result).official
    names = patterns_for(result.environment.processes)
    averages, longest = [], []
    tested = tuple(pattern for pattern in TESTED if pattern not in twin.used)
    for pattern in tested:
        found = figures.patterns.get(pattern)
        if found is None or found.average is None:
            raise ResultError(f"'{names[pattern].name}' was not measured with all sizes")
        predicted = twin.bandwidths(pattern, twin.placement)
        averages.append(log(found.average / predicted.mean()))
        longest.append(log((found.by_size[-1] or np.nan) / predicted[-1]))
    return SelfTest(tested, np.array(averages), np.array(longest))
