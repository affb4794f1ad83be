"""Job scripts, how long a job takes, and the texts of a tender, from the templates in `jobs`."""

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from beff.launch.engine import PROTOCOLS, MpiFamily, is_program, mpi_family, own_folder
from beff.launch.launcher import Flavour
from beff.launch.mpi_build import is_packed
from beff.result.errors import WrongUsageError
from beff.result.numbers import format_duration

LIMIT_S = 10 * 60.0
"""Of b_eff and b_pairs, which take one or two minutes; more where processes are many or slow."""
IO = "b_eff_io"
_IO_FACTOR = (1 + 2 * 2) / 3
"""Rewrite and read repeat the calls of the write: T/3 each when as fast as the write; here twice
that, as in the first of the longer cases that `b_eff_io --plan` shows."""
_LONGEST_MARGIN_S = 5 * 60.0
_MARGIN = 0.1


def divide_time(
    limits_s: Mapping[str, float], io_time_s: float | None, given_s: float | None
) -> tuple[float, Mapping[str, float]]:
    """Return the seconds of a job and, by name, of each benchmark, which leave time to write.

    The others than b_eff_io have limits; `io_time_s` is its T, None where it is not measured, and
    `given_s` what the job may take, None for what it needs. Raises WrongUsageError when that is
    less than T.
    """
    io_needs_s = {} if io_time_s is None else {IO: _IO_FACTOR * io_time_s}
    needs_s = {**limits_s, **io_needs_s}
    needed_s = sum(needs_s.values()) + _LONGEST_MARGIN_S
    if given_s is None:
        return needed_s, needs_s
    usable_s = given_s - min(_LONGEST_MARGIN_S, _MARGIN * given_s)
    if io_time_s is None:
        return given_s, dict.fromkeys(limits_s, usable_s / len(limits_s))
    most_s = usable_s / 3 / max(1, len(limits_s))
    others_s = {name: min(limit_s, most_s) for name, limit_s in limits_s.items()}
    io_s = usable_s - sum(others_s.values())
    if io_s < io_time_s:
        raise WrongUsageError(
            f"--walltime {format_duration(given_s)}: too short for b_eff_io with T ="
            f" {format_duration(io_time_s)}; give {format_duration(needed_s)}, or less with --time"
        )
    return given_s, {**others_s, IO: io_s}


@dataclass(frozen=True)
class Program:
    """A program of a job with all its options but the one for its output."""

    name: str
    path: Path
    words: tuple[str, ...]


def job_script(job: Any, programs: Sequence[Program], job_s: float) -> str:
    """Return the script for its batch system, by a template, which takes `job_s` at most.

    `job` has what `beff job` was given, by the names of its options: what the job shall measure, by
    at least one program, and where. Programs without a folder are those in PATH where the job runs,
    with an MPI library that is not known here.
    """
    engine = programs[0].path
    is_in_path = engine == Path(engine.name)
    family = None if is_in_path else mpi_family(engine)
    return rendered(
        f"{job.system}.sh",
        job=job,
        programs=programs,
        minutes=math.ceil(job_s / 60),
        protocol=None if family is None else PROTOCOLS[family][0],
        family=None if family is None else family.value,
        mpiexec=_mpiexec(None if is_in_path else engine, family, job.processes),
    )


TENDER = ("tender.md", "committed.expect.yaml")
"""What a tender holds beside the job script."""


def rendered(name: str, **facts: object) -> str:
    """Return a text from a template: of TENDER, or the script of a batch system."""
    environment = Environment(
        loader=PackageLoader("beff.launch", "jobs"),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # a script of the shell, where `quote` does that
    )
    environment.filters["quote"] = lambda word: shlex.quote(str(word))
    return environment.get_template(f"{name}.j2").render(**facts)


def _mpiexec(engine: Path | None, family: MpiFamily | None, processes: int) -> str:
    """Return the launcher with its options, where the script has a host file in $hosts.

    It is the one beside a program, or without one that in PATH.
    """
    program = "mpiexec"
    if engine is not None:
        beside = (own_folder() if is_packed(engine) else engine.parent) / "mpiexec"
        program = shlex.quote(str(beside)) if is_program(beside) else program
    flavours = {MpiFamily.MPICH: Flavour.HYDRA, MpiFamily.OPEN_MPI: Flavour.OPEN_MPI}
    told = (Flavour.OTHER if family is None else flavours[family]).value
    return " ".join(filter(None, (program, told.hosts, told.bound, told.count.format(processes))))
