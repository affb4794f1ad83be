"""`beff run --simulate`: the programs on a network that SimGrid's SMPI simulates."""

import secrets
import signal
from collections.abc import Callable
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.files import make_folder
from beff.cli.common.options import check_passed_on, memory_options, parse_process_counts
from beff.cli.measuring.benchmarks import B_EFF, B_EFF_IO, B_PAIRS, by_option, network_words
from beff.cli.measuring.options import RunOptions
from beff.cli.measuring.request import SET_HERE, engine_paths
from beff.definition.b_eff_patterns import LARGEST_SEED
from beff.launch.campaign import Campaign, Left
from beff.launch.networks import parse_network
from beff.launch.platform import Platform, from_file, parse_placement, place
from beff.launch.programs import find_or_build_engine, find_smpirun
from beff.launch.simulation import Programs, SimulationPlan, result_of, start_of
from beff.result.errors import WrongUsageError
from beff.result.places import is_taken

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
_OF_MACHINES = ("launcher", "mpi", "numbering", "quick", "stall_limit")
"""Fields of RunOptions that only processes of a machine have."""


def simulated_campaign(given: RunOptions) -> Campaign:
    """Check what the user wrote, make the folder, and return what to simulate.

    Raises WrongUsageError, NetworkError, or SimulationError where SimGrid or a program is missing.
    """
    benchmark = _benchmark(given)
    options = given.engine_options or []
    check_passed_on(
        options,
        command="beff run --simulate",
        set_here=(*SET_HERE, "--no-check"),
        instead="numbers of processes are given by --processes",
        program=benchmark,
    )
    seed = _seed(options)
    if given.processes is None:
        raise WrongUsageError("--simulate: say by --processes how many to simulate, such as 16,64")
    counts = parse_process_counts(given.processes)
    simulations = [_simulation(given, count, seed) for count in counts]
    engine = engine_paths(given.engine, [benchmark])[benchmark]
    programs = Programs(find_smpirun(), find_or_build_engine(engine, benchmark))
    words = [*_MEMORY, "--seed", str(seed), *_NO_LIMIT, *DEFAULTS[benchmark]]
    words += [*memory_options(given.memory_per_process), *network_words(given), *options]
    words += ["--overwrite"] * given.overwrite
    folder = make_folder(given.output_dir)
    starts = [
        start_of(one, benchmark, programs, folder / f"{benchmark}_{one.processes}p", words)
        for one in simulations
    ]
    return Campaign(folder, starts)


def code_of_simulated(left: Left) -> int:
    """Return the exit code; a simulated result is never valid, so that a complete one is enough.

    Raises ResultError, or SimulationError without a result.
    """
    if left.ended.stopped_by is None:
        return exit_codes.OK if result_of(left).complete else exit_codes.NOT_VALID
    return exit_codes.STOPPED if left.ended.stopped_by == signal.SIGINT else exit_codes.NOT_VALID


def _benchmark(given: RunOptions) -> str:
    for name in _OF_MACHINES:
        if getattr(given, name) not in {None, False}:
            raise WrongUsageError(
                f"--{name.replace('_', '-')}: a simulated network has no such choice; leave it or"
                " --simulate out"
            )
    chosen = [str(one.value) for one in given.benchmark or ()] or [B_EFF]
    if len(chosen) > 1 or chosen == [B_EFF_IO]:
        raise WrongUsageError(
            f"--benchmark {' and '.join(chosen)}: simulated is {B_EFF} or {B_PAIRS}, one at a time"
        )
    if chosen != [B_PAIRS] and (words := network_words(given)):
        raise WrongUsageError(f"{words[0]}: belongs to {B_PAIRS}; add --benchmark {B_PAIRS}")
    return chosen[0]


def _seed(options: list[str]) -> int:
    """Return the seed of random rings, which deals out a random placement as well."""
    passed_on = [values for name, values in by_option(options) if name == "--seed"]
    if passed_on and len(passed_on[-1]) == 1 and passed_on[-1][0].isdecimal():
        return int(passed_on[-1][0])
    return secrets.randbelow(LARGEST_SEED)


def _simulation(given: RunOptions, count: int, seed: int) -> SimulationPlan:
    network = _platform_of(given.simulate or "")(count)
    placement = given.placement or "block"
    rule, per_host = parse_placement(placement)
    hosts = tuple(place(network, count, rule, per_host, seed))
    return SimulationPlan(network, hosts, placement, given.model or "exact")


def _platform_of(text: str) -> Callable[[int], Platform]:
    """Return what makes the platform for a number of processes. Raises NetworkError."""
    if not (text.endswith(".xml") or is_taken(Path(text))):
        return parse_network(text).platform
    fixed = from_file(Path(text))
    return lambda _: fixed
