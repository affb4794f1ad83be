"""Machines that the seed draws whole, so that no judge can be made for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from beff.maps.pair_map import KINDS
from support.machines.dragonfly import Dragonfly
from support.machines.faults import Fault
from support.machines.leaves import Leaves, Level
from support.machines.machine import Machine
from support.machines.noise import Noise
from support.machines.torus import Torus
from support.machines.ways import Flat, Topology
from support.rows.row import Drawn, Row
from support.rows.truth import CLEAN, UNDECIDABLE, Asked, Truth, slow, slow_link

_DRAW = 3
"""What the chance of drawing a machine is called, beside that of its hosts and of its map."""
_GRIDS = ((2, 2, 1), (2, 2, 2), (3, 2, 2), (4, 2, 2), (3, 3, 2), (4, 4, 2), (4, 4, 4), (8, 4, 4))
"""Sides of a torus; groups, routers and hosts of a dragonfly."""


def drawn_rows() -> Iterator[Row]:
    """Return machines of 1 to 6 leaves of 2 to 10 hosts each."""
    hosts = "4-60"
    yield Row("drawn", hosts, _clean)
    yield Row("drawn, a host x 1.25 to 3", hosts, _with_slow_host)
    yield Row("drawn, a link x 1.5 to 4", hosts, _with_slow_link)
    yield Row("drawn, an uplink at 0.25 to 0.6", hosts, _with_slow_uplink)
    yield Row("drawn, a host x 2 to 6 in 10 % of the rounds", hosts, _with_busy_host)


def planted_rows() -> Iterator[Row]:
    """Return machines of any network, of which a slow host must never be taken for a good one."""
    yield Row("any network, a host x 1.5 to 3", "4-128", _with_planted_host)
    yield Row("any network", "4-128", _of_any_network)


def _of_any_network(seed: int) -> Drawn:
    return _on_any_network(np.random.default_rng((seed, _DRAW))), UNDECIDABLE


def _with_planted_host(seed: int) -> Drawn:
    """Draw the machine, then the host, the length of the messages and the factor."""
    chance = np.random.default_rng((seed, _DRAW))
    machine = _on_any_network(chance)
    host = int(chance.integers(machine.units))
    kinds = (KINDS, KINDS[:1], KINDS[1:])[chance.integers(3)]
    fault = Fault(_between(chance, 1.5, 3), hosts=(host,), kinds=kinds)
    return replace(machine, faults=(fault,)), slow(host, asked=Asked.OPEN)


def _on_any_network(chance: np.random.Generator) -> Machine:
    """Draw a machine of 4 hosts or more, whose times scatter by 10 % and hosts by 5 % at most."""
    passes = int(chance.choice([0, 0, 3, 10, 40]))
    return Machine(
        _network(chance),
        spread=_between(chance, 0.005, 0.05),
        noise=Noise(_between(chance, 0.01, 0.1)),
        base_ns={"small": _between(chance, 300, 4000), "large": _between(chance, 3e4, 3e6)},
        handshakes=_between(chance, 0.5, 4),
        duration_s=_between(chance, 4, 20),
        passes=passes or None,
    )


def _network(chance: np.random.Generator) -> Topology:
    """Draw a network; leaves of very unequal sizes, and small ones, are as likely as others."""
    grid = _GRIDS[chance.integers(len(_GRIDS))]
    detour = float(chance.choice([0, 0.3]))
    large = int(chance.choice([2, 3, 4, 5, 6, 8, 13, 14, 30, 62]))
    small = int(chance.integers(1, 5))
    sizes = (
        (large,) * int(chance.integers(1, 3)) + (small,) * int(chance.integers(1, 3)),
        (small,) * int(chance.integers(max(2, 4 // small), 9)),
        tuple(chance.integers(1, 11, int(chance.integers(2, 7))).tolist()),
    )[chance.integers(3)]
    taper, scattered = float(chance.choice([1, 1, 2, 3])), int(chance.integers(1 << 30))
    levels = [Level(sizes, _between(chance, 1.0, 2.0), taper)]
    if len(sizes) >= 4 and chance.random() < 0.5:
        pods = (sum(sizes[: len(sizes) // 2]), sum(sizes[len(sizes) // 2 :]))
        levels.append(Level(pods, levels[0].hop * _between(chance, 1.02, 1.5), taper))
    leaves = Leaves(tuple(levels), scattered)
    others = (Flat(int(chance.integers(4, 129))), Torus(grid), Dragonfly(*grid, detour=detour))
    return leaves if leaves.units >= 4 and chance.random() < 0.6 else others[chance.integers(3)]


def _clean(seed: int) -> Drawn:
    return _machine(np.random.default_rng((seed, _DRAW))), CLEAN


def _with_slow_host(seed: int) -> Drawn:
    chance = np.random.default_rng((seed, _DRAW))
    machine = _machine(chance)
    host = int(chance.integers(machine.units))
    fault = Fault(_between(chance, 1.25, 3), hosts=(host,))
    return replace(machine, faults=(fault,)), slow(host)


def _with_busy_host(seed: int) -> Drawn:
    chance = np.random.default_rng((seed, _DRAW))
    machine = _machine(chance)
    host = int(chance.integers(machine.units))
    stretches = int(chance.choice([0, 3, 10]))
    fault = Fault(_between(chance, 2, 6), hosts=(host,), time=0.1, stretches=stretches)
    return replace(machine, faults=(fault,)), slow(host, asked=Asked.OPEN)


def _with_slow_link(seed: int) -> Drawn:
    chance = np.random.default_rng((seed, _DRAW))
    machine = _machine(chance)
    one, other = chance.choice(machine.units, 2, replace=False).tolist()
    fault = Fault(_between(chance, 1.5, 4), link=(one, other))
    return replace(machine, faults=(fault,)), slow_link(one, other)


def _with_slow_uplink(seed: int) -> Drawn:
    chance = np.random.default_rng((seed, _DRAW))
    tree = _machine(chance, fewest_leaves=2)
    assert isinstance(tree.topology, Leaves)
    leaf = int(np.argmax(tree.topology.levels[0].sizes))
    group = frozenset(np.flatnonzero(tree.topology.group_of[0] == leaf).tolist())
    fault = Fault(1 / _between(chance, 0.25, 0.6), uplinks=tree.topology.uplink(leaf))
    asked = Asked.OPEN if len(tree.topology.levels[0].sizes) > 2 else Asked.TOLD
    truth = Truth(groups=frozenset({group}), asked=asked)
    return replace(tree, faults=(fault,)), truth


def _machine(chance: np.random.Generator, fewest_leaves: int = 1) -> Machine:
    leaves = int(chance.integers(fewest_leaves, 7))
    sizes = tuple(chance.integers(2, 11, leaves).tolist())
    if leaves == 1:
        sizes = (max(4, sizes[0]),)
    level = Level(sizes, _between(chance, 1.02, 2.0), taper=float(chance.choice([1, 1, 2, 3])))
    levels = [level]
    if leaves >= 4 and chance.random() < 0.5:
        pods = (sum(sizes[: leaves // 2]), sum(sizes[leaves // 2 :]))
        levels.append(Level(pods, level.hop * _between(chance, 1.02, 1.5)))
    noise = Noise(
        _between(chance, 0.01, 0.1),
        one_sided=bool(chance.random() < 0.3),
        tails=float(chance.choice([0, 0, 0.04])),
        interrupts=float(chance.choice([0, 0, 0.1])),
    )
    return Machine(
        Leaves(tuple(levels), scattered=int(chance.integers(1 << 30))),
        spread=_between(chance, 0.005, 0.03),
        noise=noise,
        drift=float(chance.choice([0, 0, 0.05])),
        handshakes=_between(chance, 0.5, 4),
        duration_s=_between(chance, 4, 20),
    )


def _between(chance: np.random.Generator, least: float, most: float) -> float:
    """Return a number whose logarithm is as likely everywhere."""
    return float(np.exp(chance.uniform(np.log(least), np.log(most))))
