"""Which wire carried the messages, by hand-made counters."""

from __future__ import annotations

from typing import Any

import pytest
from support.checks import host, port, roofs_fields, wires
from support.machines.measure import flat
from support.machines.result import make_map
from support.results import Plan, make_result

from beff.judge.finding import Checked, Verdict
from beff.judge.hardware import Carried, check_hardware, check_wires, far_text, wires_text
from beff.judge.judge_results import judge_results
from beff.result.errors import ResultError
from beff.result.load import check_document
from beff.result.result_parts import Wires
from beff.show.parts.findings import sentence_of


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


def findings(fields: dict[str, Any]) -> list[tuple[str, Verdict, str]]:
    document = check_document("a.json", make_map(flat(4), wires=fields))
    found = Checked(check_wires(document)).judgements
    return [(one.about, one.verdict or Verdict.GOOD, sentence_of(one)) for one in found]


def test_a_host_whose_port_has_another_name_is_no_fault_and_errors_are_open() -> None:
    one = port("eth0", "ethernet", "1000 1000 - 1000", active="1 1 - 1", errors="0 0 - 7")
    other = port("ens1", "ethernet", "- - 1000 -", active="- - 1 -", errors="- - 0 -")
    found = findings(wires("1000 1000 1000 1000", one, other))
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
    document = check_document("a.json", make_map(flat(8), roofs=roofs_fields(None, *hosts)))
    found = [*check_hardware(document)]
    return [(one.about, one.verdict or Verdict.GOOD, sentence_of(one)) for one in found]


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
