"""What the core records and says of ports: the same that the companion says of the record."""

from __future__ import annotations

from typing import Any

import pytest

from beff.result.result_parts import Wires
from beff.verify.common.wires import carried, slower_wire, wires_text
from program_core import core

IB, ETH, LO = ("mlx5_0/1", "rdma"), ("eth0", "ethernet"), ("lo", "loopback")


def host(
    sent: dict[tuple[str, str], int], payload: int | None, inside: int | None = 0, **rates: int
) -> dict[str, Any]:
    return {
        "payload_bytes": payload,
        "inside_bytes": inside,
        "retransmits": 3,
        "ports": [
            {
                "name": name,
                "kind": kind,
                "active": True,
                "bytes_per_s": rates.get(kind),
                "numa_node": None,
                "near_processes": None,
                "sent_bytes": count,
                "errors": 0,
            }
            for (name, kind), count in sent.items()
        ],
    }


MB = 10**6
HOSTS = {
    "mostly InfiniBand": [host({IB: 98 * MB, ETH: 2 * MB}, 99 * MB)] * 2,
    "shared memory": [host({LO: 12, ETH: 30}, 0, 80 * MB)],
    "TCP on one host": [host({LO: 81 * MB}, 0, 80 * MB)],
    "Ethernet beside InfiniBand": [
        host({IB: 80 * MB, ETH: 0}, 73 * MB),
        *[host({IB: 0, ETH: 73 * MB}, 70 * MB)] * 2,
    ],
    "a slower InfiniBand": [host({IB: 0, ETH: 73 * MB}, 70 * MB, rdma=10**9, ethernet=10**10)],
    "not seen": [host({ETH: 1000, LO: 9 * MB}, 73 * MB, 8 * MB)] * 2,
    "by the loopback of one machine": [host({ETH: 3890, LO: 60 * MB}, 47 * MB)] * 2,
    "TCP inside of hosts": [host({ETH: 5 * MB, LO: 60 * MB}, 5 * MB, 47 * MB)] * 2,
    "files": [host({ETH: 5 * MB, LO: 7}, None, None)] * 2,
    "nothing": [host({LO: 7}, None, None)],
}


@pytest.mark.parametrize("of_hosts", HOSTS.values(), ids=HOSTS)
def test_core_and_companion_agree(of_hosts: list[dict[str, Any]]) -> None:
    told = core.wires(of_hosts)
    found = carried(Wires.model_validate(told["wires"]))
    assert found is not None
    assert told["text"] == wires_text(found)
    assert bool(told["cautions"]) == bool(slower_wire(found))


def test_ethernet_beside_infiniband_is_a_caution_for_all_hosts_together() -> None:
    (caution,) = core.wires(HOSTS["Ethernet beside InfiniBand"])["cautions"]
    facts = caution["facts"]
    assert (facts["by"], facts["unused"], facts["hosts"]) == ("eth0", "mlx5_0/1", "n[1-2]")
    assert facts["sent_bytes"] == pytest.approx(146e6, rel=0.01)


def test_interfaces_that_carry_nothing_are_not_recorded() -> None:
    of_hosts = [host({ETH: 73 * MB, ("veth7", "ethernet"): 600_000, LO: 0}, 70 * MB), host({}, 0)]
    told = core.wires(of_hosts)["wires"]
    assert [(port["name"], port["sent_bytes"]) for port in told["ports"]] == [
        ("eth0", "73000000 -"),
        ("lo", "0 -"),
    ]
    assert told["payload_bytes"] == "70000000 0"


def test_equal_neighbours_are_counted() -> None:
    of_hosts = [*[host({ETH: 7 * MB}, 7 * MB)] * 3, host({ETH: 9 * MB}, 7 * MB), host({}, 0)]
    told = core.wires(of_hosts)["wires"]
    assert told["payload_bytes"] == "7000000x4 0"
    assert told["ports"][0]["sent_bytes"] == "7000000x3 9000000 -"
    found = carried(Wires.model_validate(told))
    assert found is not None
    assert found.payload == [7 * MB] * 4 + [0]
    assert found.ports[0].sent == [*[7 * MB] * 3, 9 * MB, None]


def test_nothing_was_counted() -> None:
    assert core.wires([])["wires"] is None
