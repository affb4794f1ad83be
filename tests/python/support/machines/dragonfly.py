"""A dragonfly: groups of routers, all joined within a group, and each group with each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from support.machines.ways import NO_LINK, Floats, Ints, Mask, Ways


@dataclass(frozen=True)
class Dragonfly:
    """Hosts are numbered through routers, these through groups.

    A local hop adds `local`, a global one `far` of the time of a short message between hosts on one
    router. A share `detour` of the messages between groups goes by way of a third group, drawn anew
    each time, as adaptive routes do. Links have room for `local_room` and `far_room` hosts.
    """

    groups: int
    routers: int
    hosts: int
    local: float = 0.08
    far: float = 0.25
    detour: float = 0.0
    local_room: float = 2.0
    far_room: float = 2.0

    @property
    def units(self) -> int:
        """How many hosts there are."""
        return self.groups * self.routers * self.hosts

    @property
    def capacities(self) -> Floats:
        """Those between groups, by the first and the second; behind them those within groups."""
        far = np.full(self.groups**2, float(self.far_room))
        return np.concatenate((far, np.full(self.groups * self.routers**2, float(self.local_room))))

    def ways(self, first: Ints, second: Ints, chance: np.random.Generator) -> Ways:
        """Return the ways: at most one local hop in each group, and one or two global ones."""
        router, other_router = first // self.hosts, second // self.hosts
        group, other_group = router // self.routers, other_router // self.routers
        is_far = group != other_group
        detours = is_far & (chance.random(len(first)) < self.detour)
        third = chance.integers(0, self.groups, len(first))
        detours &= (third != group) & (third != other_group)
        next_group = np.where(detours, third, other_group)
        last_group = np.where(detours, third, group)
        gate = np.where(is_far, self._gate(group, next_group), other_router)
        entry = np.where(is_far, self._gate(other_group, last_group), other_router)
        hops = (
            self._within(router, gate),
            np.where(is_far, group * self.groups + next_group, NO_LINK),
            np.where(detours, self._within(self._gate(third, group), self._out(third, second)), -1),
            np.where(detours, third * self.groups + other_group, NO_LINK),
            np.where(is_far, self._within(entry, other_router), NO_LINK),
        )
        links = np.stack(hops, axis=1)
        used: Mask = links != NO_LINK
        locals_ = used[:, 0::2].sum(axis=1)
        return Ways(links, self.local * locals_ + self.far * used[:, 1::2].sum(axis=1))

    def _out(self, group: Ints, second: Ints) -> Ints:
        return self._gate(group, second // (self.hosts * self.routers))

    def _gate(self, group: Ints, towards: Ints) -> Ints:
        """The router of a group that has the link to another one."""
        return group * self.routers + towards % self.routers

    def _within(self, router: Ints, other: Ints) -> Ints:
        link = self.groups**2 + router * self.routers + other % self.routers
        return np.where(router == other, NO_LINK, link)
