"""Made-up maps are as those of the program, and what is known of their machines is true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from slow_hosts.machine import Fault, Machine
from support.machines.measure import flat, leaves, map_of, rounds_of_pass
from support.machines.retests import PASSES

from beff.definition.b_pairs_plan import KINDS, meetings
from beff.maps.pair_map import PairMap
from scripted_machine import b_pairs

MACHINES = {
    "slow hosts": flat(12, {2: 1.3, 7: 1.3}),
    "more hosts": flat(20, spread=0.2),
    "links": flat(9, links={(3, 4): 2}, faults=[Fault(1.5, pairs=((0, 8),), kinds=("short",))]),
    "more links": flat(30, links={(one, one + 1): 2 for one in range(0, 30, 2)}),
    "noise": flat(8, noise=0.3),
    "leaves": Machine(leaves(6, 2, hop=1.4), faults=(Fault(2, pairs=((1, 7), (0, 1))),)),
    "not all meet": flat(70, {5: 1.5}, links={(0, 1): 2}),
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
    plan = {"processes": machine.hosts, "hosts": machine.hosts, "seed": seed, "duration": 1e-3}
    again = b_pairs(Replay(pairs, seed), **plan).result["retests"]
    once = len(pairs.retest_first) // PASSES
    assert again["first"] == pairs.retest_first[:once].tolist()
    assert again["second"] == pairs.retest_second[:once].tolist()
    assert once > 0
