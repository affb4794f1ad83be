"""What is said of made-up machines whose limits are known, and of results that do not show it."""
# ruff: noqa: N803 - MBps as in the result file

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.machines.flat import CALM, flat
from support.machines.leaves import leaves
from support.machines.machine import Machine
from support.machines.result import make_map
from support.programs.limited import MAP_RATE, Script, limited
from support.results import Plan, make_result

from beff.result.load import Document, check_document
from beff.twin.limit import Limit, limit_of, map_of_same_hosts

EIGHT = flat(8, **CALM)


def document(fields: dict[str, Any]) -> Document:
    return check_document("a result", fields)


def said(fields: dict[str, Any], pairs: dict[str, Any] | None) -> Limit:
    found = limit_of(document(fields), None if pairs is None else document(pairs))
    assert found is not None
    return found


def roofs(
    port_MBps: float | None, copy_MBps: float | None = None, hosts: int = 8
) -> dict[str, Any]:
    state = "active" if port_MBps else "down"
    port = {"name": "ib0", "kind": "infiniband", "rate_MBps": port_MBps, "state": state}
    group = {"hosts": f"node[1-{hosts}]", "network": [port], "pcie_below_maximum": []}
    return {"roofs": {"copy_MBps_per_process": copy_MBps, "hosts": [group], "took_s": 0.2}}


def test_a_port_that_is_full() -> None:
    found = said(limited(Script()), make_map(EIGHT, **roofs(1.05 * MAP_RATE / 1e6)))
    assert found.roof == "port rate"
    assert "12.2 GB/s" in found.sentence


@pytest.mark.parametrize("port_MBps", [None, 3 * MAP_RATE / 1e6])
def test_hosts_that_reach_what_pairs_reach_but_no_port(port_MBps: float | None) -> None:
    """Software may be what limits them."""
    assert said(limited(Script()), make_map(EIGHT, **roofs(port_MBps))).roof is None


def test_an_uplink_of_leaves() -> None:
    machine = Machine(leaves(4, 4, 4, 4, taper=2), passes=20, **CALM)
    script = Script(hosts=16, leaf=4, uplink=2 * MAP_RATE)
    found = said(limited(script), make_map(machine, **roofs(1.05 * MAP_RATE / 1e6, hosts=16)))
    assert found.roof == "uplink"
    assert "in random rings" in found.sentence


@pytest.mark.parametrize("factor", [1.5, 3.0])
def test_a_slow_host_for_which_all_wait(factor: float) -> None:
    machine = flat(8, slow={3: factor}, **CALM)
    pairs = make_map(machine, **roofs(1.05 * MAP_RATE / 1e6))
    found = said(limited(Script(slow={3: 1 / factor})), pairs)
    assert found.roof == "slow host"
    assert "node4" in found.sentence


def test_a_slow_host_that_was_not_waited_for() -> None:
    """It is slow in the map only; who sends as much as the others did not limit them."""
    machine = flat(8, slow={3: 3.0}, **CALM)
    assert said(limited(Script()), make_map(machine)).roof is None


def test_random_rings_that_lose_what_rings_have() -> None:
    found = said(limited(Script(far=MAP_RATE / 3)), make_map(EIGHT))
    assert found.roof == "links of the network"


def test_a_slow_link_that_most_patterns_use() -> None:
    machine = flat(4, links={(0, 1): 4.0}, **CALM)
    slow = said(limited(Script(hosts=4, links={(0, 1): MAP_RATE / 4})), make_map(machine))
    assert slow.roof == "slow link"
    assert said(limited(Script(hosts=4)), make_map(machine)).roof is None


def test_latency_of_short_runs_of_bytes() -> None:
    assert said(limited(Script(latency_s=1e-3)), make_map(EIGHT)).roof == "latency"


def test_noise_comes_before_all_that_it_hides() -> None:
    fields = limited(Script(noisy={1: 1.6, 2: 1.7}))
    assert said(fields, make_map(EIGHT, **roofs(1.05 * MAP_RATE / 1e6))).roof == "noise"


@pytest.mark.parametrize(
    ("share", "roof"), [(0.2, None), (0.45, "memory copies"), (0.9, "memory copies"), (4.0, None)]
)
def test_copies_on_one_host(share: float, roof: str | None) -> None:
    """A message is copied twice through shared memory, once where the library can."""
    inside = 5e9
    fields = limited(Script(hosts=1, per_host=4, inside=2 * inside))
    pairs = one_host_map(4, copy_MBps=2 * inside / 1e6 / share)
    assert said(fields, pairs).roof == roof


def one_host_map(processes: int, copy_MBps: float) -> dict[str, Any]:
    fields = make_map(flat(processes))
    fields["environment"] = make_result(Plan(processes=processes))["environment"]
    fields["plan"]["unit"] = "process"
    return {**fields, "roofs": {"copy_MBps_per_process": copy_MBps, "hosts": [], "took_s": 0.2}}


def test_memory_that_processes_share_where_no_copies_are_known() -> None:
    """Two alone have four times as much and more."""
    script = Script(hosts=1, per_host=8, inside=5e8)
    assert limit_of(document(limited(replace(script, inside=5e9))), None) is None
    fields = limited(replace(script, alone=10.0))
    assert said(fields, None).roof == "memory copies"
    fields["environment"]["cpu"]["cores"] = 4
    assert limit_of(document(fields), None) is None


@pytest.mark.parametrize(
    "plan", [Plan(processes=8, hosts=(1,) * 8), Plan(patterns=(0, 5, 39)), Plan(measured=9)]
)
def test_what_cannot_be_known_by_the_result_alone(plan: Plan) -> None:
    found = said(make_result(plan), None)
    assert found.roof is None
    assert found.sentence.startswith("not known what limits it: ")


def test_nothing_is_said_of_one_host_alone() -> None:
    """Its reader could do nothing about it."""
    assert limit_of(document(make_result(Plan())), None) is None


def test_processes_that_take_turns() -> None:
    fields = limited(Script())
    fields["environment"]["oversubscribed"] = True
    assert said(fields, make_map(EIGHT, **roofs(1.05 * MAP_RATE / 1e6))).roof is None


def test_other_benchmarks_have_no_such_line() -> None:
    assert limit_of(document(make_map(EIGHT)), None) is None


def test_two_hosts_cannot_be_judged_but_have_ports() -> None:
    pairs = make_map(flat(2, **CALM), **roofs(12e3, hosts=2))
    assert said(limited(Script(hosts=2)), pairs).roof == "port rate"


def test_the_map_of_the_same_hosts_is_taken() -> None:
    own = document(limited(Script()))
    same, others = make_map(EIGHT), make_map(flat(4))
    assert map_of_same_hosts(own, [document(others), own]) is None
    early = document(same)
    late = make_map(EIGHT)
    late["environment"]["started_at"] = "2026-11-23T10:00:00Z"
    newest = document(late)
    assert map_of_same_hosts(own, [newest, early, document(others)]) is newest
    moved = make_map(EIGHT)
    moved["environment"]["placement"] = "1 0 2 3 4 5 6 7"
    assert map_of_same_hosts(own, [document(moved)]) is None


def test_groups_that_are_far_share_no_uplink() -> None:
    """What goes between them takes longer, however much it is."""
    # what goes first there and back takes half as long again as the message
    far = leaves(8, 8, hop=2.0)
    machine = Machine(far, handshakes=25, passes=20, **CALM)
    found = said(limited(Script(hosts=16, far=MAP_RATE / 1.5)), make_map(machine))
    assert found.roof is None


def test_where_random_rings_meet_no_roof_that_of_rings_is_not_the_limit() -> None:
    pairs = make_map(EIGHT, **roofs(1.05 * MAP_RATE / 1e6))
    found = said(limited(Script(far=0.7 * MAP_RATE)), pairs)
    assert found.roof is None
    assert "in rings port rate" in found.sentence
