"""Writing job scripts for batch systems from the templates in beff/jobs."""

import math
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from beff.launch.engine import is_program
from beff.launch.job_time import JobTime
from beff.launch.start_protocol import MpiFamily, mpi_family, usual_protocol

SYSTEMS = ("slurm", "pbs", "lsf", "flux")
"""Batch systems; each has a template of its name."""
_PLACEHOLDER = re.compile(r"@\{(\w+)\}")
_OPTIONAL_WORDS = ("memory", "start_protocol", "flux_protocol")
"""Placeholders that stand for nothing when empty; a line with any other empty one is left out."""


@dataclass(frozen=True)
class JobRequest:
    """What a job shall measure, and where.

    `engines` are the programs of the benchmarks that are wanted, by name; at least one.
    """

    nodes: int
    tasks_per_node: int
    time: JobTime
    engines: Mapping[str, Path]
    path: Path | None
    io_time_s: float | None
    results: Path
    name: str
    account: str | None
    partition: str | None
    memory_per_process: str | None
    setup: tuple[str, ...]
    start_protocol: str | None

    @property
    def processes(self) -> int:
        """Processes on all nodes."""
        return self.nodes * self.tasks_per_node


def job_script(system: str, request: JobRequest) -> str:
    """Return the script for one of SYSTEMS."""
    head, tail = (_template(name) for name in (system, "measure"))
    setup = "".join(f"{line}\n" for line in request.setup)
    values = _values(request)
    return _filled(head, values) + setup + _filled(tail, values)


def _template(name: str) -> str:
    return (files("beff") / "jobs" / f"{name}.sh").read_text(encoding="utf-8")


def _filled(template: str, values: Mapping[str, str | None]) -> str:
    lines = []
    for line in template.splitlines():
        needed = [name for name in _PLACEHOLDER.findall(line) if name not in _OPTIONAL_WORDS]
        if all(values[name] is not None for name in needed):
            filled = _PLACEHOLDER.sub(lambda found: values[found[1]] or "", line)
            lines.append(re.sub(r"(?<=\S) {2,}", " ", filled))
    return "\n".join(lines) + "\n"


def _values(request: JobRequest) -> dict[str, str | None]:
    """Return what stands for each placeholder; None where there is nothing to say."""
    engine = next(iter(request.engines.values()))
    family = mpi_family(engine)
    memory = request.memory_per_process
    protocol = request.start_protocol or usual_protocol(family)
    minutes = math.ceil(request.time.job_s / 60)
    return {
        "name": request.name,
        "nodes": str(request.nodes),
        "tasks_per_node": str(request.tasks_per_node),
        "processes": str(request.processes),
        "minutes": str(minutes),
        "hours_minutes": f"{minutes // 60}:{minutes % 60:02d}",
        "hours_minutes_seconds": f"{minutes // 60:02d}:{minutes % 60:02d}:00",
        "account": request.account,
        "partition": request.partition,
        "start_protocol": None if protocol is None else f"--mpi={protocol}",
        "flux_protocol": "-o pmi=pmix" if family is MpiFamily.OPEN_MPI else None,
        "mpiexec": _mpiexec(engine, family, request.processes),
        "results": shlex.quote(str(request.results)),
        "memory": None if memory is None else f"--memory-per-process {shlex.quote(memory)}",
        "path": None if request.path is None else shlex.quote(str(request.path)),
        "b_eff": _program(request, "b_eff"),
        "b_eff_io": _program(request, "b_eff_io"),
        "b_eff_limit_s": _seconds(request.time.b_eff_limit_s),
        "io_limit_s": _seconds(request.time.io_limit_s),
        "io_time_s": _seconds(request.io_time_s),
    }


def _mpiexec(engine: Path, family: MpiFamily | None, processes: int) -> str:
    """Return the launcher with its options, where the script has a host file in $hosts."""
    beside = engine.parent / "mpiexec"
    program = shlex.quote(str(beside)) if is_program(beside) else "mpiexec"
    options = {
        MpiFamily.MPICH: '-f "$hosts" -bind-to core ',
        MpiFamily.OPEN_MPI: '--hostfile "$hosts" --map-by slot --bind-to core ',
        None: "",
    }
    return f"{program} {options[family]}-n {processes}"


def _program(request: JobRequest, name: str) -> str | None:
    path = request.engines.get(name)
    return None if path is None else shlex.quote(str(path))


def _seconds(duration_s: float | None) -> str | None:
    return None if duration_s is None else str(math.floor(duration_s))
