"""`beff job`."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from beff.cli import exit_codes
from beff.cli.options import (
    DURATION,
    BuildOption,
    MemoryOption,
    OverwriteOption,
    Quantity,
    argument,
    option,
    taking,
    value_of,
)
from beff.cli.run_benchmarks import B_EFF, B_EFF_IO, valid_time_s
from beff.cli.run_options import ProcedureOption, RunEngineOption, ValueName
from beff.cli.run_request import benchmarks_of, engine_paths
from beff.launch.engine import find_engine, own_folder
from beff.launch.job_script import JobRequest, job_script
from beff.launch.job_time import divide_time
from beff.launch.mpi_build import program_of_a_job, uses_packed
from beff.launch.packaged_mpi import network_note
from beff.model.errors import WrongUsageError
from beff.model.plain_text import one_line
from beff.model.write import require_free, write_atomically


@dataclass(frozen=True)
class JobOptions:
    """What the user wrote; nothing is checked yet."""

    system: Annotated[Literal["slurm", "pbs", "lsf", "flux"], argument(None, "The batch system.")]
    nodes: Annotated[int, option("--nodes", "N", "Number of nodes.", min=1)]
    tasks_per_node: Annotated[
        int,
        option(
            "--tasks-per-node",
            "N",
            "Processes on each node; as a rule one per physical core.",
            min=1,
        ),
    ]
    path: Annotated[
        Path | None,
        option("--path", "DIR", "Where b_eff_io measures files: a folder that all nodes see."),
    ] = None
    benchmark: Annotated[
        list[ValueName] | None,
        option("--benchmark", None, "The benchmark; may be repeated.", default="both"),
    ] = None
    time: Annotated[
        Quantity | None,
        option(
            "--time",
            DURATION,
            "Time the job may take.",
            default="what a run takes, and some more",
        ),
    ] = None
    io_time: Annotated[
        Quantity | None,
        option(
            "--io-time",
            DURATION,
            "Scheduled time T of b_eff_io.",
            default="the least that is valid: 15min for each of up to three partitions",
        ),
    ] = None
    procedure: ProcedureOption = None
    account: Annotated[str | None, option("--account", "NAME", "Account, project or bank.")] = None
    partition: Annotated[str | None, option("--partition", "NAME", "Partition or queue.")] = None
    name: Annotated[str, option("--name", "NAME", "Name of the job.")] = "beff"
    setup: Annotated[
        list[str] | None,
        option(
            "--setup",
            "LINE",
            "Line of the script before measuring, such as 'module load openmpi'; may be repeated.",
        ),
    ] = None
    memory_per_process: MemoryOption = None
    engine: RunEngineOption = None
    mpi: BuildOption = None
    srun_mpi: Annotated[
        str | None,
        option(
            "--srun-mpi",
            "TYPE",
            "Value of srun's option --mpi.",
            default="by the MPI library of the program",
        ),
    ] = None
    output_dir: Annotated[Path, option("--output-dir", "DIR", "Folder for the results.")] = Path(
        "results"
    )
    output: Annotated[
        Path | None,
        option("--output -o", "FILE", "Write the script there.", default="standard output"),
    ] = None
    overwrite: OverwriteOption = False


@taking(JobOptions)
def job(given: JobOptions) -> int:
    """Write a job script that measures on a cluster.

    The job starts the measuring programs themselves and needs no Python on the nodes. Scripts for
    Slurm are tested; those for PBS, LSF and Flux are templates to be adapted.

    \b
    Examples:
      beff job slurm --nodes 4 --tasks-per-node 32 --path /scratch/me -o job.sh
      beff job pbs --nodes 2 --tasks-per-node 64 --benchmark b_eff --time 20min
    """  # noqa: D301 - \b keeps the lines of the example apart
    if given.output is not None:
        require_free(given.output, overwrite=given.overwrite, option="--output")
    benchmarks = benchmarks_of(given.benchmark)
    wants_io = B_EFF_IO in benchmarks
    _check_words(given)
    _check_io(wants_io, given)
    if given.nodes * given.tasks_per_node < 2:
        raise WrongUsageError("--nodes 1 --tasks-per-node 1: b_eff needs at least two processes")
    given_s = value_of(given.time)
    io_time_s = _io_time_s(given) if wants_io else None
    engines = {
        name: _program(name, program, given.mpi)
        for name, program in engine_paths(given.engine, benchmarks).items()
    }
    request = JobRequest(
        nodes=given.nodes,
        tasks_per_node=given.tasks_per_node,
        time=divide_time(B_EFF in benchmarks, io_time_s, given_s),
        engines=engines,
        path=given.path,
        io_time_s=io_time_s,
        procedure=given.procedure,
        results=given.output_dir,
        name=given.name,
        account=given.account,
        partition=given.partition,
        memory_per_process=given.memory_per_process,
        setup=tuple(given.setup or ()),
        start_protocol=given.srun_mpi,
    )
    script = job_script(given.system, request)
    if given.engine is None:
        print(f"beff: {network_note(next(iter(engines.values())))}", file=sys.stderr)
    if given.output is None:
        print(script, end="")
    else:
        write_atomically(given.output, script, overwrite=given.overwrite)
        given.output.chmod(0o755)
    return exit_codes.OK


def _program(name: str, chosen: Path | None, mpi: str | None) -> Path:
    if uses_packed(chosen, mpi):
        return program_of_a_job(name, mpi)
    return find_engine(name, chosen, own_folder()).path


def _io_time_s(given: JobOptions) -> float:
    if given.io_time is None:
        return valid_time_s(given.nodes * given.tasks_per_node)
    return given.io_time.value


_SIGNS = "._-+@:,="
_WORDS = {"name": _SIGNS, **dict.fromkeys(("account", "partition", "srun_mpi"), f"{_SIGNS}/")}
"""What a word of the script may have beside letters and digits; the name is that of a file, too."""


def _check_words(given: JobOptions) -> None:
    """Refuse what a batch system or a shell would not read as one word. Raises WrongUsageError."""
    for field, signs in _WORDS.items():
        value = getattr(given, field)
        if value is not None and not re.fullmatch(rf"(?!-)[A-Za-z0-9{re.escape(signs)}]+", value):
            raise WrongUsageError(
                f"--{field.replace('_', '-')} {one_line(value)}: must be letters, digits and the"
                f" signs {signs}, and not begin with -"
            )


def _check_io(wants_io: bool, given: JobOptions) -> None:
    if wants_io and given.path is None:
        raise WrongUsageError(
            "--path is missing: b_eff_io needs a folder that all nodes see; name it, or choose"
            " --benchmark b_eff"
        )
    for name, value in (
        ("--path", given.path),
        ("--io-time", given.io_time),
        ("--procedure", given.procedure),
    ):
        if value is not None and not wants_io:
            raise WrongUsageError(
                f"{name} {value}: belongs to b_eff_io, which --benchmark does not choose"
            )
