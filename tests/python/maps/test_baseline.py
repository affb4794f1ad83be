"""A map beside earlier maps of the same hosts: each is compared with itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.levels import Floats, constant, in_groups, links, names, units, waiting
from support.machines.faults import Fault
from support.machines.flat import flat
from support.machines.leaves import leaves
from support.machines.machine import Machine, broken
from support.machines.measure import earlier_map, map_of

from beff.maps.baseline import only
from beff.maps.findings import PairJudgement, Status
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import PairMap


def beside(machine: Machine, seed: int = 1, days: int = 1) -> PairJudgement:
    earlier = [earlier_map(machine, seed, day) for day in range(1, days + 1)]
    return judge_pairs(map_of(machine, seed), earlier=earlier)


@pytest.mark.parametrize("days", [1, 3])
@pytest.mark.parametrize(
    "topology", [leaves(8, 8, hop=1.25, taper=2), leaves(15, 1, hop=1.4), leaves(6, 2, hop=2.0)]
)
def test_what_was_there_before_is_good(topology: object, days: int) -> None:
    """Structure, tapers and a spread of 8 %."""
    for spread in (0.02, 0.08):
        machine = Machine(topology, spread=spread)  # type: ignore[arg-type]
        found = beside(machine, days=days)
        assert units(found, Status.GOOD) == names(machine.units)
        assert (found.links, found.of_all, found.groups, found.uplinks) == ((), (), (), ())


@pytest.mark.parametrize("count", [4, 8, 16])
def test_a_host_slower_by_a_tenth_is_bad(count: int) -> None:
    for seed in range(5):
        found = beside(flat(count, {2: 1.1}, passes=None), seed)
        assert units(found, Status.SLOW) == {"n2"}
        assert units(found, Status.SUSPECT) == set()


def test_what_is_open_without_becomes_bad() -> None:
    """Short messages of one host only, a link, a host slow at times, an uplink of two groups."""
    small = Fault(1.4, hosts=(3,), kinds=("small",))
    assert units(beside(flat(16, faults=(small,))), Status.SLOW) == {"n3"}
    at_times = Fault(4.0, hosts=(3,), time=0.1)
    assert units(beside(flat(16, faults=(at_times,))), Status.SLOW) == {"n3"}
    assert links(beside(flat(16, links={(2, 5): 1.5})), Status.SLOW) == {("n2", "n5")}
    topology = leaves(8, 8, hop=1.2)
    found = beside(broken(topology, Fault(2.0, uplinks=topology.uplink(0))))
    assert {uplink.status for uplink in found.uplinks} == {Status.SLOW}
    assert units(found, Status.GOOD) == names(16)


@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (4, 4, 4, 4), (8, 8)])
def test_who_is_behind_a_slow_uplink_is_not_slow(sizes: tuple[int, ...]) -> None:
    """Nothing showed the leaves before: their hosts are slow with all others but their own."""
    topology = leaves(*sizes)
    machine = broken(topology, Fault(2.0, uplinks=topology.uplink(0)))
    for seed in range(4):
        found = beside(machine, seed)
        assert units(found, Status.GOOD) == names(machine.units)
        assert {uplink.status for uplink in found.uplinks} == {Status.SLOW}


def test_old_habits_cancel_by_hand() -> None:
    """Unit 3 always took 1.5 times as long; unit 5 takes 1.2 times as long since."""
    before = waiting([1.0, 1.0, 1.0, 1.5, 1.0, 1.0, 1.0, 1.0]) * in_groups(4, 4, apart=1.3)
    since = waiting([1.0, 1.0, 1.0, 1.5, 1.0, 1.2, 1.0, 1.0]) * in_groups(4, 4, apart=1.3)
    found = judge_pairs(constant(since, since), earlier=[constant(before, before)])
    assert units(found, Status.SLOW) == {"n5"}
    assert found.with_status(Status.SLOW)[0].evidence[0].factor == pytest.approx(1.2)
    assert found.is_since


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
    assert {group.status for group in found.groups} == {Status.SLOW}
    assert {round(group.factor, 3) for group in found.groups} == {1.5}


def renamed(pairs: PairMap, number: int, name: str) -> PairMap:
    return replace(pairs, names=(*pairs.names[:number], name, *pairs.names[number + 1 :]))


def test_a_host_that_is_new_is_not_tried() -> None:
    machine = flat(8, {2: 1.3})
    found = judge_pairs(renamed(map_of(machine, 1), 6, "new"), earlier=[earlier_map(machine, 1)])
    assert units(found, Status.NOT_TRIED) == {"new"}
    assert units(found, Status.SLOW) == {"n2"}


def test_the_order_of_hosts_does_not_matter() -> None:
    before = earlier_map(flat(8), 1)
    turned = only(before, before.names[::-1])
    assert turned.names == before.names[::-1]
    for earlier in (before, turned):
        found = judge_pairs(map_of(flat(8, {2: 1.3}), 1), earlier=[earlier])
        assert units(found, Status.SLOW) == {"n2"}


def machine_slower(factor: float, *, earlier: tuple[float, ...] = (1, 1, 1)) -> PairJudgement:
    """Judge a machine of which all times are so many times those of a day, of several days."""

    def on(day: float) -> PairMap:
        return constant(day * in_groups(4, 4, apart=1.3), day * np.ones((8, 8)))

    return judge_pairs(on(factor), earlier=[on(day) for day in earlier])


@pytest.mark.parametrize(
    ("factor", "earlier", "status"),
    [
        (3.0, (1, 1, 1), Status.SLOW),
        (3.0, (0.98, 1.02, 1, 1.01, 1), Status.SLOW),
        (1.25, (1, 1, 1), None),
        (1 / 3, (1, 1, 1), None),
        (3.0, (1, 1), Status.SUSPECT),  # too few
        (3.0, (1, 2.9, 1.5), Status.SUSPECT),  # within what they differ by
        (3.0, (1, 1, 2.9), Status.SUSPECT),
    ],
)
def test_what_all_hosts_have_become_is_a_finding_of_its_own(
    factor: float, earlier: tuple[float, ...], status: Status | None
) -> None:
    found = machine_slower(factor, earlier=earlier)
    assert {one.status for one in found.common} == ({status} if status else set())
    assert units(found, Status.GOOD) == names(8)
    for one in found.common:
        middle = float(np.median(earlier))
        assert (one.maps, one.factor) == (len(earlier), pytest.approx(factor / middle))


def test_a_host_that_is_slower_than_all_of_a_slower_machine_is_named() -> None:
    factors = 3 * waiting([1.0] * 7 + [1.5])
    before = constant(np.ones((8, 8)), np.ones((8, 8)))
    found = judge_pairs(constant(factors, factors), earlier=[before] * 3)
    assert units(found, Status.SLOW) == {"n7"}
    assert [one.factor for one in found.common] == pytest.approx([3, 3])


def test_most_hosts_are_not_all() -> None:
    factors = waiting([1.0, 1.0] + [3.0] * 6)
    before = constant(np.ones((8, 8)), np.ones((8, 8)))
    found = judge_pairs(constant(factors, factors), earlier=[before] * 3)
    assert [(one.factor, one.are_all) for one in found.common] == [(pytest.approx(3), False)] * 2


def test_uplinks_that_all_are_slower_are_not_all_hosts() -> None:
    """Each host is as quick as it was with the other of its leaf."""
    before, since = (constant(in_groups(2, 2, 2, 2, apart=apart)) for apart in (1.2, 3.0))
    assert judge_pairs(since, earlier=[before] * 3).common == ()
