"""What surrounds a run: wires by hand-made counters, networks of hosts, load, the shape."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from support.checks import host, loaded, port, roofs_fields, wires
from support.io_results import make_io_result
from support.machines.measure import flat
from support.machines.result import make_map
from support.results import Plan, make_result, model_s

from beff.definition.b_eff_plan import ONE_RING, PING_PONG, RANDOM_PATTERNS, message_sizes
from beff.judge.analysis import Steadiness, analysis_of
from beff.judge.finding import Checked, Finding, Verdict
from beff.judge.hardware import Carried, check_hardware, check_wires, far_text, wires_text
from beff.judge.judge_results import Basis, judge_results
from beff.judge.limit import gains_of, network_shape
from beff.result.b_eff_result import BEffResult
from beff.result.errors import ResultError
from beff.result.load import Document, check_document
from beff.result.result_parts import Wires
from beff.show.parts.findings import sentence_of
from scripted_machine import Order


def said(fields: dict[str, Any]) -> str:
    return wires_text(Carried(Wires.model_validate(fields)))


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        (
            wires("50 50", port("mlx5_0/1", "rdma", "49 49"), port("eth0", "ethernet", "1 1")),
            "98 % left by mlx5_0/1, 2 % by eth0",
        ),
        (
            wires("0", port("lo", "loopback", "0"), inside_bytes="73000000"),
            "nothing left the host: shared memory",
        ),
        (
            wires("0", port("lo", "loopback", "73000000"), inside_bytes="73000000"),
            "73 MB went through lo: TCP inside of one machine",
        ),
        (
            wires("8000 8000", port("eth0", "ethernet", "10 10")),
            "of 16 kB the ports counted 0.02 kB: what carried it is not known",
        ),
        (
            wires(None, port("eth0", "ethernet", "900 1100"), port("lo", "loopback", "7 7")),
            "2 kB left, messages and files: 100 % by eth0; 0.014 kB went through lo",
        ),
        (
            wires(None, port("lo", "loopback", "7")),
            "nothing left the host; 0.007 kB went through lo",
        ),
    ],
)
def test_what_carried_the_messages(fields: dict[str, Any], text: str) -> None:
    assert said(fields) == text


def sentences(found: Iterable[Finding]) -> list[tuple[str, Verdict, str]]:
    return [(one.about, one.verdict or Verdict.GOOD, sentence_of(one)) for one in found]


def test_a_host_whose_port_has_another_name_is_no_fault_and_errors_are_open() -> None:
    one = port("eth0", "ethernet", "1000 1000 - 1000", active="1 1 - 1", errors="0 0 - 7")
    other = port("ens1", "ethernet", "- - 1000 -", active="- - 1 -", errors="- - 0 -")
    fields = make_map(flat(4), wires=wires("1000 1000 1000 1000", one, other))
    found = sentences(Checked(check_wires(check_document("a.json", fields))).judgements)
    assert found == [("host node4", Verdict.UNKNOWN, "7 errors at eth0")]


@pytest.mark.parametrize(
    ("sent", "near", "far"),
    [
        (("1000 1000", "0 0"), ("8 8", "8 8"), 16),
        (("500 500", "500 500"), ("8 8", "8 8"), 0),
        (("500 500", "500 500"), ("8 4", "8 8"), 4),
    ],
)
def test_processes_that_are_not_beside_a_port(
    sent: tuple[str, str], near: tuple[str, str], far: int
) -> None:
    ports = (
        port(f"mlx5_{i}/1", "rdma", sent[i], numa_node=f"{i} {i}", near_processes=near[i])
        for i in range(2)
    )
    text = far_text(Carried(Wires.model_validate(wires("1000 1000", *ports))), [16, 16])
    sentence = f"{far} of 32 processes are not bound to the NUMA node of a port that carries"
    assert text == (sentence if far else None)


@pytest.mark.parametrize(
    ("slow", "about"),
    [({"slow": {2: 2.0}}, "host node3"), ({"links": {(0, 2): 4.0}}, "link node1 - node3")],
)
def test_errors_stand_beside_the_slow_host_or_link(slow: dict[str, Any], about: str) -> None:
    ethernet = port("eth0", "ethernet", "1000x8", errors="0 0 7 0 0 0 0 0")
    fields = wires("1000x8", ethernet, retransmits="2 2 340 1 2 2 2 2")
    document = check_document("a.json", make_map(flat(8, **slow), wires=fields))
    found = judge_results([document])
    (finding,) = (one for one in found if one.about == about and one.against == "the others")
    assert finding.facts["counts"] == [
        ("node3", "7 errors at eth0"),
        ("node3", "340 TCP segments sent again (the median host 2)"),
    ]


def test_columns_of_another_number_of_hosts_are_refused() -> None:
    fields = make_result(Plan(processes=8, hosts=(4, 4)))
    fields["wires"] = wires("1000 1000 1000", port("lo", "loopback", "0 0 0"))
    with pytest.raises(ResultError, match="nodes asks for 2"):
        check_document("a.json", fields)


# --- `beff check`: the networks of the hosts beside each other ---


def roofs_of(*hosts: dict[str, Any]) -> list[tuple[str, Verdict, str]]:
    fields = make_map(flat(8), roofs=roofs_fields(None, *hosts))
    return sentences(check_hardware(check_document("a.json", fields)))


def test_hosts_that_differ_are_named() -> None:
    found = roofs_of(
        host("node[1-6]", 25_000.0),
        host("node[7,8]", 25_000.0, pcie_below_maximum=["ib0: 8 of 16 lanes"]),
        host("node9", 12_500.0),
        {"hosts": "node10", "network": [], "pcie_below_maximum": []},
    )
    assert found == [
        ("host node[7,8]", Verdict.UNKNOWN, "PCIe below its maximum: ib0: 8 of 16 lanes"),
        ("host node9", Verdict.BAD, "network of 12.5 GB/s, others have 25 GB/s"),
        (
            "host node10",
            Verdict.UNKNOWN,
            "the rate of its network is not known, others have 25 GB/s",
        ),
    ]


def ported(names: str, state: str, ethernet: float | None = None) -> dict[str, Any]:
    port = {"name": "ib0", "kind": "infiniband", "rate_MBps": None, "state": state}
    if state == "active":
        port["rate_MBps"] = 25_000.0
    more = {"name": "eth0", "kind": "ethernet", "rate_MBps": ethernet, "state": "up"}
    ports = [port] if ethernet is None else [port, more]
    return {"hosts": names, "network": ports, "pcie_below_maximum": []}


def test_hosts_whose_infiniband_is_down_are_open() -> None:
    down = (Verdict.UNKNOWN, "none of its InfiniBand ports is active: ib0 down")
    assert roofs_of(ported("n[1-8]", "down")) == [("host n[1-8]", *down)]
    assert ("host n[1-8]", *down) in roofs_of(ported("n[1-8]", "down", 125.0))
    assert roofs_of(ported("n[1-8]", "unknown")) == []
    found = roofs_of(ported("n[1-7]", "active"), ported("n8", "down", 125.0))
    slower = (Verdict.BAD, "network of 125 MB/s, others have 25 GB/s")
    assert found == [("host n8", *down), ("host n8", *slower)]


# --- a run whose processes did not have their time is noisy, and its host busy, which is open ---


def with_load(fields: dict[str, Any], **columns: str) -> Document:
    return check_document("a.json", loaded(fields, **columns))


def test_maps_and_files_are_noisy_by_load_alone() -> None:
    for fields in (make_map(flat(4)), make_io_result()):
        quiet, busy = (with_load(fields, others_ms=each) for each in ("0", "9000"))
        assert analysis_of(quiet).steadiness == Steadiness.QUIET
        assert analysis_of(busy).steadiness == Steadiness.NOISY


def test_a_daemon_of_fuse_works_for_the_run() -> None:
    fields = make_io_result()
    fields["environment"]["filesystem"]["kind"] = "fuse.sshfs"
    assert analysis_of(with_load(fields, others_ms="9000")).steadiness == Steadiness.UNKNOWN
    assert analysis_of(with_load(fields, stolen_ms="9000")).steadiness == Steadiness.NOISY


STARVED = {"others_ms": "6000", "stolen_ms": "6000", "throttled_ms": "6000", "waited_ms": "20000"}
"""What of 20 s makes a host of a map one that waits for cores."""


@pytest.mark.parametrize("column", STARVED)
@pytest.mark.parametrize("busy", [1, 2])
def test_few_busy_hosts_are_named_and_the_others_judged(column: str, busy: int) -> None:
    """The last hosts are busy, and twice as slow, by which they are not called slow; node1 is."""
    slow = dict.fromkeys((0, *range(8 - busy, 8)), 2.0)
    columns = {column: " ".join(["0"] * (8 - busy) + [STARVED[column]] * busy)}
    found = judge_results([with_load(make_map(flat(8, slow=slow)), **columns)])
    assert found.bad_hosts == ("node1",)
    assert {*found.open_hosts} == {f"node{8 - number}" for number in range(busy)}
    assert len(found.good_hosts) == 7 - busy
    assert "busy" in {one.code for one in found if one.about == "host node8"}


@pytest.mark.parametrize("column", STARVED)
def test_a_map_of_busy_hosts_calls_nobody_slow_or_good(column: str) -> None:
    """Nor by earlier maps, and not a link or a machine."""
    machine = flat(8, slow={0: 2.0}, links={(3, 4): 3.0})
    busy = with_load(make_map(machine), **{column: " ".join(["0"] * 5 + [STARVED[column]] * 3)})
    before = [check_document(f"{day}.json", make_map(flat(8), day=day)) for day in (1, 2, 3)]
    for earlier in (None, before):
        found = judge_results([busy], Basis(earlier=earlier))
        assert found.verdict == Verdict.UNKNOWN
        assert (found.bad_hosts, found.good_hosts, len(found.open_hosts)) == ((), (), 8)
        assert any(one.code == "map calls none slow" for one in found)


# --- the shape of a network by hand-made samples ---

N = 4
PLAN = Plan(processes=N, hosts=(1,) * N, methods=("sendrecv",), memory=512 << 20)


def measured(times_s: dict[int, float], plan: Plan = PLAN, disturbed: float = 1.0) -> BEffResult:
    """Iterations of these seconds at each size; of a ping-pong the first repetition is disturbed.

    Of one ring and a random ring an iteration has two messages of each process, one after the
    other; of a ping-pong, there and back.
    """

    def iteration_s(plan: Plan, order: Order) -> float:
        is_disturbed = order["pattern"] == PING_PONG and order["repetition"] == 0
        seconds = times_s.get(order["pattern"]) or model_s(plan, order)
        return seconds / (disturbed if is_disturbed else 1.0)

    return BEffResult.model_validate(make_result(replace(plan, iteration_s=iteration_s)))


def times(ring: float, random: float) -> dict[int, float]:
    """A message of a ping-pong takes 1 ms, of one ring and of random rings as many ms."""
    return {
        PING_PONG: 2e-3,
        ONE_RING: 2e-3 * ring,
        **dict.fromkeys(RANDOM_PATTERNS, 2e-3 * random),
    }


@pytest.mark.parametrize(("ring", "random"), [(1.0, 1.0), (2.0, 5.0), (4.0, 4.0)])
def test_shares_of_the_ping_pong(ring: float, random: float) -> None:
    shape = f"1 : {1 / ring:.2f} : {1 / random:.2f}"
    found = network_shape(measured(times(ring, random)))
    assert found is not None
    assert f" = {shape} at L_max, {shape} at 1 byte: " in sentence_of(found)


@pytest.mark.parametrize(
    "result",
    [
        measured(times(1, 1), replace(PLAN, hosts=(4,))),
        measured(times(1, 1), replace(PLAN, hosts=(2, 2))),
        measured(times(1, 1), disturbed=1.2),
    ],
    ids=["one host", "ranks 0 and 1 on one host", "a disturbed ping-pong"],
)
def test_none_where_the_ping_pong_says_nothing(result: BEffResult) -> None:
    assert network_shape(result) is None


SIZES = message_sizes(2**20)


def curve(latency_s: float, rate: float) -> list[float]:
    return [size / (latency_s + size / rate) for size in SIZES]


@pytest.mark.parametrize("latency_s", [1e-7, 2e-6, 1e-5, 1e-4, 1e-3])
def test_gains_are_those_of_a_machine_that_is_so_much_better(latency_s: float) -> None:
    now = sum(curve(latency_s, 1e10))
    halved, doubled = gains_of(SIZES, curve(latency_s, 1e10))
    latency = sum(curve(latency_s / 2, 1e10)) / now - 1
    bandwidth = sum(curve(latency_s, 2e10)) / now - 1
    assert halved == pytest.approx(latency, rel=0.15, abs=0.02)
    assert doubled == pytest.approx(bandwidth, rel=0.15, abs=0.02)
    assert (halved > doubled) == (latency > bandwidth)
