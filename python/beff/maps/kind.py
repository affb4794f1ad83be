"""A map of pairs at each kind of messages: its groups, and what units take beyond the usual."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf

import numpy as np

from beff.definition.b_pairs_plan import KINDS, Ints
from beff.maps.findings import Evidence
from beff.maps.groups import groups_above, groups_of
from beff.maps.levels import (
    APART,
    ERROR_OF_QUICK,
    FEW,
    QUICK,
    Links,
    alone_levels,
    links_of,
    lowest_but_one,
    quantiles,
    scatter,
)
from beff.maps.pair_map import Floats, Mask, PairMap
from beff.maps.topology import Known

_SIGMAS_FROM_TENTH_TO_HALF = 1.28


@dataclass(frozen=True)
class Kind:
    """The map at one kind of messages; all are logarithms of ns, or of factors.

    `labels` is the group of each unit, of `groups`. `levels` are those of the links, `scatter` is
    the deviation of a meeting from them. `beyond` is what a link takes longer than the unit in the
    middle does between the same two groups, `excess` what a unit takes longer than that in the
    middle; NaN where it was not measured. `far` are units that may just be so much farther from all
    others, as nobody is known to be as far. Where times are changes, `longer` is what units take
    longer with their quickest partner than they did with theirs.
    """

    kind: str
    pairs: PairMap
    links: Links
    labels: Ints
    levels: Floats
    scatter: float
    beyond: Floats
    excess: Floats
    far: Mask
    longer: Floats | None = None

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return int(self.labels.max(initial=0)) + 1

    @property
    def tried(self) -> Mask:
        """Which units were measured."""
        return ~np.isnan(self.excess)

    @cached_property
    def times(self) -> Floats:
        """What each entry takes longer than usual between its two groups."""
        usual = self.levels - self.beyond
        return self.pairs.times[self.kind] - usual[self.links.of]

    def usual_between(self, first: Ints, second: Ints) -> Floats:
        """Return for pairs of units what is usual between their groups; NaN where none met."""
        cells = cells_of(self.labels, self.links.first, self.links.second)
        of_cell = quantiles(cells, self.levels - self.beyond, self.groups**2, 0.5)
        return of_cell[cells_of(self.labels, first, second)]

    def modelled(self, first: Ints, second: Ints) -> Floats:
        """Return what pairs should take: what is usual between their groups, by the slower unit."""
        return self.usual_between(first, second) + self.slower(first, second)

    def slower(self, first: Ints, second: Ints) -> Floats:
        """Return for pairs of units what the slower one takes longer than that in the middle."""
        return np.fmax(self.excess[first], self.excess[second])

    @cached_property
    def inside(self) -> Mask:
        """Which links are inside of a group."""
        return self.labels[self.links.first] == self.labels[self.links.second]

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
        return quantiles(self.links.ends, np.tile(self.levels, 2), self.pairs.units, 0.0)

    def evidence(
        self, factor: float, slow_of: tuple[int, int], alone: float | None, reason: str
    ) -> Evidence:
        """Return evidence by messages of this kind."""
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
        sigma = np.fmax(self.scatter, (half - tenth) / _SIGMAS_FROM_TENTH_TO_HALF)
        return ERROR_OF_QUICK * sigma / np.sqrt(np.maximum(1, self.links.counts))

    @cached_property
    def unit_errors(self) -> Floats:
        """Return the standard error of what each unit takes, by the number of its meetings."""
        counts = np.where(np.isnan(self.levels), 0, self.links.counts)
        met = np.bincount(self.links.ends, np.tile(counts, 2), self.pairs.units)
        return ERROR_OF_QUICK * self.scatter / np.sqrt(np.maximum(1, met))

    def meetings_of(self, unit: int) -> Floats:
        """Return what its meetings took longer than usual between their groups."""
        own = self.times[(self.pairs.first == unit) | (self.pairs.second == unit)]
        return own[~np.isnan(own)]

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
        """Return the factor of a unit alone, beside units that are not slow; None if not measured.

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

    def alone_of_link(self, first_end: int, second_end: int) -> float | None:
        """Return the factor of a link alone beside others of both its ends; None if not measured.

        All that one end has may be slow for what these share.
        """
        first, second, quick = self._alone
        is_mine = (first == first_end) & (second == second_end)
        beside = [
            quick[~is_mine & ((first == end) | (second == end))].min(initial=inf)
            for end in (first_end, second_end)
        ]
        known = [least for least in beside if least < inf]
        return exp(float(quick[is_mine][0]) - max(known)) if known and is_mine.any() else None

    @cached_property
    def _alone(self) -> tuple[Ints, Ints, Floats]:
        """First and second unit of each pair that was measured alone, and what it took.

        Of short messages it is beyond what is usual between their groups. What is usual of long
        ones is so in company.
        """
        first, second, quick = alone_levels(self.pairs, self.kind)
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
    return low * (int(labels.max(initial=0)) + 1) + high


def kinds_of(pairs: PairMap, known: Known | None = None) -> list[Kind]:
    """Return both kinds of messages; where no groups are known, in those that the map shows.

    Short messages show what is behind more switches, long ones, while many are under way, what
    shares an uplink: these are judged in the groups that are more. But in a torus or dragonfly all
    ways are shared; behind one switch pairs are as quick in company as at other times.
    """
    if known is not None:
        return kinds_in(pairs, [known.labels, known.labels], known)
    links = links_of(pairs)
    short, quick, busy = (
        quantiles(links.of, pairs.times[kind], len(links.first), share)
        for kind, share in (("small", QUICK), ("large", QUICK), ("large", 1 - QUICK))
    )
    errors = [scatter(links, pairs.times[kind]) for kind in KINDS]
    near = groups_of(pairs.units, links, short, errors[0])
    sharing = groups_of(pairs.units, links, busy, errors[1])
    if sharing.max() <= near.max():
        return kinds_in(pairs, [near, near])
    longer = (busy - quick)[sharing[links.first] == sharing[links.second]]
    is_quick = bool(np.nanmedian(longer) < 2 * max(APART, errors[1]))
    return kinds_in(pairs, [near, sharing if is_quick else near])


def above_of(kinds: Sequence[Kind], known: Known | None) -> list[Ints]:
    """Return the groups of groups of both kinds of messages, level by level, the lowest first.

    They are those of the switches, where these are known; else short messages show them.
    """
    if known is not None:
        return [*known.above()]
    short, long = kinds
    of_ways = short.levels - np.fmax(0, np.nan_to_num(short.expected))
    return [*groups_above(long.labels, short.links, of_ways, short.scatter)]


def kinds_in(
    pairs: PairMap,
    labels: Sequence[Ints],
    known: Known | None = None,
    *,
    at_best: Sequence[Floats] | None = None,
) -> list[Kind]:
    """Return both kinds of messages in given groups, by the number of the group of each unit.

    With `at_best`, what units take longer than before with their quickest partner, times are
    changes; then links inside of a group are compared with those inside of all groups.
    """
    links, units, is_change = links_of(pairs), pairs.units, at_best is not None
    ends, kinds = links.ends, list[Kind]()
    for kind, groups, longer in zip(KINDS, labels, at_best or (None, None), strict=True):
        times = pairs.times[kind]
        levels = quantiles(links.of, times, len(links.first), QUICK)
        inside = groups[links.first] == groups[links.second]
        cells = _cells_of_links(groups, links, units if is_change else FEW, known)
        usual, compared = _usual(cells, inside, links, levels, units)
        if known is not None:
            usual, compared = _as_far_as(known, groups, links, usual, compared)
        some_compared = np.bincount(ends, np.tile(compared, 2), units) > 0
        far = (kind == "small" and not is_change) & ~(some_compared & (known is not None))
        beyond, deviation = levels - usual, scatter(links, times)
        of_all = lowest_but_one(ends, np.tile(beyond, 2), units)
        of_group = lowest_but_one(ends, np.tile(np.where(inside, beyond, np.nan), 2), units)
        grouped = np.bincount(ends, np.tile(inside & ~np.isnan(levels), 2), units) >= FEW
        took = np.where(grouped, of_group, np.fmin(of_group, of_all))
        excess = took - middle_of(took)
        kinds.append(
            Kind(kind, pairs, links, groups, levels, deviation, beyond, excess, far, longer)
        )
    return kinds


def _usual(
    cells: Ints, inside: Mask, links: Links, levels: Floats, units: int
) -> tuple[Floats, Mask]:
    """Return for each link what the unit in the middle takes between the same two groups.

    Inside of a group it is what it is inside of all, unless the group's own is another. Where one
    unit has a part in all links these show what that unit takes: what is usual of others counts.
    Also return where this is not so.
    """
    count = int(cells.max(initial=-1)) + 1
    keys = np.concatenate([cells * units + links.first, cells * units + links.second])
    each, of_unit = np.unique(keys, return_inverse=True)
    cell, known = each // units, ~np.isnan(levels)
    of_each = lowest_but_one(of_unit, np.tile(levels, 2), len(each))
    of_cell = quantiles(cell, of_each, count, 0.5)
    links_of_unit = np.bincount(of_unit, np.tile(known, 2), len(each))
    of_one, is_inner = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    of_one[cell[links_of_unit == np.bincount(cells, known, count)[cell]]] = True
    is_inner[cells[inside]] = True
    in_all = middle_of(of_each[is_inner[cell]])
    as_all = is_inner & (of_one | (abs(of_cell - in_all) < APART))
    others = of_cell[~is_inner & ~of_one], of_each[is_inner[cell]], of_cell
    of_cell[~is_inner & of_one] = middle_of(next((one for one in others if one.size), of_cell))
    return np.where(as_all, in_all, of_cell)[cells], ~of_one[cells]


def _as_far_as(
    known: Known, labels: Ints, links: Links, usual: Floats, compared: Mask
) -> tuple[Floats, Mask]:
    """Take for units that are alone behind their switch what others as far apart take.

    Also return which links are compared with others.
    """
    ends = labels[links.first], labels[links.second]
    apart, of_alone = known.apart(*ends), _of_alone(labels, links)
    others = np.where(of_alone | (ends[0] == ends[1]), np.nan, usual)
    as_far = quantiles(apart, others, int(apart.max(initial=-1)) + 1, 0.5)[apart]
    are_others = of_alone & ~np.isnan(as_far)
    return np.where(are_others, as_far, usual), compared | are_others


def _of_alone(labels: Ints, links: Links) -> Mask:
    """Return which links are of units that are alone in their group."""
    alone = np.bincount(labels)[labels] == 1
    return alone[links.first] | alone[links.second]


def _cells_of_links(labels: Ints, links: Links, most: int, known: Known | None) -> Ints:
    """Return a number for each link that only those between the same two groups have.

    Inside of groups of so many units at most there are too few links to compare; they are one cell,
    as are those of units that are alone where it is known that they are as far apart.
    """
    cells = cells_of(labels, links.first, links.second)
    small = np.bincount(labels)[labels] <= most
    inside = labels[links.first] == labels[links.second]
    cells[inside & small[links.first]] = -1
    if known is not None:
        apart = known.apart(labels[links.first], labels[links.second])
        cells = np.where(_of_alone(labels, links), -2 - apart, cells)
    return np.unique(cells, return_inverse=True)[1]
