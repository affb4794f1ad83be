"""A map of pairs at one kind of messages: its groups, and what each unit takes beyond its own."""

from dataclasses import dataclass
from functools import cached_property
from math import exp, inf

import numpy as np

from beff.definition.b_pairs_plan import Ints
from beff.maps.constants import QUICK
from beff.maps.findings import Evidence
from beff.maps.levels import (
    ERROR_OF_QUICK,
    SIGMAS_FROM_TENTH_TO_HALF,
    Links,
    lowest_but_one,
    quantiles,
)
from beff.maps.pair_map import Floats, Mask, PairMap


@dataclass(frozen=True)
class Kind:
    """The map at one kind of messages; all are logarithms of ns, or of factors.

    `labels` is the group of each unit, of `groups`. `levels` are those of the links, `scatter` is
    the deviation of a meeting from them. `beyond` is what a link takes longer than the unit in the
    middle does between the same two groups, `own` what a unit takes longer than that in the middle;
    NaN where it was not measured. `far` are units that may be by so much farther from all others,
    as nobody is known to be as far. `longer` is what units take longer with their quickest partner
    than they did with theirs, where times are changes.
    """

    kind: str
    pairs: PairMap
    links: Links
    labels: Ints
    levels: Floats
    scatter: float
    beyond: Floats
    own: Floats
    far: Mask
    longer: Floats | None = None

    @property
    def groups(self) -> int:
        """How many there are."""
        return int(self.labels.max(initial=0)) + 1

    @property
    def tried(self) -> Mask:
        """Which units were measured."""
        return ~np.isnan(self.own)

    @cached_property
    def times(self) -> Floats:
        """What each entry takes longer than usual between its two groups."""
        usual = self.levels - self.beyond
        times: Floats = self.pairs.times[self.kind] - usual[self.links.of]
        return times

    def usual_between(self, first: Ints, second: Ints) -> Floats:
        """Return for pairs of units what is usual between their groups; NaN where none met."""
        cells = cells_of(self.labels, self.links.first, self.links.second)
        of_cell = quantiles(cells, self.levels - self.beyond, self.groups**2, 0.5)
        return of_cell[cells_of(self.labels, first, second)]

    def modelled(self, first: Ints, second: Ints) -> Floats:
        """Return what pairs should take: what is usual between their groups, by the slower unit."""
        found: Floats = self.usual_between(first, second) + self.slower(first, second)
        return found

    def slower(self, first: Ints, second: Ints) -> Floats:
        """Return for pairs of units what the slower one takes longer than that in the middle."""
        found: Floats = np.fmax(self.own[first], self.own[second])
        return found

    @cached_property
    def inside(self) -> Mask:
        """Which links are inside of a group."""
        inside: Mask = self.labels[self.links.first] == self.labels[self.links.second]
        return inside

    def names_of(self, group: int) -> tuple[str, ...]:
        """Return the names of the units of a group."""
        return tuple(np.array(self.pairs.names)[self.labels == group].tolist())

    @cached_property
    def expected(self) -> Floats:
        """What a link should take beyond what is usual: as much as the slower one of its units."""
        return self.slower(self.links.first, self.links.second)

    @cached_property
    def at_best(self) -> Floats:
        """What a unit takes longer than the one in the middle with its quickest partner.

        A unit that is slow is so with this one, too; one that waits for others is not.
        """
        return self.quickest - middle_of(self.quickest)

    @cached_property
    def at_once(self) -> Floats:
        """What a unit takes longer than the one in the middle in its quickest meeting of all."""
        ends = np.concatenate([self.pairs.first, self.pairs.second])
        best = quantiles(ends, np.tile(self.pairs.times[self.kind], 2), self.pairs.units, 0.0)
        return best - middle_of(best)

    @cached_property
    def quickest(self) -> Floats:
        """What a unit takes with its quickest partner, or takes longer than with that of before."""
        if self.longer is not None:
            return self.longer
        ends = np.concatenate([self.links.first, self.links.second])
        return quantiles(ends, np.tile(self.levels, 2), self.pairs.units, 0.0)

    def evidence(
        self, factor: float, slow_of: tuple[int, int], alone: float | None, reason: str
    ) -> Evidence:
        """Return what is said by messages of this kind."""
        return Evidence(self.kind, self.pairs.bytes_of[self.kind], factor, *slow_of, alone, reason)

    @cached_property
    def errors(self) -> Floats:
        """Return the standard error of the level of each link.

        Where what crosses is shared, a link's own meetings scatter more than most.
        """
        times = self.pairs.times[self.kind]
        half, tenth = (
            quantiles(self.links.of, times, len(self.levels), share) for share in (0.5, 0.1)
        )
        sigma = np.fmax(self.scatter, (half - tenth) / SIGMAS_FROM_TENTH_TO_HALF)
        errors: Floats = ERROR_OF_QUICK * sigma / np.sqrt(np.maximum(1, self.links.counts))
        return errors

    @cached_property
    def unit_errors(self) -> Floats:
        """Return the standard error of what each unit takes, by the number of its meetings."""
        links, counts = self.links, np.where(np.isnan(self.levels), 0, self.links.counts)
        met = sum(
            np.bincount(ends, counts, self.pairs.units) for ends in (links.first, links.second)
        )
        errors: Floats = ERROR_OF_QUICK * self.scatter / np.sqrt(np.maximum(1, met))
        return errors

    def meetings_of(self, unit: int) -> Floats:
        """Return what its meetings took longer than usual between their groups."""
        own = self.times[(self.pairs.first == unit) | (self.pairs.second == unit)]
        known: Floats = own[~np.isnan(own)]
        return known

    def inside_level(self) -> float:
        """Return the level of pairs inside of groups."""
        known = self.levels[self.inside & ~np.isnan(self.levels)]
        return float(np.median(known)) if known.size else 0.0

    @cached_property
    def links_at_best(self) -> Floats:
        """What a link takes longer than others between the same groups in its quickest meetings."""
        links, count = self.links, len(self.links.first)
        best = lowest_but_one(links.of, self.pairs.times[self.kind], count)
        cells = cells_of(self.labels, links.first, links.second)
        return best - quantiles(cells, best, int(cells.max(initial=-1)) + 1, 0.5)[cells]

    def alone_of_unit(self, unit: int, slow: Mask, *, at_best: bool = False) -> float | None:
        """Return the factor of a unit alone, of those that are not slow; None if not measured.

        It is the mean with its partners, or that with the quickest: one link may be slow.
        """
        first, second, quick = self._alone
        is_mine = (first == unit) | (second == unit)
        fit = ~slow[np.where(first == unit, second, first)] & (is_mine | ~slow[second])
        mine, others = quick[fit & is_mine], quick[fit & ~is_mine]
        if not (mine.size and others.size):
            return None
        own = mine.min() if at_best else mine.mean()
        return exp(float(own - np.median(others)))

    def alone_of_link(self, one: int, other: int) -> float | None:
        """Return the factor of a link alone beside others of both its ends; None if not measured.

        All that one end has may be slow for what these share.
        """
        first, second, quick = self._alone
        is_mine = (first == one) & (second == other)
        beside = [
            quick[~is_mine & ((first == end) | (second == end))].min(initial=inf)
            for end in (one, other)
        ]
        known = [least for least in beside if least < inf]
        return exp(float(quick[is_mine][0]) - max(known)) if known and is_mine.any() else None

    @cached_property
    def _alone(self) -> tuple[Ints, Ints, Floats]:
        """First and second unit of each pair that was measured alone, and what it took.

        Of short messages it is beyond what is usual between their groups. What is usual of long
        ones is so in company.
        """
        pairs, times = self.pairs, self.pairs.retests[self.kind]
        keys, of_pair = np.unique(
            pairs.retest_first * pairs.units + pairs.retest_second, return_inverse=True
        )
        first, second = keys // pairs.units, keys % pairs.units
        quick = quantiles(of_pair, times, len(keys), QUICK)
        if self.kind == "small":
            quick = quick - self.usual_between(first, second)
        known = ~np.isnan(quick)
        return first[known], second[known], quick[known]


def middle_of(values: Floats) -> float:
    """Return the value in the middle, the lower one of two."""
    known = np.sort(values[~np.isnan(values)])
    return float(known[(known.size - 1) // 2]) if known.size else 0.0


def cells_of(labels: Ints, first: Ints, second: Ints) -> Ints:
    """Return for each pair a number that only pairs between the same two groups have."""
    low, high = np.minimum(labels[first], labels[second]), np.maximum(labels[first], labels[second])
    cells: Ints = low * (int(labels.max(initial=0)) + 1) + high
    return cells
