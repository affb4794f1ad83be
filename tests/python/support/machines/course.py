"""What changes from round to round: which faults show, and how the machine drifts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from support.machines.faults import Fault
from support.machines.ways import Floats, Mask


@dataclass(frozen=True)
class Course:
    """Factors of hosts [rounds, hosts] by kind, links' capacities [rounds, links], both in ports.

    `common` [rounds] is the factor of all times; `shown` says in which rounds each fault shows.
    """

    hosts: dict[str, Floats]
    capacities: Floats
    common: Floats
    shown: tuple[Mask, ...]


def course_of(
    nature: dict[str, Floats],
    capacities: Floats,
    faults: tuple[Fault, ...],
    rounds: int,
    chance: np.random.Generator,
    *,
    drift: float = 0.0,
) -> Course:
    """Return the course of so many rounds; `nature` has the factors of sound hosts by kind.

    Over the rounds all takes longer by `drift` at the end.
    """
    hosts = {kind: np.tile(own, (rounds, 1)) for kind, own in nature.items()}
    links = np.tile(capacities, (rounds, 1))
    shown = tuple(fault.is_there(rounds, chance) for fault in faults)
    for fault, when in zip(faults, shown, strict=True):
        if fault.hosts:
            for kind in fault.kinds:
                hosts[kind][np.ix_(when, list(fault.hosts))] *= fault.factor
        if fault.uplinks:
            links[np.ix_(when, list(fault.uplinks))] /= fault.factor
    common = np.exp(np.log1p(drift) * np.arange(rounds) / max(rounds - 1, 1))
    return Course(hosts, links, common, shown)
