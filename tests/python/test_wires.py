"""Which wire carried the messages, by hand-made counters."""

from __future__ import annotations

from typing import Any

import pytest
from support.pair_maps import Machine, make_map

from beff.analysis.b_pairs.wires import carried, wires_text
from beff.analysis.check.finding import Verdict
from beff.analysis.check.wires import check_wires
from beff.model.b_pairs_result import Wires
from beff.model.load import check_document


def port(name: str, kind: str, sent: str, active: str = "", errors: str = "") -> dict[str, str]:
    hosts = len(sent.split())
    ones, zeros = " ".join(["1"] * hosts), " ".join(["0"] * hosts)
    told = {"name": name, "kind": kind, "sent_bytes": sent}
    return told | {"active": active or ones, "errors": errors or zeros}


def wires(payload: str, *ports: dict[str, str], inside: str = "") -> dict[str, Any]:
    zeros = " ".join(["0"] * len(payload.split()))
    return {
        "payload_bytes": payload,
        "inside_bytes": inside or zeros,
        "retransmits": zeros,
        "ports": list(ports),
    }


def said(fields: dict[str, Any]) -> str:
    found = carried(Wires.model_validate(fields))
    assert found is not None
    return wires_text(found)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        (
            wires("50 50", port("mlx5_0/1", "rdma", "49 49"), port("eth0", "ethernet", "1 1")),
            "98% left by mlx5_0/1, 2% left by eth0",
        ),
        (
            wires("0", port("lo", "loopback", "0"), inside="73000000"),
            "nothing left the host: shared memory",
        ),
        (
            wires("0", port("lo", "loopback", "73000000"), inside="73000000"),
            "73 MB went through lo, though all is on one host: TCP",
        ),
        (
            wires("8000 8000", port("eth0", "ethernet", "10 10")),
            "of 16 kB the ports counted 20 byte: what carried it is not known",
        ),
    ],
)
def test_what_carried_the_messages(fields: dict[str, Any], text: str) -> None:
    assert said(fields) == text


def findings(fields: dict[str, Any]) -> list[tuple[str, Verdict, str]]:
    document = check_document("a.json", make_map(Machine(4), wires=fields))
    found = check_wires(document).findings
    return [(finding.about, finding.verdict, finding.sentence) for finding in found]


def test_a_host_whose_route_goes_by_the_wrong_wire_is_bad() -> None:
    each = "1000000"
    one = port("eth0", "ethernet", f"{each} {each} 0 {each}")
    other = port("eth1", "ethernet", f"0 0 {each} 0")
    assert findings(wires(" ".join([each] * 4), one, other)) == [
        (
            "host node3",
            Verdict.BAD,
            "its messages left by eth1, those of most hosts by eth0",
        )
    ]


def test_rails_that_share_the_messages_are_no_fault() -> None:
    """Each host sends 49.9 to 50.1 % by each of two ports; which of them carried more is chance."""
    one = port("mlx5_0/1", "rdma", "501000 499000 501000 501000")
    other = port("mlx5_1/1", "rdma", "499000 501000 499000 499000")
    assert findings(wires("1000000 1000000 1000000 1000000", one, other)) == []


@pytest.mark.parametrize(("share", "is_bad"), [(99, True), (100, False)])
def test_a_port_that_carries_a_tenth_is_in_use(share: int, is_bad: bool) -> None:
    one = port("eth0", "ethernet", f"1000 1000 {share} 1000")
    other = port("eth1", "ethernet", f"0 0 {1000 - share} 0")
    found = findings(wires("1000 1000 1000 1000", one, other))
    assert [about for about, _, _ in found] == ["host node3"] * is_bad


def test_a_host_without_the_usual_port_is_no_fault() -> None:
    """Its network interface has another name."""
    one = port("eth0", "ethernet", "1000 1000 - 1000", active="1 1 - 1", errors="0 0 - 0")
    other = port("ens1", "ethernet", "- - 1000 -", active="- - 1 -", errors="- - 0 -")
    assert findings(wires("1000 1000 1000 1000", one, other)) == []


def test_one_host_by_ethernet_although_infiniband_is_active_is_bad() -> None:
    one = port("eth0", "ethernet", "0 0 73000000 0")
    other = port("mlx5_0/1", "rdma", "73000000 73000000 0 73000000")
    found = findings(wires(" ".join(["73000000"] * 4), one, other))
    assert {(about, verdict) for about, verdict, _ in found} == {("host node3", Verdict.BAD)}
    assert found[0][2] == "73 MB left by eth0 although mlx5_0/1 is active"


@pytest.mark.parametrize("rdma", ["0 0 0 0", "0 0 0 73000000"])
def test_most_hosts_beside_an_active_infiniband_are_a_matter_of_the_job(rdma: str) -> None:
    """Neither they nor who uses it is bad."""
    sent = " ".join("0" if count != "0" else "73000000" for count in rdma.split())
    fields = wires(
        " ".join(["73000000"] * 4),
        port("eth0", "ethernet", sent),
        port("mlx5_0/1", "rdma", rdma, active="1 1 1 1"),
    )
    assert [found[:2] for found in findings(fields)] == [("hosts", Verdict.UNKNOWN)]
    found = check_wires(check_document("a.json", make_map(Machine(4), wires=fields)))
    assert (found.bad_hosts, found.open_hosts) == ((), ())


def test_errors_are_open() -> None:
    each = " ".join(["1000"] * 4)
    found = findings(wires(each, port("eth0", "ethernet", each, errors="0 0 7 0")))
    assert found == [("host node3", Verdict.UNKNOWN, "7 errors at eth0")]
