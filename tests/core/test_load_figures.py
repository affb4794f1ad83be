"""What of the time of a run others had, from trees like /proc and /sys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from program_core import core, plant

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
