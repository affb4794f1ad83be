"""A slow host is never taken for a good one: what once was; test_invariants.py draws any."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from support.levels import constant, in_groups, units, waiting
from support.machines.faults import Fault
from support.machines.leaves import Leaves, leaves
from support.machines.machine import Machine, broken
from support.machines.measure import map_of
from support.machines.torus import Torus
from support.machines.ways import Topology

from beff.judge.finding import Verdict
from beff.judge.hosts import findings_of
from beff.maps.findings import Status
from beff.maps.judge_pairs import judge_pairs
from beff.maps.kinds import kinds_of
from beff.maps.topology import Switches

SEEDS = range(4)
LONG = ("large",)


def never_good(machine: Machine) -> None:
    """Neither alone, nor with the switches known."""
    tree = machine.topology if isinstance(machine.topology, Leaves) else None
    for seed in SEEDS:
        pairs = map_of(machine, seed)
        for switches in (None, tree and switches_of(tree)):
            found = findings_of(pairs, judge_pairs(pairs, switches=switches))
            assert {one.verdict or Verdict.GOOD for one in found} != {Verdict.GOOD}, seed


def switches_of(tree: Leaves) -> list[Switches]:
    """Return the switches above each host of a tree."""
    from_above = reversed([*enumerate(tree.group_of)])
    columns = [[f"s{level}.{one}" for one in groups.tolist()] for level, groups in from_above]
    return list(zip(["top"] * tree.units, *columns, strict=True))


SMALLEST = [(4, 2), (6, 2), (14, 2), (8, 8, 2), (30, 2), (62, 2)]


@pytest.mark.parametrize("sizes", SMALLEST, ids=str)
@pytest.mark.parametrize("factor", [1.3, 2.0, 3.0])
def test_a_slow_host_on_the_only_small_leaf(sizes: tuple[int, ...], factor: float) -> None:
    host = sum(sizes) - 1
    never_good(broken(leaves(*sizes, hop=1.25), Fault(factor, hosts=(host,), kinds=LONG)))


@pytest.mark.parametrize("known", [False, True])
def test_what_is_usual_is_not_estimated_from_one_link(known: bool) -> None:
    """Unit 7 takes 1.5 times as long; the only link of its group is that with unit 6.

    It does so in long messages alone, and nothing was measured again: its way may be shared, where
    no switches are known.
    """
    near, slow = in_groups(6, 2, apart=1.3), waiting([1.0] * 7 + [1.5])
    above = [("top", leaf) for leaf in "aaaaaabb"] if known else None
    found = judge_pairs(constant(near, slow), switches=above)
    status = Status.SLOW if known else Status.SUSPECT
    assert units(found, status) == {"n7"}
    assert found.with_status(status)[0].evidence[0].factor == pytest.approx(1.5)


def test_who_is_alone_behind_a_known_switch_is_compared_with_the_others() -> None:
    """All of its links are between groups, and no other is: it is slow, or what leads to it."""
    near, slow = in_groups(7, 1, apart=1.1), waiting([1.0] * 7 + [1.5])
    above = [("top", leaf) for leaf in "aaaaaaab"]
    assert units(judge_pairs(constant(near, slow), switches=above), Status.SUSPECT) == {"n7"}
    each = [("top", leaf) for leaf in "abcdefgh"]
    found = judge_pairs(constant(np.ones((8, 8)), slow), switches=each)
    assert units(found, Status.SUSPECT) == {"n7"}


@pytest.mark.parametrize("sizes", [(13, 3), (5, 3), (8, 8, 3)], ids=str)
@pytest.mark.parametrize("factor", [1.2, 2.0, 4.0])
def test_a_slow_unit_drives_nobody_out_of_its_group(sizes: tuple[int, ...], factor: float) -> None:
    own = [1.0] * sum(sizes)
    own[-1] = factor
    factors = in_groups(*sizes, apart=1.3) * waiting(own)
    small, _ = kinds_of(constant(factors, waiting(own)))
    assert np.bincount(small.labels).tolist() == sorted(sizes, reverse=True)


def _networks() -> Iterator[Topology]:
    yield leaves(13, 3, hop=1.25)
    yield leaves(13, 3, hop=1.25, taper=2)
    yield Torus((4, 2, 2))


@pytest.mark.parametrize("topology", [*_networks()], ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("factor", [1.2, 1.5, 2.0])
def test_a_slow_host_is_no_topology(topology: Topology, factor: float) -> None:
    for host in (0, topology.units - 1):
        never_good(broken(topology, Fault(factor, hosts=(host,))))


@pytest.mark.parametrize("taper", [2, 3])
@pytest.mark.parametrize(("hosts", "factor"), [((3,), 1.3), ((3,), 2.0), ((2, 3), 1.5)])
def test_what_is_shared_hides_no_slow_host(
    taper: float, hosts: tuple[int, ...], factor: float
) -> None:
    """Of leaves of two only pairs inside wait for no uplink, and all pairs inside are slow."""
    topology = leaves(2, 2, 2, 2, hop=1.2, taper=taper)
    never_good(broken(topology, Fault(factor, hosts=hosts, kinds=LONG)))


def test_a_partner_that_is_quick_alone_is_no_suspect() -> None:
    """With host 3, slow, the other of its leaf has no quick pair while others are under way."""
    topology = leaves(2, 2, 2, 2, hop=1.2, taper=3)
    for seed in SEEDS:
        pairs = map_of(broken(topology, Fault(2.0, hosts=(3,), kinds=LONG)), seed)
        found = judge_pairs(pairs)
        assert units(found, Status.SUSPECT) | units(found, Status.SLOW) == {"n3"}
