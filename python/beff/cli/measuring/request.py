"""What `beff run` and `beff job` were asked for: read and checked before anything is measured."""

import os
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from beff.cli.common.files import make_folder
from beff.cli.common.options import named, refuse, words_of
from beff.cli.common.say import warn
from beff.cli.measuring import benchmarks
from beff.cli.measuring.benchmarks import B_EFF, B_EFF_IO, B_PAIRS, OF_PROGRAM, MeasureOptions
from beff.definition.b_eff_plan import LARGEST_SEED
from beff.launch import simulation
from beff.launch.allocation import default_processes, find_allocation, hosts_of_job
from beff.launch.campaign import Start
from beff.launch.launcher import Numbering, check_numbering
from beff.launch.networks import from_file, parse_network, place
from beff.launch.target import Target, find_target
from beff.result.contract import BENCHMARKS
from beff.result.errors import WrongUsageError
from beff.result.places import is_folder, is_taken

USUAL = (B_EFF, B_EFF_IO)
"""Those that are measured unless others are named."""
FEWEST_HOSTS = 4
"""From so many on `beff run` measures pairs as well: three cannot be judged."""
_SET_HERE = ("--output", "--overwrite", "--progress", "--quiet", "--memory-per-process")
"""Options of the programs that have one of the command instead."""
_MEASURE_NOTHING = ("--help", "--version", "--plan", "--probe")
_NUMBERINGS: dict[str | None, list[Numbering | None]] = {
    None: [None],
    "both": [Numbering.ROUND_ROBIN, Numbering.SEQUENTIAL],
    **{one.value: [one] for one in Numbering},
}
"""What --numbering asks for, in this order: round-robin uses every node there is, so it shows
whether there is only one, where the numbering makes no difference."""
QUICK_REMARK = (
    "compare b_eff short with other quick runs of as many processes only, as beff today does"
)


def starts_of(given: benchmarks.RunOptions) -> list[Start]:
    """Check what the user wrote, make the folder, and return what to measure.

    That is each benchmark with each number of processes and each numbering, in this order. Raises
    WrongUsageError, or TargetError.
    """
    of_network = [f"--{name}" for name in ("placement", "model") if named(given, name)]
    refuse(of_network, "--simulate is missing, which names the network")
    chosen = benchmarks_of(given, hosts_of_job())
    check_files_folder(given.path)
    targets = targets_of(given, chosen)
    for target in targets.values() if given.numbering is not None else ():
        check_numbering(target.launcher)
    counts, cores = given.processes, targets[chosen[0]].cores
    require_cores(given, targets.values(), counts or ())
    folder = make_folder(given.output_dir)
    if counts is None:
        counts = [default_processes(cores)]
        if find_allocation() is None and counts[0] > cores.physical:
            warn(
                f"beff: {cores.physical} core is usable, but b_eff needs at least 2 processes;"
                f" running {counts[0]}, which share it"
            )
    starts = []
    for name, count, order in product(chosen, counts, _NUMBERINGS[given.numbering]):
        words = benchmarks.words_for(name, given, given.path or folder, count)
        words += ["--overwrite"] * given.overwrite
        run = (name, targets[name], folder, count, words)
        starts.append(benchmarks.start_of(*run, numbering=order, stall_limit=given.stall_limit))
    return starts


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
    usual = BENCHMARKS if hosts >= FEWEST_HOSTS or named(given, *OF_PROGRAM[B_PAIRS]) else USUAL
    chosen: list[str] = [one for one in BENCHMARKS if one in (given.benchmark or usual)]
    check_engine_options(given.engine_options or [], chosen, command)
    for name in [name for name in OF_PROGRAM if name not in chosen]:
        why = f"belongs to {name}, which --benchmark does not choose"
        refuse(named(given, *OF_PROGRAM[name]), why)
    if given.quick:
        refuse(
            named(given, "time", "memory_per_process", "max_data"),
            "--quick sets it, so that quick runs can be compared; leave one of the two out",
        )
        refuse(
            [f"{option} behind '--'" for option in given.engine_options or []],
            "--quick sets the options of the programs; leave one of the two out",
        )
    return chosen


def check_engine_options(options: list[str], chosen: Sequence[str], command: str) -> None:
    """Refuse options behind '--' that cannot be passed on. Raises WrongUsageError."""
    if options and not options[0].startswith("-"):
        by = "--nodes and --tasks-per-node" if command == "beff job" else "--processes"
        raise WrongUsageError(
            f"'{options[0]}' is not an option; numbers of processes are given by {by}"
        )
    of_io = [f"--{name.replace('_', '-')}" for name in OF_PROGRAM[B_EFF_IO]]
    set_here = f"{command} sets it; {command} --help lists the options in front of it"
    nothing = f"it measures nothing; start {' or '.join(chosen)} itself with it"
    why = dict.fromkeys(_MEASURE_NOTHING, nothing) | dict.fromkeys(_SET_HERE, set_here)
    why |= dict.fromkeys(of_io if chosen == [B_EFF_IO] else (), set_here)
    for name in (given.partition("=")[0] for given in options):
        if name in why:
            raise WrongUsageError(f"{name} cannot be given behind '--': {why[name]}")
    if options and len(chosen) > 1:
        raise WrongUsageError(
            f"{options[0]} behind '--' could be meant for {' or for '.join(chosen)}; choose one by"
            " --benchmark"
        )


def targets_of(given: Any, names: Sequence[str]) -> dict[str, Target]:
    """Return what --engine, --launcher and --mpi mean, by benchmark. Raises BeffError."""
    return {
        name: find_target(name, engine, given.launcher, given.mpi)
        for name, engine in engine_paths(given.engine, names).items()
    }


def require_cores(given: Any, targets: Iterable[Target], counts: Iterable[int]) -> None:
    """Refuse many more processes than cores, unless --oversubscribe. Raises WrongUsageError."""
    for target, count in product(targets, () if given.oversubscribe else counts):
        target.require_cores(count)


def engine_paths(chosen: Path | None, names: Sequence[str]) -> dict[str, Path | None]:
    """Return the program that --engine means, by benchmark. Raises WrongUsageError.

    A folder holds the programs by their names, and so does the folder of a program that has one of
    these names; a program of any other name serves one benchmark.
    """
    if chosen is not None and (is_folder(chosen) or chosen.name in BENCHMARKS):
        folder = chosen if is_folder(chosen) else chosen.parent
        return {name: folder / name for name in names}
    if chosen is None or len(names) == 1 or not is_taken(chosen):  # which find_engine refuses
        return dict.fromkeys(names, chosen)
    raise WrongUsageError(
        f"--engine {chosen}: is one program for several benchmarks; name the folder of b_eff,"
        " b_eff_io and b_pairs, or choose one by --benchmark"
    )


# --- on a simulated network ---

DEFAULTS = {
    B_EFF: (
        *("--loop-time", "1us", "--repetitions", "1", "--methods", "sendrecv,nonblocking"),
        "--no-check",
    ),
    B_PAIRS: ("--duration", "1us"),
}
"""One iteration and one repetition are enough where every repetition is the same. MPI_Alltoallv, a
message between every two processes in each call, is never the fastest and costs the most."""
_MEMORY = ("--memory-per-process", "2GiB")
"""Of a simulated process, unless another is given: simulated hosts do not report it."""
_NO_LIMIT = ("--time-limit", "1000000h")
_OF_MACHINES = ("launcher", "mpi", "numbering", "quick", "stall_limit", "oversubscribe")
"""Fields of RunOptions that only processes of a machine have."""


def simulated_starts(given: benchmarks.RunOptions) -> list[Start]:
    """Check what the user wrote, make the folder, and return what to simulate.

    Raises WrongUsageError, NetworkError, or SimulationError where SimGrid or a program is missing.
    """
    refuse(
        (option.partition(" ")[0] for option in named(given, *_OF_MACHINES)),
        "a simulated network has no such choice; leave it or --simulate out",
    )
    wanted = replace(given, benchmark=given.benchmark or ["b_eff"])
    benchmark, *more = benchmarks_of(wanted, 0, "beff run --simulate")
    if more or benchmark == B_EFF_IO:
        raise WrongUsageError(
            f"--benchmark {' and '.join([benchmark, *more])}: simulated is {B_EFF} or {B_PAIRS},"
            " one at a time"
        )
    options = given.engine_options or []
    # of random rings, and of a random placement
    passed_on = " ".join(dict(benchmarks.by_option(options)).get("--seed", ()))
    seed = int(passed_on) if passed_on.isdecimal() else secrets.randbelow(LARGEST_SEED)
    if given.processes is None:
        raise WrongUsageError("--simulate: say by --processes how many to simulate, such as 16,64")
    network, placement = given.simulate or "", given.placement or "block"
    is_file = network.endswith(".xml") or is_taken(Path(network))
    fixed = from_file(Path(network)) if is_file else None
    plans = []
    for count in given.processes:
        platform = fixed or parse_network(network, count)
        hosts = tuple(place(platform, count, placement, seed))
        plans.append(simulation.SimulationPlan(platform, hosts, placement, given.model or "exact"))
    chosen = engine_paths(given.engine, [benchmark])[benchmark]
    programs = simulation.find_smpirun(), simulation.find_simulated_engine(chosen, benchmark)
    words = [*_MEMORY, "--seed", str(seed), *_NO_LIMIT, *DEFAULTS[benchmark]]
    words += [*words_of(given, "memory_per_process", *OF_PROGRAM[benchmark]), *options]
    words += ["--overwrite"] * given.overwrite
    folder = make_folder(given.output_dir)
    return [
        simulation.start_of(
            one, benchmark, programs, folder / f"{benchmark}_{one.processes}p", words
        )
        for one in plans
    ]
