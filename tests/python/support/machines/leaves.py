"""Switches with leaves, and levels of levels: a tree, whatever its sizes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from support.machines.ways import NO_LINK, Floats, Ints, Ways


@dataclass(frozen=True)
class Level:
    """Groups of hosts in one level of a tree.

    Between two of them, where no level above parts the hosts, short messages take `hop` times as
    long as within. The uplink of a group has room for its hosts divided by `taper`, in each
    direction, and for one at least. It consists of `cables`, chosen by the host that a message is
    for, as static routes do it.
    """

    sizes: tuple[int, ...]
    hop: float = 1.0
    taper: float = 1.0
    cables: int = 1


@dataclass(frozen=True)
class Leaves:
    """A tree of switches; the lowest level first, each group within one of the level above.

    Hosts are numbered through the groups; with `scattered`, a seed, they are numbered at random.
    """

    levels: tuple[Level, ...]
    scattered: int | None = None

    @property
    def units(self) -> int:
        """How many hosts there are."""
        return sum(self.levels[0].sizes)

    @cached_property
    def group_of(self) -> tuple[Ints, ...]:
        """The group of each host on each level."""
        order = np.arange(self.units)
        if self.scattered is not None:
            order = np.random.default_rng(self.scattered).permutation(self.units)
        return tuple(np.repeat(np.arange(len(a.sizes)), a.sizes)[order] for a in self.levels)

    @property
    def capacities(self) -> Floats:
        """Level by level, group by group, cable by cable: up, then down."""
        return np.concatenate(
            [
                np.repeat([max(1.0, size / level.taper) / level.cables], 2 * level.cables)
                for level in self.levels
                for size in level.sizes
            ]
        )

    def uplink(self, group: int, level: int = 0) -> tuple[int, ...]:
        """Return all links of a group to the switch above, in both directions."""
        cables = self.levels[level].cables
        begin = self._first_link(level) + 2 * cables * group
        return tuple(range(begin, begin + 2 * cables))

    def ways(self, first: Ints, second: Ints, chance: np.random.Generator) -> Ways:
        """Return the ways up to the lowest common switch, and down."""
        links, latency = self._of_each
        return Ways(links[first, second], latency[first, second])

    def _first_link(self, level: int) -> int:
        return sum(2 * below.cables * len(below.sizes) for below in self.levels[:level])

    @cached_property
    def _of_each(self) -> tuple[Ints, Floats]:
        """Links and latency of each pair of hosts."""
        every = np.arange(self.units)
        latency = np.zeros((self.units, self.units))
        links = np.full((self.units, self.units, 2 * len(self.levels)), NO_LINK)
        for number, (level, group) in enumerate(zip(self.levels, self.group_of, strict=True)):
            apart = group[:, None] != group[None, :]
            latency[apart] = level.hop - 1
            cable = 2 * (every % level.cables)[None, :]
            own = self._first_link(number) + 2 * level.cables * group
            links[:, :, 2 * number] = np.where(apart, own[:, None] + cable, NO_LINK)
            links[:, :, 2 * number + 1] = np.where(apart, own[None, :] + cable + 1, NO_LINK)
        return links, latency


def leaves(*sizes: int, hop: float = 1.0, taper: float = 1.0, cables: int = 1) -> Leaves:
    """Return leaves of these sizes under one switch."""
    return Leaves((Level(sizes, hop, taper, cables),))
