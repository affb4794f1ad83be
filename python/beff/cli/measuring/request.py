"""What `beff run` and `beff job` were asked for: read and checked before anything is measured.

A quick run (`--quick`) is short, for comparing with others of its kind every week. Its results have
loops that are too short to be valid, and a memory per process that does not depend on the machine;
comparisons take loop time and L_max as conditions, so they refuse any other kind.
"""

from dataclasses import dataclass
from pathlib import Path

from beff.cli.common.files import make_folder
from beff.cli.common.options import (
    SIZE,
    check_passed_on,
    memory_options,
    parse_process_counts,
    value_of,
)
from beff.cli.common.say import warn
from beff.cli.measuring.benchmarks import (
    B_EFF,
    B_EFF_IO,
    B_PAIRS,
    FEWEST_HOSTS,
    Benchmark,
    IoWanted,
    Job,
    b_eff_job,
    b_pairs_job,
    check_path,
    io_job,
    is_valid,
)
from beff.cli.measuring.options import MeasureOptions, RunOptions
from beff.launch.allocation import find_allocation
from beff.launch.numbering import Numbering, check_numbering
from beff.launch.target import Target, default_processes, find_target
from beff.result.contract import MeasuredResult
from beff.result.errors import WrongUsageError
from beff.result.places import is_folder, is_taken

BENCHMARKS = (B_EFF, B_EFF_IO, B_PAIRS)
"""In the order in which they are measured."""
USUAL = (B_EFF, B_EFF_IO)
"""Those that are measured unless others are named."""
_QUICK_MEMORY = SIZE.of("64MiB")
_QUICK_OPTIONS = ("--loop-time", "500us", "--time-limit", "60s")
"""Loops a fifth as long as those of a valid run; a huge machine ends with fewer repetitions."""
_NOT_MET_BY_QUICK = frozenset({"loop time"})
"""Criteria that a quick run of b_eff cannot meet, whatever the machine."""
QUICK_REMARK = (
    "These are quick runs, never valid: they compare with other quick runs of the same number of"
    " processes only. Being quick alone does not change the exit code."
)


@dataclass(frozen=True)
class RunRequest:
    """What to measure: each job for each number of processes with each numbering, in this order.

    A numbering is None where the launcher may choose. The results go into `folder`.
    """

    jobs: list[Job]
    counts: list[int]
    numberings: list[Numbering | None]
    folder: Path
    io: IoWanted


def validated(given: RunOptions) -> RunRequest:
    """Check what the user wrote, and make the folder. Raises WrongUsageError, or TargetError."""
    benchmarks = benchmarks_of(given, hosts_of_job())
    check_path(given.path)
    counts = None if given.processes is None else parse_process_counts(given.processes)
    programs = engine_paths(given.engine, benchmarks)
    numberings = _parse_numbering(given.numbering)
    targets = {
        name: find_target(name, chosen, given.launcher, given.mpi)
        for name, chosen in programs.items()
    }
    for target in targets.values() if given.numbering is not None else ():
        check_numbering(target.launcher)
    folder = make_folder(given.output_dir)
    io = IoWanted(given, value_of(given.time), folder)
    stall_limit_s = value_of(given.stall_limit)
    return RunRequest(
        jobs=_jobs(io, benchmarks, targets, stall_limit_s),
        counts=counts or _default_counts(next(iter(targets.values()))),
        numberings=numberings,
        folder=folder,
        io=io,
    )


def benchmarks_of(given: MeasureOptions, hosts: int, command: str = "beff run") -> list[Benchmark]:
    """Return what --benchmark chooses; without it the usual ones, on so many hosts pairs as well.

    Checks the options that do not depend on the machine. Raises WrongUsageError.
    """
    usual = BENCHMARKS if hosts >= FEWEST_HOSTS or _network_words(given) else USUAL
    names = given.benchmark
    chosen = [one for one in BENCHMARKS if (one.name in names if names else one in usual)]
    check_engine_options(given.engine_options or [], chosen, command)
    _check_io_options(chosen, given)
    if B_PAIRS not in chosen and (words := _network_words(given)):
        raise WrongUsageError(f"{words[0]}: belongs to b_pairs, which --benchmark does not choose")
    _check_quick(given)
    return chosen


def _network_words(given: MeasureOptions) -> list[str]:
    """Return the options of b_pairs for the network as a whole."""
    per_host = [] if given.per_host is None else ["--per-host", given.per_host]
    return ["--bisection"] * given.bisection + per_host


def hosts_of_job() -> int:
    """Return how many hosts the job has in which this command runs; 0 where none is known."""
    allocation = find_allocation()
    return 0 if allocation is None else allocation.nodes or 0


def check_engine_options(options: list[str], benchmarks: list[Benchmark], command: str) -> None:
    """Refuse options behind '--' that cannot be passed on. Raises WrongUsageError."""
    check_passed_on(
        options,
        command=command,
        set_here=set.intersection(*(set(benchmark.own_options) for benchmark in benchmarks)),
        instead="numbers of processes are given by --nodes and --tasks-per-node"
        if command == "beff job"
        else "numbers of processes are given by --processes",
        program="the measuring program " + " or ".join(one.name for one in benchmarks),
    )
    if options and len(benchmarks) > 1:
        names = " or for ".join(one.name for one in benchmarks)
        raise WrongUsageError(
            f"{options[0]} behind '--' could be meant for {names}; choose one by --benchmark"
        )


def _check_io_options(benchmarks: list[Benchmark], given: MeasureOptions) -> None:
    """Refuse options of b_eff_io where it is not measured. Raises WrongUsageError."""
    if B_EFF_IO in benchmarks:
        return
    for name in ("path", "time", "procedure", "max_data", "filesystem_note"):
        value = getattr(given, name)
        if value is not None:
            raise WrongUsageError(
                f"--{name.replace('_', '-')} {value}: belongs to b_eff_io, which --benchmark does"
                " not choose"
            )


def engine_paths(chosen: Path | None, benchmarks: list[Benchmark]) -> dict[str, Path | None]:
    """Return the program that --engine means, by benchmark. Raises WrongUsageError.

    A folder holds the programs by their names, and so does the folder of a program that has one of
    these names; a program of any other name serves one benchmark.
    """
    names = [benchmark.name for benchmark in benchmarks]
    if chosen is None:
        return dict.fromkeys(names)
    if is_folder(chosen):
        return {name: chosen / name for name in names}
    if chosen.name in {benchmark.name for benchmark in BENCHMARKS}:
        return {name: chosen.with_name(name) for name in names}
    if len(names) == 1 or not is_taken(chosen):  # which find_engine refuses
        return dict.fromkeys(names, chosen)
    raise WrongUsageError(
        f"--engine {chosen}: is one program for several benchmarks; name the folder of b_eff,"
        " b_eff_io and b_pairs, or choose one by --benchmark"
    )


def _check_quick(given: MeasureOptions) -> None:
    """Refuse what would make quick runs differ. Raises WrongUsageError."""
    set_by_quick = {
        "--time": given.time,
        "--memory-per-process": given.memory_per_process,
        "--max-data": given.max_data,
    }
    for name, value in set_by_quick.items():
        if given.quick and value is not None:
            raise WrongUsageError(
                f"{name} {value}: --quick sets it, so that quick runs can be compared; leave one of"
                " the two out"
            )
    if given.quick and given.engine_options:
        raise WrongUsageError(
            f"{given.engine_options[0]} behind '--': --quick sets the options of the programs;"
            " leave one of the two out"
        )


def accepts_quick(result: MeasuredResult) -> bool:
    """Whether a result of b_eff is not valid only because it was quick."""
    unmet = {criterion.code for criterion in result.criteria if not criterion.met}
    return result.complete and unmet <= _NOT_MET_BY_QUICK


def _parse_numbering(text: str | None) -> list[Numbering | None]:
    """Return the numberings to measure with, in this order.

    Of both, round-robin comes first: it uses every node there is, so it shows whether there is only
    one, where the numbering makes no difference.
    """
    if text is None:
        return [None]
    if text == "both":
        return [Numbering.ROUND_ROBIN, Numbering.SEQUENTIAL]
    return [Numbering(text)]


def words_for(benchmark: Benchmark, wanted: IoWanted, processes: int) -> list[str]:
    """Return the options of a program for a number of processes, but for its output."""
    given = wanted.given
    words = memory_options(_QUICK_MEMORY if given.quick else given.memory_per_process)
    if benchmark is B_EFF_IO:
        return words + wanted.options(processes)
    if benchmark is B_EFF and given.quick:
        return [*words, *_QUICK_OPTIONS]
    if benchmark is B_PAIRS:
        words += _network_words(given)
    return words + (given.engine_options or [])


def _jobs(
    wanted: IoWanted,
    benchmarks: list[Benchmark],
    targets: dict[str, Target],
    stall_limit_s: float | None,
) -> list[Job]:
    """Return what is to be measured, in this order."""
    given = wanted.given
    again = ["--overwrite"] * given.overwrite
    jobs = []
    if B_EFF in benchmarks:
        accepted = accepts_quick if given.quick else is_valid
        options = words_for(B_EFF, wanted, 0) + again
        jobs.append(b_eff_job(targets[B_EFF.name], options, stall_limit_s, accepted))
    if B_EFF_IO in benchmarks:
        jobs.append(
            io_job(
                targets[B_EFF_IO.name],
                wanted,
                lambda processes: words_for(B_EFF_IO, wanted, processes) + again,
                stall_limit_s,
            )
        )
    if B_PAIRS in benchmarks:
        options = words_for(B_PAIRS, wanted, 0) + again
        jobs.append(b_pairs_job(targets[B_PAIRS.name], options, stall_limit_s))
    return jobs


def _default_counts(target: Target) -> list[int]:
    count = default_processes(target.cores)
    if find_allocation() is None and count > target.cores.physical:
        warn(
            f"beff: {target.cores.physical} core is usable, but b_eff needs at least 2 processes;"
            f" running {count}, which share it"
        )
    return [count]
