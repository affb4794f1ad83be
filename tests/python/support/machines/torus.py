"""A 3-D torus: each host is a router, and forwards for the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from support.machines.ways import NO_LINK, Floats, Ints, Ways


@dataclass(frozen=True)
class Torus:
    """Messages go by the shorter way round, one dimension after the other.

    Each hop beyond the first adds `hop` of the time of a short message between neighbours; a link
    has room for `room` hosts in each direction.
    """

    sides: tuple[int, int, int]
    hop: float = 0.05
    room: float = 1.0

    @property
    def units(self) -> int:
        """How many hosts there are."""
        return int(np.prod(self.sides))

    @property
    def capacities(self) -> Floats:
        """Host by host, dimension by dimension: forwards, then backwards."""
        return np.full(6 * self.units, float(self.room))

    def ways(self, first: Ints, second: Ints, chance: np.random.Generator) -> Ways:
        """Return the ways by the dimensions in their order."""
        links, latency = self._of_each
        return Ways(links[first, second], latency[first, second])

    @cached_property
    def _of_each(self) -> tuple[Ints, Floats]:
        """Links and latency of each pair of hosts."""
        at = np.stack(np.unravel_index(np.arange(self.units), self.sides), axis=-1)
        shape = (self.units, self.units)
        now = np.broadcast_to(at[:, None, :], (*shape, 3)).copy()
        goal = np.broadcast_to(at[None, :, :], (*shape, 3))
        steps = []
        for dimension, side in enumerate(self.sides):
            forwards = (goal[..., dimension] - now[..., dimension]) % side
            is_forwards = forwards <= side - forwards
            for _ in range(side // 2):
                is_there = now[..., dimension] == goal[..., dimension]
                place = np.ravel_multi_index(tuple(np.moveaxis(now, -1, 0)), self.sides)
                link = 6 * place + 2 * dimension + ~is_forwards
                steps.append(np.where(is_there, NO_LINK, link))
                onwards = np.where(is_there, 0, np.where(is_forwards, 1, -1))
                now[..., dimension] = (now[..., dimension] + onwards) % side
        links = np.stack(steps, axis=-1)
        hops = np.sum(links != NO_LINK, axis=-1)
        return links, self.hop * np.maximum(hops - 1, 0)
