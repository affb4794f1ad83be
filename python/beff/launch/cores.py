"""How many processes this machine runs on a core of their own."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cores:
    """Cores that this process may use.

    `physical` counts one per set of sibling threads and is bounded by the CPU quota; `threads` are
    the CPUs of the affinity mask; `quota` is the cgroup's CPU limit in CPUs, None without one.
    """

    physical: int
    threads: int
    quota: float | None


def cores_of_machine(root: Path = Path("/")) -> int:
    """Return the physical cores of this machine, whatever this process may use of them."""
    folder = root / "sys/devices/system/cpu"
    cpus = [int(place.name[3:]) for place in folder.glob("cpu[0-9]*") if place.name[3:].isdigit()]
    return len({_siblings(root, cpu) for cpu in cpus}) or os.cpu_count() or 1


def usable_cores(root: Path = Path("/"), cpus: set[int] | None = None) -> Cores:
    """Cores by affinity mask, topology below root/sys and the CPU quota of the cgroups."""
    allowed = os.sched_getaffinity(0) if cpus is None else cpus
    siblings = {_siblings(root, cpu) for cpu in allowed}
    quota = cpu_quota(root)
    physical = len(siblings)
    if quota is not None:
        physical = min(physical, max(1, int(quota)))
    return Cores(physical=physical, threads=len(allowed), quota=quota)


def _siblings(root: Path, cpu: int) -> str:
    """Name the core that a CPU belongs to; the CPU itself where that is not known."""
    place = root / f"sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
    try:
        return place.read_text(encoding="ascii").strip()
    except OSError:
        return str(cpu)


def cpu_quota(root: Path = Path("/")) -> float | None:
    """Return the smallest limit, in CPUs, of this process's cgroups and their parents (v1, v2)."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    quotas: list[float] = []
    for line in lines:
        _, controllers, group = line.split(":", 2)
        base = root / "sys/fs/cgroup"
        if controllers == "":
            quotas += _quotas(base, group, _quota_v2)
        elif "cpu" in controllers.split(","):
            for mount in (base / controllers, base / "cpu"):
                quotas += _quotas(mount, group, _quota_v1)
    return min(quotas, default=None)


def _quotas(mount: Path, group: str, read: Callable[[Path], float | None]) -> list[float]:
    """Limits of a group and of all groups above it.

    A container sees its own group as the root of the mount: folders that do not exist are skipped.
    """
    inside = Path(group.lstrip("/"))
    found = (read(mount / part) for part in (inside, *inside.parents))
    return [quota for quota in found if quota is not None]


def _quota_v2(folder: Path) -> float | None:
    """cpu.max: quota and period in µs, or `max` for no limit."""
    try:
        quota, period = map(int, (folder / "cpu.max").read_text(encoding="ascii").split())
        return quota / period if quota > 0 else None
    except (OSError, ValueError, ZeroDivisionError):
        return None


def _quota_v1(folder: Path) -> float | None:
    """cpu.cfs_quota_us and cpu.cfs_period_us; a quota of -1 is no limit."""
    try:
        quota = int((folder / "cpu.cfs_quota_us").read_text(encoding="ascii"))
        period = int((folder / "cpu.cfs_period_us").read_text(encoding="ascii"))
        return quota / period if quota > 0 else None
    except (OSError, ValueError, ZeroDivisionError):
        return None
