"""What `beff run` and `beff job` were asked for: read and checked before anything is measured."""

import os
from pathlib import Path

from beff.cli.common.files import make_folder
from beff.cli.common.options import check_passed_on, parse_process_counts
from beff.cli.common.say import warn
from beff.cli.measuring.benchmarks import (
    B_EFF,
    B_EFF_IO,
    B_PAIRS,
    SHORT_CLASS,
    network_words,
    start_of,
    words_for,
)
from beff.cli.measuring.options import MeasureOptions, RunOptions
from beff.launch.allocation import find_allocation
from beff.launch.campaign import Campaign
from beff.launch.numbering import Numbering, check_numbering
from beff.launch.target import Target, default_processes, find_target
from beff.result.contract import BENCHMARKS
from beff.result.errors import WrongUsageError
from beff.result.places import is_folder, is_taken

USUAL = (B_EFF, B_EFF_IO)
"""Those that are measured unless others are named."""
FEWEST_HOSTS = 4
"""From so many on `beff run` measures pairs as well: three cannot be judged."""
SET_HERE = ("--output", "--overwrite", "--progress", "--quiet", "--memory-per-process")
"""Options of the programs that have an option of the command instead."""
_OF_IO = ("path", "time", "procedure", "max_data", "filesystem_note")
"""Fields of MeasureOptions for b_eff_io."""
_SET_HERE_OF_IO = tuple(f"--{name.replace('_', '-')}" for name in _OF_IO)
QUICK_REMARK = (
    f"b_eff is measured by definition {SHORT_CLASS}: its results compare with their own kind only,"
    " of the same number of processes, and stand in no list. b_eff_io is measured for 30 s, and not"
    " valid."
)


def campaign_of(given: RunOptions) -> Campaign:
    """Check what the user wrote, make the folder, and return what to measure.

    That is each benchmark with each number of processes and each numbering, in this order. Raises
    WrongUsageError, or TargetError.
    """
    for name in ("placement", "model"):
        if getattr(given, name) is not None:
            raise WrongUsageError(f"--{name}: --simulate is missing, which names the network")
    benchmarks = benchmarks_of(given, hosts_of_job())
    path = given.path
    check_files_folder(path)
    counts = None if given.processes is None else parse_process_counts(given.processes)
    targets = {
        name: find_target(name, chosen, given.launcher, given.mpi)
        for name, chosen in engine_paths(given.engine, benchmarks).items()
    }
    for target in targets.values() if given.numbering is not None else ():
        check_numbering(target.launcher)
    folder = make_folder(given.output_dir)
    counts = counts or _default_counts(next(iter(targets.values())))
    starts = []
    for benchmark in benchmarks:
        for count in counts:
            words = words_for(benchmark, given, path or folder, count)
            words += ["--overwrite"] * given.overwrite
            starts += [
                start_of(
                    *(benchmark, targets[benchmark], folder, count, words),
                    numbering=numbering,
                    stall_limit=given.stall_limit,
                )
                for numbering in _numberings(given.numbering)
            ]
    return Campaign(folder, starts)


def check_files_folder(path: Path | None) -> None:
    """Refuse a folder in which no files can be measured. Raises WrongUsageError."""
    if path is not None and not is_folder(path):
        raise WrongUsageError(f"--path {path}: there is no such folder; make it or name another")
    if path is not None and not os.access(path, os.W_OK | os.X_OK):
        raise WrongUsageError(f"--path {path}: no files can be made there; name another folder")


def benchmarks_of(given: MeasureOptions, hosts: int, command: str = "beff run") -> list[str]:
    """Return what --benchmark chooses; without it the usual ones, on so many hosts pairs as well.

    Checks the options that do not depend on the machine. Raises WrongUsageError.
    """
    of_network = network_words(given)
    usual = BENCHMARKS if hosts >= FEWEST_HOSTS or of_network else USUAL
    chosen = [one for one in BENCHMARKS if one in (given.benchmark or usual)]
    check_engine_options(given.engine_options or [], chosen, command)
    for name in _OF_IO if B_EFF_IO not in chosen else ():
        value = getattr(given, name)
        if value is not None:
            raise WrongUsageError(
                f"--{name.replace('_', '-')} {value}: belongs to b_eff_io, which --benchmark does"
                " not choose"
            )
    if B_PAIRS not in chosen and of_network:
        raise WrongUsageError(
            f"{of_network[0]}: belongs to b_pairs, which --benchmark does not choose"
        )
    _check_quick(given)
    return chosen


def hosts_of_job() -> int:
    """Return how many hosts the job has in which this command runs; 0 where none is known."""
    allocation = find_allocation()
    return 0 if allocation is None else allocation.nodes or 0


def check_engine_options(options: list[str], benchmarks: list[str], command: str) -> None:
    """Refuse options behind '--' that cannot be passed on. Raises WrongUsageError."""
    check_passed_on(
        options,
        command=command,
        set_here=SET_HERE + (_SET_HERE_OF_IO if benchmarks == [B_EFF_IO] else ()),
        instead="numbers of processes are given by --nodes and --tasks-per-node"
        if command == "beff job"
        else "numbers of processes are given by --processes",
        program="the measuring program " + " or ".join(benchmarks),
    )
    if options and len(benchmarks) > 1:
        raise WrongUsageError(
            f"{options[0]} behind '--' could be meant for {' or for '.join(benchmarks)}; choose one"
            " by --benchmark"
        )


def engine_paths(chosen: Path | None, names: list[str]) -> dict[str, Path | None]:
    """Return the program that --engine means, by benchmark. Raises WrongUsageError.

    A folder holds the programs by their names, and so does the folder of a program that has one of
    these names; a program of any other name serves one benchmark.
    """
    if chosen is None:
        return dict.fromkeys(names)
    if is_folder(chosen):
        return {name: chosen / name for name in names}
    if chosen.name in BENCHMARKS:
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


def _numberings(text: str | None) -> list[Numbering | None]:
    """Return the numberings to measure with, in this order.

    Of both, round-robin comes first: it uses every node there is, so it shows whether there is only
    one, where the numbering makes no difference.
    """
    if text is None:
        return [None]
    if text == "both":
        return [Numbering.ROUND_ROBIN, Numbering.SEQUENTIAL]
    return [Numbering(text)]


def _default_counts(target: Target) -> list[int]:
    count = default_processes(target.cores)
    if find_allocation() is None and count > target.cores.physical:
        warn(
            f"beff: {target.cores.physical} core is usable, but b_eff needs at least 2 processes;"
            f" running {count}, which share it"
        )
    return [count]
