"""How long messages take that begin together on a network, each link shared evenly at each moment.

The truth beside which orders and predictions are set; a flow that ends leaves its room to others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from support.machines.machine import Machine
from support.machines.noise import Noise
from support.machines.sharing import max_min
from support.machines.ways import Ways

from slow_hosts.networks import Floats, Ints, Network

QUIET: dict[str, Any] = {
    "spread": 0.01,
    "noise": Noise(0.02),
    "day": 0.0,
    "host_day": 0.0,
    "passes": 10,
}
"""Machines whose hosts differ by 1 %, and times of the map by 2 %."""
_NS_PER_S = 1e9
_DONE = 1e-3
"""What is left of the longest message when it counts as sent, as a share."""


@dataclass(frozen=True, eq=False)
class Routed:
    """A network as `support.machines` takes it; host i of the machine stands at `place[i]`.

    Where `pairs`, each pair has a link of its own with the rate that `long` says.
    """

    network: Network
    place: Ints
    pairs: bool = False

    @property
    def units(self) -> int:
        """How many hosts there are."""
        return self.network.hosts

    @property
    def leaf(self) -> Ints:
        """The lowest switch above each host."""
        return self.network.leaf[self.place]

    @property
    def capacities(self) -> Floats:
        """The room of each link, in ports of a host."""
        own = 1 / self.network.long.ravel() if self.pairs else np.empty(0)
        return np.concatenate([self.network.room, own])

    def ways(self, first: Ints, second: Ints, chance: np.random.Generator) -> Ways:
        """Return the ways from the first to the second hosts."""
        one, other = self.place[first], self.place[second]
        links = self.network.links[one, other]
        if self.pairs:
            own = len(self.network.room) + one * self.units + other
            links = np.concatenate([links, own[:, None]], axis=1)
        return Ways(links, self.network.short[one, other] - 1)


def iteration_s(machine: Machine, source: Ints, target: Ints, bytes_: Floats) -> float:
    """Return seconds from the begin of all messages to the end of the last.

    `bytes_` of each from host `source` to host `target`; what stays on a host takes no time. Hosts
    are as the faults of the machine say that are there all the time.
    """
    out = source != target
    source, target, left = source[out], target[out], bytes_[out].astype(float)
    if not source.size:
        return 0.0
    factors = np.ones((2, machine.units))
    for fault in machine.faults:
        for place, kind in enumerate(("small", "large")):
            if kind in fault.kinds:
                factors[place, list(fault.hosts)] *= fault.factor
    topology, ports = machine.topology, 2 * machine.units
    ways = topology.ways(source, target, np.random.default_rng(0))
    links = np.where(ways.links < 0, -1, ways.links + ports)
    links = np.concatenate([source[:, None], machine.units + target[:, None], links], axis=1)
    room = np.concatenate([np.tile(1 / factors[1], 2), topology.capacities])
    slow = factors[0, source] + factors[0, target] - 1
    short = machine.base_ns["small"] * (slow + ways.latency)
    byte_s = machine.base_ns["large"] / _NS_PER_S / (1 << 20)
    took, least = 0.0, _DONE * float(left.max())
    while left.size:
        rates = max_min(np.ones(len(left)), links, np.zeros(len(left), dtype=int), room[None, :])
        step = float((left / rates).min())
        took, left = took + step, left - step * rates
        under_way = left > least
        left, links = left[under_way], links[under_way]
    return took * byte_s + float(short.max()) / _NS_PER_S
