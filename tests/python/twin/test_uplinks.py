"""What groups of hosts share, level by level, on machines whose uplinks are known."""

from __future__ import annotations

import numpy as np
import pytest
from support.machines.flat import QUIET, flat
from support.machines.leaves import Leaves, Level
from support.machines.machine import Machine, broken
from support.machines.measure import map_of
from support.machines.result import make_map
from support.machines.torus import Torus
from support.programs.limited import MAP_RATE

from beff.result.b_pairs_result import BPairsResult
from beff.twin.self_test import MapTest
from beff.twin.uplinks import Met, Uplinks, shared_s
from beff.twin.ways import Ways, ways_of

MANY = np.inf


def ways_on(machine: Machine) -> Ways:
    return ways_of(BPairsResult.model_validate(make_map(machine)))


def tree(*levels: Level) -> Machine:
    return broken(Leaves(levels), **QUIET, passes=20)


def hosts_rates(ways: Ways, level: int) -> list[float]:
    """Return what uplinks carry in rates of hosts, of the groups in the order of their hosts."""
    uplinks = ways.levels[level]
    first = np.unique(uplinks.groups, return_index=True)[1]
    carried: list[float] = uplinks.carried[uplinks.groups[np.sort(first)]] / MAP_RATE
    return carried


def test_the_uplinks_of_unequal_leaves() -> None:
    """What crosses the widest waits for the others, which carry 2.5 and 1.5 hosts' rates."""
    ways = ways_on(tree(Level((9, 5, 3), hop=1.3, taper=2.0)))
    wide, *narrow = hosts_rates(ways, 0)
    assert narrow == pytest.approx([2.5, 1.5], rel=0.03)
    assert 3.8 < wide <= 4.6


def test_leaves_that_are_wide_and_pods_that_are_narrow() -> None:
    """Four leaves of four in each pod, which has room for a quarter of its hosts."""
    ways = ways_on(tree(Level((4,) * 8, hop=1.2), Level((16, 16), hop=1.5, taper=4.0)))
    assert [one.groups.max() + 1 for one in ways.levels] == [8, 2]
    assert hosts_rates(ways, 1) == pytest.approx([4.0, 4.0], rel=0.03)
    assert min(hosts_rates(ways, 0)) > 3.9


@pytest.mark.parametrize("hop", [1.2, 1.21, 1.5])
def test_pods_as_far_as_leaves(hop: float) -> None:
    """Short messages do not show the pods; long ones do."""
    ways = ways_on(tree(Level((4,) * 8, hop=1.2), Level((16, 16), hop=hop, taper=4.0)))
    assert [one.groups.max() + 1 for one in ways.levels][-1] == 2
    assert hosts_rates(ways, -1) == pytest.approx([4.0, 4.0], rel=0.05)


@pytest.mark.parametrize(
    ("machine", "passed"),
    [
        (flat(12, **QUIET), True),
        (tree(Level((4, 4, 8), hop=1.3, taper=2.0)), True),
        (broken(Torus((4, 4, 2)), **QUIET, passes=20), False),
    ],
)
def test_pairs_of_a_tree_are_explained_and_those_of_a_torus_are_not(
    machine: Machine, passed: bool
) -> None:
    assert MapTest(ways_on(machine).off).passed == passed


def test_pairs_share_an_uplink_evenly_and_take_what_others_leave() -> None:
    """Of 12 byte/s a pair that has 1 for itself leaves 11 to two others, one of which has 5."""
    pairs = map_of(flat(6, passes=1), 1)
    at = pairs.round_numbers == 0
    groups = np.zeros(6, dtype=np.int64)
    groups[pairs.second[at]] = 1
    uplinks = Uplinks(groups, np.array([12.0, MANY]), np.array([True, False]), np.zeros(2, bool))
    met = Met(pairs, np.ones(len(at)), np.ones(len(at)))
    alone_s = np.ones(len(at))
    alone_s[at] = [1 / 1, 1 / 5, 1 / 100]
    assert shared_s(met, [uplinks], alone_s)[at] == pytest.approx([1, 1 / 5, 1 / 6])
