"""Ports, their counters and PCIe links of a host: planted trees like /sys and /proc."""

from pathlib import Path
from typing import Any

import pytest

from program_core import core, plant

# --- counters ---

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
EMPTY = {"payload_bytes": None, "inside_bytes": None, "retransmits": 0, "ports": []}


def test_rdma_interfaces_and_tcp(tmp_path: Path) -> None:
    infiniband, net = "sys/class/infiniband", "sys/class/net"
    port = f"{infiniband}/mlx5_0/ports/1"
    plant(tmp_path, {f"{net}/eth0/operstate": "up"})
    assert core.port_counters(tmp_path / "sys", tmp_path / "proc") == EMPTY
    plant(
        tmp_path,
        {
            "proc/net/dev": DEV,
            "proc/net/snmp": SNMP,
            f"{net}/bond0/bonding/mode": "802.3ad",
            f"{net}/ib0/type": "32",
            f"{net}/mac0/lower_eth0/type": "1",
            f"{net}/eth0/speed": "25000",
            f"{net}/eth0/device/numa_node": "-1",
            f"{infiniband}/mlx5_0/device/numa_node": "1",
            f"{port}/rate": "200 Gb/sec (4X HDR)",
            f"{port}/state": "4: ACTIVE",
            f"{port}/counters/port_xmit_data": "250",
            f"{port}/counters/symbol_error": "2",
            f"{port}/hw_counters/packet_seq_err": "3",
            f"{infiniband}/efa_0/ports/1/hw_counters/tx_bytes": "77",
        },
    )
    found = core.port_counters(tmp_path / "sys", tmp_path / "proc")
    assert found["retransmits"] == 17
    names = ("name", "kind", "active", "bytes_per_s", "numa_node", "sent_bytes", "errors")
    assert [tuple(port[name] for name in names) for port in found["ports"]] == [
        ("efa_0/1", "rdma", False, None, None, 77, 0),
        ("mlx5_0/1", "rdma", True, 25_000_000_000, 1, 1000, 5),
        ("lo", "loopback", True, None, None, 1000, 0),
        ("eth0", "ethernet", True, 3_125_000_000, None, 7300000, 6),
    ]


def test_this_machine_has_a_loopback() -> None:
    assert "lo" in {port["name"] for port in core.port_counters("/sys", "/proc")["ports"]}


@pytest.mark.parametrize(
    ("cpus", "node"), [("4-7", 1), ("0-3,8-11", 0), ("5", 1), ("3-4", None), ("", None)]
)
def test_the_numa_node_that_has_all_cpus(tmp_path: Path, cpus: str, node: int | None) -> None:
    files = {"node0/cpulist": "0-3,8-11", "node1/cpulist": "4-7,12-15", "possible": "0-1"}
    plant(tmp_path / "devices/system/node", files)
    assert core.numa_node_of(tmp_path, cpus) == node


# --- what is recorded of counters ---

ETH, LO = ("eth0", "ethernet"), ("lo", "loopback")
MB = 10**6


def host(sent: dict[tuple[str, str], int], payload: int) -> dict[str, Any]:
    usual = {"active": True, "numa_node": None, "near_processes": None, "errors": 0}
    ports = [
        {"name": name, "kind": kind, "bytes_per_s": None, "sent_bytes": count, **usual}
        for (name, kind), count in sent.items()
    ]
    return {"payload_bytes": payload, "inside_bytes": 0, "retransmits": 3, "ports": ports}


def test_equal_neighbours_are_counted_and_who_carries_nothing_is_left_out() -> None:
    idle = {("veth7", "ethernet"): 600_000, LO: 0}
    of_hosts = [*[host({ETH: 73 * MB, **idle}, 70 * MB)] * 3, host({ETH: 9 * MB}, 70 * MB)]
    told = core.wires([*of_hosts, host({}, 0)])
    assert told["payload_bytes"] == "70000000x4 0"
    assert [(port["name"], port["sent_bytes"]) for port in told["ports"]] == [
        ("eth0", "73000000x3 9000000 -"),
        ("lo", "0x3 -x2"),
    ]
    assert core.wires([]) is None


# --- ports and links ---


def ethernet(name: str, speed: str, state: str = "up", **more: str) -> dict[str, str]:
    files = {"type": "1", "speed": speed, "operstate": state, "device/vendor": "0x15b3"} | more
    return {f"class/net/{name}/{file}": content for file, content in files.items()}


def infiniband(device: str, rate: str, state: str, layer: str = "InfiniBand") -> dict[str, str]:
    files = {"rate": rate, "state": state, "link_layer": layer}
    return {f"class/infiniband/{device}/ports/1/{file}": text for file, text in files.items()}


def test_infiniband_and_ethernet(tmp_path: Path) -> None:
    plant(tmp_path, infiniband("mlx5_0", "200 Gb/sec (4X HDR)", "4: ACTIVE"))
    plant(tmp_path, infiniband("mlx5_1", "10 Gb/sec (4X SDR)", "1: DOWN"))
    plant(tmp_path, infiniband("mlx5_2", "100 Gb/sec (4X EDR)", "4: ACTIVE", "Ethernet"))
    plant(tmp_path, ethernet("eth0", "100000") | ethernet("eth1", "-1", "down"))
    plant(tmp_path, ethernet("eth2", "-1"))
    # no physical ports
    plant(tmp_path, {"class/net/lo/type": "772", "class/net/lo/operstate": "unknown"})
    plant(tmp_path, {"class/net/veth0/type": "1", "class/net/veth0/speed": "10000"})
    plant(tmp_path, ethernet("ib0", "200000", type="32"))
    plant(tmp_path, ethernet("vf0", "10000", **{"device/physfn/class": "0x020000"}))
    plant(tmp_path, {"class/net/bonding_masters": "bond0"})
    found = core.host_hardware(tmp_path)["network"]
    assert [tuple(port.values()) for port in found] == [
        ("mlx5_0/1", "infiniband", 25000.0, "active"),
        ("mlx5_1/1", "infiniband", None, "down"),
        ("eth0", "ethernet", 12500.0, "up"),
        ("eth1", "ethernet", None, "down"),
        ("eth2", "ethernet", None, "up"),
    ]


CLASSES = {"bridge": "0x060400", "network": "0x020700", "drive": "0x010802", "gpu": "0x030200"}


def plant_pci(sys: Path, chain: str) -> None:
    """Devices beneath each other: address, class, lanes x GT/s at most, and now if these differ."""
    place = "devices/pci0000:00"
    for device in chain.split(" > "):
        address, kind, *links = device.split()
        files = {"class": CLASSES[kind]}
        for name, link in zip(("max", "current"), [*links[:1], *links[-1:]], strict=False):
            lanes, rate = link.split("x")
            files |= {f"{name}_link_width": lanes, f"{name}_link_speed": f"{rate} GT/s PCIe"}
        place += f"/0000:{address}"
        plant(sys / place, files)
        entry = sys / f"bus/pci/devices/0000:{address}"
        entry.parent.mkdir(parents=True, exist_ok=True)
        entry.symlink_to(sys / place)


@pytest.mark.parametrize(
    ("chains", "found"),
    [
        # fewer lanes than both ends have
        (
            ["00:01.0 bridge 16x16 8x16 > 81:00.0 network 16x16 8x16"],
            ["0000:81:00.0 (network): 8 of 16 lanes"],
        ),
        # a wide card in a narrow slot is as fast as it can be
        (["00:01.0 bridge 8x8 > 81:00.0 network 16x16 8x8"], []),
        # below its speed; an accelerator sleeps
        (
            [
                "00:01.0 bridge 16x32 16x8 > 81:00.0 network 16x16 16x8",
                "00:02.0 bridge 16x32 16x2.5 > 82:00.0 gpu 16x32 16x2.5",
            ],
            ["0000:81:00.0 (network): 8 of 16 GT/s"],
        ),
        # a switch at half its width; the drive beneath it as wide as it is
        (
            [
                "00:01.0 bridge 16x16 8x16 > 01:00.0 bridge 16x16 8x16"
                " > 02:00.0 bridge 16x16 4x16 > 03:00.0 drive 4x16"
            ],
            ["0000:01:00.0 (bridge): 8 of 16 lanes"],
        ),
        # links that tell nothing
        (["00:01.0 bridge > 83:00.0 network 16x16 0xUnknown", "00:02.0 network 16x16 8x8"], []),
        ([], []),
    ],
)
def test_links_below_what_both_ends_can(
    chains: list[str], found: list[str], tmp_path: Path
) -> None:
    for chain in chains:
        plant_pci(tmp_path, chain)
    assert core.host_hardware(tmp_path) == {"network": [], "pcie_below_maximum": found}


# --- what of the time of a run others had ---

TICKS = 100
"""In a second."""


class Kernel:
    """What a kernel counts; `user` and `stolen` are seconds of each of four CPUs."""

    def __init__(
        self,
        root: Path,
        user: tuple[float, ...] = (100, 100, 50, 50),
        stolen: tuple[float, ...] = (0, 0, 0, 0),
    ) -> None:
        self.root = root
        rows = ["cpu  9 9 9 9 9 9 9 9 0 0"]
        for cpu in range(4):
            nice = 0.25 * user[cpu]
            ticks = [TICKS * (user[cpu] - nice), TICKS * nice, 9999, 7, 7, 7, 777]
            ticks.append(TICKS * stolen[cpu])
            rows.append(f"cpu{cpu} {' '.join(str(round(number)) for number in ticks)} 0 0")
        stat = "\n".join([*rows, "intr 5 0 0", "ctxt 9"])
        plant(root, {"proc/self/cgroup": "0::/job", "proc/stat": stat})

    def pressure(self, waited_s: float, path: str = "proc/pressure/cpu") -> None:
        us = round(1e6 * waited_s)
        plant(self.root, {path: f"some avg10=0.00 avg60=0.00 avg300=0.00 total={us}\nfull total=0"})


Processes = list[tuple[set[int], float]]
"""The CPUs of each, and its seconds in user mode."""
ALONE: Processes = [({0}, 10)]


def load(before: Path, after: Path, processes: Processes, elapsed_s: float = 10) -> dict[str, Any]:
    of = [{"cpus": sorted(cpus), "user": user} for cpus, user in processes]
    found, said = core.load_between(before, after, of, elapsed_s)
    return {**found, "said": said}


@pytest.fixture
def idle(tmp_path: Path) -> Kernel:
    return Kernel(tmp_path / "before")


@pytest.fixture
def busy(tmp_path: Path) -> Kernel:
    """Ten seconds later; all CPUs were busy in user mode, but for the last."""
    return Kernel(tmp_path / "after", (110, 110, 60, 50))


@pytest.mark.parametrize(
    ("processes", "others_ms"),
    [
        ([({0}, 10), ({1}, 10), ({2}, 10)], 0),  # one on each core, and nobody else
        ([({0}, 10), ({1}, 7), ({2}, 10)], 3000),  # others had three seconds on CPU 1
        ([({0, 1, 2, 3}, 10), ({0, 1, 2, 3}, 10)], 5000),  # ten seconds, two processes
        ([({0, 1}, 10), ({0, 1}, 10)], 0),  # what others do on CPU 2 does not count
        ([({0, 1}, 10), ({1, 2}, 10)], 5000),  # places that overlap are one
        ([({0}, 10), ({2}, 9), ({0, 2}, 1)], 0),
        ([({3}, 0.0)], 0),
        ([({0}, 12)], 0),  # more than was counted: rounding
        ([({0}, 2), ({0}, 2), ({0}, 2)], 4000),  # three take turns on a CPU
    ],
)
def test_others_had_what_the_processes_had_not(
    idle: Kernel, busy: Kernel, processes: Processes, others_ms: int
) -> None:
    found = load(idle.root, busy.root, processes)
    assert found["others_ms"] == str(others_ms)
    assert found["elapsed_ms"] == "10000"
    assert found["stolen_ms"] == "0"
    assert ("n0" in found["said"]) == (others_ms > 500)


def test_the_hypervisor_takes_from_the_place_that_it_takes_from(
    idle: Kernel, tmp_path: Path
) -> None:
    after = Kernel(tmp_path / "after", stolen=(0, 2, 0, 9)).root
    for processes, stolen_ms in (
        ([({0}, 0.0), ({1}, 0.0)], "2000"),
        ([({0, 1}, 0.0), ({0, 1}, 0.0)], "1000"),
    ):
        assert load(idle.root, after, processes)["stolen_ms"] == stolen_ms
    assert "20 %" in load(idle.root, after, [({1}, 0)])["said"]


def test_pressure_is_that_of_the_innermost_group(idle: Kernel, busy: Kernel) -> None:
    idle.pressure(5)
    busy.pressure(6)
    assert load(idle.root, busy.root, ALONE)["waited_ms"] == "1000"
    idle.pressure(1, "sys/fs/cgroup/job/cpu.pressure")
    busy.pressure(1.25, "sys/fs/cgroup/job/cpu.pressure")
    found = load(idle.root, busy.root, ALONE)
    assert (found["waited_ms"], found["said"]) == ("250", "")


@pytest.mark.parametrize(
    ("groups", "path", "words"),
    [
        ("0::/job", "sys/fs/cgroup/job/cpu.stat", ("throttled_usec", 10**6)),
        ("0::/job/step", "sys/fs/cgroup/job/cpu.stat", ("throttled_usec", 10**6)),
        ("3:cpu,cpuacct:/job", "sys/fs/cgroup/cpu/job/cpu.stat", ("throttled_time", 10**9)),
    ],
)
def test_a_quota_holds_up(
    idle: Kernel, busy: Kernel, groups: str, path: str, words: tuple[str, int]
) -> None:
    name, per_s = words
    for kernel, seconds in ((idle, 3), (busy, 7)):
        plant(kernel.root, {"proc/self/cgroup": groups})
        plant(kernel.root, {path: f"nr_periods 5\nnr_throttled 1\n{name} {seconds * per_s}"})
    found = load(idle.root, busy.root, ALONE)
    assert found["throttled_ms"] == "4000"
    assert "40 %" in found["said"]


def test_what_is_not_reported_is_not_known(idle: Kernel, busy: Kernel, tmp_path: Path) -> None:
    plant(tmp_path, {"proc/self/cgroup": "0::/job"})
    found = load(tmp_path, tmp_path, ALONE)
    assert {found[name] for name in found if name not in ("elapsed_ms", "said")} == {"-"}
    for unknown in ({0, 9}, set[int]()):  # CPU 9 is not there
        assert load(idle.root, busy.root, [(unknown, 10)])["others_ms"] == "-"
    short = load(idle.root, busy.root, [({0}, 0)], elapsed_s=0.9)
    assert (short["elapsed_ms"], short["others_ms"]) == ("900", "-")
