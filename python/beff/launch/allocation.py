"""What a batch system has given to the job that this process runs in."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Allocation:
    """Nodes of a job and the processes it is meant for; None where that is not known."""

    system: str
    processes: int | None
    nodes: int | None


def find_allocation(environ: Mapping[str, str] = os.environ) -> Allocation | None:
    """Return the allocation of Slurm, PBS, LSF, Flux or Grid Engine; None outside a job."""
    for marker, read in _SYSTEMS.items():
        if marker in environ:
            return read(environ)
    return None


def _slurm(environ: Mapping[str, str]) -> Allocation:
    """SLURM_NTASKS if tasks were asked for, else every CPU of every node.

    SLURM_JOB_CPUS_PER_NODE is written like 32(x3),16.
    """
    processes = _number(environ, "SLURM_NTASKS")
    if processes is None:
        groups = re.findall(r"(\d+)(?:\(x(\d+)\))?", environ.get("SLURM_JOB_CPUS_PER_NODE", ""))
        per_task = _number(environ, "SLURM_CPUS_PER_TASK") or 1
        cpus = sum(int(count) // per_task * int(nodes or 1) for count, nodes in groups)
        processes = cpus or None
    return Allocation("Slurm", processes, _number(environ, "SLURM_JOB_NUM_NODES"))


def _pbs(environ: Mapping[str, str]) -> Allocation:
    """PBS_NODEFILE has one line for each process (mpiprocs) with the name of its node."""
    try:
        text = Path(environ["PBS_NODEFILE"]).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return Allocation("PBS", None, None)
    names = text.split()
    return Allocation("PBS", len(names) or None, len(set(names)) or None)


def _lsf(environ: Mapping[str, str]) -> Allocation:
    """LSB_MCPU_HOSTS is written like node1 32 node2 32."""
    counts = environ.get("LSB_MCPU_HOSTS", "").split()[1::2]
    return Allocation("LSF", _number(environ, "LSB_DJOB_NUMPROC"), len(counts) or None)


def _flux(environ: Mapping[str, str]) -> Allocation:
    return Allocation(
        "Flux", _number(environ, "FLUX_JOB_SIZE"), _number(environ, "FLUX_JOB_NNODES")
    )


def _grid_engine(environ: Mapping[str, str]) -> Allocation:
    return Allocation("Grid Engine", _number(environ, "NSLOTS"), _number(environ, "NHOSTS"))


def _number(environ: Mapping[str, str], name: str) -> int | None:
    text = environ.get(name, "")
    return int(text) if text.isdecimal() and int(text) > 0 else None


_SYSTEMS = {
    "SLURM_JOB_ID": _slurm,
    "PBS_NODEFILE": _pbs,
    "LSB_JOBID": _lsf,
    "FLUX_JOB_ID": _flux,
    "PE_HOSTFILE": _grid_engine,
}
"""Variable that only a job of the system has, and how to read the rest."""
