"""Hosts that are not behind the switch that topology.conf says are named, and no others."""

from __future__ import annotations

import pytest
from support.machines.leaves import Leaves, Level
from support.machines.machine import Machine, broken
from support.machines.measure import map_of
from support.machines.noise import Noise
from support.machines.ways import Flat

from beff.maps.findings import PairJudgement, Status
from beff.maps.judge_pairs import judge_pairs

SEEDS = range(12)
NOISE = {"noise": Noise(0.03), "passes": 5}
FOUR = Leaves((Level((8, 8, 8, 8), hop=1.15),))
OF_FOUR = [unit // 8 for unit in range(32)]


def judged(machine: Machine, leaves: list[int], seed: int) -> PairJudgement:
    return judge_pairs(map_of(machine, seed), switches=[("root", f"leaf{one}") for one in leaves])


def swapped(leaves: list[int], one: int, other: int) -> list[int]:
    said = list(leaves)
    said[one], said[other] = said[other], said[one]
    return said


@pytest.mark.parametrize("seed", SEEDS)
def test_two_that_are_swapped_are_named_and_nobody_is_slow(seed: int) -> None:
    found = judged(broken(FOUR, **NOISE), swapped(OF_FOUR, 3, 12), seed)
    places = {one.name: (one.said, one.seen) for one in found.misplaced}
    assert places == {"n3": ("leaf1", "leaf0"), "n12": ("leaf0", "leaf1")}
    assert all(one.factor == pytest.approx(1.15, abs=0.06) for one in found.misplaced)
    assert len(found.with_status(Status.GOOD)) == 32


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("topology", [FOUR, Flat(32)])
def test_where_all_is_true_nobody_is_named(topology: Leaves | Flat, seed: int) -> None:
    assert judged(broken(topology, **NOISE), OF_FOUR, seed).misplaced == ()


def test_a_flat_network_has_no_place_to_see() -> None:
    found = judged(broken(Flat(32), **NOISE), swapped(OF_FOUR, 3, 12), 1)
    assert found.misplaced == ()
    assert len(found.with_status(Status.GOOD)) == 32
