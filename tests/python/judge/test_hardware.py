"""`beff check`: the networks of the hosts beside each other."""

from __future__ import annotations

from typing import Any

import pytest
from support.checks import host, roofs_fields
from support.machines.flat import flat
from support.machines.result import make_map

from beff.judge.finding import Checked, Verdict
from beff.judge.hardware import check_hardware
from beff.report.parts.findings import sentence_of
from beff.result.load import Document, check_document


def document_with(*hosts: dict[str, Any]) -> Document:
    return check_document("a.json", make_map(flat(8), roofs=roofs_fields(None, *hosts)))


def roofs_of(*hosts: dict[str, Any]) -> list[tuple[str, Verdict, str]]:
    found = check_hardware(document_with(*hosts)).findings
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


def test_nothing_is_said_of_hardware_that_is_not_known() -> None:
    assert check_hardware(check_document("a.json", make_map(flat(8)))) == Checked()


@pytest.mark.parametrize(
    ("rates", "verdict"),
    [
        ((8, 0, 0), None),
        ((5, 3, 0), Verdict.BAD),
        ((4, 4, 0), Verdict.UNKNOWN),
        ((3, 5, 0), None),
        ((3, 2, 3), Verdict.BAD),
        ((2, 2, 4), Verdict.UNKNOWN),
    ],
)
def test_a_slower_network_is_bad_beside_a_majority(
    rates: tuple[int, int, int], verdict: Verdict | None
) -> None:
    """So many hosts have 25 GB/s, 12.5 GB/s, and a rate that is not told."""
    untold = {**host("c[1-3]", 1.0), "network": []}
    groups = (host("a[1-3]", 25_000.0), host("b[1-3]", 12_500.0), untold)
    told = [
        {**group, "hosts": f"{group['hosts'][0]}[1-{often}]"}
        for group, often in zip(groups, rates, strict=True)
        if often
    ]
    found = {about: verdict for about, verdict, _ in roofs_of(*told)}
    assert found.get(f"host b[1-{rates[1]}]") == verdict
    assert f"host a[1-{rates[0]}]" not in found


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
