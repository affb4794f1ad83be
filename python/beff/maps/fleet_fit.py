"""What each host took longer than usual in each map of a fleet; docs/explanation/fleets.md.

For each length of messages T(map, i, j) = map + way(i, j) + max(host i, host j) + error, all in
logarithms of ns: maps that share some hosts join. A pair waits for its slower half: a host shows
with its quickest partners. A map of four hosts or more tells its level by the one in the middle;
that of fewer is drawn to those of other maps, as far as these differ among each other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import hypot, inf, log, pi, sqrt

import numpy as np

from beff.definition.b_pairs_plan import KINDS, Ints
from beff.maps.groups import groups_of
from beff.maps.levels import (
    ERROR_OF_QUICK,
    QUICK,
    alone_levels,
    deviation_of_most,
    links_between,
    links_of,
    lowest_but_one,
    quantiles,
    scatter,
)
from beff.maps.pair_map import FEWEST_UNITS, Floats, Mask, PairMap
from beff.maps.topology import Switches, known_groups

NATURE, WORTH = 0.02, 4.0
"""Hosts differ by nature by 2 %, which is worth as much as four hosts: a moderated variance (G. K.
Smyth, Stat. Appl. Genet. Mol. Biol. 3, 2004)."""
LEAST_MAP_SPREAD = 0.01
"""Few maps do not show better by how much the same machine differs from day to day."""
NEAREST = 10
"""So many maps measured before and after tell what is usual at that time: a machine drifts."""
QUIET = log(1.08)
"""With partners that take less than this longer a host shows what it takes itself."""
_ROUNDS = 5
_QUICKER_PART = 0.25
"""Faults only add time: the quicker hosts of a map show what all took, before hosts are known and
where half of them may be slow, and the quicker maps of a host what it takes by nature."""
_FAR_OFF, _STEP = 3.0, log(1.1)


@dataclass(frozen=True, eq=False)
class MapOfFleet:
    """A map, the day it was measured, and the switches of units if known."""

    day: float
    pairs: PairMap
    switches: tuple[Switches, ...] | None = None


@dataclass(frozen=True, eq=False)
class Fit:
    """Entries, each a host in a map, in the order of time, and what they took.

    `leaves` are the numbers of the switch of each host, -1 where it is not known. [kind, entry] and
    NaN where it is not known: `longer` is what it took longer than usual with all partners but the
    quickest one, `least` with that one, `across` as `longer` with those that are not known to be of
    the same leaf, and `error` the standard error of each. [kind, map]: `levels` is what all took.
    """

    maps: tuple[MapOfFleet, ...]
    names: tuple[str, ...]
    leaves: Ints
    of_map: Ints
    host: Ints
    longer: Floats
    least: Floats
    across: Floats
    error: Floats
    levels: Floats

    @cached_property
    def sizes(self) -> Ints:
        """How many hosts each map has."""
        return np.bincount(self.of_map, minlength=len(self.maps))

    def entries_of(self) -> list[Ints]:
        """Return the entries of each host."""
        order = np.argsort(self.host, kind="stable")
        ends = np.cumsum(np.bincount(self.host, minlength=len(self.names)))
        return np.split(order, ends[:-1])


def fit(maps: Sequence[MapOfFleet]) -> Fit:
    """Join maps, which may come in any order."""
    ordered = tuple(sorted(maps, key=lambda one: one.day))
    names = tuple(dict.fromkeys(name for one in ordered for name in one.pairs.names))
    number = {name: place for place, name in enumerate(names)}
    host = np.array([number[name] for one in ordered for name in one.pairs.names], dtype=np.int64)
    of_map = np.repeat(np.arange(len(ordered)), [one.pairs.units for one in ordered])
    ways = _ways(ordered, names)
    if (ways.leaves < 0).all():
        ways = _Measured.of(ordered, "small", host, ways).seen()
    took = [_Measured.of(ordered, kind, host, ways).solved() for kind in KINDS]
    return Fit(ordered, names, ways.leaves, of_map, host, *map(np.stack, zip(*took, strict=True)))


@dataclass(frozen=True)
class _Ways:
    """The leaf of each host, -1 where it is not known, and how many switches two leaves share."""

    leaves: Ints
    shared: Ints

    def between(self, first: Ints, second: Ints) -> Ints:
        """Return a number for pairs of hosts, equal where they are as far apart; 0 if not known."""
        one, other = self.leaves[first], self.leaves[second]
        return np.where((one < 0) | (other < 0), 0, 1 + self.shared[one, other])


def _ways(maps: Sequence[MapOfFleet], names: Sequence[str]) -> _Ways:
    """Return how far hosts are apart; the newest map that says so counts."""
    above: dict[str, Switches] = {}
    for one in maps:
        above |= dict(zip(one.pairs.names, one.switches or (), strict=False))
    leaves = np.full(len(names), -1, dtype=np.int64)
    if not above:
        return _Ways(leaves, np.zeros((1, 1), dtype=np.int64))
    known = known_groups([above[name] for name in names if name in above])
    leaves[[name in above for name in names]] = known.labels
    count = len(known.switches)
    return _Ways(leaves, known.apart(*np.indices((count, count))))


_Place = Callable[[Ints, Floats, int], Floats]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of entries: the map, what they took, how far apart they are, which are of one leaf."""

    of_map: Ints
    first: Ints
    second: Ints
    levels: Floats
    way: Ints
    are_near: Mask

    @classmethod
    def joined(
        cls, parts: Sequence[tuple[Ints, Ints, Floats]], hosts: Ints, ways: _Ways
    ) -> "_Pairs":
        """Join the pairs of each map, with numbers of its entries."""
        of_map = np.repeat(np.arange(len(parts)), [len(levels) for _, _, levels in parts])
        first, second, levels = (np.concatenate([part[i] for part in parts]) for i in range(3))
        one, other = hosts[first], hosts[second]
        are_near = (ways.leaves[one] == ways.leaves[other]) & (ways.leaves[one] >= 0)
        return cls(of_map, first, second, levels, ways.between(one, other), are_near)

    def slower(self, took: Floats) -> Floats:
        """Return of each pair what the slower one of its entries takes."""
        return np.fmax(took[self.first], took[self.second])

    def by_entry(self, entries: int, values: Floats, quiet: Mask, place: _Place) -> Floats:
        """Return for each entry the value at a place among those of its pairs with quiet partners.

        Where all its partners are slow, these count: it is not known whether it is.
        """
        ends = np.concatenate([self.first, self.second])
        partners = np.concatenate([self.second, self.first])
        twice = np.tile(values, 2)
        with_quiet = place(ends, np.where(quiet[partners], twice, np.nan), entries)
        return np.where(np.isnan(with_quiet), place(ends, twice, entries), with_quiet)


@dataclass(frozen=True, eq=False)
class _Measured:
    """All maps at one kind of messages: pairs in company and alone; `error` [map] of a level."""

    pairs: _Pairs
    alone: _Pairs
    error: Floats
    of_map: Ints
    host: Ints

    @classmethod
    def of(cls, maps: Sequence[MapOfFleet], kind: str, host: Ints, ways: _Ways) -> "_Measured":
        """Take the levels of pairs from their meetings."""
        starts = np.cumsum([0, *(one.pairs.units for one in maps)])
        together, alone, errors = [], [], []
        for start, pairs in zip(starts.tolist(), (one.pairs for one in maps), strict=False):
            links = links_of(pairs)
            levels = quantiles(links.of, pairs.times[kind], len(links.first), QUICK)
            met = links.first + start, links.second + start, levels
            together.append(met)
            if pairs.retest_first.size:
                first, second, levels = alone_levels(pairs, kind)
                met = first + start, second + start, levels
            alone.append(met)
            often = float(np.median(links.counts)) if links.counts.size else 1.0
            errors.append(ERROR_OF_QUICK * scatter(links, pairs.times[kind]) / sqrt(often))
        return cls(
            _Pairs.joined(together, host, ways),
            _Pairs.joined(alone, host, ways),
            np.array(errors),
            np.repeat(np.arange(len(maps)), np.diff(starts)),
            host,
        )

    def solved(self) -> tuple[Floats, ...]:
        """Fit hosts, ways and maps in turn; return what a Fit has of each kind."""
        pairs, host, entries = self.pairs, self.host, len(self.host)
        by_nature = np.zeros(entries)
        far = np.zeros(int(np.concatenate([pairs.way, self.alone.way]).max(initial=0)) + 1)
        share, spread = _QUICKER_PART, NATURE
        for _ in range(_ROUNDS):
            quiet = by_nature < QUIET
            longer = pairs.by_entry(entries, pairs.levels - far[pairs.way], quiet, lowest_but_one)
            levels, error = self._levels(longer - by_nature, by_nature, far, share, spread)
            beyond = pairs.levels - levels[pairs.of_map] - pairs.slower(by_nature)
            far = _far(pairs, host, beyond, far)
            raw = pairs.levels - far[pairs.way]
            longer = pairs.by_entry(entries, raw, quiet, lowest_but_one) - levels[self.of_map]
            known_longer = np.where(np.isfinite(error)[self.of_map], longer, np.nan)
            by_nature = _by_other_maps(host, known_longer)
            hosts = quantiles(host, known_longer, int(host.max(initial=-1)) + 1, _QUICKER_PART)
            share, spread = 0.5, moderated(deviation_of_most(hosts), hosts.size)
        any_partner = np.ones(entries, dtype=bool)  # a quick pair acquits both
        least = pairs.by_entry(entries, raw, any_partner, partial(quantiles, share=0.0))
        least -= levels[self.of_map]
        beyond = np.where(pairs.are_near, np.nan, raw)
        across = pairs.by_entry(entries, beyond, quiet, lowest_but_one) - levels[self.of_map]
        return longer, least, across, np.hypot(self.error, error)[self.of_map], levels

    def seen(self) -> _Ways:
        """Return the groups that all maps show together, as where no switches are known.

        They show where most hosts met each other; else nobody is known to be near another.
        """
        one, other = self.host[self.pairs.first], self.host[self.pairs.second]
        hosts = int(self.host.max(initial=-1)) + 1
        links = links_between(np.minimum(one, other), np.maximum(one, other), hosts)
        count = len(links.first)
        if 2 * count < hosts * (hosts - 1) / 2:
            return _Ways(np.full(hosts, -1), np.zeros((1, 1), dtype=np.int64))
        levels = quantiles(self.pairs.of_map, self.pairs.levels, len(self.error), 0.5)
        beyond = quantiles(links.of, self.pairs.levels - levels[self.pairs.of_map], count, 0.5)
        labels = groups_of(hosts, links, beyond, float(np.median(self.error)))
        return _Ways(labels, np.eye(int(labels.max()) + 1, dtype=np.int64))

    def _levels(
        self, longer: Floats, by_nature: Floats, far: Floats, share: float, spread: float
    ) -> tuple[Floats, Floats]:
        """Return what each map took, and the standard error of that.

        `by_nature` is what hosts of entries take by nature, `longer` what they took beyond it.
        Where the host in the middle took far longer than in the maps around, the quicker ones show
        whether all did, as half of them may be slow. Where these did, too, the whole machine is
        slower or most of the hosts are: it is not known which, and the error is infinite.
        """
        maps, places = len(self.error), np.arange(len(self.error))
        sizes = np.bincount(self.of_map[~np.isnan(longer)], minlength=maps)
        of_host = np.hypot(spread, self.error)
        errors = of_host * np.sqrt(pi / 2 / np.maximum(1, sizes))
        middle = quantiles(self.of_map, longer, maps, share)
        quick = quantiles(self.of_map, longer, maps, _QUICKER_PART)
        levels, whole = middle.copy(), np.where(sizes >= FEWEST_UNITS, middle, np.nan)
        for number in np.flatnonzero(sizes >= FEWEST_UNITS).tolist():
            around = _Around.of(np.where(places == number, np.nan, whole), number)
            most = inf if around is None else around.usual + around.reach(errors[number])
            if quick[number] > most:
                errors[number] = inf
            elif middle[number] > most and around is not None:
                levels[number] = max(around.usual, quick[number])
        # by their own map, as the retests are of those that look slow
        taken = np.where(
            (sizes < FEWEST_UNITS)[self.of_map], by_nature, longer + by_nature - levels[self.of_map]
        )
        beyond = self.alone.levels - far[self.alone.way] - self.alone.slower(taken)
        of_alone = quantiles(self.alone.of_map, beyond, maps, 0.5)
        for number in np.flatnonzero((sizes > 0) & (sizes < FEWEST_UNITS)).tolist():
            is_here = np.isin(self.host, self.host[self.of_map == number])
            shares = np.bincount(self.of_map[is_here], minlength=maps) > 0
            others = np.where(shares, np.nan, of_alone)
            if np.isnan(others).all():
                others = np.where(places == number, np.nan, of_alone)
            around = _Around.of(others, number)
            # two hosts have one pair, three have two values
            errors[number] = of_host[number] / sqrt(max(1, sizes[number] - 1))
            if around is not None:
                levels[number], errors[number] = around.drawn(
                    longer[self.of_map == number], errors[number]
                )
        return levels, errors


@dataclass(frozen=True)
class _Around:
    """What maps measured before and after one took, and by how much they differ from day to day."""

    usual: float
    by_day: float

    @classmethod
    def of(cls, others: Floats, place: int) -> "_Around | None":
        """Take the nearest of the others that are known; None where none is."""
        known = np.flatnonzero(~np.isnan(others))
        near = others[known[np.argsort(abs(known - place), kind="stable")[:NEAREST]]]
        if not near.size:
            return None
        return cls(float(np.median(near)), max(deviation_of_most(near), LEAST_MAP_SPREAD))

    def reach(self, error: float) -> float:
        """Return how far off a level with this error is no chance, and enough to hide a host."""
        return max(_STEP, _FAR_OFF * hypot(self.by_day, error))

    def drawn(self, levels: Floats, error: float) -> tuple[float, float]:
        """Return the level of a map of few hosts and its error, drawn to the others.

        Of the `levels` by each of its hosts, one of which may be mended, counts the nearest. One
        that lies far above says that a host is slow, or all are: it is not known which, and the
        others count. No host is quicker than it can be: one that lies far below counts.
        """
        level = float(levels[np.nanargmin(abs(levels - self.usual))])
        if level > self.usual + self.reach(error):
            return self.usual, self.by_day
        if level < self.usual - self.reach(error):
            return level, error
        weight = self.by_day**2 / (self.by_day**2 + error**2)
        return self.usual + weight * (level - self.usual), self.by_day * sqrt(1 - weight)


def moderated(deviation: float, hosts: int) -> float:
    """Return by how much hosts differ by nature: as so many do, with what is known before."""
    return sqrt((WORTH * NATURE**2 + hosts * deviation**2) / (WORTH + hosts))


def _far(pairs: _Pairs, host: Ints, beyond: Floats, before: Floats) -> Floats:
    """Return how much longer each way takes than the commonest one.

    A way that only the pairs of one host show stays as it was.
    """
    count, hosts = len(before), int(host.max(initial=-1)) + 1
    often = np.bincount(pairs.way, minlength=count)
    ends = np.concatenate([host[pairs.first], host[pairs.second]])
    of_host = np.bincount(np.tile(pairs.way, 2) * hosts + ends, minlength=count * hosts)
    of_one = of_host.reshape(count, hosts).max(axis=1, initial=0) == often
    far: Floats = np.where(of_one, before, quantiles(pairs.way, beyond, count, 0.5))
    far -= far[int(often.argmax())]
    return far


def _by_other_maps(host: Ints, longer: Floats) -> Floats:
    """Return of each entry what its host took in the quicker part of its other maps; 0 without any.

    By its own map it would be as usual there, whatever that took.
    """
    order = np.lexsort((longer, host))
    every = np.bincount(host)
    known = np.bincount(host, ~np.isnan(longer), len(every)).astype(np.int64)
    begin = np.repeat(np.cumsum(every) - every, every)
    rank = np.arange(len(host)) - begin
    others = np.repeat(known, every) - (rank < np.repeat(known, every))
    place = np.floor(_QUICKER_PART * np.maximum(0, others - 1)).astype(np.int64)
    place += rank <= place
    by_others = np.zeros(len(host))
    some = others > 0
    by_others[order[some]] = longer[order[(begin + place)[some]]]
    return by_others
