"""At most 80 machines, each with what must be said of it: written before anything judged them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from slow_hosts import networks
from slow_hosts.machine import Fault, Job, Machine
from slow_hosts.networks import Network, crossbar, dragonfly, rails, torus, tree
from slow_hosts.truth import Must, Truth

SHORT: dict[str, Any] = {"kinds": ("short",)}
LONG: dict[str, Any] = {"kinds": ("long",)}
Plant = Callable[[int, np.random.Generator], tuple[Fault, Truth]]
"""Draws, of so many hosts, what is faulty."""

GOOD = Must(open=0.05, innocents=0.001)
"""Of hosts that differ by 2 %."""
WIDE = Must(open=0.25, innocents=0.001)
"""Of hosts that differ by 5 %."""
MOST, ALL = Must(named=0.95, good=0.05), Must(named=0.99, good=0.01)
"""Of a host x1.2, and of one from x1.3 on."""
SURE, OFTEN, NINE = (Must(named=share, good=0.0) for share in (0.99, 0.95, 0.9))
"""From x1.5 on nobody may take it for good; named less often where it is hard to see."""


def undecided(because: str) -> Must:
    """Return that a sound machine may be open for this reason."""
    return Must(innocents=0.001, because=because)


def seen(because: str, good: float = 0.0) -> Must:
    """Return that a fault need not be named, but may not be good, for this reason."""
    return Must(good=good, because=because)


@dataclass(frozen=True, eq=False)
class Row:
    """A machine, what must be said of it, and what is planted in it. `leaf` is given if `told`."""

    name: str
    machine: Machine
    must: Must
    plant: Plant | None = None
    told: bool = False

    @cached_property
    def is_clean(self) -> bool:
        """Whether nothing is faulty."""
        return self.draw(0)[1].is_clean

    def draw(self, seed: int) -> tuple[Machine, Truth]:
        """Return the machine of a seed and what is true of it."""
        if self.plant is None:
            return self.machine, Truth()
        fault, truth = self.plant(self.machine.hosts, np.random.default_rng((seed, 9)))
        return replace(self.machine, faults=(fault,)), truth

    def leaves(self, truth: Truth) -> list[str] | None:
        """Return the switch that is said to be above each host."""
        if not self.told:
            return None
        leaf = self.machine.network.leaf.copy()
        swapped = sorted(truth.swapped)
        leaf[swapped] = leaf[swapped[::-1]]
        return [f"leaf{one}" for one in leaf.tolist()]


def host(factor: float, count: int = 1, among: range | None = None, **more: Any) -> Plant:
    """Plant slow hosts, drawn of all or of some."""

    def draw(hosts: int, chance: np.random.Generator) -> tuple[Fault, Truth]:
        slow = tuple(chance.choice(among or range(hosts), count, replace=False).tolist())
        return Fault(factor, hosts=slow, **more), Truth(hosts=frozenset(slow))

    return draw


def link(factor: float, ends: tuple[int, int] | None = None) -> Plant:
    """Plant a slow link between two hosts."""

    def draw(hosts: int, chance: np.random.Generator) -> tuple[Fault, Truth]:
        one, other = ends or sorted(chance.choice(hosts, 2, replace=False).tolist())
        found = Truth(links=frozenset({frozenset({one, other})}))
        return Fault(factor, pairs=((one, other),)), found

    return draw


def uplink(network: Network, factor: float, among: range | None = None) -> Plant:
    """Plant an uplink, up and down, that carries less: drawn of all leaves or of some."""
    some = among or range(network.leaf.max() + 1)
    return lambda hosts, chance: (
        Fault(factor, links=network.uplink(some[int(chance.integers(len(some)))])),
        Truth(uplink=True),
    )


def one_rail(count: int, factor: float) -> Plant:
    """Plant a host with one slow port of several."""

    def draw(hosts: int, chance: np.random.Generator) -> tuple[Fault, Truth]:
        slow = int(chance.integers(hosts))
        met = np.flatnonzero(
            (networks.rail_of(hosts, count)[slow] == 0) & (np.arange(hosts) != slow)
        )
        pairs = tuple((min(slow, other), max(slow, other)) for other in met.tolist())
        return Fault(factor, pairs=pairs), Truth(hosts=frozenset({slow}))

    return draw


def swapped(network: Network) -> Plant:
    """Plant two hosts that are on each other's leaf."""

    def draw(hosts: int, chance: np.random.Generator) -> tuple[Fault, Truth]:
        one, other = chance.choice(network.leaf.max() + 1, 2, replace=False)
        ends = [int(chance.choice(np.flatnonzero(network.leaf == leaf))) for leaf in (one, other)]
        return Fault(1.0), Truth(swapped=frozenset(ends))

    return draw


def flat(hosts: int, **more: Any) -> Machine:
    """Return a crossbar of so many, on which something may be other than usual."""
    return Machine(crossbar(hosts), **more)


NOISY: dict[str, Any] = {"noise": 0.1}
WIDE_5: dict[str, Any] = {"spread": 0.05}
LOUD: dict[str, Any] = {**NOISY, **WIDE_5}
FLAT = {hosts: flat(hosts) for hosts in (4, 5, 8, 16, 32, 64)}
TWO_OF_2, TWO_OF_8 = Machine(tree(([2, 2], 1.3, 1))), Machine(tree(([8, 8], 1.25, 1)))
SMALL, SINGLE = Machine(tree(([14, 2], 1.25, 1))), Machine(tree(([15, 1], 1.25, 1)))
ALL_OF_2 = Machine(tree(([2] * 8, 1.2, 1)))
MIXED = Machine(tree(([5, 3, 6, 2], 1.3, 1), mixed=True))
TAPERED = Machine(tree(([4] * 4, 1.2, 2)))
FOUR_OF_8, EVEN = (Machine(tree(([8] * 4, hop, 1))) for hop in (1.15, 1))
LEVELS = Machine(tree(([4] * 4, 1.15, 1), ([8, 8], 1.4, 2)))
DEEP = Machine(tree(([8] * 8, 1.1, 1), ([16] * 4, 1.3, 2), ([32] * 2, 1.5, 2)))
TORUS, LARGE_TORUS = Machine(torus(4, 2, 2)), Machine(torus(4, 4, 4))
FLY, LARGE_FLY = Machine(dragonfly(4, 2, 2)), Machine(dragonfly(8, 4, 2))
RAILS = Machine(rails(16, 2, 1.1))
RANDOM, WILD = (Machine(networks.random_rates(16, scatter)) for scatter in (0.05, 0.15))
TWO_KINDS = replace(FLAT[16], natural=(1.0, 1.3) * 8)
BUSY, BUSY_FLY = (replace(one, job=Job()) for one in (TAPERED, LARGE_FLY))
LAST = range(14, 16)
HALF = "half of the hosts are slower"
BEHIND = "behind a switch of its own, or slow"
A_JOB = "somebody else's job comes and goes"
UNSEEN = "no groups explain these pairs"
PORT = "the host or its links"
AT_TIMES = seen("at times", 0.05)
STRETCHES: dict[str, Any] = {"time": 0.3, "stretch": 15}
"""Of a round robin of 16 hosts, one pass."""


CLEAN = (
    *((f"crossbar, {hosts} hosts", FLAT[hosts], GOOD) for hosts in (4, 8, 16, 64)),
    ("crossbar, 16 hosts, 1 pass", flat(16, passes=1), GOOD),
    ("crossbar, 16 hosts, 2 passes, no retests", flat(16, passes=2, retests=False), GOOD),
    ("crossbar, 16 hosts, 40 passes", flat(16, passes=40), GOOD),
    ("crossbar, 8 hosts, spread 0 %", flat(8, spread=0.0), GOOD),
    ("crossbar, 4 hosts, noise 10 %, spread 5 %", flat(4, **LOUD), WIDE),
    ("crossbar, 16 hosts, noise 10 %", flat(16, **NOISY), GOOD),
    ("crossbar, 16 hosts, spread 5 %", flat(16, **WIDE_5), WIDE),
    ("crossbar, 16 hosts, noise 10 %, spread 5 %, 1 pass", flat(16, **LOUD, passes=1), WIDE),
    ("crossbar, 64 hosts, noise 10 %", flat(64, **NOISY), GOOD),
    ("crossbar, 16 hosts, 3 % of times far off", flat(16, tails=0.03), undecided("wide scatter")),
    ("2+2 x1.3", TWO_OF_2, GOOD),
    ("6+2 x1.3", Machine(tree(([6, 2], 1.3, 1))), GOOD),
    ("8+8 x1.25", TWO_OF_8, GOOD),
    ("8+8 x1.25, spread 5 %", replace(TWO_OF_8, **WIDE_5), WIDE),
    ("14+2 x1.25", SMALL, GOOD),
    ("14+2 x1.25, noise 10 %, spread 5 %", replace(SMALL, **LOUD), WIDE),
    ("8 leaves of 2 x1.2", ALL_OF_2, GOOD),
    ("5+3+6+2 x1.3, numbered at random", MIXED, GOOD),
    ("4 leaves of 4 x1.2, 2:1", TAPERED, GOOD),
    ("4 leaves of 8 x1.15, switches told", FOUR_OF_8, GOOD, None, True),
    ("4 leaves of 8 x1, switches told", EVEN, GOOD, None, True),
    ("three levels, 16 hosts", LEVELS, GOOD),
    ("four levels, 64 hosts", DEEP, GOOD),
    ("15+1 x1.25", SINGLE, undecided(BEHIND)),
    ("torus, 16 hosts", TORUS, GOOD),
    ("torus, 64 hosts", LARGE_TORUS, GOOD),
    ("dragonfly, 16 hosts", FLY, GOOD),
    ("dragonfly, 64 hosts", LARGE_FLY, GOOD),
    ("two rails, 16 hosts", RAILS, GOOD),
    ("each pair its own rate, 5 %", RANDOM, GOOD),
    ("each pair its own rate, 15 %", WILD, undecided(UNSEEN)),
    ("two kinds of hosts x1.3", TWO_KINDS, undecided(HALF)),
    ("4 leaves of 4, 2:1, somebody else's job", BUSY, undecided(A_JOB)),
    ("dragonfly, 64 hosts, somebody else's job", BUSY_FLY, undecided(A_JOB)),
)
FAULTY = (
    ("crossbar, 16 hosts: host x1.2", FLAT[16], MOST, host(1.2)),
    ("crossbar, 16 hosts: host x1.3", FLAT[16], ALL, host(1.3)),
    ("crossbar, 16 hosts: host x1.5", FLAT[16], SURE, host(1.5)),
    ("crossbar, 16 hosts: host x1.3 (max)", flat(16, model="max"), ALL, host(1.3)),
    ("crossbar, 16 hosts: host x1.3 (sum)", flat(16, model="sum"), ALL, host(1.3)),
    ("crossbar, 16 hosts: host x1.3 in long", FLAT[16], ALL, host(1.3, **LONG)),
    ("crossbar, 16 hosts: host x1.3 in short", FLAT[16], seen(BEHIND, 0.01), host(1.3, **SHORT)),
    ("crossbar, 16 hosts: host x1.5 in short", FLAT[16], seen(BEHIND), host(1.5, **SHORT)),
    ("crossbar, 16 hosts, 1 pass: host x1.3", flat(16, passes=1, retests=False), ALL, host(1.3)),
    ("crossbar, 16 hosts, noise 10 %, spread 5 %: host x1.5", flat(16, **LOUD), OFTEN, host(1.5)),
    ("crossbar, 4 hosts: host x1.5", FLAT[4], OFTEN, host(1.5)),
    ("crossbar, 4 hosts: two x2", FLAT[4], seen(HALF), host(2.0, count=2)),
    ("crossbar, 5 hosts, noise 10 %, spread 5 %: host x2", flat(5, **LOUD), OFTEN, host(2.0)),
    ("crossbar, 8 hosts: host x1.2", FLAT[8], MOST, host(1.2)),
    ("crossbar, 8 hosts: host x1.5 in long", FLAT[8], SURE, host(1.5, **LONG)),
    ("crossbar, 32 hosts: host x1.2", FLAT[32], MOST, host(1.2)),
    ("crossbar, 64 hosts: host x1.3 in long", FLAT[64], ALL, host(1.3, **LONG)),
    ("crossbar, 16 hosts: two x1.3", FLAT[16], ALL, host(1.3, count=2)),
    ("crossbar, 16 hosts: a third x1.3", FLAT[16], MOST, host(1.3, count=5)),
    ("two kinds of hosts x1.3: host x2", TWO_KINDS, seen(HALF), host(2.0)),
    ("2+2 x1.3: host x2 in long", TWO_OF_2, OFTEN, host(2.0, **LONG)),
    ("8+8 x1.25: host x1.3", TWO_OF_8, ALL, host(1.3)),
    ("14+2 x1.25: of the two, host x1.3 in long", SMALL, MOST, host(1.3, among=LAST, **LONG)),
    ("14+2 x1.25: of the two, host x1.5", SMALL, SURE, host(1.5, among=LAST)),
    ("8 leaves of 2 x1.2: host x1.5", ALL_OF_2, SURE, host(1.5)),
    ("15+1 x1.25: the one x2", SINGLE, seen(BEHIND), host(2.0, among=range(15, 16))),
    ("4 leaves of 4, 2:1: host x1.5", TAPERED, OFTEN, host(1.5)),
    ("four levels, 64 hosts: host x1.5", DEEP, SURE, host(1.5)),
    ("torus, 16 hosts: host x1.5", TORUS, NINE, host(1.5)),
    ("torus, 64 hosts: host x1.5", LARGE_TORUS, NINE, host(1.5)),
    ("dragonfly, 64 hosts: host x1.5", LARGE_FLY, NINE, host(1.5)),
    ("two rails, 16 hosts: host x1.5", RAILS, SURE, host(1.5)),
    ("two rails, 16 hosts: one port x2", RAILS, seen(PORT), one_rail(2, 2.0)),
    ("each pair its own rate, 5 %: host x1.5", RANDOM, SURE, host(1.5)),
    ("4 leaves of 4, 2:1, somebody else's job: host x1.5", BUSY, seen(A_JOB), host(1.5)),
    ("crossbar, 16 hosts: link x1.5", FLAT[16], MOST, link(1.5)),
    ("crossbar, 16 hosts: link x2", FLAT[16], SURE, link(2.0)),
    ("14+2 x1.25: the link of the two x2", SMALL, seen("the only one inside"), link(2.0, (14, 15))),
    ("4 leaves of 4, 2:1: uplink at a third", TAPERED, seen("taper"), uplink(TAPERED.network, 3)),
    ("crossbar, 16 hosts: host x4 in 20 %", FLAT[16], AT_TIMES, host(4.0, time=0.2)),
    ("crossbar, 16 hosts: x2 in stretches", flat(16, passes=10), AT_TIMES, host(2.0, **STRETCHES)),
    ("4 leaves of 8: two swapped", FOUR_OF_8, ALL, swapped(FOUR_OF_8.network), True),
)


def rows() -> list[Row]:
    """Return all: what is sound, then what is not."""
    return [Row(*one) for one in (*CLEAN, *FAULTY)]
