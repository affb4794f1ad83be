"""Machines with and without switches within switches, and what is said of their maps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from beff.maps.joined import joined, met_most
from beff.maps.nested import Nested, nested
from beff.maps.pair_map import Mask, PairMap
from support.machines.dragonfly import Dragonfly
from support.machines.faults import Fault
from support.machines.leaves import Leaves, Level
from support.machines.machine import Machine
from support.machines.measure import map_of
from support.machines.noise import Noise
from support.machines.rates import Rates
from support.machines.torus import Torus
from support.machines.ways import Flat, Ints, Topology

Chance = np.random.Generator
SAID = ("right", "part", "open", "wrong")


def _two(chance: Chance) -> Topology:
    sizes = chance.integers(3, 10, int(chance.integers(2, 6))).tolist()
    sizes += [2, 1] * (len(sizes) > 2)
    return Leaves(
        (Level(tuple(sizes), float(chance.choice([1.15, 1.3]))),), int(chance.integers(99))
    )


def _three(chance: Chance) -> Topology:
    leaves = chance.integers(2, 4, int(chance.integers(2, 4)))
    sizes = [chance.integers(2, 6, count).tolist() for count in leaves]
    lowest = Level(tuple(chain.from_iterable(sizes)), 1.15)
    return Leaves((lowest, Level(tuple(map(sum, sizes)), 1.3)), int(chance.integers(99)))


def _tree(chance: Chance) -> Topology:
    return (_two if chance.random() < 0.5 else _three)(chance)


def _flat(chance: Chance) -> Topology:
    return Flat(int(chance.integers(6, 40)))


def _torus(chance: Chance) -> Topology:
    x, y, z = chance.integers((2, 3, 1), (5, 6, 5)).tolist()
    return Torus((x, y, z), float(chance.uniform(0.04, 0.1)))


def _dragonfly(chance: Chance) -> Topology:
    groups, routers, hosts = chance.integers((3, 2, 1), (6, 5, 5)).tolist()
    detour = float(chance.choice([0.0, 0.3]))
    return Dragonfly(groups, routers, max(hosts, 2), detour=detour)


def _rates(chance: Chance) -> Topology:
    return Rates(int(chance.integers(6, 33)), float(chance.choice([0.05, 0.1, 0.3])), 1)


@dataclass(frozen=True)
class SwitchRow:
    """Machines that a seed draws, and of how many maps of which share of their hosts."""

    drawn: Callable[[Chance], Topology]
    maps: int = 1
    share: float = 1.0

    def said(self, seed: int) -> str:
        """Return how what is said of a machine compares with what is true.

        `right`; `part` where it is not known of some hosts; `open` where nothing is said; `wrong`.
        """
        chance = np.random.default_rng((seed, 5))
        topology = self.drawn(chance)
        slow = chance.choice(topology.units, int(chance.integers(0, 3)), replace=False).tolist()
        faults = tuple(Fault(float(chance.uniform(1.2, 2)), hosts=(host,)) for host in slow)
        noise = Noise(float(chance.choice([0.01, 0.03, 0.05])))
        machine = Machine(topology, faults=faults, noise=noise, passes=20)
        whole = [map_of(machine, seed, day) for day in range(self.maps)]
        pairs = joined([part_of(one, _some(one.units, self.share, chance)) for one in whole])
        here = met_most(pairs)
        seen = nested(pairs.of(here))
        if not seen.is_told or not seen.explains or not seen.is_known:
            return "open"
        if not _is_true(seen, topology):
            return "wrong"
        return "right" if here.all() and seen.placed.all() else "part"


SWITCH_ROWS = {
    "2 levels": SwitchRow(_two),
    "3 levels": SwitchRow(_three),
    "2 or 3, six maps of half of the hosts": SwitchRow(_tree, 6, 0.5),
    "2 or 3, twelve maps of half of the hosts": SwitchRow(_tree, 12, 0.5),
    "flat": SwitchRow(_flat),
    "torus": SwitchRow(_torus),
    "dragonfly": SwitchRow(_dragonfly),
    "random rates of pairs": SwitchRow(_rates),
}
"""Trees of 2 to 6 leaves or 2 to 3 pods, of 1 to 9 hosts a leaf, one of them alone; noise, and up
to two slow hosts, are drawn, too."""


def _some(units: int, share: float, chance: Chance) -> Ints:
    return np.sort(chance.permutation(units)[: max(4, round(share * units))])


def part_of(pairs: PairMap, here: Ints) -> PairMap:
    """Return the map of some of the hosts."""
    number = np.full(pairs.units, -1)
    number[here] = np.arange(len(here))
    first, second = number[pairs.first], number[pairs.second]
    kept: Mask = (first >= 0) & (second >= 0)
    return replace(
        pairs,
        names=tuple(pairs.names[host] for host in here),
        **{name: getattr(pairs, name)[kept] for name in ("passes", "rounds")},
        first=first[kept],
        second=second[kept],
        times={kind: times[kept] for kind, times in pairs.times.items()},
    )


def _is_true(seen: Nested, topology: Topology) -> bool:
    """Whether the hosts that are placed are together as they are."""
    if not isinstance(topology, Flat | Leaves):
        return False
    place = np.array([int(name[1:]) for name in seen.names])[seen.placed]
    true = [level[place] for level in topology.group_of] if isinstance(topology, Leaves) else []
    found = [level[seen.placed] for level in seen.labels]
    return len(true) == len(found) and all(map(_same, true, found))


def _same(ones: Ints, others: Ints) -> bool:
    return bool(((ones[:, None] == ones) == (others[:, None] == others)).all())
