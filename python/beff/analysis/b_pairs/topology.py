"""Which switches the hosts of a map are behind, where somebody knows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from beff.analysis.b_pairs.schedule import Ints
from beff.model.errors import ResultError

Switches = tuple[str, ...]
"""The switches above a host, from the top down to the one it is plugged into."""


@dataclass(frozen=True)
class Topology:
    """The switches above each host; `source` is who says so, for messages."""

    source: str
    above: Mapping[str, Switches]

    def of(self, names: Sequence[str]) -> tuple[Switches, ...]:
        """Return the switches of hosts, which may have a domain here or there.

        Raises ResultError naming a host that the source does not have.
        """
        for name in names:
            if name not in self.above and _short(name) not in self._by_short_name:
                raise ResultError(f"{self.source}: has no switch for host {name}")
        by_short = self._by_short_name
        return tuple(self.above.get(name) or by_short[_short(name)] for name in names)

    @cached_property
    def _by_short_name(self) -> dict[str, Switches]:
        return {_short(name): switches for name, switches in self.above.items()}


def _short(name: str) -> str:
    return name.partition(".")[0]


@dataclass(frozen=True)
class Known:
    """The group of each unit, and of each group its switches."""

    labels: Ints
    switches: tuple[Switches, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The switch that the units of each group are plugged into."""
        return tuple(switches[-1] for switches in self.switches)

    def apart(self, first: Ints, second: Ints) -> Ints:
        """Return for pairs of groups how many switches, from the top down, are above both."""
        longest = max(map(len, self.switches))
        paths = np.array([[*path, *[""] * (longest - len(path))] for path in self.switches])
        numbers = np.unique(paths, return_inverse=True)[1].reshape(paths.shape)
        same = np.cumprod(numbers[first] == numbers[second], axis=1)
        shared: Ints = same.sum(axis=1)
        return shared


def known_groups(switches: Sequence[Switches]) -> Known:
    """Group units that are plugged into the same switch, in the order of the first of each."""
    number: dict[Switches, int] = {}
    labels = np.array([number.setdefault(each, len(number)) for each in switches])
    return Known(labels, tuple(number))
