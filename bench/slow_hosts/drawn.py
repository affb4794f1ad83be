"""Any sound machine, drawn: what must hold of each of them is tested by property."""

from __future__ import annotations

import numpy as np

from slow_hosts.machine import Machine
from slow_hosts.networks import Network, crossbar, dragonfly, rails, random_rates, torus, tree


def any_machine(seed: int) -> Machine:
    """Return one of 4 to 36 hosts, with noise of 10 % and a spread of 5 % at most."""
    chance = np.random.default_rng((seed, 4))
    return Machine(
        _any_network(chance),
        spread=float(chance.choice([0, 0.01, 0.02, 0.05])),
        noise=float(chance.choice([0.01, 0.03, 0.1])),
        passes=int(chance.integers(1, 5)),
        model=str(chance.choice(["max", "sum", "both"])),
        retests=bool(chance.random() < 0.7),
    )


def _any_network(chance: np.random.Generator) -> Network:
    hosts, hop = int(chance.integers(4, 25)), float(chance.uniform(1, 1.6))
    kind = chance.integers(8)
    if kind == 0:
        return crossbar(hosts)
    if kind == 1:
        return [torus(2, 2), torus(4, 2), torus(3, 3), torus(3, 2, 2)][chance.integers(4)]
    if kind == 2:
        return [dragonfly(2, 2, 2), dragonfly(3, 2, 2), dragonfly(4, 2, 2)][chance.integers(3)]
    if kind == 3:
        return rails(hosts, int(chance.integers(2, 4)), 1 + hop / 10)
    if kind == 4:
        return random_rates(hosts, float(chance.uniform(0, 0.05)))
    small = int(chance.integers(1, 5))
    sizes = [
        [small] * int(chance.integers(max(2, -(-4 // small)), 9)),
        [hosts - 2, small],
        [*chance.integers(1, 10, chance.integers(2, 5)), 2],
    ][kind - 5]
    taper = float(chance.choice([1, 1, 2, 3]))
    pods = [sum(sizes[: len(sizes) // 2]), sum(sizes[len(sizes) // 2 :])]
    above = [(pods, hop * 1.2, taper)] if len(sizes) > 3 and chance.random() < 0.4 else []
    wide = tree((sizes, hop, taper), *above, mixed=bool(chance.random() < 0.3))
    return wide if wide.hosts >= 4 else crossbar(4)
