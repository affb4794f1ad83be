"""What limits a run, of made-up runs of which it is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.machines.flat import flat
from support.machines.result import make_map
from support.results import Plan, make_result

from beff.definition.b_eff_patterns import PING_PONG, RANDOM_PATTERNS
from beff.judge.limit import CROWDED_BELOW, EXCEEDED, REACHED, limit_of
from beff.result.load import check_document
from scripted_machine import Order

RATE = 1e10
"""Of what a process sends, in byte/s."""
NEAR, FAR = 0.01, 0.02
"""Shares by which figures are off that must not matter, or must."""


def machine(latency_s: float = 1e-7, alone: float = 1.0) -> Callable[[Plan, Order], float]:
    """Return how long an iteration takes where every process sends by RATE, two alone by more."""

    def iteration_s(plan: Plan, order: Order) -> float:
        if order["pattern"] == PING_PONG:  # one after the other
            return float(2 * (latency_s + order["size_bytes"] / RATE / alone))
        return float(latency_s + order["messages"] / plan.processes * order["size_bytes"] / RATE)

    return iteration_s


def one_host(processes: int = 4, **of: float) -> dict[str, Any]:
    return make_result(Plan(processes, iteration_s=machine(**of)))


def hosts(**of: float) -> dict[str, Any]:
    """Return a run with a process on each of eight hosts, which sends two messages to others."""
    fields = make_result(Plan(8, hosts=(1,) * 8, iteration_s=machine(**of)))
    for pattern in fields["patterns"]:
        pattern["leaving_messages"] = 2
    return fields


def limit(fields: dict[str, Any]) -> str:
    """Return its name; empty without one."""
    sentence = limit_of(check_document("a result", fields))
    assert sentence == "" or sentence.startswith("limited by ")
    return sentence.removeprefix("limited by ").partition(":")[0]


def with_load(fields: dict[str, Any], share: float) -> dict[str, Any]:
    """Return a run during which others had a share of the time of a process on each host."""
    count = fields["environment"]["nodes"]
    zeros = " ".join(["0"] * count)
    columns = dict.fromkeys(("others_ms", "stolen_ms", "waited_ms", "throttled_ms"), zeros)
    columns |= {"elapsed_ms": " ".join(["20000"] * count)}
    columns |= {"others_ms": " ".join([str(round(20000 * share))] * count)}
    return {**fields, "load": columns}


def with_ports(fields: dict[str, Any], share: float, kind: str = "rdma") -> dict[str, Any]:
    """Return a run whose random rings at L_max are such a share of what the ports carry."""
    random = [one for one in fields["patterns"] if one["id"] in RANDOM_PATTERNS]
    leaves = sorted(
        one["bandwidth_by_size_MBps"][-1] * one["leaving_messages"] / one["messages"]
        for one in random
    )
    count = fields["environment"]["nodes"]
    sent, ones, zeros = (" ".join([each] * count) for each in ("1000", "1", "0"))
    rate = round(1e6 * leaves[(len(leaves) - 1) // 2] / share)
    port = {"name": "p0", "kind": kind, "sent_bytes": sent, "active": ones, "errors": zeros}
    wires = {"payload_bytes": sent, "inside_bytes": zeros, "retransmits": zeros}
    wires |= {"ports": [{**port, "bytes_per_s": " ".join([str(rate)] * count)}]}
    return {**fields, "wires": wires}


def test_processes_that_take_turns() -> None:
    fields = with_load(one_host(latency_s=1e-3), 0.5)
    fields["environment"]["oversubscribed"] = True
    assert limit(fields) == "cores"


@pytest.mark.parametrize(("share", "name"), [(0.46, "load"), (0.04, "latency")])
def test_others_come_before_all_that_they_hide(share: float, name: str) -> None:
    assert limit(with_load(one_host(latency_s=1e-3), share)) == name


def test_latency_comes_before_bandwidth_where_half_of_it_brings_more() -> None:
    assert limit(hosts(latency_s=1e-3)) == "latency"
    assert limit(hosts()) == ""


@pytest.mark.parametrize(
    ("off", "name"), [(FAR, "copies in memory"), (-FAR, "")], ids=["crowded", "not crowded"]
)
def test_processes_of_a_host_that_share_its_memory(off: float, name: str) -> None:
    """Two alone have more than four times as much as each of all."""
    assert limit(one_host(8, alone=(1 + off) / CROWDED_BELOW)) == name


def test_hardware_threads_share_cores_and_not_only_memory() -> None:
    fields = one_host(8, alone=10.0)
    fields["environment"]["cpu"]["cores"] = 4
    assert limit(fields) == ""


@pytest.mark.parametrize(
    ("share", "name"),
    [
        (REACHED - NEAR, ""),
        (REACHED + NEAR, "ports"),
        (EXCEEDED - NEAR, "ports"),
        (EXCEEDED + NEAR, ""),
    ],
)
def test_the_share_of_the_ports(share: float, name: str) -> None:
    assert limit(with_ports(hosts(), share)) == name


def test_a_port_of_unknown_rate_is_no_limit() -> None:
    fields = with_ports(hosts(), 1.0)
    fields["wires"]["ports"][0]["bytes_per_s"] = "-x8"
    assert limit(fields) == ""


@pytest.mark.parametrize("plan", [Plan(patterns=(0, 5, 39)), Plan(measured=9)])
def test_a_part_of_the_patterns_shows_no_limit(plan: Plan) -> None:
    assert limit(make_result(plan)) == ""


def test_other_benchmarks_have_no_such_line() -> None:
    assert limit(make_map(flat(8))) == ""
