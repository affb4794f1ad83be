"""What this process may use: of the job by its batch system, and of this machine, in cores."""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from beff.result.armour import read_bytes
from beff.result.errors import ResultError


@dataclass(frozen=True)
class Allocation:
    """Nodes of a job and the processes it is meant for; None where that is not known.

    `cpus` are what the job may use of each node, where the batch system says it and no processes
    were asked for: cores, or hardware threads of them.
    """

    processes: int | None
    nodes: int | None
    cpus: tuple[int, ...] = ()

    def default_processes(self, cores_of_node: int) -> int | None:
        """Return the processes asked for, else one per core of nodes that have so many."""
        if self.processes is not None or not self.cpus:
            return self.processes
        return sum(min(cpus, cores_of_node) for cpus in self.cpus)


def find_allocation(environ: Mapping[str, str] = os.environ) -> Allocation | None:
    """Return that of Slurm, PBS, LSF, Flux, Grid Engine or pods; None outside a job."""
    return next((read(environ) for marker, read in _SYSTEMS.items() if marker in environ), None)


def hosts_of_job(environ: Mapping[str, str] = os.environ) -> int:
    """Return how many hosts the job has in which this command runs; 0 where none is known."""
    allocation = find_allocation(environ)
    return 0 if allocation is None else allocation.nodes or 0


def _slurm(environ: Mapping[str, str]) -> Allocation:
    """SLURM_NTASKS, or SLURM_NTASKS_PER_NODE on each node, else what there are CPUs for.

    SLURM_TASKS_PER_NODE counts the CPUs of each node where no tasks were asked for.
    """
    nodes = _number(environ, "SLURM_JOB_NUM_NODES")
    processes, cpus = _number(environ, "SLURM_NTASKS"), _per_node(environ, "JOB_CPUS")
    if processes is None and (on_node := _number(environ, "SLURM_NTASKS_PER_NODE")) is not None:
        processes = on_node * (nodes or len(cpus) or 1)
    tasks = _per_node(environ, "TASKS")
    if processes is None and tasks and cpus and tasks != cpus:
        processes = sum(tasks)
    if processes is not None:
        return Allocation(processes, nodes)
    per_task = _number(environ, "SLURM_CPUS_PER_TASK") or 1
    return Allocation(None, nodes, tuple(count // per_task for count in cpus))


_MOST_NODES = 10**6


def _per_node(environ: Mapping[str, str], what: str) -> tuple[int, ...]:
    """Return a number for each node, which Slurm writes like 32(x3),16."""
    groups = re.findall(r"(\d+)(?:\(x(\d+)\))?", environ.get(f"SLURM_{what}_PER_NODE", ""))
    if sum(int(nodes or 1) for _, nodes in groups) > _MOST_NODES:
        return ()
    return tuple(int(count) for count, nodes in groups for _ in range(int(nodes or 1)))


def _lsf(environ: Mapping[str, str]) -> Allocation:
    """LSB_MCPU_HOSTS is written like node1 32 node2 32.

    A first host with one slot beside others with as many each is the launch node of jsrun, where
    nothing is measured.
    """
    counts = environ.get("LSB_MCPU_HOSTS", "").split()[1::2]
    slots = [int(count) for count in counts if count.isdigit()]
    processes = _number(environ, "LSB_DJOB_NUMPROC")
    if len(slots) > 1 and slots[0] == 1 and len(set(slots[1:])) == 1 and slots[1] > 1:
        slots = slots[1:]
        processes = None if processes is None else processes - 1
    return Allocation(processes, len(slots) or None)


def _counted(processes: str, nodes: str, environ: Mapping[str, str]) -> Allocation:
    return Allocation(_number(environ, processes), _number(environ, nodes))


def _listed(file: str, environ: Mapping[str, str]) -> Allocation:
    """Read a file of hosts: of PBS a line for each process, of the MPI Operator as hydra has it."""
    slots = hydra_slots(environ[file])
    return Allocation(sum(slots.values()) or None, len(slots) or None)


def hydra_slots(name: str) -> dict[str, int]:
    """Return the processes of each host of a file like node1:32, in its order; none unread."""
    slots = Counter[str]()
    with suppress(ResultError):
        for line in read_bytes(Path(name)).decode("utf-8", "replace").splitlines():
            for word in line.partition("#")[0].split()[:1]:
                host, _, count = word.partition(":")
                slots[host] += int(count) if count.isdecimal() else 1
    return slots


def _number(environ: Mapping[str, str], name: str) -> int | None:
    text = environ.get(name, "")
    return int(text) if text.isdecimal() and int(text) > 0 else None


_SYSTEMS: dict[str, Callable[[Mapping[str, str]], Allocation]] = {
    "SLURM_JOB_ID": _slurm,
    "PBS_NODEFILE": partial(_listed, "PBS_NODEFILE"),
    "LSB_JOBID": _lsf,
    "FLUX_JOB_ID": partial(_counted, "FLUX_JOB_SIZE", "FLUX_JOB_NNODES"),
    "PE_HOSTFILE": partial(_counted, "NSLOTS", "NHOSTS"),
    "HYDRA_HOST_FILE": partial(_listed, "HYDRA_HOST_FILE"),
}
"""Variable that only a job of the system has, and how to read the rest."""


@dataclass(frozen=True)
class Cores:
    """Cores that this process may use.

    `physical` counts one per set of sibling threads and is bounded by the CPU quota; `threads` are
    the CPUs of the affinity mask; `quota` is the cgroup's CPU limit in CPUs, None without one.
    """

    physical: int
    threads: int
    quota: float | None


FEWEST_PROCESSES = 2
"""Communication needs two."""


def default_processes(cores: Cores) -> int:
    """Return the processes of the batch job, else one per physical core; at least two.

    Nodes of a job are taken to have as many cores as this machine.
    """
    allocation = find_allocation()
    given = None if allocation is None else allocation.default_processes(cores_of_machine())
    return max(FEWEST_PROCESSES, cores.physical if given is None else given)


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
    most = len(siblings) if quota is None else max(1, int(quota))
    return Cores(physical=min(len(siblings), most), threads=len(allowed), quota=quota)


def _siblings(root: Path, cpu: int) -> str:
    """Name the core that a CPU belongs to; the CPU itself where that is not known."""
    place = root / f"sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
    with suppress(OSError):
        return place.read_text(encoding="ascii").strip()
    return str(cpu)


def cpu_quota(root: Path = Path("/")) -> float | None:
    """Return the smallest limit, in CPUs, of this process's cgroups and their parents (v1, v2)."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    base, quotas = root / "sys/fs/cgroup", []
    for line in lines:
        _, controllers, group = line.split(":", 2)
        of_cpus = [base / controllers, base / "cpu"] if "cpu" in controllers.split(",") else []
        mounts = of_cpus if controllers else [base]
        inside = Path(group.lstrip("/"))
        # A container sees its own group as the root of the mount: not all folders are there.
        quotas += [_quota(mount / part) for mount in mounts for part in (inside, *inside.parents)]
    return min((quota for quota in quotas if quota is not None), default=None)


def _quota(folder: Path) -> float | None:
    """Return the limit of a group: quota by period, both in µs; `max` or -1 is none.

    cpu.max has both (v2), or there is a file of each (v1).
    """
    for files in (("cpu.max",), ("cpu.cfs_quota_us", "cpu.cfs_period_us")):
        with suppress(OSError, ValueError, ZeroDivisionError):
            text = " ".join((folder / file).read_text(encoding="ascii") for file in files)
            quota, period = map(int, text.split())
            return quota / period if quota > 0 else None
    return None
