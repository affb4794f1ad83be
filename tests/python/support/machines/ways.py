"""The way of a message through a network, and what a topology tells of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

NO_LINK = -1


@dataclass(frozen=True)
class Ways:
    """The ways of messages: [messages, most links] numbers of links, `NO_LINK` behind the last.

    `latency` is what each way adds to the time of a short message between neighbours, as a share.
    """

    links: Ints
    latency: Floats

    def and_back(self, back: Ways) -> Ways:
        """Return what both ways take together when messages go both ways at the same time."""
        return Ways(
            np.concatenate((self.links, back.links), axis=1),
            np.maximum(self.latency, back.latency),
        )


class Topology(Protocol):
    """Hosts and the links between their switches, each with one direction."""

    @property
    def units(self) -> int:
        """How many hosts there are."""

    @property
    def capacities(self) -> Floats:
        """What each link carries, in ports of a host."""

    def ways(self, first: Ints, second: Ints, chance: np.random.Generator) -> Ways:
        """Return the ways from the first to the second hosts."""


@dataclass(frozen=True)
class Flat:
    """Hosts around one switch that has room for all."""

    units: int

    @property
    def capacities(self) -> Floats:
        """There is no link but the ports of hosts."""
        return np.zeros(0)

    def ways(self, first: Ints, second: Ints, chance: np.random.Generator) -> Ways:
        """Return ways without links."""
        return Ways(np.empty((len(first), 0), dtype=np.int64), np.zeros(len(first)))
