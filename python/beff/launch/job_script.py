"""Writing job scripts, and the texts of a tender, from the templates in the folder `jobs`."""

import math
import shlex
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from beff.launch.engine import is_program, own_folder
from beff.launch.mpi_build import is_packed
from beff.launch.start_protocol import MpiFamily, mpi_family, usual_protocol

SYSTEMS = ("slurm", "pbs", "lsf", "flux")
"""Batch systems; each has a template of its name."""


@dataclass(frozen=True)
class Program:
    """A program of a job with all its options but the one for its output."""

    name: str
    path: Path
    words: tuple[str, ...]


@dataclass(frozen=True)
class JobRequest:
    """What a job shall measure, by at least one program, and where."""

    nodes: int
    tasks_per_node: int
    job_s: float
    programs: tuple[Program, ...]
    results: Path
    name: str
    account: str | None
    partition: str | None
    setup: tuple[str, ...]
    start_protocol: str | None

    @property
    def processes(self) -> int:
        """Processes on all nodes."""
        return self.nodes * self.tasks_per_node


def job_script(system: str, request: JobRequest) -> str:
    """Return the script for one of SYSTEMS."""
    engine = request.programs[0].path
    family = mpi_family(engine)
    return (
        _templates()
        .get_template(f"{system}.sh.j2")
        .render(
            job=request,
            minutes=math.ceil(request.job_s / 60),
            protocol=request.start_protocol or usual_protocol(family),
            family=None if family is None else family.value,
            mpiexec=_mpiexec(engine, family, request.processes),
        )
    )


TENDER = ("tender.md", "committed.expect.yaml")
"""What a tender holds beside the job script."""


def tender_file(name: str, job: object, io_time_s: float | str, built: str) -> str:
    """Return one of TENDER: `job` has name, nodes, tasks_per_node and processes of a JobRequest.

    `io_time_s` is T of b_eff_io, `built` what the programs say of their version and commit.
    """
    template = _templates().get_template(f"{name}.j2")
    return template.render(job=job, io_time_s=io_time_s, built=built)


def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("beff.launch", "jobs"),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # a script of the shell, where `quote` does that
    )
    environment.filters["quote"] = lambda word: shlex.quote(str(word))
    return environment


def _mpiexec(engine: Path, family: MpiFamily | None, processes: int) -> str:
    """Return the launcher with its options, where the script has a host file in $hosts."""
    beside = (own_folder() if is_packed(engine) else engine.parent) / "mpiexec"
    program = shlex.quote(str(beside)) if is_program(beside) else "mpiexec"
    options = {
        MpiFamily.MPICH: '-f "$hosts" -bind-to core ',
        MpiFamily.OPEN_MPI: '--hostfile "$hosts" --map-by slot --bind-to core ',
        None: "",
    }
    return f"{program} {options[family]}-n {processes}"
