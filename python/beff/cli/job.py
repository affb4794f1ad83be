"""`beff job`."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from beff.cli.common import exit_codes
from beff.cli.common.files import make_folder
from beff.cli.common.help_text import Group
from beff.cli.common.options import DURATION, REQUIRED, Quantity, argument, option, taking, value_of
from beff.cli.common.say import say, warn
from beff.cli.measuring.benchmarks import (
    B_EFF,
    B_EFF_IO,
    B_PAIRS,
    SHORT_TIME,
    by_option,
    longest_s,
    valid_time_s,
    words_for,
)
from beff.cli.measuring.options import MeasureOptions
from beff.cli.measuring.request import benchmarks_of, engine_paths
from beff.launch.engine import find_engine, first_line, own_folder
from beff.launch.job_script import (
    LIMIT_S,
    TENDER,
    Program,
    divide_time,
    job_script,
    tender_file,
)
from beff.launch.mpi_build import network_note, program_of_a_job, uses_packed
from beff.result.contract import BENCHMARKS
from beff.result.errors import WrongUsageError
from beff.result.plain_text import one_line
from beff.result.write import require_free, write_atomically


@dataclass(frozen=True, kw_only=True)
class JobOptions(MeasureOptions):
    """What the user wrote; nothing is checked yet."""

    system: Literal["slurm", "pbs", "lsf", "flux"] = argument(
        "slurm|pbs|lsf|flux", "The batch system."
    )
    nodes: int = option("N", "Number of nodes.", min=1, group=Group.BATCH, default=REQUIRED)
    tasks_per_node: int = option(
        "N",
        "Processes on each node; as a rule one per physical core.",
        min=1,
        group=Group.BATCH,
        default=REQUIRED,
    )
    walltime: Quantity | None = option(
        DURATION,
        "Time the job may take.",
        otherwise="what a run takes, and some more",
        group=Group.BATCH,
    )
    account: str | None = option("NAME", "Account, project or bank.", group=Group.BATCH)
    partition: str | None = option("NAME", "Partition or queue.", group=Group.BATCH)
    name: str = option("NAME", "Name of the job.", group=Group.BATCH, default="beff")
    setup: list[str] | None = option(
        "LINE",
        "Line of the script before measuring, such as 'module load openmpi'; may be repeated.",
        group=Group.BATCH,
    )
    srun_mpi: str | None = option(
        "TYPE",
        "Value of srun's option --mpi.",
        otherwise="by the MPI library of the program",
        group=Group.BATCH,
    )
    output: Path | None = option(
        "FILE",
        "Write the script there.",
        names="--output -o",
        otherwise="standard output",
        group=Group.WRITTEN,
    )
    tender: Path | None = option(
        "DIR",
        "Make a folder for a tender: job.sh, the rules of the run, the figures to commit.",
        group=Group.WRITTEN,
    )
    output_dir: Path = option(
        "DIR", "Folder for the results.", group=Group.WRITTEN, default=Path("results")
    )

    @property
    def processes(self) -> int:
        """Processes on all nodes."""
        return self.nodes * self.tasks_per_node


@taking(JobOptions)
def job(given: JobOptions) -> int:
    """Write a job script that measures on a cluster.

    The job starts the measuring programs themselves, with the options that beff run gives them, and
    needs no Python on the nodes. Scripts for Slurm are tested; those for PBS, LSF and Flux are
    templates to be adapted.

    Examples:
      beff job slurm --nodes 4 --tasks-per-node 32 --path /scratch/me -o job.sh
      beff job pbs --nodes 2 --tasks-per-node 64 --benchmark b_eff --walltime 20min
      beff job slurm --nodes 4 --tasks-per-node 32 --benchmark b_eff -- --definition 3.1
      beff job slurm --nodes 64 --tasks-per-node 32 --benchmark b_pairs --bisection=2
      beff job slurm --nodes 64 --tasks-per-node 128 --path /scratch/me --tender tender-2026
    """
    if given.output is not None:
        require_free(given.output, overwrite=given.overwrite, option="--output")
    benchmarks = benchmarks_of(given, given.nodes, "beff job")
    if given.tender is not None:
        if given.output is not None or given.benchmark is not None:
            name = "--output" if given.output is not None else "--benchmark"
            raise WrongUsageError(
                f"--tender {given.tender}: measures all benchmarks, by the script that it writes"
                f" as {_JOB}; leave out {name}"
            )
        if given.nodes == 1:
            raise WrongUsageError(
                f"--tender {given.tender}: measures the network between hosts; give --nodes 2 or"
                " more"
            )
        fewer = [str(count) for count in (1, 2, 4) if count < given.tasks_per_node]
        per_host = given.per_host or ",".join([*fewer, "all"])
        given = replace(given, bisection=given.bisection or 1, per_host=per_host)
        benchmarks = list(BENCHMARKS)
    _check_words(given)
    if given.bisection is not None and given.bisection > given.tasks_per_node:
        raise WrongUsageError(
            f"--bisection={given.bisection}: a node has --tasks-per-node {given.tasks_per_node};"
            " give at most as many"
        )
    if B_EFF_IO in benchmarks and given.path is None:
        raise WrongUsageError(
            "--path is missing: b_eff_io needs a folder that all nodes see; name it, or choose"
            " --benchmark b_eff"
        )
    if given.processes < 2:
        raise WrongUsageError("--nodes 1 --tasks-per-node 1: b_eff needs at least two processes")
    if given.time is None:  # as long as is valid
        usual = f"{valid_time_s(given.processes, {}) // 60}min"
        given = replace(given, time=DURATION.of(SHORT_TIME if given.quick else usual))
    job_s, programs = _measured(given, benchmarks)
    in_path = [replace(one, path=Path(one.name)) for one in programs]  # whoever runs a tender's job
    written = programs if given.tender is None else in_path
    script = job_script(given.system, given, written, given.processes, job_s)
    if given.engine is None:
        warn(f"beff: {network_note(programs[0].path)}")
    if given.tender is not None:
        _write_tender(given.tender, given, programs[0].path, script)
    elif given.output is None:
        print(script, end="")
    else:
        write_atomically(given.output, script, overwrite=given.overwrite)
        given.output.chmod(0o755)
    return exit_codes.OK


_JOB = "job.sh"


def _write_tender(folder: Path, given: JobOptions, program: Path, script: str) -> None:
    """Make the folder of a tender. Raises TargetError, and BeffError where it cannot be written."""
    assert given.time is not None
    built = first_line([str(program), "--version"])
    texts = {_JOB: script} | {
        name: tender_file(name, given, given.time.value, built) for name in TENDER
    }
    make_folder(folder)
    for name in texts:
        require_free(folder / name, overwrite=given.overwrite, option="--tender")
    for name, text in texts.items():
        write_atomically(folder / name, text, overwrite=given.overwrite)
    (folder / _JOB).chmod(0o755)
    say(f"{folder}: {', '.join(texts)}")


_BISECTION_S = 600.0
"""What b_pairs takes for a bisection unless an option says otherwise."""


def _measured(given: JobOptions, benchmarks: list[str]) -> tuple[float, list[Program]]:
    """Return how long the job may take, in s, and the programs with all options but the output."""
    files = given.path or given.output_dir
    words = {one: words_for(one, given, files, given.processes) for one in benchmarks}
    io_time_s = value_of(given.time) if B_EFF_IO in benchmarks else None
    limits_s = {one: LIMIT_S for one in benchmarks if one != B_EFF_IO}
    if B_PAIRS in benchmarks:
        own = words[B_PAIRS]
        limits_s[B_PAIRS] = max(LIMIT_S, 2 * longest_s(own, "--duration"))
        if "--bisection" in dict(by_option(own)):
            limits_s[B_PAIRS] += longest_s(own, "--bisection-time", _BISECTION_S)
    times = divide_time(limits_s, io_time_s, value_of(given.walltime))
    if B_EFF in benchmarks:
        words[B_EFF] = ["--nodes", str(given.nodes), *words[B_EFF]]
    for name, limit_s in times.limits_s.items():
        if "--time-limit" not in dict(by_option(words[name])):
            words[name] += ["--time-limit", f"{limit_s:.0f}s"]
    programs = []
    for name, chosen in engine_paths(given.engine, benchmarks).items():
        if uses_packed(chosen, given.mpi):
            path = program_of_a_job(name, given.mpi)
        else:
            path = find_engine(name, chosen, own_folder())
        programs.append(Program(name, path, tuple(words[name])))
    return times.job_s, programs


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
