"""Made-up histories of fleets, of which maps of pairs measure some hosts, day by day."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from slow_hosts.machine import BOTH, Machine
from slow_hosts.machine import Fault as OfMachine
from slow_hosts.networks import tree

from beff.maps.fleet_fit import MapOfFleet
from support.machines.measure import map_of

MACHINE = "machine"
"""Where a fault is everywhere."""
LONG = ("long",)


@dataclass(frozen=True)
class Fault:
    """A host, a leaf or MACHINE takes `factor` times as long from a day on, until before another.

    That of a leaf is its uplink: it counts for pairs that leave the leaf. It must be named on each
    day from `by_day` on, and may be until before `clear_by`. It is there in a `share` of the maps.
    """

    where: str
    from_day: float
    factor: float
    by_day: float = math.inf
    to_day: float = math.inf
    clear_by: float = math.inf
    kinds: tuple[str, ...] = BOTH
    share: float = 1.0

    def is_there(self, day: float) -> bool:
        """Whether it is, in a map of this day."""
        luck = np.random.default_rng(round(day * 1e6)).random()
        return self.from_day <= day < self.to_day and luck < self.share


@dataclass(frozen=True)
class Site:
    """What is true of a fleet and how it is measured; deviations are of logarithms of times.

    * Hosts differ by `spread`, maps as a whole by `map_spread`, and the machine walks by
      `drift_per_week`; `kinds` is the share of the leaves
      whose hosts take so many times as long by nature, `replaced` a leaf whose hosts are new ones
      from a day on, with a factor.
    * Idle are neighbours, `stretch` of them on average; shares of the maps have two or three hosts
      (`tiny`) or 64 (`big`). In the first map from each of the days `disturbed`, noise is ten times
      as large. In each map other jobs make a share of the uplinks slower by a factor (`loaded`).
    """

    hosts: int = 96
    leaf: int = 16
    per_map: int = 16
    maps_a_day: float = 2.0
    days: float = 120.0
    noise: float = 0.03
    spread: float = 0.02
    map_spread: float = 0.01
    drift_per_week: float = 0.01
    hop: float = 1.15
    kinds: tuple[float, float] = (0.0, 1.0)
    replaced: tuple[int, float, float] = (0, math.inf, 1.0)
    faults: tuple[Fault, ...] = ()
    known_switches: bool = True
    passes: int = 6
    stretch: float = 4.0
    model: str = "max"
    tiny: float = 0.0
    big: float = 0.0
    disturbed: tuple[float, ...] = ()
    loaded: tuple[float, float] = (0.0, 1.0)


def maps_of(seed: int, **of_site: Any) -> Iterator[MapOfFleet]:
    """Yield the history of a `Site`, the oldest first; faults change nothing else of it."""
    site, chance = Site(**of_site), np.random.default_rng((seed, 0))
    leaves = np.arange(site.hosts) // site.leaf
    count = leaves[-1] + 1
    others = chance.permutation(count)[: round(site.kinds[0] * count)]
    nature, new = np.exp(chance.normal(0, site.spread, (2, site.hosts)))
    nature[np.isin(leaves, others)] *= site.kinds[1]
    place, since, factor = site.replaced
    last_day = level = 0.0
    for number in range(round(site.days * site.maps_a_day)):
        chance = np.random.default_rng((seed, 1, number))
        day = (number + chance.random()) / site.maps_a_day
        own = np.where((leaves == place) & (day >= since), factor * new, nature)
        level += chance.normal(0, site.drift_per_week / math.sqrt(7 * site.maps_a_day))
        own *= np.exp(level + chance.normal(0, site.map_spread))
        units = _idle_hosts(site, chance)
        loaded = np.flatnonzero(chance.random(count) < site.loaded[0])
        here = [one for one in site.faults if one.is_there(day)]
        here += [Fault(f"leaf{leaf:02}", 0, site.loaded[1], kinds=LONG) for leaf in loaded]
        is_loud = any(last_day < one <= day for one in site.disturbed)
        machine = Machine(
            tree(([np.sum(leaves[units] == one) for one in range(count)], site.hop, 1.0)),
            spread=0.0,
            noise=site.noise * (10 if is_loud else 1),
            passes=site.passes,
            model=site.model,
            natural=tuple(own[units]),
            faults=tuple(_on(one, units.tolist(), leaves[units].tolist()) for one in here),
        )
        pairs = map_of(machine, 1000 * seed + number)
        names = tuple(f"n{unit:03}" for unit in units)
        switches = tuple(("root", f"leaf{leaf:02}") for leaf in leaves[units])
        pairs = replace(pairs, names=names)
        yield MapOfFleet(day, pairs, switches if site.known_switches else None)
        last_day = day


def _on(fault: Fault, units: list[int], leaves: list[int]) -> OfMachine:
    """Return the fault of the hosts that a map has."""
    places = range(len(units))
    if fault.where.startswith("leaf"):
        inside = [leaf == int(fault.where[4:]) for leaf in leaves]
        pairs = tuple((a, b) for a in places for b in places if inside[a] != inside[b])
        return OfMachine(fault.factor, pairs=pairs, kinds=fault.kinds)
    hit = (place for place in places if fault.where in {MACHINE, f"n{units[place]:03}"})
    return OfMachine(fault.factor, hosts=tuple(hit), kinds=fault.kinds)


def _idle_hosts(site: Site, chance: np.random.Generator) -> np.ndarray[Any, Any]:
    """Return whoever is idle: stretches of neighbours, as jobs leave them."""
    luck, count = chance.random(), site.per_map
    if luck < site.tiny:
        count = int(chance.integers(2, 4))
    elif luck > 1 - site.big:
        count = 64
    idle: set[int] = set()
    while len(idle) < min(count, site.hosts):
        begin, length = int(chance.integers(site.hosts)), int(chance.geometric(1 / site.stretch))
        idle.update(range(begin, min(begin + length, site.hosts, begin + count - len(idle))))
    return np.array(sorted(idle))
