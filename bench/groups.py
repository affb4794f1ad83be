#!/usr/bin/env python3
"""Count how often `beff nodes --topology-out` finds the leaves of made-up machines, and only them.

Prints a table in Markdown; each row has as many machines, drawn by chance.
Usage: .venv/bin/python bench/groups.py [MACHINES]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "python"), str(ROOT / "python")]

from support.machines.leaves import Leaves, Level  # noqa: E402
from support.machines.machine import broken  # noqa: E402
from support.machines.measure import map_of  # noqa: E402
from support.machines.noise import Noise  # noqa: E402
from support.machines.ways import Flat, Topology  # noqa: E402

from beff.analysis.b_pairs.topology_text import seen_groups  # noqa: E402

NOISE = 0.03


def _leaves(chance: random.Random, hop: float, taper: float) -> Topology:
    """Draw 2 to 8 leaves of 3 to 16 hosts, numbered in order or by chance."""
    sizes = tuple(chance.randint(3, 16) for _ in range(chance.randint(2, 8)))
    scattered = chance.choice([None, chance.randrange(2**31)])
    return Leaves((Level(sizes, hop, taper),), scattered)


KINDS: dict[str, Callable[[random.Random], Topology]] = {
    "one switch of 8 to 64 hosts": lambda chance: Flat(chance.randint(8, 64)),
    "leaves, one hop is 1.3 times as long": lambda chance: _leaves(chance, 1.3, 1.0),
    "leaves, one hop is 1.15 times as long": lambda chance: _leaves(chance, 1.15, 1.0),
    "leaves, a hop of 1.3 and 2:1": lambda chance: _leaves(chance, 1.3, 2.0),
    "leaves as near as hosts, 4:1": lambda chance: _leaves(chance, 1.0, 4.0),
}


def found_in(topology: Topology, seed: int) -> set[frozenset[int]]:
    """Return the groups that a map shows."""
    machine = broken(topology, spread=0.02, noise=Noise(NOISE), passes=20)
    return {frozenset(group.hosts) for group in seen_groups(map_of(machine, seed)).groups}


def true_in(topology: Topology) -> set[frozenset[int]]:
    """Return the groups that there are."""
    if not isinstance(topology, Leaves):
        return {frozenset(range(topology.units))}
    of = topology.group_of[0].tolist()
    return {frozenset(h for h, group in enumerate(of) if group == one) for one in {*of}}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("machines", type=int, nargs="?", default=200, help="of each kind")
    machines = parser.parse_args().machines
    print("| machine | right | too few or others |")
    print("|---|---|---|")
    for name, draw in KINDS.items():
        drawn = ((draw(random.Random(seed)), seed) for seed in range(machines))
        right = sum(found_in(topology, seed) == true_in(topology) for topology, seed in drawn)
        print(f"| {name} | {right} | {machines - right} |", flush=True)


if __name__ == "__main__":
    main()
