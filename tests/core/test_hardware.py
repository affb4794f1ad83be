"""What the kernel tells of processors, caches, memory and a job's limits: trees like /sys."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.launch.allocation import usable_cores
from program_core import core

CPU_SETS = st.sets(st.integers(0, 300), min_size=1)
KIB = 1024


def listed(cpus: Iterable[int]) -> str:
    return ",".join(map(str, sorted(cpus)))


def put(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text + "\n", encoding="utf-8")


def machine(root: Path, *, packages: int = 2, cores: int = 4, threads: int = 2) -> None:
    """A server with threads numbered as Linux does: first one of each core, then the second."""
    total = packages * cores
    put(root, "sys/devices/system/cpu/online", f"0-{total * threads - 1}")
    for cpu in range(total * threads):
        core_number = cpu % total
        package = core_number // cores
        mates = listed(core_number + total * k for k in range(threads))
        in_package = [c for c in range(total * threads) if c % total // cores == package]
        folder = f"sys/devices/system/cpu/cpu{cpu}"
        for siblings in ("core_cpus_list", "thread_siblings_list"):
            put(root, f"{folder}/topology/{siblings}", mates)
        put(root, f"{folder}/topology/physical_package_id", str(package))
        for index, level, kind, size, sharers in (
            (0, 1, "Data", "48K", mates),
            (1, 1, "Instruction", "32K", mates),
            (2, 2, "Unified", "2048K", mates),
            (3, 3, "Unified", "107520K", listed(in_package)),
        ):
            cache = f"{folder}/cache/index{index}"
            put(root, f"{cache}/level", str(level))
            put(root, f"{cache}/type", kind)
            put(root, f"{cache}/size", size)
            put(root, f"{cache}/shared_cpu_list", sharers)
    put(root, "sys/devices/system/node/online", f"0-{packages - 1}" if packages > 1 else "0")
    for node in range(packages):
        put(root, f"sys/devices/system/node/node{node}/meminfo", f"Node {node} MemTotal:  1024 kB")


def test_a_server_with_two_packages(tmp_path: Path) -> None:
    machine(tmp_path)
    put(tmp_path, "proc/cpuinfo", "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) 8480+")
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
    ("groups", "folder", "names"),
    [
        ("0::/job_7/step_0", "sys/fs/cgroup/job_7", ("cpuset.cpus", "cpuset.mems", "effective")),
        ("5:cpuset:/job_7", "sys/fs/cgroup/cpuset/job_7", ("cpuset", "cpuset", "v1")),
    ],
)
def test_what_a_cgroup_forbids_does_not_count(
    tmp_path: Path, groups: str, folder: str, names: tuple[str, str, str]
) -> None:
    machine(tmp_path)
    put(tmp_path, "proc/self/cgroup", groups)
    version_1 = names[2] == "v1"
    cpus = "cpuset.effective_cpus" if version_1 else "cpuset.cpus.effective"
    mems = "cpuset.effective_mems" if version_1 else "cpuset.mems.effective"
    put(tmp_path, f"{folder}/{cpus}", "0-1,8")  # both threads of core 0, one of core 1
    put(tmp_path, f"{folder}/{mems}", "0")
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
    put(tmp_path, "sys/devices/system/node/online", "0-8")
    put(tmp_path, "sys/devices/system/node/has_cpu", "0")
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
    put(tmp_path, "proc/cpuinfo", told)
    assert core.hardware(tmp_path)["model"] == model


@pytest.mark.parametrize(
    ("groups", "file"),
    [
        ("0::/a/b", "sys/fs/cgroup/a/memory.max"),
        ("4:cpu,memory:/a/b", "sys/fs/cgroup/memory/a/memory.limit_in_bytes"),
    ],
)
def test_the_tightest_memory_limit_counts(tmp_path: Path, groups: str, file: str) -> None:
    put(tmp_path, "proc/self/cgroup", groups)
    assert core.memory_limit(1000, tmp_path) == [1000, "node memory"]
    put(tmp_path, file, "max")
    assert core.memory_limit(1000, tmp_path) == [1000, "node memory"]
    put(tmp_path, file, "600")
    assert core.memory_limit(1000, tmp_path) == [600, "cgroup limit"]
    assert core.memory_limit(500, tmp_path) == [500, "node memory"]


def quota_2(root: Path, folder: str, text: str) -> None:
    put(root, f"sys/fs/cgroup/{folder}/cpu.max", text)


def quota_1(root: Path, folder: str, quota: int, mount: str = "cpu,cpuacct") -> None:
    put(root, f"sys/fs/cgroup/{mount}/{folder}/cpu.cfs_quota_us", str(quota))
    put(root, f"sys/fs/cgroup/{mount}/{folder}/cpu.cfs_period_us", "100000")


def none_set(root: Path) -> None:
    quota_2(root, "job/step", "max 100000")


def half_a_cpu(root: Path) -> None:
    quota_2(root, "job/step", "50000 100000")


def of_a_group_above(root: Path) -> None:
    quota_2(root, "job/step", "max 100000")
    quota_2(root, "job", "350000 100000")


def of_a_container(root: Path) -> None:
    """Which sees its own group as the root of the mount."""
    quota_2(root, "", "150000 50000")


def of_version_1(root: Path) -> None:
    put(root, "proc/self/cgroup", "5:memory:/a\n4:cpu,cpuacct:/job/step")
    quota_1(root, "job/step", -1)
    quota_1(root, "job", 150000)
    quota_1(root, "", -1)


def of_a_container_in_version_1(root: Path) -> None:
    put(root, "proc/self/cgroup", "4:cpuacct,cpu:/docker/abc")
    quota_1(root, "", 50000, mount="cpu")


def more_than_there_are(root: Path) -> None:
    quota_2(root, "job", "900000 100000")


def of_another_group(root: Path) -> None:
    quota_2(root, "other", "50000 100000")


def damaged(root: Path) -> None:
    quota_2(root, "job/step", "50000")
    quota_2(root, "job", "0 100000")
    quota_2(root, "", "50000 0")


@pytest.mark.parametrize(
    ("written", "quota", "cores"),
    [
        (none_set, None, 4),
        (half_a_cpu, 0.5, 1),
        (of_a_group_above, 3.5, 3),
        (of_a_container, 3.0, 3),
        (of_version_1, 1.5, 1),
        (of_a_container_in_version_1, 0.5, 1),
        (more_than_there_are, 9.0, 4),
        (of_another_group, None, 4),
        (damaged, None, 4),
    ],
)
def test_engine_and_companion_know_the_quota_of_cpu_time(
    tmp_path: Path, written: Callable[[Path], None], quota: float | None, cores: int
) -> None:
    machine(tmp_path, packages=1, cores=4, threads=2)
    put(tmp_path, "proc/self/cgroup", "0::/job/step")
    written(tmp_path)
    engine, companion = core.hardware(tmp_path), usable_cores(tmp_path, set(range(8)))
    assert engine["cpu_quota"] == companion.quota == quota
    assert engine["cores"] == companion.physical == cores
    assert engine["threads"] == companion.threads == 8


@given(CPU_SETS)
def test_lists_of_cpus_are_read_as_they_are_written(cpus: set[int]) -> None:
    text = core.cpu_list(listed(cpus))
    assert core.cpu_list(text) == text
    words = [0] * 5
    for cpu in cpus:
        words[cpu // 64] |= 1 << cpu % 64
    assert core.cpus_of_words(words) == sorted(cpus)
    ends = [part.split("-") for part in text.split(",")]
    assert {n for each in ends for n in range(int(each[0]), int(each[-1]) + 1)} == cpus
    assert all(int(one[-1]) + 1 < int(two[0]) for one, two in pairwise(ends))


@pytest.mark.parametrize(
    ("text", "read"),
    [("", ""), ("x", ""), ("0-3,8", "0-3,8"), ("3-1", ""), ("1,x", "1"), ("0-99999999999", "")],
)
def test_what_is_no_list_of_cpus_ends_it(text: str, read: str) -> None:
    assert core.cpu_list(text) == read


@pytest.mark.parametrize(
    ("bound", "crowded"),
    [
        ([{0}, {1}], 0),
        ([{0}, {0}], 1),
        ([{0}, {1}, {0, 1}], 1),  # three processes on two CPUs
        ([{0, 1}, {0}], 0),
        ([{0}, {0}, {5}, {5}], 2),
        ([{0}, {0}, {0, 5}, {5}], 1),  # they overlap
        ([{0, 5}, {0}, {5}, {0}, {5}], 2),  # the smallest, whichever process comes first
        ([{0, 70}, {70}, {0}], 1),
        ([], 0),
        ([set(), set()], 0),  # not known
    ],
)
def test_places_with_more_processes_than_cores(bound: list[set[int]], crowded: int) -> None:
    assert core.crowded_sets(bound) == crowded


@given(st.lists(st.sets(st.integers(0, 5), min_size=1), max_size=12))
def test_a_place_is_crowded_where_more_are_bound_inside_than_it_has_cores(
    bound: list[set[int]],
) -> None:
    crowded = [each for each in bound if sum(other <= each for other in bound) > len(each)]
    smallest: list[set[int]] = []
    for each in sorted(crowded, key=lambda cores: (len(cores), sorted(cores))):
        if not any(each & other for other in smallest):
            smallest.append(each)
    found = core.crowded_sets(bound)
    assert (found > 0) == bool(crowded)
    assert found <= len(smallest) or not smallest


def test_threads_of_one_core_are_that_core() -> None:
    """CPUs 0 and 1 are threads of core 0, 2 and 3 of core 2; of 9 nothing is known."""
    core_of_thread = [(0, 0), (1, 0), (2, 2), (3, 2)]
    assert core.cores_of({0, 1}, core_of_thread) == [0]
    assert core.cores_of({1, 2, 9}, core_of_thread) == [0, 2, 9]
    siblings = [core.cores_of({cpu}, core_of_thread) for cpu in (0, 1)]
    assert core.crowded_sets(siblings) == 1
