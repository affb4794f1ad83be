"""Counters of ports: planted trees like /sys and /proc."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from program_core import core

DEV = """\
Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo
    lo: 1000 10 0 0 0 0 0 0 1000 10 0 0 0 0 0 0
  eth0: 5000 50 2 0 0 0 0 0 7300000 60 1 0 0 0 3 0
 bond0: 9 9 0 0 0 0 0 0 7300000 9 0 0 0 0 0 0
   ib0: 9 9 0 0 0 0 0 0 1000 9 0 0 0 0 0 0
  mac0: 9 9 0 0 0 0 0 0 7300000 9 0 0 0 0 0 0
"""
SNMP = "Ip: 1 2\nTcp: RtoMin RetransSegs InErrs\nTcp: 200 17 0\n"


def plant(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content + "\n", encoding="utf-8")


def read(root: Path) -> Any:
    return core.port_counters(root / "sys", root / "proc")


def test_rdma_interfaces_and_tcp(tmp_path: Path) -> None:
    port = "sys/class/infiniband/mlx5_0/ports/1"
    plant(
        tmp_path,
        {
            "proc/net/dev": DEV,
            "proc/net/snmp": SNMP,
            "sys/class/net/bond0/bonding/mode": "802.3ad",
            "sys/class/net/ib0/type": "32",
            "sys/class/net/mac0/lower_eth0/type": "1",
            "sys/class/net/eth0/operstate": "up",
            "sys/class/net/eth0/speed": "25000",
            "sys/class/net/eth0/device/numa_node": "-1",
            "sys/class/infiniband/mlx5_0/device/numa_node": "1",
            f"{port}/rate": "200 Gb/sec (4X HDR)",
            f"{port}/state": "4: ACTIVE",
            f"{port}/counters/port_xmit_data": "250",
            f"{port}/counters/symbol_error": "2",
            f"{port}/hw_counters/packet_seq_err": "3",
            "sys/class/infiniband/efa_0/ports/1/hw_counters/tx_bytes": "77",
        },
    )
    found = read(tmp_path)
    assert found["retransmits"] == 17
    names = ("name", "kind", "active", "bytes_per_s", "numa_node", "sent_bytes", "errors")
    assert [tuple(port[name] for name in names) for port in found["ports"]] == [
        ("efa_0/1", "rdma", False, None, None, 77, 0),
        ("mlx5_0/1", "rdma", True, 25_000_000_000, 1, 1000, 5),
        ("lo", "loopback", True, None, None, 1000, 0),
        ("eth0", "ethernet", True, 3_125_000_000, None, 7300000, 6),
    ]


def test_nothing_can_be_read(tmp_path: Path) -> None:
    plant(tmp_path, {"sys/class/net/eth0/operstate": "up"})
    empty = {"payload_bytes": None, "inside_bytes": None, "retransmits": 0, "ports": []}
    assert read(tmp_path) == empty


def test_this_machine_has_a_loopback() -> None:
    found = core.port_counters("/sys", "/proc")
    assert "lo" in {port["name"] for port in found["ports"]}


@pytest.mark.parametrize(
    ("cpus", "node"), [("4-7", 1), ("0-3,8-11", 0), ("5", 1), ("3-4", None), ("", None)]
)
def test_the_numa_node_that_has_all_cpus(tmp_path: Path, cpus: str, node: int | None) -> None:
    folder = "devices/system/node"
    plant(
        tmp_path,
        {
            f"{folder}/node0/cpulist": "0-3,8-11",
            f"{folder}/node1/cpulist": "4-7,12-15",
            f"{folder}/possible": "0-1",
        },
    )
    assert core.numa_node_of(tmp_path, cpus) == node
