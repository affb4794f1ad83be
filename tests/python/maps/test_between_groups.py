"""What is said of the ways between groups, with and without knowing their switches."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from support.levels import constant, in_groups, names, units, waiting
from support.machines.faults import Fault
from support.machines.leaves import leaves
from support.machines.machine import Machine, broken
from support.machines.measure import map_of
from support.machines.noise import Noise
from support.machines.result import sentences_of

from beff.judge.finding import Verdict
from beff.maps.findings import Status
from beff.maps.judge_pairs import judge_pairs


def test_groups_are_told_with_how_far_they_are() -> None:
    """Short messages between them take 1.3 times as long."""
    found = judge_pairs(constant(in_groups(4, 4, apart=1.3)))
    assert [group.names[0] for group in found.groups] == ["n0", "n4"]
    assert [group.factor for group in found.groups] == pytest.approx([1.3, 1.3])
    assert {group.status for group in found.groups} == {Status.GOOD}


@pytest.mark.parametrize(("factor", "status"), [(2.0, Status.GOOD), (3.0, Status.SUSPECT)])
def test_two_groups_are_topology_unless_no_way_is_as_far(factor: float, status: Status) -> None:
    found = judge_pairs(constant(in_groups(8, 8, apart=factor)))
    assert {group.status for group in found.groups} == {status}
    assert units(found, Status.GOOD) == names(16)


def test_a_group_farther_than_the_others_is_open() -> None:
    factors = in_groups(4, 4, 4, 4, apart=1.3)
    factors[:4, 4:] = factors[4:, :4] = 2.0
    found = judge_pairs(constant(factors))
    (far,) = (group for group in found.groups if group.status == Status.SUSPECT)
    assert far.names == ("n0", "n1", "n2", "n3")
    assert far.factor == pytest.approx(2.0)


def test_groups_that_never_met_have_no_figure() -> None:
    factors = in_groups(8, 8, apart=4.0)
    factors[:8, 8:] = factors[8:, :8] = np.nan
    found = judge_pairs(constant(factors, factors))
    assert (found.groups, found.uplinks) == ((), ())
    assert units(found, Status.GOOD) == names(16)


@pytest.mark.parametrize(("taper", "share"), [(1, 0.5), (1, 0.25), (2, 1.0), (2, 0.5), (3, 0.5)])
@pytest.mark.parametrize("size", [4, 8])
def test_two_leaves_are_never_passed_over_in_silence(size: int, taper: float, share: float) -> None:
    """An uplink of half or a quarter, or a taper: which it is two groups cannot tell."""
    topology = leaves(size, size, hop=1.2, taper=taper)
    pairs = map_of(broken(topology, Fault(1 / share, uplinks=topology.uplink(0))), 3)
    told = sentences_of(pairs)
    ways = [text for about, text in told.items() if "get" in text[1]]
    assert Verdict.UNKNOWN in {way[0] for way in ways}
    assert any(re.search(r"pairs? at once gets? 0\.", way[1]) for way in ways)
    assert units(judge_pairs(pairs), Status.SLOW) == set()


def test_of_four_leaves_the_slow_uplink_is_open() -> None:
    topology = leaves(4, 4, 4, 4, hop=1.2)
    fault = Fault(4.0, uplinks=topology.uplink(1))
    found = judge_pairs(map_of(broken(topology, fault), 3))
    (uplink,) = found.uplinks
    assert uplink.status == Status.SUSPECT
    assert uplink.names == ("n4", "n5", "n6", "n7")
    assert uplink.share < 0.5
    assert units(found, Status.GOOD) == names(16)


def test_a_taper_of_all_leaves_is_told() -> None:
    found = judge_pairs(map_of(Machine(leaves(4, 4, 4, 4, hop=1.2, taper=2)), 3))
    assert {uplink.status for uplink in found.uplinks} == {Status.GOOD}
    assert found.of_all == ()


LEAVES = [("top", leaf) for leaf in "aaaabbbc"]


def test_with_a_topology_a_host_alone_is_judged_and_switches_are_named() -> None:
    """Groups are 1.4 apart. Unit 7 is alone behind c: beyond that it is slow, or its uplink."""
    factors = in_groups(4, 3, 1, apart=1.4)
    found = judge_pairs(constant(factors), switches=LEAVES)
    assert units(found, Status.GOOD) == names(8)
    assert {group.switch for group in found.groups} == {"a", "b"}
    told = sentences_of(constant(factors), switches=LEAVES)
    assert any("a (n[0-3])" in about for about in told)
    slow = factors * waiting([1.0] * 7 + [1.5])
    assert units(judge_pairs(constant(slow), switches=LEAVES), Status.SUSPECT) == {"n7"}
    assert units(judge_pairs(constant(slow)), Status.SLOW) == set()


def test_processes_have_no_switch_in_their_sentences() -> None:
    found = judge_pairs(replace(constant(in_groups(4, 4, apart=1.3)), unit="process"))
    assert {group.switch for group in found.groups} == {None}


@pytest.mark.parametrize("seed", [1, 10])
def test_a_leaf_of_which_more_crosses_by_chance_is_as_the_others(seed: int) -> None:
    machine = Machine(leaves(16, 16, 16, 16, hop=1.25, taper=2), noise=Noise(0.01), passes=3)
    assert {one.status for one in judge_pairs(map_of(machine, seed)).uplinks} == {Status.GOOD}
