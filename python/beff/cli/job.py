"""`beff job`."""

import re
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from beff.cli.common import exit_codes, options
from beff.cli.common.files import chosen_targets, make_folder
from beff.cli.common.say import say, warn
from beff.cli.measuring import benchmarks
from beff.cli.measuring.benchmarks import B_EFF, B_EFF_IO, B_PAIRS, MeasureOptions, by_option
from beff.cli.measuring.request import benchmarks_of, engine_paths
from beff.definition.b_eff_io_plan import default_partitions, shortest_valid_time_s
from beff.definition.b_eff_plan import largest_message
from beff.launch.engine import find_engine, first_line, own_folder
from beff.launch.job_script import LIMIT_S, TENDER, Program, divide_time, job_script, rendered
from beff.launch.mpi_build import network_note, program_of_a_job, uses_packed
from beff.result.contract import BENCHMARKS
from beff.result.errors import WrongUsageError
from beff.result.numbers import MIB, counted, format_duration, parse_duration
from beff.result.places import require_free, write_atomically


def _word(text: str, signs: str = "._-+@:,=") -> str:
    """Refuse what a batch system or a shell would not read as one word. Raises ValueError."""
    if not re.fullmatch(rf"(?!-)[A-Za-z0-9{re.escape(signs)}]+", text):
        raise ValueError(f"must be letters, digits and the signs {signs}, and not begin with -")
    return text


_Word = Annotated[str, "NAME", options.kind(partial(_word, signs="._-+@:,=/"))]
_FileName = Annotated[str, "NAME", options.kind(_word)]


@dataclass(frozen=True, kw_only=True)
class _System:
    system: Annotated[Literal["slurm", "pbs", "lsf", "flux"], "slurm|pbs|lsf|flux"] = field(
        kw_only=False
    )
    """The batch system."""


@dataclass(frozen=True, kw_only=True)
class JobOptions(MeasureOptions, _System):
    """What the user wrote; nothing is checked yet."""

    nodes: Annotated[options.Whole, options.BATCH]
    """Number of nodes."""
    tasks_per_node: Annotated[options.Whole, options.BATCH]
    """Processes on each node; as a rule one per physical core."""
    walltime: Annotated[options.Duration | None, options.BATCH] = None
    """Time the job may take.  [default: what a run takes, with a margin]"""
    account: Annotated[_Word | None, options.BATCH] = None
    """Account, project or bank."""
    partition: Annotated[_Word | None, options.BATCH] = None
    """Partition or queue."""
    name: Annotated[_FileName, options.BATCH] = "beff"
    """Name of the job."""
    setup: Annotated[list[str] | None, "LINE", options.BATCH] = None
    """Line of the script before measuring, such as 'module load openmpi'; may be repeated."""
    srun_mpi: Annotated[_Word | None, "TYPE", options.BATCH] = None
    """Value of srun's option --mpi.  [default: by the MPI library of the program]"""
    output: Annotated[options.File | None, options.OUTPUT] = None
    """Write the script to this file.  [default: standard output]"""
    tender: Annotated[options.Folder | None, options.WRITTEN] = None
    """Make a folder for a tender: job.sh, the rules of the run, the figures to commit."""
    output_dir: Annotated[options.Folder, options.WRITTEN] = Path("results")
    """Folder for the results."""

    @property
    def processes(self) -> int:
        """Processes on all nodes."""
        return self.nodes * self.tasks_per_node


def job(given: JobOptions) -> int:
    """Write a job script that measures on a cluster.

    The job starts the measuring programs themselves, with the options that beff run gives them, and
    needs no Python on the nodes. Scripts for Slurm are tested; those for PBS, LSF and Flux are
    templates to be adapted.

    Examples:
      beff job slurm --nodes 4 --tasks-per-node 32 --path /scratch/me -o job.sh
      beff job pbs --nodes 2 --tasks-per-node 8 --benchmark b_eff --walltime 1h
      beff job slurm --nodes 4 --tasks-per-node 8 --benchmark b_eff --quick
      beff job slurm --nodes 64 --tasks-per-node 2 --benchmark b_pairs --bisection
      beff job slurm --nodes 64 --tasks-per-node 32 --path /scratch --tender 2026

    Exit codes:
      0  done
      1  something is missing, failed or could not be written
    """
    chosen_targets(given, "output")
    chosen = benchmarks_of(given, given.nodes, "beff job")
    if given.tender is not None:
        given, chosen = _as_tender(given), list(BENCHMARKS)
    if given.bisection is not None and given.bisection > given.tasks_per_node:
        raise WrongUsageError(
            f"--bisection={given.bisection}: a node has --tasks-per-node {given.tasks_per_node};"
            " give at most as many"
        )
    if B_EFF_IO in chosen and given.path is None:
        raise WrongUsageError(
            "--path is missing: b_eff_io needs a folder that all nodes see; name it, or choose"
            " --benchmark b_eff"
        )
    if given.processes < 2:
        raise WrongUsageError("--nodes 1 --tasks-per-node 1: b_eff needs at least two processes")
    if given.time is None:  # as long as is valid
        valid_s = shortest_valid_time_s("1", len(default_partitions(given.processes)))
        time = benchmarks.SHORT_TIME if given.quick else f"{valid_s // 60}min"
        given = replace(given, time=options.Quantity(parse_duration(time), time))
    job_s, programs = _measured(given, chosen)
    if given.engine is None:
        warn(f"beff: {network_note(programs[0].path)}")
    if given.tender is not None:
        _write_tender(given, given.tender, programs, job_s)
        return exit_codes.OK
    script = job_script(given, programs, job_s)
    if given.output is None:
        print(script, end="")
    else:
        write_atomically(given.output, script, overwrite=given.overwrite)
        given.output.chmod(0o755)
        warn(f"{given.output}: {counted(given.nodes, 'node')}, {format_duration(job_s)} at most")
    return exit_codes.OK


_JOB = "job.sh"
_LONGEST_BYTES = 16 * MIB
"""Messages of a bisection are no longer."""


def _as_tender(given: JobOptions) -> JobOptions:
    """Return the job of a tender. Raises WrongUsageError for what does not go with one."""
    if not_of_tenders := options.words_of(given, "output", "benchmark"):
        raise WrongUsageError(
            f"--tender {given.tender}: measures all benchmarks, by the script that it writes as"
            f" {_JOB}; leave out {not_of_tenders[0]}"
        )
    if given.memory_per_process is None:
        raise WrongUsageError(
            f"--tender {given.tender}: give --memory-per-process as well, such as 2GiB: the longest"
            " message is 1/128 of it, and only results with the same one compare"
        )
    if given.nodes == 1:
        raise WrongUsageError(
            f"--tender {given.tender}: measures the network between hosts; give --nodes 2 or more"
        )
    fewer = [str(count) for count in (1, 2, 4) if count < given.tasks_per_node]
    per_host = given.per_host or ",".join([*fewer, "all"])
    return replace(given, bisection=given.bisection or 1, per_host=per_host)


def _write_tender(given: JobOptions, folder: Path, programs: list[Program], job_s: float) -> None:
    """Make the folder of a tender. Raises TargetError, and BeffError where it cannot be written."""
    built = first_line([str(programs[0].path), "--version"])
    in_path = [replace(one, path=Path(one.name)) for one in programs]  # of whoever runs the job
    longest = largest_message(int(given.memory_per_process or 0))
    facts: dict[str, Any] = {"job": given, "io_time_s": float(given.time or 0), "built": built}
    facts |= {"lmax_bytes": longest, "message_bytes": min(longest, _LONGEST_BYTES)}
    texts = {_JOB: job_script(given, in_path, job_s)}
    texts |= {name: rendered(name, **facts) for name in TENDER}
    make_folder(folder, option="--tender")
    for name in texts:
        require_free(folder / name, overwrite=given.overwrite, option="--tender")
    for name, text in texts.items():
        write_atomically(folder / name, text, overwrite=given.overwrite)
    (folder / _JOB).chmod(0o755)
    say(f"{folder}: {', '.join(texts)}")


_BISECTION_S = 600.0
"""What b_pairs takes for a bisection unless an option says otherwise."""


def _measured(given: JobOptions, chosen: list[str]) -> tuple[float, list[Program]]:
    """Return how long the job may take, in s, and the programs with all options but the output."""
    files, count = given.path or given.output_dir, given.processes
    words = {one: benchmarks.words_for(one, given, files, count) for one in chosen}
    limits_s = {one: LIMIT_S for one in chosen if one != B_EFF_IO}
    if B_PAIRS in chosen:
        given_words = words[B_PAIRS]
        limits_s[B_PAIRS] = max(LIMIT_S, 2 * benchmarks.longest_s(given_words, "--duration"))
        if "--bisection" in dict(by_option(given_words)):
            limits_s[B_PAIRS] += benchmarks.longest_s(given_words, "--bisection-time", _BISECTION_S)
    io_time_s = given.time if B_EFF_IO in chosen else None
    job_s, limits = divide_time(limits_s, io_time_s, given.walltime)
    if B_EFF in chosen:
        words[B_EFF] = ["--nodes", str(given.nodes), *words[B_EFF]]
    for name, limit_s in limits.items():
        if "--time-limit" not in dict(by_option(words[name])):
            words[name] += ["--time-limit", f"{limit_s:.0f}s"]
    programs = []
    for name, engine in engine_paths(given.engine, chosen).items():
        if uses_packed(engine, given.mpi):
            path = program_of_a_job(name, given.mpi)
        else:
            path = find_engine(name, engine, own_folder())
        programs.append(Program(name, path, tuple(words[name])))
    return job_s, programs
