"""Times of patterns by a map whose capacities are known, worked out by hand."""

from __future__ import annotations

from copy import deepcopy
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.machines.flat import QUIET, flat
from support.machines.leaves import Leaves, Level
from support.machines.machine import broken
from support.machines.result import make_map
from support.programs.limited import MAP_RATE, Script, limited

from beff.result.b_eff_result import BEffResult
from beff.result.errors import ResultError
from beff.result.load import check_document
from beff.twin.self_test import SelfTest, self_test
from beff.twin.traffic import need_of, traffic_of
from beff.twin.twin import TESTED, Twin, twin_of
from beff.verify.b_eff.definition import Draw

BLOCK = list(range(8))
DEALT = [0, 4, 1, 5, 2, 6, 3, 7]
UPLINK = 2 * MAP_RATE
"""Of a leaf of four hosts: half of what they send."""
ONE_RING = 5


@cache
def twin(**script: float) -> tuple[Twin, SelfTest]:
    """Two leaves of four hosts with half of their bandwidth up; b_eff may have another uplink."""
    machine = broken(Leaves((Level((4, 4), hop=1.3, taper=2.0),)), **QUIET, passes=20)
    map_ = check_document("b_pairs", make_map(machine))
    known = {"leaf": 4, "uplink": UPLINK, "latency_s": 2e-6, **script}
    run = check_document("b_eff", limited(Script(**known)))  # type: ignore[arg-type]
    found = twin_of(run, map_)
    assert isinstance(run.result, BEffResult)
    return found, self_test(found, run.result)


def test_rates_of_hosts_and_uplinks_are_those_of_the_machine() -> None:
    ways = twin()[0].ways
    assert ways.groups.tolist() == [0] * 4 + [1] * 4
    assert ways.hosts == pytest.approx([MAP_RATE] * 8, rel=0.05)
    assert ways.levels[0].carried == pytest.approx([UPLINK] * 2, rel=0.06)


@pytest.mark.parametrize(
    ("placement", "hosts", "crossing"),
    [
        (BLOCK, 2, 2),
        (DEALT, 2, 8),
        ([0, 4, 2, 6, 1, 5, 3, 7], 2, 8),
        ([0, 1, 4, 5, 2, 3, 6, 7], 2, 4),
    ],
)
def test_one_ring_needs_the_narrowest_place(
    placement: list[int], hosts: int, crossing: int
) -> None:
    """Each host sends two messages; what crosses each way shares an uplink of two hosts' rate."""
    ways = twin()[0].ways
    need = need_of(ways, traffic_of(ONE_RING, placement, Draw(1)))
    assert need.byte_s == pytest.approx(max(hosts / MAP_RATE, crossing / UPLINK), rel=0.06)
    assert need.place is not None
    if crossing > 4:
        assert need.place.said(ways) in {"the uplink of node[1-4]", "the uplink of node[5-8]"}


def test_a_run_of_the_same_machine_passes_and_other_placements_are_predicted() -> None:
    found, test = twin()
    assert test.passed
    assert found.bandwidths(ONE_RING, DEALT)[-1] == pytest.approx(
        found.bandwidths(ONE_RING, BLOCK)[-1] / 2, rel=0.1
    )


@pytest.mark.parametrize("far", [0.7, 0.5])
def test_random_rings_that_lose_on_the_way_are_refused(far: float) -> None:
    """As on a torus: rings of neighbours as hosts allow, random ones less than uplinks do."""
    test = twin(far=far * MAP_RATE)[1]
    assert not test.passed
    assert {pattern for pattern, _ in test.worst(6)} <= set(TESTED[6:])
    assert test.worst(1)[0][1] < 1
    assert "torus" in test.advice


def test_each_ring_counts_as_half_of_b_eff_is_made_of_them() -> None:
    off = np.where(np.arange(36) < 1, 0.13, 0.0)
    assert SelfTest(TESTED, off, off).passed
    assert SelfTest(TESTED, off, off).width == pytest.approx(0.13)
    assert not SelfTest(TESTED, 1.2 * off, np.zeros(36)).passed


def test_the_longest_messages_count_on_their_own() -> None:
    near, off = np.zeros(36), np.full(36, 0.1)
    assert SelfTest(TESTED, near, near).passed
    assert not SelfTest(TESTED, near, off).passed
    assert not SelfTest(TESTED, off, near).passed


@pytest.mark.parametrize(("far_off", "passed"), [(2, True), (3, False)])
def test_two_of_30_random_rings_may_be_off(far_off: int, passed: bool) -> None:
    off = np.zeros(36)
    off[6 : 6 + far_off] = 0.2
    assert SelfTest(TESTED, off, np.zeros(36)).passed == passed


def test_an_uplink_that_nobody_waited_for_carries_what_was_seen_at_least() -> None:
    """At 1:1 nothing waits, so the uplinks are not known beyond the busiest round."""
    map_ = check_document(
        "b_pairs", make_map(broken(Leaves((Level((4, 4), hop=1.3),)), **QUIET, passes=20))
    )
    found = twin_of(check_document("b_eff", limited(Script(latency_s=2e-6))), map_)
    assert np.isinf(found.ways.levels[0].carried).all()
    assert found.ways.levels[0].crossed == pytest.approx([4 * MAP_RATE] * 2, rel=0.06)
    assert found.value(DEALT, seen=True) == pytest.approx(found.value(DEALT), rel=0.1)


def test_a_slow_host_is_slower_by_its_factor() -> None:
    map_ = check_document("b_pairs", make_map(flat(8, slow={3: 2.0}, **QUIET)))
    script = Script(slow={3: 0.5}, latency_s=2e-6)
    found = twin_of(check_document("b_eff", limited(script)), map_)
    assert found.ways.hosts[3] == pytest.approx(MAP_RATE / 2, rel=0.05)
    assert np.delete(found.ways.hosts, 3) == pytest.approx([MAP_RATE] * 7, rel=0.05)


def test_messages_inside_of_hosts_are_not_guessed() -> None:
    """One process of each host was measured, so nothing was sent inside of any."""
    found = twin()[0]
    with pytest.raises(ResultError, match="were not measured"):
        found.bandwidths(0, [0, 0, 1, 1])


@pytest.mark.parametrize(("inside", "passed"), [(30e9, True), (MAP_RATE / 8, False)])
def test_three_processes_on_a_host(inside: float, passed: bool) -> None:
    """No pattern stays within hosts: messages there are hidden behind others, or not understood."""
    run = limited(Script(hosts=4, per_host=3, latency_s=2e-6, inside=inside))
    machine = flat(4, base_ns={"small": 1800, "large": 3 * 90_000}, **QUIET)
    map_ = check_document("b_pairs", make_map(machine, environment=deepcopy(run["environment"])))
    document = check_document("b_eff", run)
    assert isinstance(document.result, BEffResult)
    found = twin_of(document, map_)
    test = self_test(found, document.result)
    assert test.passed == passed
    in_turn = list(range(4)) * 3
    if passed:
        assert found.value(in_turn) == found.value(in_turn, seen=True)
        assert found.value(found.placement, seen=True) <= found.value(found.placement)
        assert found.bandwidths(ONE_RING, in_turn)[-1] == pytest.approx(
            4 * MAP_RATE / 1e6, rel=0.05
        )


@settings(max_examples=8, deadline=None)
@given(st.permutations(BLOCK))
def test_no_placement_is_faster_than_the_ports_or_slower_than_all_over_one_uplink(
    placement: list[int],
) -> None:
    found = twin()[0]
    need = found.need(ONE_RING, placement)
    assert 2 / found.ways.hosts.max() <= need.byte_s <= 16 / found.ways.levels[0].carried.min()
    assert found.value(placement, seen=True) <= found.value(placement) * (1 + 1e-12)
