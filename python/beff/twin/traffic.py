"""Messages of an iteration of a pattern by host, and what they need of a machine."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from beff.maps.pair_map import Floats
from beff.maps.schedule import Ints, permutations
from beff.twin.ways import Ways
from beff.verify.b_eff.definition import RANDOM_PATTERNS, ROUNDS, Draw, rings_in
from beff.verify.common.checks import fold_host_list


@dataclass(frozen=True)
class Traffic:
    """Host of sender and of receiver of each message, and the process that sends it."""

    sender: Ints
    source: Ints
    target: Ints
    hosts: int

    def leaving(self) -> Ints:
        """Return how many messages leave each host."""
        return np.bincount(self.source[self.source != self.target], minlength=self.hosts)

    def entering(self) -> Ints:
        """Return how many messages enter each host."""
        return np.bincount(self.target[self.source != self.target], minlength=self.hosts)

    def crossing(self, labels: Ints) -> tuple[Ints, Ints]:
        """Return how many messages leave, and enter, each group of hosts."""
        out, into = labels[self.source], labels[self.target]
        groups = int(labels.max(initial=0)) + 1
        crosses = out != into
        return (
            np.bincount(out[crosses], minlength=groups),
            np.bincount(into[crosses], minlength=groups),
        )

    def between(self, one: int, other: int) -> int:
        """Return the messages from one host to another, in the direction that has more."""
        there = np.sum((self.source == one) & (self.target == other))
        back = np.sum((self.source == other) & (self.target == one))
        return int(max(there, back))

    def most_inside(self) -> int:
        """Return how many messages the process sends that sends most to processes of its host."""
        inside = self.sender[self.source == self.target]
        return int(np.bincount(inside).max()) if inside.size else 0


def traffic_of(pattern: int, placement: Sequence[int], draw: Draw, hosts: int = 0) -> Traffic:
    """Return the messages of a pattern of rings or pairs, in which place = rank.

    There are `hosts`, at least those of the placement.
    """
    n = len(placement)
    host = np.asarray(placement, dtype=np.int64)
    senders, receivers = [], []
    for ring in _rings(pattern, n, draw):
        for way in (1, -1)[: len(ring) - 1]:
            senders.append(ring)
            receivers.append(np.roll(ring, way))
    sender, receiver = np.concatenate(senders), np.concatenate(receivers)
    return Traffic(sender, host[sender], host[receiver], max(hosts, int(host.max(initial=0)) + 1))


def _rings(pattern: int, n: int, draw: Draw) -> list[Ints]:
    if pattern in RANDOM_PATTERNS and draw.order == "uniform":
        seeds = np.array([draw.seed(pattern, n)], dtype=np.uint64)
        return [permutations(seeds, n, ROUNDS)[0]]
    return [np.asarray(ring, dtype=np.int64) for ring in rings_in(pattern, n, draw)]


_NS_PER_S = 1e9


@dataclass(frozen=True)
class Place:
    """Where it is narrowest: `kind` host, uplink or link.

    `at`: the number of the host, those of group and level, or the ends of the link.
    """

    kind: str
    at: tuple[int, ...]

    def said(self, ways: Ways) -> str:
        """Name it."""
        if self.kind == "uplink":
            group, level = self.at
            members = np.flatnonzero(ways.levels[level].groups == group)
            return f"the uplink of {fold_host_list([ways.names[host] for host in members])}"
        if self.kind == "link":
            return f"the link {' - '.join(ways.names[host] for host in self.at)}"
        return f"the port of {ways.names[self.at[0]]}"


@dataclass(frozen=True)
class Need:
    """What an iteration needs.

    `short_s`: of a short message on the longest way. `byte_s`: seconds for each byte of the length
    of a message, where it is narrowest; 0 where nothing leaves a host. `inside`: messages that a
    process sends to others of its host at most. `each`: messages of a process at most.
    """

    short_s: float
    byte_s: float
    place: Place | None
    inside: int
    each: int


def need_of(ways: Ways, traffic: Traffic) -> Need:
    """Return what the traffic needs."""
    leaves = traffic.source != traffic.target
    ends = traffic.source[leaves], traffic.target[leaves]
    byte_s, place = max(_places(ways, traffic), key=lambda each: each[0], default=(0.0, None))
    short = short_s(ways, *ends).max() if ends[0].size else 0.0
    each = int(np.bincount(traffic.sender).max())
    return Need(float(short), byte_s, place, traffic.most_inside(), each)


def _places(ways: Ways, traffic: Traffic) -> list[tuple[float, Place]]:
    """Return of each kind of place the one that needs longest."""
    found = []
    of_hosts = np.maximum(traffic.leaving(), traffic.entering()) / ways.hosts
    if of_hosts.size and of_hosts.max() > 0:
        found.append((float(of_hosts.max()), Place("host", (int(of_hosts.argmax()),))))
    for level, uplinks in enumerate(ways.levels):
        needs = np.nan_to_num(np.maximum(*traffic.crossing(uplinks.groups)) / uplinks.carried)
        if needs.max() > 0:
            found.append((float(needs.max()), Place("uplink", (int(needs.argmax()), level))))
    for link, rate in ways.links.items():
        if traffic.between(*link):
            found.append((traffic.between(*link) / rate, Place("link", link)))
    return found


def short_s(ways: Ways, first: Ints, second: Ints) -> Floats:
    """Return how long short messages take between hosts; between groups that never met, longest."""
    times = ways.near.modelled(first, second)
    known = np.exp(times[~np.isnan(times)]) / _NS_PER_S
    longest = known.max() if known.size else 0.0
    return np.where(np.isnan(times), longest, np.exp(np.nan_to_num(times)) / _NS_PER_S)
