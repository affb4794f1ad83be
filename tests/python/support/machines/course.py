"""What changes from round to round: who is busy, who loads the links, how the machine drifts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from support.machines.faults import Fault
from support.machines.ways import Floats, Mask


@dataclass(frozen=True)
class Jitter:
    """In each round a share of the hosts, others each time, takes `factor` times as long."""

    share: float
    factor: float = 3.0


@dataclass(frozen=True)
class Neighbours:
    """Jobs of others load the links of the topology: each link in a share `time` of the rounds.

    They come and go every `stretch` rounds, and take between half of `load` and all of it. Where
    there are no links but ports, the switch suffers instead: each pair, for that time, with an even
    chance.
    """

    time: float
    load: float
    stretch: int = 40


@dataclass(frozen=True)
class Course:
    """Factors of hosts [rounds, hosts] by kind, links' capacities [rounds, links], both in ports.

    `switch` is what pairs get of a switch that others load, `common` the factor of all times, both
    [rounds]; `shown` says in which rounds each fault shows.
    """

    hosts: dict[str, Floats]
    capacities: Floats
    switch: Floats
    common: Floats
    shown: tuple[Mask, ...]


def course_of(
    nature: dict[str, Floats],
    capacities: Floats,
    faults: tuple[Fault, ...],
    rounds: int,
    chance: np.random.Generator,
    *,
    jitter: Jitter | None = None,
    neighbours: Neighbours | None = None,
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
    if jitter is not None:
        is_busy = chance.random((rounds, len(next(iter(nature.values()))))) < jitter.share
        for factors in hosts.values():
            factors[is_busy] *= jitter.factor
    switch = np.ones(rounds)
    if neighbours is not None and links.shape[1]:
        links *= _left_by(neighbours, rounds, links.shape[1], chance)
    elif neighbours is not None:
        switch = _left_by(neighbours, rounds, 1, chance)[:, 0]
    common = np.exp(np.log1p(drift) * np.arange(rounds) / max(rounds - 1, 1))
    return Course(hosts, links, switch, common, shown)


def _left_by(
    neighbours: Neighbours, rounds: int, links: int, chance: np.random.Generator
) -> Floats:
    """Return what share of each link is left in each round."""
    blocks = rounds // neighbours.stretch + 2
    is_loaded = chance.random((blocks, links)) < neighbours.time
    load = np.where(is_loaded, chance.uniform(0.5, 1, (blocks, links)) * neighbours.load, 0)
    block = np.arange(rounds)[:, None] + chance.integers(0, neighbours.stretch, links)
    left: Floats = 1 - load[block // neighbours.stretch, np.arange(links)]
    return left
