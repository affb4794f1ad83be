"""A map of pairs at one kind of messages: what groups and units have as levels."""

from dataclasses import dataclass
from math import exp, sqrt

import numpy as np

from beff.analysis.b_pairs.levels import (
    APART,
    Most,
    by_unit,
    cell_levels,
    cells_of,
    groups_of,
    most_of,
    quantiles,
    quick_level,
)
from beff.analysis.b_pairs.pair_map import Floats, Mask, PairMap
from beff.analysis.b_pairs.schedule import Ints

_CROWDED, _OWN = 0.05, 0.25
"""The quantiles of a unit's own pairs; docs/explanation/judging-hosts.md."""
_FEWEST_OF_GROUP = 4


@dataclass(frozen=True)
class Kind:
    """The map at one kind of messages.

    `labels` is the group of each unit, of `groups`; `times` are those of the entries beyond the
    level of their two groups. `levels` are of each unit a low quantile of its own, `quickest` a
    lower one of its times without regard to groups; NaN where it was not measured. `links` are the
    pairs that met, `link_counts` how often.
    """

    kind: str
    pairs: PairMap
    labels: Ints
    groups: int
    times: Floats
    levels: Floats
    quickest: Floats
    links: tuple[Ints, Ints]
    link_counts: list[int]
    link_of: Ints

    @property
    def tried(self) -> Mask:
        """Which units were measured."""
        return ~np.isnan(self.levels)

    @property
    def high(self) -> Mask:
        """Which entries take longer than the slower of their two units does."""
        own = np.fmax(self.levels[self.pairs.first], self.levels[self.pairs.second])
        high: Mask = self.times - np.fmin(own, 0) > APART
        return high

    @staticmethod
    def most(values: Floats) -> Most:
        """Return middle and deviation of most values."""
        return most_of(values)

    def error_of(self, unit: int) -> float:
        """Return twice the standard error of the level of a unit, by the ranks of its times."""
        own = self.times[(self.pairs.first == unit) | (self.pairs.second == unit)]
        known = own[~np.isnan(own)]
        lower = _OWN - 2 * sqrt(_OWN * (1 - _OWN) / known.size)
        return float(self.levels[unit] - np.quantile(known, max(0.0, lower)))

    def usual_of_group(self, shares: Floats) -> Floats:
        """Return for each unit the median of all, or that of its group where it is larger.

        Of few units one is too large a part.
        """
        usual = np.full(self.pairs.units, float(np.median(shares)))
        for number in range(self.groups):
            members = self.labels == number
            if members.sum() >= _FEWEST_OF_GROUP:
                usual[members] = np.maximum(usual[members], np.median(shares[members]))
        return usual

    def rounds(self, unit: int, limit: float) -> tuple[int, int]:
        """Return in how many of its rounds a unit was slow, and how many it had."""
        own = self.times[(self.pairs.first == unit) | (self.pairs.second == unit)]
        return int(np.sum(own > limit)), int(np.sum(~np.isnan(own)))

    def link_excess(self) -> Floats:
        """Return how far the quickest meeting of each link lies above both of its units."""
        ones, others = self.links
        own = quantiles(self.link_of, self.times, len(ones), 0.0)
        excess: Floats = own - np.fmax(self.levels[ones], self.levels[others])
        return excess

    def outside(self, group: Ints) -> float:
        """Return how much longer pairs of a group with others take than inside it; NaN of none."""
        inside = np.isin(self.pairs.first, group) & np.isin(self.pairs.second, group)
        return self.crossing(group) - self._level(inside)

    def crossing(self, group: Ints) -> float:
        """Return the level of pairs of a group with others; NaN where none was measured."""
        return self._level(np.isin(self.pairs.first, group) ^ np.isin(self.pairs.second, group))

    def _level(self, some: Mask) -> float:
        times = self.pairs.times[self.kind][some]
        known = times[~np.isnan(times)]
        return float(np.median(known)) if known.size else float("nan")

    def alone_of_unit(self, unit: int, slow: Mask) -> float | None:
        """Return the factor of a unit alone, with units that are not slow; None if not measured."""
        pairs = self.pairs
        mine = (pairs.retest_first == unit) | (pairs.retest_second == unit)
        partner = np.where(pairs.retest_first == unit, pairs.retest_second, pairs.retest_first)
        return self._alone(mine & ~slow[partner], slow)

    def alone_of_link(self, one: int, other: int) -> float | None:
        """Return the factor of a link alone; None if not measured."""
        pairs = self.pairs
        mine = (pairs.retest_first == one) & (pairs.retest_second == other)
        ends = np.zeros(pairs.units, dtype=bool)
        return self._alone(mine, ends)

    def _alone(self, mine: Mask, slow: Mask) -> float | None:
        """Compare pairs with others between the same groups, all alone and at their quickest."""
        pairs, times = self.pairs, self.pairs.retests[self.kind]
        known = ~np.isnan(times)
        keys = (pairs.retest_first * pairs.units + pairs.retest_second)[known]
        unique, of_pair = np.unique(keys, return_inverse=True)
        best = quantiles(of_pair, times[known], len(unique), 0.0)
        first, second = unique // pairs.units, unique % pairs.units
        is_mine = np.isin(unique, keys[mine[known]])
        others = ~is_mine & ~slow[first] & ~slow[second]
        cells = cells_of(self.labels, first, second)
        factors = [
            float(best[is_mine & (cells == cell)].min() - np.median(best[others & (cells == cell)]))
            for cell in np.unique(cells[is_mine])
            if (others & (cells == cell)).any()
        ]
        return exp(min(factors)) if factors else None


def kind_of(pairs: PairMap, kind: str) -> Kind:
    """Take the groups out of the times of one kind of messages."""
    raw = pairs.times[kind]
    first, second, units = pairs.first, pairs.second, pairs.units
    keys, link_of, counts = np.unique(
        first * units + second, return_inverse=True, return_counts=True
    )
    quick = np.nan_to_num(raw, nan=np.inf) - quick_level(raw) < APART
    found = groups_of(range(units), first, second, quick)
    groups = [group for group in found if len(group) > 1] or [list(range(units))]
    labels = np.full(units, -1, dtype=np.int64)
    for number, group in enumerate(groups):
        labels[group] = number
    for unit in np.flatnonzero(labels < 0).tolist():
        labels[unit] = _nearest(labels, unit, pairs, raw)
    times = raw - cell_levels(labels, first, second, raw) if raw.size else raw
    return Kind(
        kind,
        pairs,
        labels,
        len(groups),
        times,
        by_unit(first, second, times, units, _OWN),
        by_unit(first, second, raw, units, _CROWDED),
        (keys // units, keys % units),
        counts.tolist(),
        link_of,
    )


def _nearest(labels: Ints, unit: int, pairs: PairMap, raw: Floats) -> int:
    """Return the number of the group to which a unit of none is quickest."""
    own = (pairs.first == unit) | (pairs.second == unit)
    partners = labels[np.where(pairs.first == unit, pairs.second, pairs.first)[own]]
    kept = partners >= 0
    levels = quantiles(partners[kept], raw[own][kept], int(labels.max()) + 1, 0.5)
    return 0 if np.isnan(levels).all() else int(np.nanargmin(levels))
