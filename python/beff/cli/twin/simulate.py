"""`beff twin simulate`."""

import secrets
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from beff.cli.common import exit_codes
from beff.cli.common.files import make_folder
from beff.cli.common.help_text import Group
from beff.cli.common.live import showing
from beff.cli.common.options import (
    REQUIRED,
    argument,
    check_passed_on,
    option,
    parse_process_counts,
    taking,
)
from beff.cli.measuring.options import output_dir_option
from beff.cli.measuring.results import report_runs
from beff.launch.campaign import Campaign, Start
from beff.result.errors import WrongUsageError
from beff.result.places import is_taken
from beff.twin.networks import NETWORKS, parse_network
from beff.twin.platform import RULES, Platform, from_file, parse_placement, place
from beff.twin.programs import find_or_build_engine, find_smpirun
from beff.twin.simulation import Programs, SimulationPlan, result_of, start_of
from beff.verify.b_eff.definition import LARGEST_SEED


@dataclass(frozen=True)
class _Options:
    processes: str = option(
        "N[,N...]",
        "Numbers of processes to simulate.",
        names="--processes -n",
        group=Group.MEASURED,
        default=REQUIRED,
    )
    benchmark: Literal["b_eff", "b_pairs"] = option(
        None, "The benchmark.", group=Group.MEASURED, default="b_eff"
    )
    network: str | None = option(
        "NAME[:SIZE][,RATE][,TIME]",
        "The network, the rate of each link and direction, and its latency: "
        + ", ".join(
            f"{network.name}{':' if network.shape else '[:HOSTS]'}{' x '.join(network.shape)}"
            for network in NETWORKS.values()
        )
        + "; of two-switch also backbone=RATE.",
        group=Group.NETWORK,
    )
    platform: Path | None = option(
        "FILE.xml", "A platform file of SimGrid instead of --network.", group=Group.NETWORK
    )
    placement: str = option(
        f"{'|'.join(RULES)}[:N]|FILE",
        "Fill host after host, deal out in turn, shuffle, with N processes on a host, else as"
        " few as the hosts allow; or a file with each rank's host.",
        group=Group.NETWORK,
        default="block",
    )
    model: Literal["exact", "smpi"] = option(
        None,
        "exact: latency + size / fair share of the bandwidth; smpi: with"
        " SimGrid's factors fitted to a real cluster.",
        group=Group.NETWORK,
        default="exact",
    )
    seed: int | None = option(
        "N",
        "Of random rings and random placement.",
        otherwise="new in each run",
        min=0,
        max=LARGEST_SEED,
        group=Group.MEASURED,
    )
    output_dir: Path | None = output_dir_option()
    engine: Path | None = option(
        "PATH",
        "The program as built for SMPI.",
        otherwise="built in the checkout, else b_eff_smpi or b_pairs_smpi on PATH",
        group=Group.PROCESSES,
    )
    engine_options: list[str] | None = argument(
        "-- ENGINE_OPTIONS...",
        "Options passed on to the program; write them behind '--'.",
        default=None,
    )


@taking(_Options)
def simulate(given: _Options) -> int:
    """Measure b_eff or b_pairs on a simulated network, by running it in SimGrid's SMPI.

    The result is an ordinary one, marked as simulated and never valid for comparison.

    Examples:
      beff twin simulate --network flat -n 16,64
      beff twin simulate --network two-switch,1GB/s,1us,backbone=4GB/s -n 32
      beff twin simulate --network fat-tree:16x4x4,12.5GB/s -n 64 --placement random
      beff twin simulate --platform cluster.xml -n 128 --placement cyclic --model smpi
    """
    simulations, words = validated(given)
    programs = Programs(find_smpirun(), find_or_build_engine(given.engine, given.benchmark))
    folder = make_folder(given.output_dir)
    starts = (_start_of(given.benchmark, one, programs, folder, words) for one in simulations)
    runs, codes = [], []
    for left in Campaign(folder, starts).measure(lambda start: showing(start.title)):
        runs.append(left)
        if left.ended.stopped_by is None:
            complete = result_of(left).complete
            codes.append(exit_codes.OK if complete else exit_codes.NOT_VALID)
        else:
            by_hand = left.ended.stopped_by == signal.SIGINT
            codes.append(exit_codes.STOPPED if by_hand else exit_codes.NOT_VALID)
    if not report_runs(runs):
        codes.append(exit_codes.FAILED)
    return exit_codes.worst(codes)


def _start_of(
    benchmark: str, simulation: SimulationPlan, programs: Programs, folder: Path, words: list[str]
) -> Start:
    prefix = folder / f"{benchmark}_{simulation.processes}p"
    if is_taken(Path(f"{prefix}.json")) and "--overwrite" not in words:
        raise WrongUsageError(
            f"{prefix}.json holds an earlier run; choose another folder with --output-dir or write"
            " --overwrite behind '--'"
        )
    return start_of(simulation, benchmark, programs, prefix, words)


DEFAULTS = {
    "b_eff": ("--loop-time", "1us", "--repetitions", "1", "--methods", "sendrecv,nonblocking"),
    "b_pairs": ("--duration", "1us"),
}
"""One iteration and one repetition are enough where every repetition is the same. MPI_Alltoallv, a
message between every two processes in each call, is never the fastest and costs the most."""
MEMORY = "2GiB"
"""Of a simulated process, unless another is passed on: simulated hosts do not report it."""
_NO_LIMIT = ("--time-limit", "1000000h")
_SET_HERE = ("--output", "--progress", "--quiet", "--seed", "--no-check")


def validated(given: _Options) -> tuple[list[SimulationPlan], list[str]]:
    """Check what the user wrote; return what to simulate, and the program's options for all of it.

    Raises WrongUsageError, or NetworkError for the network.
    """
    options = given.engine_options or []
    check_passed_on(
        options,
        command="beff twin simulate",
        set_here=_SET_HERE,
        instead="networks are named by --network or --platform",
        program=given.benchmark,
    )
    counts = parse_process_counts(given.processes)
    platform = _platform_chooser(given)
    seed = secrets.randbelow(LARGEST_SEED) if given.seed is None else given.seed
    rule, per_host = parse_placement(given.placement)

    def simulation(count: int) -> SimulationPlan:
        network = platform(count)
        return SimulationPlan(
            platform=network,
            hosts=tuple(place(network, count, rule, per_host, seed)),
            placement=given.placement,
            model=given.model,
        )

    return [simulation(count) for count in counts], [
        *("--memory-per-process", MEMORY, "--seed", str(seed)),
        *(("--no-check",) if given.benchmark == "b_eff" else ()),
        *(*_NO_LIMIT, *DEFAULTS[given.benchmark], *options),
    ]


def _platform_chooser(given: _Options) -> Callable[[int], Platform]:
    """Return what makes the platform for a number of processes. Raises WrongUsageError."""
    if given.network is not None and given.platform is None:
        return parse_network(given.network).platform
    if given.platform is None or given.network is not None:
        raise WrongUsageError(
            f"give either --network ({', '.join(NETWORKS)}) or --platform FILE.xml"
        )
    fixed = from_file(given.platform)
    return lambda _: fixed
