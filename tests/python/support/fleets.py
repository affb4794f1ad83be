"""Made-up histories of a fleet, of which maps of pairs measure some hosts, day by day.

What is true of it is planted here; how it is judged is not known here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from beff.definition.imported_pairs import KINDS
from beff.maps.pair_map import PairMap
from beff.maps.topology import Switches
from support.fleet_maps import Hosts, pairs_of
from support.machines.ways import Floats, Ints

MACHINE = "machine"
"""Where a fault is everywhere."""

_WALK_PER_WEEK = 0.002
"""Standard deviation of what a host does by itself."""


@dataclass(frozen=True)
class MapOf:
    """A map, its day from the begin of the history, and the switches of its names, if known."""

    day: float
    pairs: PairMap
    switches: tuple[Switches, ...] | None


@dataclass(frozen=True)
class Fault:
    """A host, a leaf or MACHINE takes `factor` times as long from a day on, until before another.

    That of a leaf is its uplink: it counts for what leaves or enters, not for pairs inside. It is
    there in this `share` of the maps, as drawn.
    """

    where: str
    from_day: float
    factor: float
    to_day: float = math.inf
    kinds: tuple[str, ...] = KINDS
    share: float = 1.0

    def factor_on(self, day: float, kind: str) -> float:
        """Return the factor that it has on this day for messages of this kind."""
        is_there = self.from_day <= day < self.to_day and kind in self.kinds
        return self.factor if is_there and _luck(day).random() < self.share else 1.0


@dataclass(frozen=True)
class Fleet:
    """Maps in the order of their days, and the truth about who is slow."""

    maps: tuple[MapOf, ...]
    faults: tuple[Fault, ...]

    def factor(self, where: str, day: float, kind: str) -> float:
        """Return by what the faults of just this host, leaf or MACHINE multiply on a day."""
        return math.prod(a.factor_on(day, kind) for a in self.faults if a.where == where)

    def is_slow(self, where: str, day: float, kind: str | None = None) -> bool:
        """Return whether it has a fault on a day, for messages of this kind or any."""
        return any(self.factor(where, day, each) > 1 for each in ([kind] if kind else KINDS))

    def times_seen(self, host: str, from_day: float = 0.0, to_day: float = math.inf) -> int:
        """Return how many maps have times of a host in these days, the last one not included."""
        return sum(
            from_day <= each.day < to_day
            and host in each.pairs.names
            and bool(each.pairs.first.size)
            for each in self.maps
        )


@dataclass(frozen=True)
class Site:
    """What is true of a fleet and how it is measured; deviations are of logarithms of times.

    * Leaves have `leaf` hosts each; `hop`, `noise`, `passes` and `additive` are those of `Hosts`.
    * Hosts differ by `spread`, half of whose variance both kinds of messages have in common, and
      walk slowly. A map differs as a whole by `map_spread`; the machine walks by `drift_per_week`.
    * `kinds`: this share of the leaves has hosts that take so many times as long by nature.
    * `replaced_leaf`: the hosts of a leaf are new ones from a day on, by nature with a factor.
    * Idle are neighbours, `stretch` of them on average. Shares of the maps have two or three hosts
      (`tiny`), 64 (`big`), or one that never answers (`silent`). In the first map from each of the
      days `disturbed`, noise is ten times as large.
    * `loaded`: in each map other jobs make this share of the uplinks slower for long messages by a
      factor.
    """

    hosts: int = 500
    leaf: int = 16
    per_map: int = 16
    maps_a_day: float = 2.0
    days: float = 120.0
    noise: float = 0.03
    spread: float = 0.02
    drift_per_week: float = 0.01
    map_spread: float = 0.01
    hop: float = 1.15
    kinds: tuple[float, float] | None = None
    replaced_leaf: tuple[str, float, float] | None = None
    faults: tuple[Fault, ...] = ()
    known_switches: bool = True
    passes: int = 20
    stretch: float = 4.0
    additive: bool = False
    tiny: float = 0.0
    big: float = 0.0
    silent: float = 0.0
    disturbed: tuple[float, ...] = ()
    loaded: tuple[float, float] = (0.0, 1.0)


def host_name(host: int) -> str:
    """Return the name of a host by its number; numbers run through the leaves."""
    return f"n{host:03d}"


def leaf_name(leaf: int) -> str:
    """Return the name of a leaf by its number."""
    return f"leaf{leaf:02d}"


def _luck(day: float) -> np.random.Generator:
    return np.random.default_rng(round(day * 1e6))


def fleet_of(seed: int, **of_site: Any) -> Fleet:
    """Return the history of a `Site`; with the same seed, faults change nothing else of it."""
    site = Site(**of_site)
    nature = _Nature(site, np.random.default_rng((seed, 0)))
    there = {MACHINE, *nature.names.tolist(), *nature.leaves.tolist()}
    assert there.issuperset(fault.where for fault in site.faults), "a fault of what is not there"
    count = round(site.days * site.maps_a_day)
    within = np.random.default_rng((seed, 1)).random(count)
    days = ((np.arange(count) + within) / site.maps_a_day).tolist()
    loud = {next((i for i, day in enumerate(days) if day >= each), -1) for each in site.disturbed}
    maps = (
        _map_of(nature, day, number in loud, np.random.default_rng((seed, 2, number)))
        for number, day in enumerate(days)
    )
    return Fleet(tuple(maps), site.faults)


class _Nature:
    """What hosts, leaves and the machine are like, day by day."""

    def __init__(self, site: Site, chance: np.random.Generator) -> None:
        self.site = site
        self.leaf_of = np.arange(site.hosts) // site.leaf
        self.names = np.array([host_name(host) for host in range(site.hosts)])
        self.leaves = np.array([leaf_name(leaf) for leaf in range(self.leaf_of[-1] + 1)])
        self.own = self._drawn(chance)
        weeks = int(site.days // 7) + 2
        steps = chance.normal(0, _WALK_PER_WEEK, (weeks, site.hosts, len(KINDS)))
        steps += chance.normal(0, site.drift_per_week, (weeks, 1, len(KINDS)))
        self.walks = np.cumsum(steps, axis=0)
        self.new = self._drawn(chance)
        if site.kinds is not None:
            share, factor = site.kinds
            count = round(share * len(self.leaves))
            others = chance.choice(len(self.leaves), count, replace=False)
            for logs in (self.own, self.new):
                logs[np.isin(self.leaf_of, others)] += math.log(factor)

    def _drawn(self, chance: np.random.Generator) -> Floats:
        """Return by how much hosts differ, by kind of messages."""
        parts = chance.normal(0, self.site.spread * math.sqrt(0.5), (self.site.hosts, 3))
        return parts[:, :1] + parts[:, 1:]

    def of_hosts(self, day: float) -> dict[str, Floats]:
        """Return the factor of each host on a day."""
        week = int(day // 7)
        share = day / 7 - week
        logs = self.own + (1 - share) * self.walks[week] + share * self.walks[week + 1]
        if self.site.replaced_leaf is not None:
            leaf, since, factor = self.site.replaced_leaf
            if day >= since:
                there = self.leaves[self.leaf_of] == leaf
                logs[there] += (self.new - self.own)[there] + math.log(factor)
        return self._with_faults(np.exp(logs), self.names, day)

    def of_uplinks(self, day: float) -> dict[str, Floats]:
        """Return the factor of the uplink of each leaf on a day."""
        share, factor = self.site.loaded
        factors = np.ones((len(self.leaves), len(KINDS)))
        factors[_luck(day).random(len(self.leaves)) < share, KINDS.index("large")] = factor
        return self._with_faults(factors, self.leaves, day)

    def of_machine(self, day: float, kind: str) -> float:
        """Return the factor that everything has on a day."""
        faults = (fault for fault in self.site.faults if fault.where == MACHINE)
        return math.prod(fault.factor_on(day, kind) for fault in faults)

    def _with_faults(self, factors: Floats, names: Any, day: float) -> dict[str, Floats]:
        for number, kind in enumerate(KINDS):
            for fault in self.site.faults:
                factors[names == fault.where, number] *= fault.factor_on(day, kind)
        return {kind: factors[:, number] for number, kind in enumerate(KINDS)}


def _map_of(nature: _Nature, day: float, is_loud: bool, chance: np.random.Generator) -> MapOf:
    site = nature.site
    units = _idle_hosts(site, chance)
    leaf = nature.leaf_of[units]
    hosts, uplinks = nature.of_hosts(day), nature.of_uplinks(day)
    of_map = np.exp(chance.normal(0, site.map_spread, len(KINDS))).tolist()
    whole = {kind: of_map[i] * nature.of_machine(day, kind) for i, kind in enumerate(KINDS)}
    silent = int(chance.integers(len(units))) if chance.random() < site.silent else None
    there = Hosts(
        names=tuple(nature.names[units].tolist()),
        leaf=leaf,
        own={kind: hosts[kind][units] * whole[kind] for kind in KINDS},
        uplink={kind: uplinks[kind][leaf] for kind in KINDS},
        hop=site.hop,
        additive=site.additive,
        noise=10 * site.noise if is_loud else site.noise,
        passes=site.passes,
        silent=silent,
    )
    switches = tuple(("root", name) for name in nature.leaves[leaf].tolist())
    return MapOf(day, pairs_of(there, chance), switches if site.known_switches else None)


def _idle_hosts(site: Site, chance: np.random.Generator) -> Ints:
    """Return whoever is idle: stretches of neighbours, as jobs leave them."""
    luck = chance.random()
    count = site.per_map
    if luck < site.tiny:
        count = int(chance.integers(2, 4))
    elif luck > 1 - site.big:
        count = 64
    found: set[int] = set()
    while len(found) < min(count, site.hosts):
        begin, length = int(chance.integers(site.hosts)), int(chance.geometric(1 / site.stretch))
        found.update(range(begin, min(begin + length, site.hosts, begin + count - len(found))))
    return np.array(sorted(found), dtype=np.int64)
