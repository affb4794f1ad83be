"""A map beside earlier maps of the same hosts: each is compared with itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from slow_hosts.machine import Fault, Machine
from support.levels import Floats, constant, in_groups, links, names, of, units, waiting
from support.machines.measure import earlier_map, flat, leaves, map_of

from beff.maps.findings import PairJudgement, Status
from beff.maps.judge_pairs import judge_pairs


def beside(machine: Machine, seed: int = 1, days: int = 1) -> PairJudgement:
    earlier = [earlier_map(machine, seed, day) for day in range(1, days + 1)]
    return judge_pairs(map_of(machine, seed), earlier=earlier)


@pytest.mark.parametrize("count", [4, 8, 16])
def test_a_host_slower_by_a_tenth_is_bad(count: int) -> None:
    for seed in range(5):
        found = beside(flat(count, {2: 1.1}, passes=60), seed)
        assert units(found, Status.SLOW) == {"n2"}
        assert units(found, Status.SUSPECT) == set()


def test_what_is_open_without_becomes_bad() -> None:
    """Short messages of one host only, a link, a host slow at times, an uplink of two groups."""
    small = Fault(1.4, hosts=(3,), kinds=("short",))
    assert units(beside(flat(16, faults=(small,))), Status.SLOW) == {"n3"}
    at_times = Fault(4.0, hosts=(3,), time=0.1)
    assert units(beside(flat(16, faults=(at_times,))), Status.SLOW) == {"n3"}
    assert links(beside(flat(16, links={(2, 5): 1.5})), Status.SLOW) == {("n2", "n5")}
    topology = leaves(8, 8, hop=1.2)
    found = beside(Machine(topology, faults=(Fault(2.0, links=topology.uplink(0)),), passes=60))
    assert {uplink.status for uplink in of(found, "uplink")} == {Status.SLOW}
    assert units(found, Status.GOOD) == names(16)


@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (4, 4, 4, 4), (8, 8)])
def test_who_is_behind_a_slow_uplink_is_not_slow(sizes: tuple[int, ...]) -> None:
    """Nothing showed the leaves before: their hosts are slow with all others but their own."""
    topology = leaves(*sizes)
    machine = Machine(topology, faults=(Fault(2.0, links=topology.uplink(0)),), passes=60)
    for seed in range(4):
        found = beside(machine, seed)
        assert units(found, Status.GOOD) == names(machine.hosts)
        assert {uplink.status for uplink in of(found, "uplink")} == {Status.SLOW}


def between(one: int, other: int, factor: float) -> Floats:
    """Return factors of eight units of which one link takes so many times as long."""
    factors = np.ones((8, 8))
    factors[one, other] = factors[other, one] = factor
    return factors


def test_a_link_that_was_mended_hides_no_host() -> None:
    """With unit 4 unit 5 is quicker than it was, and slower with all others."""
    before, since = between(4, 5, 2.0), waiting([1.0] * 5 + [1.2] + [1.0] * 2)
    found = judge_pairs(constant(since, since), earlier=[constant(before, before)])
    assert units(found, Status.SLOW) == {"n5"}


def test_a_link_that_was_not_measured_alone_is_open() -> None:
    before, since = np.ones((8, 8)), between(4, 5, 2.0)
    found = judge_pairs(constant(since, since), earlier=[constant(before, before)])
    assert links(found, Status.SUSPECT) == {("n4", "n5")}
    assert links(found, Status.SLOW) == set()


def test_groups_that_are_farther_than_they_were() -> None:
    before, since = (constant(in_groups(8, 8, apart=apart)) for apart in (1.2, 1.8))
    found = judge_pairs(since, earlier=[before])
    assert {group.status for group in of(found, "group")} == {Status.SLOW}
    assert {round(group.factor, 3) for group in of(found, "group")} == {1.5}


def test_a_host_that_is_new_is_not_tried() -> None:
    machine = flat(8, {2: 1.3})
    now = map_of(machine, 1)
    now = replace(now, names=(*now.names[:6], "new", *now.names[7:]))
    found = judge_pairs(now, earlier=[earlier_map(machine, 1)])
    assert units(found, Status.NOT_TRIED) == {"new"}
    assert units(found, Status.SLOW) == {"n2"}


def test_most_hosts_are_not_all() -> None:
    factors = waiting([1.0, 1.0] + [3.0] * 6)
    before = constant(np.ones((8, 8)), np.ones((8, 8)))
    found = judge_pairs(constant(factors, factors), earlier=[before] * 3)
    assert [(one.factor, one.are_all) for one in found.common] == [(pytest.approx(3), False)] * 2


def test_uplinks_that_all_are_slower_are_not_all_hosts() -> None:
    """Each host is as quick as it was with the other of its leaf."""
    before, since = (constant(in_groups(2, 2, 2, 2, apart=apart)) for apart in (1.2, 3.0))
    assert judge_pairs(since, earlier=[before] * 3).common == ()
