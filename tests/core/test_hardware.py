"""What the kernel tells of processors, caches, memory and a job's limits: trees like /sys."""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from beff.launch.allocation import usable_cores
from program_core import core, plant

KIB = 1024


def listed(cpus: Iterable[int]) -> str:
    return ",".join(map(str, sorted(cpus)))


def machine(root: Path, packages: int = 2) -> None:
    """A server of packages with four cores of two threads, numbered as Linux does.

    First comes one thread of each core, then the second.
    """
    total = 4 * packages
    threads = range(2 * total)
    plant(root, {"sys/devices/system/cpu/online": f"0-{threads[-1]}"})
    plant(root, {"sys/devices/system/node/online": f"0-{packages - 1}" if packages > 1 else "0"})
    for node in range(packages):
        memory = f"Node {node} MemTotal:  1024 kB"
        plant(root, {f"sys/devices/system/node/node{node}/meminfo": memory})
    for cpu in threads:
        package = cpu % total // 4
        mates = listed((cpu % total, cpu % total + total))
        files = {
            "topology/core_cpus_list": mates,
            "topology/thread_siblings_list": mates,
            "topology/physical_package_id": str(package),
        }
        for index, cache in enumerate(
            (
                ("1", "Data", "48K", mates),
                ("1", "Instruction", "32K", mates),
                ("2", "Unified", "2048K", mates),
                (
                    "3",
                    "Unified",
                    "107520K",
                    listed(c for c in threads if c % total // 4 == package),
                ),
            )
        ):
            names = ("level", "type", "size", "shared_cpu_list")
            files |= {
                f"cache/index{index}/{name}": text for name, text in zip(names, cache, strict=True)
            }
        folder = f"sys/devices/system/cpu/cpu{cpu}"
        plant(root, {f"{folder}/{name}": text for name, text in files.items()})


def test_a_server_with_two_packages(tmp_path: Path) -> None:
    machine(tmp_path)
    plant(tmp_path, {"proc/cpuinfo": "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) 8480+"})
    found = core.hardware(tmp_path)
    assert found["model"] == "Intel(R) Xeon(R) 8480+"
    assert (found["packages"], found["cores"], found["threads"]) == (2, 8, 16)
    assert found["numa_nodes"] == 2
    assert [tuple(cache.values()) for cache in found["caches"]] == [
        ("L1d", 48 * KIB, 8),
        ("L2", 2048 * KIB, 8),
        ("L3", 107520 * KIB, 2),
    ]
    assert found["memory"] == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE")


@pytest.mark.parametrize(
    ("groups", "cpus", "mems"),
    [
        ("0::/job/step", "job/step/cpuset.cpus.effective", "job/step/cpuset.mems.effective"),
        ("5:cpuset:/j", "cpuset/j/cpuset.effective_cpus", "cpuset/j/cpuset.effective_mems"),
    ],
)
def test_what_a_cgroup_forbids_does_not_count(
    tmp_path: Path, groups: str, cpus: str, mems: str
) -> None:
    machine(tmp_path)
    # both threads of core 0, one of core 1
    group = {f"sys/fs/cgroup/{cpus}": "0-1,8", f"sys/fs/cgroup/{mems}": "0"}
    plant(tmp_path, {"proc/self/cgroup": groups, **group})
    found = core.hardware(tmp_path)
    assert (found["packages"], found["cores"], found["threads"]) == (1, 2, 3)
    assert found["caches"][-1] == {"name": "L3", "bytes": 107520 * KIB, "count": 1}
    assert (found["numa_nodes"], found["memory"]) == (1, 1024 * KIB)


def test_where_the_kernel_tells_nothing_each_thread_is_a_core(tmp_path: Path) -> None:
    found = core.hardware(tmp_path)
    assert found["threads"] == found["cores"] == os.sysconf("SC_NPROCESSORS_ONLN")
    assert (found["model"], found["packages"], found["numa_nodes"]) == ("unknown", 0, 1)
    assert found["caches"] == []


def test_nodes_of_memory_alone_are_no_numa_domains(tmp_path: Path) -> None:
    """As those that accelerators bring on line: one of two here has processors."""
    machine(tmp_path)
    plant(tmp_path, {"sys/devices/system/node/online": "0-8"})
    plant(tmp_path, {"sys/devices/system/node/has_cpu": "0"})
    assert core.hardware(tmp_path)["numa_nodes"] == 1


@pytest.mark.parametrize(
    ("told", "model"),
    [
        ("CPU implementer\t: 0x41\nCPU part\t: 0xd4f", "Arm Neoverse V2"),
        ("CPU implementer\t: 0x41\nCPU part\t: 0xd0c", "Arm Neoverse N1"),
        ("CPU implementer\t: 0x4e\nCPU part\t: 0x010", "NVIDIA Olympus"),
        ("Model Name\t\t: Loongson-3C6000/S", "Loongson-3C6000/S"),
        (
            "vendor_id       : IBM/S390\n"
            "processor 0: version = FF,  identification = 2733E8,  machine = 3931",
            "IBM z16",
        ),
        ("processor 0: version = FF,  machine = 9999", "IBM Z, machine 9999"),
        ("CPU implementer\t: 0x46\nCPU part\t: 0x001", "Fujitsu A64FX"),
        ("CPU implementer\t: 0x41\nCPU part\t: 0xfff", "Arm, implementer 0x41, part 0xfff"),
        ("CPU implementer\t: 0x42\nCPU part\t: 0xd4f", "Arm, implementer 0x42, part 0xd4f"),
        ("cpu\t\t: POWER9, altivec supported", "POWER9, altivec supported"),
        ("uarch\t\t: sifive,u74-mc", "sifive,u74-mc"),
        ("processor\t: 0", "unknown"),
    ],
)
def test_processors_other_than_x86(tmp_path: Path, told: str, model: str) -> None:
    plant(tmp_path, {"proc/cpuinfo": told})
    assert core.hardware(tmp_path)["model"] == model


@pytest.mark.parametrize(
    ("groups", "file"),
    [
        ("0::/a/b", "sys/fs/cgroup/a/memory.max"),
        ("4:cpu,memory:/a/b", "sys/fs/cgroup/memory/a/memory.limit_in_bytes"),
    ],
)
def test_the_tightest_memory_limit_counts(tmp_path: Path, groups: str, file: str) -> None:
    plant(tmp_path, {"proc/self/cgroup": groups})
    assert core.memory_limit(1000, tmp_path) == {"bytes": 1000, "source": "node memory"}
    plant(tmp_path, {file: "max"})
    assert core.memory_limit(1000, tmp_path) == {"bytes": 1000, "source": "node memory"}
    plant(tmp_path, {file: "600"})
    assert core.memory_limit(1000, tmp_path) == {"bytes": 600, "source": "cgroup limit"}
    assert core.memory_limit(500, tmp_path) == {"bytes": 500, "source": "node memory"}


def version_1(mount: str, *quotas: tuple[str, int]) -> dict[str, str]:
    """Return files of groups with a quota in µs of 100 ms."""
    return {
        f"{mount}/{group}/cpu.cfs_{name}_us": str(us)
        for group, quota in quotas
        for name, us in (("quota", quota), ("period", 100_000))
    }


@pytest.mark.parametrize(
    ("group", "files", "quota", "cores"),
    [
        ("0::/job/step", {"job/step/cpu.max": "max 100000"}, None, 4),
        ("0::/job/step", {"job/step/cpu.max": "50000 100000"}, 0.5, 1),
        # of a group above
        (
            "0::/job/step",
            {"job/step/cpu.max": "max 100000", "job/cpu.max": "350000 100000"},
            3.5,
            3,
        ),
        # of a container, which sees its own group as the root of the mount
        ("0::/job/step", {"cpu.max": "150000 50000"}, 3.0, 3),
        (
            "5:memory:/a\n4:cpu,cpuacct:/job/step",
            version_1("cpu,cpuacct", ("job/step", -1), ("job", 150_000), ("", -1)),
            1.5,
            1,
        ),
        ("4:cpuacct,cpu:/docker/abc", version_1("cpu", ("", 50_000)), 0.5, 1),
        ("0::/job/step", {"job/cpu.max": "900000 100000"}, 9.0, 4),
        ("0::/job/step", {"other/cpu.max": "50000 100000"}, None, 4),
        ("0::/job", {"job/cpu.max": "0 100000", "cpu.max": "50000 0"}, None, 4),
        ("0::/job", {"job/cpu.max": "50000"}, None, 4),
    ],
)
def test_engine_and_companion_know_the_quota_of_cpu_time(
    tmp_path: Path, group: str, files: dict[str, str], quota: float | None, cores: int
) -> None:
    machine(tmp_path, packages=1)
    plant(tmp_path, {"proc/self/cgroup": group})
    plant(tmp_path, {f"sys/fs/cgroup/{name}": text for name, text in files.items()})
    engine, companion = core.hardware(tmp_path), usable_cores(tmp_path, set(range(8)))
    assert engine["cpu_quota"] == companion.quota == quota
    assert engine["cores"] == companion.physical == cores
    assert engine["threads"] == companion.threads == 8
