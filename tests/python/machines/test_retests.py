"""The pairs that made-up maps measure again are those that the program would."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.machines.faults import Fault
from support.machines.leaves import leaves
from support.machines.machine import Machine
from support.machines.measure import map_of
from support.machines.noise import Noise
from support.machines.plan import rounds_of_pass
from support.machines.retests import PASSES
from support.machines.ways import Flat

from beff.definition.b_pairs_plan import meetings
from beff.definition.imported_pairs import KINDS
from beff.maps.pair_map import PairMap
from scripted_machine import b_pairs

MACHINES = {
    "slow hosts": Machine(Flat(12), faults=(Fault(1.3, hosts=(2, 7)),)),
    "more hosts": Machine(Flat(20), spread=0.2),
    "links": Machine(
        Flat(9), faults=(Fault(2, link=(3, 4)), Fault(1.5, link=(0, 8), kinds=("small",)))
    ),
    "more links": Machine(
        Flat(30), faults=tuple(Fault(2, link=(one, one + 1)) for one in range(0, 30, 2))
    ),
    "noise": Machine(Flat(8), noise=Noise(0.3)),
    "leaves": Machine(leaves(6, 2, hop=1.4), faults=(Fault(2, link=(1, 7)), Fault(2, link=(0, 1)))),
    "not all meet": Machine(Flat(70), faults=(Fault(1.5, hosts=(5,)), Fault(2, link=(0, 1)))),
}


class Replay:
    """Answers the program with the times of a map, and all retests alike."""

    def __init__(self, pairs: PairMap, seed: int) -> None:
        met = meetings(pairs.units, rounds_of_pass(pairs.units), 3, seed)
        keys = (column.tolist() for column in vars(met).values())
        ns = (np.rint(np.exp(pairs.times[kind])).astype(int).tolist() for kind in KINDS)
        self.found = dict(zip(zip(*keys, strict=True), zip(*ns, strict=True), strict=True))

    def times(
        self, number: int, round_: int, pairs: list[tuple[int, int]], ways: str
    ) -> list[tuple[int, int]]:
        return [self.found.get((number, round_, *pair), (1, 1)) for pair in pairs]

    def stops(self) -> bool:
        return False


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", MACHINES)
def test_the_same_pairs_are_measured_again(name: str, seed: int) -> None:
    machine = replace(MACHINES[name], passes=3)
    pairs = map_of(machine, seed)
    plan = {"processes": machine.units, "hosts": machine.units, "seed": seed, "duration": 1e-3}
    again = b_pairs(Replay(pairs, seed), **plan).result["retests"]
    once = len(pairs.retest_first) // PASSES
    assert again["first"] == pairs.retest_first[:once].tolist()
    assert again["second"] == pairs.retest_second[:once].tolist()
    assert once > 0
