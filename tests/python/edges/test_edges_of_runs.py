"""Edges of single results: load, limits, wires, hardware, expectations, caches."""

from collections.abc import Callable
from functools import partial
from typing import Any

from support.checks import (
    LMAX,
    expecting,
    host,
    loaded,
    on_devices,
    port,
    result,
    roofs_fields,
    wires,
)
from support.edges import Edge, beyond_edges
from support.io_results import MIB, IoRun, make_io_result
from support.machines.measure import flat
from support.machines.result import make_map
from support.repeated import with_figures
from support.results import Plan, make_result

from beff.definition.b_eff_plan import PING_PONG, RANDOM_PATTERNS
from beff.judge.analysis import analysis_of, load_reason
from beff.judge.expectations import check_expectations, read_expectations
from beff.judge.hardware import carried, check_hardware, check_wires, wires_text
from beff.judge.limit import beyond_its_way, limit_of
from beff.result.load import check_document
from scripted_machine import Order

Fields = dict[str, Any]


# --- load and repetitions ---


def with_load(fields: Fields, column: str, percent: float, hosts: int = 1) -> Fields:
    """Return a run of which some hosts lost a share of the time of a process."""
    count = fields["environment"]["nodes"]
    lost = " ".join([str(round(1000 * percent))] * hosts + ["0"] * (count - hosts))
    columns = dict.fromkeys(("others_ms", "stolen_ms", "waited_ms", "throttled_ms"), "0")
    return loaded(fields, **{**columns, "elapsed_ms": "100000", column: lost})


def is_quiet(make: Callable[[], Fields], column: str, percent: float, hosts: int = 1) -> bool:
    fields = with_load(make(), column, percent, hosts)
    return load_reason(check_document("a", fields).result) is None


run = partial(make_result, Plan(processes=2))
pairs = partial(make_map, flat(8))


def differ_too_much(slowest: float) -> bool:
    """Whether repetitions do of which each takes as long as the first, but the last one."""
    fields = make_result(Plan(processes=2, methods=("sendrecv",), repetitions=3))
    samples = fields["samples"]
    first: dict[tuple[int, int], tuple[int, float]] = {}
    for row, repetition in enumerate(samples["repetition"]):
        cell = samples["pattern"][row], samples["size"][row]
        took = samples["loop_length"][row], samples["time_max_s"][row]
        length, seconds = first.setdefault(cell, took)
        samples["loop_length"][row] = length
        samples["time_max_s"][row] = seconds * (slowest if repetition == 2 else 1.0)
    return analysis_of(check_document("a", with_figures(fields))).why_apart is not None


# --- limits ---

RATE = 1e10
"""Of what a process sends, in byte/s."""


def machine(latency_s: float = 1e-7, alone: float = 1.0) -> Callable[[Plan, Order], float]:
    """Return how long an iteration takes where every process sends by RATE, two alone by more."""

    def iteration_s(plan: Plan, order: Order) -> float:
        if order["pattern"] == PING_PONG:  # one after the other
            return float(2 * (latency_s + order["size_bytes"] / RATE / alone))
        return float(latency_s + order["messages"] / plan.processes * order["size_bytes"] / RATE)

    return iteration_s


def one_host(processes: int = 4, **of: float) -> Fields:
    return make_result(Plan(processes, iteration_s=machine(**of)))


def hosts(**of: float) -> Fields:
    """Return a run with a process on each of eight hosts, which sends two messages to others."""
    fields = make_result(Plan(8, hosts=(1,) * 8, iteration_s=machine(**of)))
    for pattern in fields["patterns"]:
        pattern["leaving_messages"] = 2
    return fields


SLOW = one_host(latency_s=1e-3)


def limit(fields: Fields, oversubscribed: bool = False) -> str:
    """Return its name; empty without one."""
    environment = {**fields["environment"], "oversubscribed": oversubscribed}
    fields = {**fields, "environment": environment}
    finding = limit_of(check_document("a", fields))
    return "" if finding is None else finding.code.removeprefix("limited by ")


def with_ports(share: float, last: float = 1.0) -> Fields:
    """Return a run whose random rings at L_max are such a share of what the ports carry.

    That of the last host has so many times the rate of the others; 0 is not known.
    """
    fields = hosts()
    leaves = sorted(
        one["bandwidth_by_size_MBps"][-1] * one["leaving_messages"] / one["messages"]
        for one in fields["patterns"]
        if one["id"] in RANDOM_PATTERNS
    )
    each = "1000x8"
    rate = round(1e6 * leaves[(len(leaves) - 1) // 2] / share)
    rdma = {**port("p0", "rdma", each), "bytes_per_s": f"{rate}x7 {round(last * rate) or '-'}"}
    return {**fields, "wires": wires(each, rdma)}


def with_copies(through_host: float) -> Fields:
    """Return a run on GPUs, and how many times its best pattern copies through the host are."""
    fields = one_host()
    last = (one["bandwidth_by_size_MBps"][-1] / one["processes"] for one in fields["patterns"])
    best = max(last)
    return on_devices(fields, on_device_MBps=2 * best, through_host_MBps=through_host * best)


def is_beyond(fields: Fields) -> bool:
    return bool(beyond_its_way(check_document("a", fields)))


# --- wires and hardware ---


def of_wires(fields: Fields) -> dict[str, str]:
    """What is said of the wires of four hosts."""
    document = check_document("a", make_map(flat(4), wires=fields))
    return {one.about: one.verdict.value for one in check_wires(document) if one.verdict}


BAD, OPEN = {"host node3": "bad"}, {"host node3": "inconclusive"}


def elsewhere(sent: int, usual: str = "ethernet") -> dict[str, str]:
    """Of a host that sent a part of its 1000 bytes by another port than the others."""
    one = port("p0", usual, f"1000 1000 {1000 - sent} 1000")
    return of_wires(wires("1000x4", one, port("p1", "ethernet", f"0 0 {sent} 0")))


def again(counts: str) -> dict[str, str]:
    return of_wires(wires("1000x4", port("eth0", "ethernet", "1000x4"), retransmits=counts))


def unused_by(idle: int) -> dict[str, str]:
    """Of hosts of which some send by Ethernet beside an active RDMA port."""
    rdma = " ".join(["1000"] * (4 - idle) + ["0"] * idle)
    ethernet = " ".join(["0"] * (4 - idle) + ["1000"] * idle)
    return of_wires(wires("1000x4", port("e", "ethernet", ethernet), port("m", "rdma", rdma)))


def slower_rdma(rate: int) -> dict[str, str]:
    each = "1000x4"
    one = port("e", "ethernet", each, bytes_per_s="3000x4")
    other = port("m", "rdma", "0x4", active="0 0 1 0", bytes_per_s=f"- - {rate} -")
    return of_wires(wires(each, one, other))


def is_known(counted: int) -> bool:
    """Whether it is known what carried 1000 bytes, of which the ports counted so many."""
    fields = wires("1000", port("eth0", "ethernet", str(counted)))
    result = check_document("a", {**make_result(), "wires": fields}).result
    found = carried(result)
    assert found is not None
    return not wires_text(found).endswith("not known")


def slower_network(quick: int) -> str:
    """Of so many hosts of eight, of which the others have half of their rate."""
    roofs = roofs_fields(None, host(f"a[1-{quick}]", 2e4), host(f"b[{quick + 1}-8]", 1e4))
    document = check_document("a", make_map(flat(8), roofs=roofs))
    found = {one.about: one.verdict for one in check_hardware(document)}
    (verdict,) = (verdict for about, verdict in found.items() if about.startswith("host b"))
    assert verdict is not None
    return verdict.value


# --- expectations and caches ---


def expected(times: float, **conditions: Any) -> str:
    """What is said of a value that is so many times the expected one, of 10 % to either side."""
    document = check_document("a", result())
    value = document.fields["summary"]["b_eff_MBps"] / times
    content = expecting({"b_eff_MBps": [value, -0.1, 0.1, "MB/s"]}, **conditions)
    (finding,) = check_expectations(document, read_expectations("e", content))
    assert finding.verdict is not None
    return finding.verdict.value


def medium(percent: float) -> str:
    """What is said of a read of which so much of the files was in memory."""
    return str(make_io_result(IoRun(resident=round(percent * MIB)))["medium"]["code"])


OF_ALL = partial(is_quiet, pairs, "waited_ms", hosts=8)
EDGES: list[Edge] = [
    # docs/explanation/statistics.md
    ("others: 5 %", partial(is_quiet, run, "others_ms"), (5.0, True), (5.1, False)),
    ("the hypervisor", partial(is_quiet, run, "stolen_ms"), (5.0, True), (5.1, False)),
    ("a quota", partial(is_quiet, run, "throttled_ms"), (5.0, True), (5.1, False)),
    (
        "waiting counts in maps",
        lambda make: is_quiet(make, "waited_ms", 99.0, 8),
        (hosts, True),
        (pairs, False),
    ),
    ("half of the time", OF_ALL, (50.0, True), (50.1, False)),
    (
        "a quarter of the hosts",
        lambda n: is_quiet(pairs, "others_ms", 9.0, n),
        (2, True),
        (3, False),
    ),
    ("repetitions: 15 %", differ_too_much, (1.17, False), (1.18, True)),
    # limits.md
    (
        "load",
        lambda share: limit(with_load(SLOW, "others_ms", share)),
        (4.9, "latency"),
        (5.1, "load"),
    ),
    (
        "cores",
        lambda more: limit(with_load(SLOW, "others_ms", 9.0), more),
        (False, "load"),
        (True, "cores"),
    ),
    ("latency", lambda s: limit(hosts(latency_s=s)), (1e-7, ""), (1e-3, "latency")),
    ("copies: 25 %", lambda f: limit(one_host(8, alone=f)), (3.92, ""), (4.08, "copies in memory")),
    (
        "GPUs: 1.5 times the copies",
        lambda f: limit(with_copies(f)),
        (0.66, "copies on the device"),
        (0.67, "copies through the host"),
    ),
    ("ports: 75 %", lambda share: limit(with_ports(share)), (0.74, ""), (0.76, "ports")),
    ("ports: 125 %", lambda share: limit(with_ports(share)), (1.26, ""), (1.24, "ports")),
    ("the least of the ports", lambda f: limit(with_ports(0.8, f)), (0.5, ""), (2, "ports")),
    ("a rate not known", lambda known: limit(with_ports(0.8, known)), (0, ""), (1, "ports")),
    ("ten times the ports", lambda f: is_beyond(with_ports(f)), (4.9, False), (5.1, True)),
    (
        "ten times the copies",
        lambda f: is_beyond(one_host(latency_s=0, alone=f)),
        (195, False),
        (205, True),
    ),
    # check.md
    ("a quarter by another port", elsewhere, (240, {}), (260, BAD)),
    ("by Ethernet beside RDMA", lambda n: elsewhere(n, "rdma"), (240, {}), (260, BAD)),
    ("RDMA that is not slower", slower_rdma, (2999, {}), (3001, BAD)),
    ("more than half", lambda n: "hosts" in unused_by(n), (2, False), (3, True)),
    ("100 segments again", again, ("0 0 99 0", {}), ("0 0 100 0", OPEN)),
    ("ten times as many", again, ("5000 5000 49000 5000", {}), ("5000 5000 51000 5000", OPEN)),
    ("half of the payload", is_known, (499, False), (501, True)),
    ("most have a quicker network", slower_network, (4, "inconclusive"), (5, "bad")),
    ("the tolerance below", expected, (0.89, "bad"), (0.91, "good")),
    ("the tolerance above", expected, (1.11, "bad"), (1.09, "good")),
    (
        "L_max: 7 %",
        lambda f: expected(1, lmax_bytes=round(LMAX * f)),
        (1.06, "good"),
        (1.08, "inconclusive"),
    ),
    # definitions-b_eff_io.md
    ("95 % from the disk", medium, (5.5, "read from both"), (4.5, "read from the file system")),
    ("95 % from memory", medium, (94.5, "read from both"), (95.5, "read from memory")),
]

test_edges = beyond_edges(EDGES)
