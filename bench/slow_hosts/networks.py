"""What lies between hosts: how near each pair is, and which links it shares with others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
HANDSHAKES = 0.05
"""Which part of what short messages take longer on a way lengthens long ones."""


@dataclass(frozen=True, eq=False)
class Network:
    """`short` and `long` [from, to] are factors of time; `links` [from, to, most] those on the way.

    Behind the last link of a way stands -1; each has one direction, and `room` for so many hosts
    at their full rate. `leaf` is the lowest switch above each host.
    """

    short: Floats
    long: Floats
    links: Ints
    room: Floats
    leaf: Ints

    @property
    def hosts(self) -> int:
        """How many there are."""
        return len(self.leaf)

    def uplink(self, leaf: int) -> tuple[int, ...]:
        """Return the links of a leaf of a tree to the switch above, up and down.

        Behind the leaves pods are counted on.
        """
        return 2 * leaf, 2 * leaf + 1


def _network(short: Floats, links: Ints, room: Sequence[float], leaf: Ints) -> Network:
    return Network(short, 1 + HANDSHAKES * (short - 1), links, np.array(room, dtype=float), leaf)


def crossbar(hosts: int) -> Network:
    """Return one switch with room for all."""
    none = np.empty((hosts, hosts, 0), dtype=np.int64)
    return _network(np.ones((hosts, hosts)), none, [], np.zeros(hosts, dtype=np.int64))


def tree(*levels: tuple[Sequence[int], float, float], mixed: bool = False) -> Network:
    """Return leaves, pods …, the lowest level first: sizes in hosts, factor of a hop, taper.

    Where a level parts two hosts, short messages take its factor; an uplink has room for the hosts
    below it divided by the taper. `mixed` numbers hosts through the tree in no order.
    """
    hosts = sum(levels[0][0])
    place = np.random.default_rng(7).permutation(hosts) if mixed else np.arange(hosts)
    short, groups = np.ones((hosts, hosts)), []
    links = np.full((hosts, hosts, 2 * len(levels)), -1)
    room: list[float] = []
    for number, (sizes, hop, taper) in enumerate(levels):
        group = np.repeat(np.arange(len(sizes)), sizes)[place]
        apart = group[:, None] != group[None, :]
        short[apart] = hop
        up = np.where(apart, len(room) + 2 * group[:, None], -1)
        down = np.where(apart, len(room) + 2 * group[None, :] + 1, -1)
        links[..., 2 * number], links[..., 2 * number + 1] = up, down
        room += [max(1.0, size / taper) for size in sizes for _ in "ud"]
        groups.append(group)
    return _network(short, links, room, groups[0])


def meshed(network: Network) -> Network:
    """Return it with a way between each two leaves, the last link, with room for all of both.

    Messages there and back share it.
    """
    leaf, sizes, room = network.leaf, np.bincount(network.leaf), [*network.room]
    ways = np.full((network.hosts, network.hosts, 1), -1)
    for one, other in combinations(range(len(sizes)), 2):
        ends = np.isin(leaf, [one, other])
        ways[ends[:, None] & ends[None, :] & (leaf[:, None] != leaf[None, :])] = len(room)
        room.append(2.0 * min(sizes[one], sizes[other]))
    links = np.concatenate([network.links, ways], axis=2)
    return replace(network, links=links, room=np.array(room))


def _routed(ways: dict[tuple[int, int], list[tuple[object, ...]]], hop: float) -> Network:
    """Return the network of these ways, whose links are known by what they join."""
    hosts = 1 + max(one for one, _ in ways)
    numbers = {
        link: at for at, link in enumerate(sorted({link for way in ways.values() for link in way}))
    }
    links = np.full((hosts, hosts, max(map(len, ways.values()))), -1)
    short = np.ones((hosts, hosts))
    for (one, other), way in ways.items():
        links[one, other, : len(way)] = [numbers[link] for link in way]
        short[one, other] = 1 + hop * max(0, len(way) - 1)
    return _network(short, links, [1.0] * len(numbers), np.arange(hosts))


@cache
def torus(*sides: int) -> Network:
    """Return a torus: each host is a router; ways are shortest, one dimension after the other."""
    places = [*product(*map(range, sides))]
    ways: dict[tuple[int, int], list[tuple[object, ...]]] = {}
    for (one, here), (other, goal) in product(enumerate(places), repeat=2):
        now, way = list(here), []
        for axis, side in enumerate(sides):
            step = 1 if (goal[axis] - now[axis]) % side <= side // 2 else -1
            while now[axis] != goal[axis]:
                way.append((*now, axis, step))
                now[axis] = (now[axis] + step) % side
        ways[one, other] = way
    return _routed(ways, 0.06)


@cache
def dragonfly(groups: int, routers: int, hosts: int) -> Network:
    """Return a dragonfly: routers all joined in a group, and one link from each group to each."""
    places = [*product(range(groups), range(routers), range(hosts))]
    ways: dict[tuple[int, int], list[tuple[object, ...]]] = {}
    for (one, (g, r, _)), (other, (h, s, _)) in product(enumerate(places), repeat=2):
        steps = [(g, r), (g, h % routers), (h, g % routers), (h, s)] if g != h else [(g, r), (g, s)]
        ways[one, other] = [(*a, *b) for a, b in pairwise(steps) if a != b]
    return _routed(ways, 0.15)


def rails(hosts: int, count: int, hop: float) -> Network:
    """Return hosts with a port on each of so many switches; a pair's place tells which it takes."""
    of_pair = rail_of(hosts, count)
    flat = crossbar(hosts)
    return _network(1 + (hop - 1) * (of_pair > 0), flat.links, [], flat.leaf)


def rail_of(hosts: int, count: int) -> Ints:
    """Return the rail [from, to] that a pair takes."""
    return np.add.outer(np.arange(hosts), np.arange(hosts)) % count


def random_rates(hosts: int, scatter: float) -> Network:
    """Return a network in which each pair has a rate of its own, by routes that nobody knows."""
    logs = np.triu(np.random.default_rng(11).normal(0, scatter, (hosts, hosts)), 1)
    factors, flat = np.exp(logs + logs.T), crossbar(hosts)
    return Network(factors, factors, flat.links, flat.room, flat.leaf)
