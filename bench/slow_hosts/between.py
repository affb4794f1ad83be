"""Machines that are slow between groups of hosts, or of which a part is seen, as in `rows`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from slow_hosts.machine import Fault, Machine
from slow_hosts.networks import Network, meshed, torus, tree
from slow_hosts.rows import (
    BEHIND,
    GOOD,
    LONG,
    SURE,
    Plant,
    Row,
    flat,
    host,
    rows,
    seen,
    undecided,
    uplink,
)
from slow_hosts.truth import Must, Truth


def never(because: str) -> Must:
    """Return that it may be neither good nor blamed on anyone else, and open for this reason."""
    return Must(good=0.0, innocents=0.0, because=because)


def way(network: Network, ports: float) -> Plant:
    """Plant a way between two leaves that carries so many ports, there and back together."""

    def draw(hosts: int, chance: np.random.Generator) -> tuple[Fault, Truth]:
        ways = network.links[..., -1]
        slow = int(chance.choice(np.unique(ways[ways >= 0])))
        ends = frozenset(map(frozenset, np.argwhere(ways == slow).tolist()))
        return Fault(network.room[slow] / ports, links=(slow,)), Truth(links=ends)

    return draw


def carries(machine: Machine, left: float, among: range) -> Plant:
    """Plant an uplink of some leaves or pods, of which this share is left."""
    return uplink(machine.network, 1 / left, among)


def adapter(factor: float, **more: Any) -> Plant:
    """Plant two hosts that are slow to all others, and quick with each other."""

    def draw(hosts: int, chance: np.random.Generator) -> tuple[Fault, Truth]:
        two = chance.choice(hosts, 2, replace=False).tolist()
        ends = [(one, far) for one in two for far in range(hosts) if far not in two]
        pairs = tuple(pair for one, far in ends for pair in ((one, far), (far, one)))
        return Fault(factor, pairs=pairs, **more), Truth(hosts=frozenset(two))

    return draw


def quarter(factor: float) -> Plant:
    """Plant that a quarter of the hosts are slower in long messages: of another kind, or faulty."""
    return lambda hosts, chance: (host(factor, hosts // 4, **LONG)(hosts, chance)[0], Truth())


def loaded(network: Network, leaf: int, left: float) -> Network:
    """Return it with an uplink of which somebody else leaves this share."""
    room = network.room.copy()
    room[list(network.uplink(leaf))] *= left
    return replace(network, room=room)


def leaves(*sizes: int, hop: float = 1.2, taper: float = 1) -> Machine:
    """Return leaves of these sizes."""
    return Machine(tree((sizes, hop, taper)))


def pods(taper: float) -> Machine:
    """Return three pods of four leaves of three hosts."""
    return Machine(tree(([3] * 12, 1.15, 1), ([12] * 3, 1.4, taper)))


OF_4, OF_8 = (Machine(meshed(tree(([size] * 4, 1.2, 1)))) for size in (4, 8))
PODS, POD_UPLINKS = pods(1), range(12, 15)
END_2, FIVES_2, UNEQUAL = leaves(4, 4, 4, 2), leaves(5, 5, 2), leaves(3, 7, 6)
NINE_3, LONE = leaves(9, 3), leaves(4, 4, 3, 1, hop=1.1)
LOADED = replace(LONE, network=loaded(LONE.network, 3, 0.7))
RING = Machine(torus(8))
ONCE: dict[str, Any] = {"passes": 1, "retests": False}
STARS = {hosts: flat(hosts, **ONCE, star=True) for hosts in (5, 9, 16)}
PAIR, PAIR_LONG = adapter(2.0), adapter(1.5, **LONG)
WARM, QUARTER = host(1.6, warms=True), quarter(1.4)
HUB_2 = host(2.0, among=range(1))
OF_3 = {factor: host(factor, among=range(9, 12)) for factor in (2, 3, 4)}
ONCE_14 = flat(14, **ONCE)
ALONE, NOBODY = replace(SURE, innocents=0.0), Must(innocents=0.0, because="it, or its uplink")
WAY, UPLINK = never("the way of two leaves, not their hosts"), seen("an uplink, or its taper")
TWO, KINDS = never("both, or what leads to both"), never("another kind of hosts, or faulty")
HUB, WARMS = never("who met one host only cannot be told from it"), never("not slow from the first")
NO_LIKE, CABLES = undecided("no leaf is like it"), undecided("pairs share cables, each its own")

BETWEEN = (
    ("4 leaves of 4 x1.2, full ways", OF_4, GOOD),
    ("4 leaves of 8 x1.2, full ways", OF_8, GOOD),
    ("3 pods of 4 leaves of 3", PODS, GOOD),
    ("3 pods of 4 leaves of 3, pods 2:1", pods(2), GOOD),
    ("4+4+4+2 x1.2", END_2, GOOD),
    ("4+4+4+2 x1.2, 2:1", leaves(4, 4, 4, 2, taper=2), NO_LIKE),
    ("3+7+6 x1.2", UNEQUAL, GOOD),
    ("3+7+6 x1.2, 2:1", leaves(3, 7, 6, taper=2), NO_LIKE),
    ("9+3 x1.2, switches told", NINE_3, GOOD, None, True),
    ("4+4+3+1 x1.1", LONE, undecided(BEHIND)),
    ("4+4+3+1 x1.1, uplink of the one at .7", LOADED, NOBODY),
    ("4+4+3+1 x1.1, uplink of the one at .7, switches told", LOADED, NOBODY, None, True),
    ("ring of 8", RING, CABLES),
    ("ring of 8, 30 passes, no retests", replace(RING, passes=30, retests=False), CABLES),
    *((f"star of {hosts}, 1 pass", star, HUB) for hosts, star in STARS.items()),
    ("4 leaves of 4 x1.2: a way at half a port", OF_4, WAY, way(OF_4.network, 0.5)),
    ("4 leaves of 8 x1.2: a way at half a port", OF_8, WAY, way(OF_8.network, 0.5)),
    ("3 pods of 4 leaves of 3: a pod at .4", PODS, UPLINK, carries(PODS, 0.4, POD_UPLINKS)),
    ("4+4+4+2 x1.2: the two at .35", END_2, UPLINK, carries(END_2, 0.35, range(3, 4))),
    ("5+5+2 x1.2: the two at .35", FIVES_2, UPLINK, carries(FIVES_2, 0.35, range(2, 3))),
    ("3+7+6 x1.2: the seven at .4", UNEQUAL, UPLINK, carries(UNEQUAL, 0.4, range(1, 2))),
    ("crossbar, 12 hosts, 1 pass: two at one port x2", flat(12, **ONCE), TWO, PAIR),
    ("crossbar, 14 hosts, 1 pass: two at one port x1.5 in long", ONCE_14, TWO, PAIR_LONG),
    ("crossbar, 14 hosts: two at one port x1.5 in long", flat(14), TWO, PAIR_LONG),
    *((f"star of {hosts}, 1 pass: hub x2", star, HUB, HUB_2) for hosts, star in STARS.items()),
    ("crossbar, 9 hosts, 6 passes: host warms to x1.6", flat(9, passes=6), WARMS, WARM),
    ("crossbar, 20 hosts, 6 passes: host warms to x1.6", flat(20, passes=6), WARMS, WARM),
    *(
        (f"9+3 x1.2, switches told: of the three, host x{factor}", NINE_3, ALONE, plant, True)
        for factor, plant in OF_3.items()
    ),
    ("crossbar, 16 hosts: a quarter x1.4 in long", flat(16), KINDS, QUARTER),
    ("crossbar, 32 hosts: a quarter x1.4 in long", flat(32), KINDS, QUARTER),
)


def every_row() -> list[Row]:
    """Return these behind the rows of hosts and links alone."""
    return [*rows(), *(Row(*one) for one in BETWEEN)]
