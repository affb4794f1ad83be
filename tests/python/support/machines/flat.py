"""Machines of one switch, as tests want them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from support.machines.faults import Fault
from support.machines.machine import Machine, broken
from support.machines.noise import Noise
from support.machines.ways import Flat

QUIET: dict[str, Any] = {"spread": 0.0, "noise": Noise(0.001), "day": 0.0, "host_day": 0.0}
"""What hardly differs: with it, figures are those that a test computes."""

CALM: dict[str, Any] = {"spread": 0.01, "noise": Noise(0.01)}


def flat(
    units: int,
    slow: Mapping[int, float] | None = None,
    links: Mapping[tuple[int, int], float] | None = None,
    faults: Sequence[Fault] = (),
    **more: Any,
) -> Machine:
    """Return a machine with slow hosts and links, by their factors, measured in 20 passes."""
    of_hosts = (Fault(factor, hosts=(host,)) for host, factor in (slow or {}).items())
    of_links = (Fault(factor, link=link) for link, factor in (links or {}).items())
    return broken(Flat(units), *of_hosts, *of_links, *faults, **{"passes": 20, **more})
