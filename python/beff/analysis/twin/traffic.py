"""How many messages of an iteration of a pattern leave, enter and stay on each host."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from beff.analysis.b_eff.definition import (
    RANDOM_PATTERNS,
    ROUNDS,
    Draw,
    rings_in,
)
from beff.analysis.b_pairs.schedule import Ints, permutations


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
    sender, receiver = _messages(pattern, n, draw)
    return Traffic(sender, host[sender], host[receiver], max(hosts, int(host.max(initial=0)) + 1))


def _messages(pattern: int, n: int, draw: Draw) -> tuple[Ints, Ints]:
    """Return sender and receiver of each message: to both neighbours, to the one in a pair."""
    senders, receivers = [], []
    for ring in _rings(pattern, n, draw):
        for way in (1, -1)[: len(ring) - 1]:
            senders.append(ring)
            receivers.append(np.roll(ring, way))
    return np.concatenate(senders), np.concatenate(receivers)


def _rings(pattern: int, n: int, draw: Draw) -> list[Ints]:
    if pattern in RANDOM_PATTERNS and draw.order == "uniform":
        seeds = np.array([draw.seed(pattern, n)], dtype=np.uint64)
        return [permutations(seeds, n, ROUNDS)[0]]
    return [np.asarray(ring, dtype=np.int64) for ring in rings_in(pattern, n, draw)]
