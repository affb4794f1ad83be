"""What is true of a machine on which b_pairs runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from support.machines.faults import Fault
from support.machines.noise import Noise
from support.machines.sharing import max_min
from support.machines.ways import Floats, Ints, Topology

Sharing = Callable[[Floats, Ints, Ints, Floats], Floats]


@dataclass(frozen=True)
class Machine:
    """What is true of a machine; factors are of time.

    * `spread`: standard deviation of sound hosts, for each kind of messages; `nature`: factors of
      hosts by kind that are theirs by nature, as where there are two kinds of hosts.
    * A short message takes `base_ns`, to which both hosts, their link and each switch on the way
      add. A long one takes `base_ns` at the rate of a port, more where hosts or shared links give
      less, and `handshakes` times what short messages take longer than usual.
    * From day to day the machine differs as a whole by `day`, each host by `host_day` (standard
      deviations).
    * `passes` follow from `duration_s` where not given.
    """

    topology: Topology
    spread: float = 0.02
    nature: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    noise: Noise = field(default_factory=Noise)
    drift: float = 0.0
    faults: tuple[Fault, ...] = ()
    base_ns: Mapping[str, float] = field(default_factory=lambda: {"small": 1800, "large": 90_000})
    handshakes: float = 3.0
    day: float = 0.02
    host_day: float = 0.003
    duration_s: float = 20.0
    passes: int | None = None
    sharing: Sharing = max_min

    @property
    def units(self) -> int:
        """How many hosts there are."""
        return self.topology.units


def broken(topology: Topology, *faults: Fault, **more: Any) -> Machine:
    """Return a machine with faults."""
    return Machine(topology, faults=faults, **more)
