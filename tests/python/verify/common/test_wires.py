"""Which wire carried the messages, by hand-made counters."""

from __future__ import annotations

from typing import Any

import pytest
from support.machines.flat import flat
from support.machines.result import make_map
from support.results import Plan, make_result

from beff.judge.finding import Verdict
from beff.judge.hardware import check_wires
from beff.judge.judge_results import judge_results
from beff.report.parts.findings import sentence_of
from beff.report.tables.environment import environment_table
from beff.result.errors import ResultError
from beff.result.load import check_document
from beff.result.result_parts import Wires
from beff.verify.common.wires import Carried, carried, far_text, idle_text, wires_text


def port(name: str, kind: str, sent: str, **columns: str) -> dict[str, str]:
    hosts = len(sent.split())
    ones, zeros = " ".join(["1"] * hosts), " ".join(["0"] * hosts)
    return {
        **{"name": name, "kind": kind, "sent_bytes": sent, "active": ones, "errors": zeros},
        **columns,
    }


def wires(payload: str | None, *ports: dict[str, str], inside: str = "") -> dict[str, Any]:
    zeros = " ".join(["0"] * len(ports[0]["sent_bytes"].split()))
    return {
        "payload_bytes": payload,
        "inside_bytes": (inside or zeros) if payload else None,
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
            "98 % left by mlx5_0/1, 2 % by eth0",
        ),
        (
            wires("0", port("lo", "loopback", "0"), inside="73000000"),
            "nothing left the host: shared memory",
        ),
        (
            wires("0", port("lo", "loopback", "73000000"), inside="73000000"),
            "73 MB went through lo: TCP inside of one machine",
        ),
        (
            wires("8000 8000", port("eth0", "ethernet", "10 10")),
            "of 16 kB the ports counted 20 byte: what carried it is not known",
        ),
        (
            wires(
                "1000 1000",
                port("eth0", "ethernet", "1000 1000"),
                port("lo", "loopback", "5000 5000"),
                inside="5000 5000",
            ),
            "100 % left by eth0; 10 kB went through lo: TCP inside of hosts",
        ),
        (
            wires(None, port("eth0", "ethernet", "900 1100"), port("lo", "loopback", "7 7")),
            "2 kB left, messages and files: 100 % by eth0; 14 byte went through lo",
        ),
        (
            wires(None, port("lo", "loopback", "7")),
            "nothing left the host; 7 byte went through lo",
        ),
    ],
)
def test_what_carried_the_messages(fields: dict[str, Any], text: str) -> None:
    assert said(fields) == text


def findings(fields: dict[str, Any]) -> list[tuple[str, Verdict, str]]:
    document = check_document("a.json", make_map(flat(4), wires=fields))
    found = check_wires(document).judgements
    return [(one.about, one.verdict or Verdict.GOOD, sentence_of(one)) for one in found]


def test_a_host_whose_route_goes_by_the_wrong_wire_is_bad() -> None:
    each = "1000000"
    one = port("eth0", "ethernet", f"{each} {each} 0 {each}")
    other = port("eth1", "ethernet", f"0 0 {each} 0")
    assert findings(wires(" ".join([each] * 4), one, other)) == [
        (
            "host node3",
            Verdict.BAD,
            "eth0 carried 0 % of its messages (most hosts: 100 %), eth1 100 %",
        )
    ]


def test_rails_that_share_the_messages_are_no_fault() -> None:
    """Each host sends 49.9 to 50.1 % by each of two ports; which of them carried more is chance."""
    one = port("mlx5_0/1", "rdma", "501000 499000 501000 501000")
    other = port("mlx5_1/1", "rdma", "499000 501000 499000 499000")
    assert findings(wires("1000000 1000000 1000000 1000000", one, other)) == []


@pytest.mark.parametrize(("share", "is_bad"), [(740, True), (760, False)])
def test_a_host_that_leaves_a_quarter_to_another_port_stands_out(share: int, is_bad: bool) -> None:
    one = port("eth0", "ethernet", f"1000 1000 {share} 1000")
    other = port("eth1", "ethernet", f"0 0 {1000 - share} 0")
    found = findings(wires("1000 1000 1000 1000", one, other))
    assert [about for about, _, _ in found] == ["host node3"] * is_bad


def test_one_rail_of_two_that_carries_nothing_on_one_host_is_bad() -> None:
    one = port("mlx5_0/1", "rdma", "500 500 1000 500")
    other = port("mlx5_1/1", "rdma", "500 500 0 500")
    assert findings(wires("1000 1000 1000 1000", one, other)) == [
        (
            "host node3",
            Verdict.BAD,
            "mlx5_1/1 carried 0 % of its messages (most hosts: 50 %), mlx5_0/1 100 %",
        )
    ]


def test_one_rail_of_two_that_is_idle_on_all_hosts_is_no_host() -> None:
    one = port("mlx5_0/1", "rdma", "1000 1000 1000 1000")
    other = port("mlx5_1/1", "rdma", "0 0 0 0")
    assert findings(wires("1000 1000 1000 1000", one, other)) == []


@pytest.mark.parametrize(("share", "is_bad"), [(490, True), (260, True), (240, False)])
def test_a_part_by_ethernet_beside_active_rdma_stands_out(share: int, is_bad: bool) -> None:
    one = port("eth0", "ethernet", f"0 0 {share} 0")
    other = port("mlx5_0/1", "rdma", f"1000 1000 {1000 - share} 1000")
    found = findings(wires("1000 1000 1000 1000", one, other))
    assert [(about, verdict) for about, verdict, _ in found] == [
        ("host node3", Verdict.BAD)
    ] * is_bad


@pytest.mark.parametrize(
    ("counts", "open_hosts"),
    [
        ("0 0 50000 0", ["host node3"]),
        ("0 0 99 0", []),
        ("40 50 60 50", []),
        ("9000 8000 50000 9000", []),
        ("4000 4000 50000 4000", ["host node3"]),
    ],
)
def test_a_host_that_sent_many_segments_again_is_open(counts: str, open_hosts: list[str]) -> None:
    each = " ".join(["1000"] * 4)
    fields = {**wires(each, port("eth0", "ethernet", each)), "retransmits": counts}
    found = findings(fields)
    assert [(about, verdict) for about, verdict, _ in found] == [
        (about, Verdict.UNKNOWN) for about in open_hosts
    ]


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


def test_other_traffic_by_ethernet_is_no_fault() -> None:
    """Files went by it, more than the messages by InfiniBand."""
    one = port("eth0", "ethernet", "0 0 99000000 0")
    other = port("mlx5_0/1", "rdma", "1000000 1000000 1000000 1000000")
    assert findings(wires(" ".join(["1000000"] * 4), one, other)) == []


@pytest.mark.parametrize(("rate", "is_bad"), [(10**9, False), (10**10, True)])
def test_a_slower_rdma_port_may_be_idle(rate: int, is_bad: bool) -> None:
    each = " ".join(["1000000"] * 4)
    one = port("eth0", "ethernet", each, bytes_per_s=" ".join(["3000000000"] * 4))
    other = port("mlx5_0/1", "rdma", "0 0 0 0", active="0 0 1 0", bytes_per_s=f"- - {rate} -")
    found = findings(wires(each, one, other))
    assert [about for about, _, _ in found] == ["host node3"] * is_bad


@pytest.mark.parametrize("rdma", ["0 0 0 0", "0 0 0 73000000"])
def test_most_hosts_beside_an_active_infiniband_are_a_matter_of_the_job(rdma: str) -> None:
    """It is bad; neither they nor who uses it are."""
    sent = " ".join("0" if count != "0" else "73000000" for count in rdma.split())
    fields = wires(
        " ".join(["73000000"] * 4),
        port("eth0", "ethernet", sent),
        port("mlx5_0/1", "rdma", rdma, active="1 1 1 1"),
    )
    assert [found[:2] for found in findings(fields)] == [("hosts", Verdict.BAD)]
    found = check_wires(check_document("a.json", make_map(flat(4), wires=fields)))
    assert (found.bad_hosts, found.open_hosts) == ((), ())


def carried_by(*ports: dict[str, str]) -> Carried:
    found = carried(Wires.model_validate(wires("1000 1000", *ports)))
    assert found is not None
    return found


def test_half_of_the_ports_idle() -> None:
    one = port("mlx5_0/1", "rdma", "1010 1010")
    found = carried_by(one, port("mlx5_1/1", "rdma", "2 -", active="1 -", errors="0 -"))
    assert idle_text(found) == "1 of 3 active RDMA ports carried nothing of the messages"
    assert idle_text(carried_by(one, port("eth0", "ethernet", "0 0"))) is None


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
    text = far_text(carried_by(*ports), [16, 16])
    sentence = f"{far} of 32 processes are not bound to the NUMA node of a port that carries"
    assert text == (sentence if far else None)


def test_where_a_port_is_attached_is_not_known() -> None:
    assert far_text(carried_by(port("eth0", "ethernet", "1000 1000")), [16, 16]) is None


@pytest.mark.parametrize(
    ("slow", "about"),
    [({"slow": {2: 2.0}}, "host node3"), ({"links": {(0, 2): 4.0}}, "link node1 - node3")],
)
def test_errors_stand_beside_the_slow_host_or_link(slow: dict[str, Any], about: str) -> None:
    each = " ".join(["1000"] * 8)
    fields = wires(each, port("eth0", "ethernet", each, errors="0 0 7 0 0 0 0 0"))
    fields["retransmits"] = "2 2 340 1 2 2 2 2"
    document = check_document("a.json", make_map(flat(8, **slow), wires=fields))
    found = judge_results([document], None, None).findings
    (finding,) = (one for one in found if one.about == about and one.against == "the others")
    assert finding.facts["counts"] == [
        ("node3", "7 errors at eth0"),
        ("node3", "340 TCP segments sent again (the median host 2)"),
    ]


def test_errors_are_open() -> None:
    each = " ".join(["1000"] * 4)
    found = findings(wires(each, port("eth0", "ethernet", each, errors="0 0 7 0")))
    assert found == [("host node3", Verdict.UNKNOWN, "7 errors at eth0")]


def facts_of(fields: dict[str, Any]) -> dict[str, str]:
    rows = environment_table(check_document("a.json", fields).result).rows
    return {str(name): str(value) for name, value in rows}


def test_share_of_the_ports_and_settings_stand_in_the_table() -> None:
    fields = make_result(Plan(processes=8, hosts=(4, 4)))
    for pattern in fields["patterns"]:
        pattern["leaving_messages"] = 0
    ring = fields["patterns"][5]
    ring["leaving_messages"] = 2
    sent = ring["bandwidth_by_size_MBps"][-1] * 2 / ring["messages"]
    rates = {"bytes_per_s": f"{round(4e6 * sent)} {round(5e6 * sent)}"}
    fields["wires"] = wires("1000 1000", port("mlx5_0/1", "rdma", "1000 1000", **rates))
    fields["wires"]["retransmits"] = "3 40"
    fields["environment"]["environment_variables_of_mpi"] = {"UCX_TLS": "rc", "HYDRA_BINDING": "x"}
    rows = facts_of(fields)
    assert rows["wires"] == "100 % left by mlx5_0/1; UCX_TLS=rc"
    assert ", 25 % of the " in rows["share of the ports"]
    assert f"in pattern 5 ({ring['name']})" in rows["share of the ports"]
    assert rows["sent again"] == "43 segments by TCP, most by node2: 40"


def test_results_without_wires_have_no_such_rows() -> None:
    rows = facts_of(make_result())
    assert not {"wires", "ports", "sent again", "share of the ports"} & set(rows)


def test_columns_of_another_number_of_hosts_are_refused() -> None:
    fields = make_result(Plan(processes=8, hosts=(4, 4)))
    fields["wires"] = wires("1000 1000 1000", port("lo", "loopback", "0 0 0"))
    with pytest.raises(ResultError, match="nodes asks for 2"):
        check_document("a.json", fields)
