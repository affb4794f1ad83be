"""`beff simulate`."""

import re
import secrets
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from beff.cli import exit_codes
from beff.cli.files import make_folder
from beff.cli.live import display_for
from beff.cli.options import check_passed_on, parse_process_counts, quantity, taking
from beff.cli.run_b_pairs import B_PAIRS
from beff.cli.run_benchmarks import B_EFF, Benchmark, MeasuredRun, Run
from beff.cli.run_results import report_runs
from beff.cli.simulate_options import LARGEST_SEED, SimulateOptions
from beff.launch.process import Ended
from beff.model.errors import ResultError, WrongUsageError
from beff.model.journal import SUFFIX
from beff.model.load import load_document
from beff.model.quantities import parse_bandwidth, parse_latency, parse_size
from beff.simulate.networks import NETWORKS, Links, Network, describe
from beff.simulate.placement import place
from beff.simulate.platform import Platform, from_file
from beff.simulate.programs import find_or_build_engine, find_smpirun
from beff.simulate.simulation import Programs, SimulationPlan
from beff.simulate.simulation import simulate as run_simulation


@taking(SimulateOptions)
def simulate(given: SimulateOptions) -> int:
    """Measure b_eff or b_pairs on a simulated network, by running it in SimGrid's SMPI.

    The result is an ordinary one, marked as simulated and never valid for comparison.

    \b
    Examples:
      beff simulate --network flat -n 16,64
      beff simulate --network two-switch -n 32 --bandwidth 1GB/s --backbone-bandwidth 4GB/s
      beff simulate --network fat-tree --shape 16x4x4 -n 64 --placement random
      beff simulate --platform cluster.xml -n 128 --placement cyclic --model smpi
    """  # noqa: D301 - \b keeps the lines of the example apart
    request = validated(given)
    job = _Job(
        benchmark=B_PAIRS if given.benchmark == B_PAIRS.name else B_EFF,
        programs=Programs(
            find_smpirun(given.launcher), find_or_build_engine(given.engine, given.benchmark)
        ),
        folder=make_folder(given.output_dir),
        options=list(request.engine_options),
    )
    runs = []
    for simulation in request.simulations:
        runs.append(_run_one(job, simulation))
        if runs[-1].stopped:
            break
    verified = report_runs(runs)
    codes = [run.exit_code for run in runs]
    return exit_codes.worst(codes if verified else [*codes, exit_codes.FAILED])


@dataclass(frozen=True)
class _Job:
    """What all runs of the command have in common."""

    benchmark: Benchmark
    programs: Programs
    folder: Path
    options: list[str]


def _run_one(job: _Job, simulation: SimulationPlan) -> Run:
    prefix = job.folder / f"{job.benchmark.name}_{simulation.processes}p"
    if Path(f"{prefix}.json").exists() and "--overwrite" not in job.options:
        raise WrongUsageError(
            f"{prefix}.json holds an earlier run; choose another folder with --output-dir or write"
            " --overwrite behind '--'"
        )
    title = f"{job.benchmark.name}, {simulation.processes} processes on {simulation.platform.name}"
    look = job.benchmark.follow(Path(f"{prefix}{SUFFIX}"))
    display = display_for(title)
    try:
        ended = run_simulation(
            simulation, job.programs, prefix, job.options, lambda: display.show(look())
        )
    finally:
        display.close()
    try:
        document = load_document(Path(f"{prefix}.json"))
    except ResultError:
        if ended.stopped_by is None:
            raise
        return Run(job.benchmark, simulation.processes, prefix, None, _stopped(ended), True)
    result = job.benchmark.read(document)
    stopped = ended.stopped_by is not None
    code = exit_codes.OK if result.complete else exit_codes.NOT_VALID
    if stopped:
        code = _stopped(ended)
    measured = MeasuredRun(document, result)
    return Run(job.benchmark, simulation.processes, prefix, measured, code, stopped)


def _stopped(ended: Ended) -> int:
    by_hand = ended.stopped_by == signal.SIGINT
    return exit_codes.STOPPED if by_hand else exit_codes.NOT_VALID


DEFAULTS = {
    "b_eff": ("--loop-time", "1us", "--repetitions", "1", "--methods", "sendrecv,nonblocking"),
    "b_pairs": ("--duration", "1us"),
}
"""One iteration and one repetition are enough where every repetition is the same. MPI_Alltoallv, a
message between every two processes in each call, is never the fastest and costs the most."""
_NO_LIMIT = ("--time-limit", "1000000h")
_NAMES = ", ".join(NETWORKS)
_SET_HERE = ("--output", "--progress", "--quiet", "--memory-per-process", "--seed", "--no-check")


@dataclass(frozen=True)
class SimulateRequest:
    """The runs, one per number of processes, and the engine's options that they share."""

    simulations: tuple[SimulationPlan, ...]
    engine_options: tuple[str, ...]


def validated(given: SimulateOptions) -> SimulateRequest:
    """Check what the user wrote. Raises WrongUsageError, or NetworkError for the network."""
    options = given.engine_options or []
    check_passed_on(
        options,
        command="beff simulate",
        set_here=_SET_HERE,
        instead="networks are named by --network or --platform",
        program=given.benchmark,
    )
    counts = parse_process_counts(given.processes)
    platform = _platform_chooser(given)
    seed = secrets.randbelow(LARGEST_SEED) if given.seed is None else given.seed
    memory = quantity("--memory-per-process", given.memory_per_process, parse_size)

    def simulation(count: int) -> SimulationPlan:
        network = platform(count)
        hosts = place(network, count, given.placement, given.processes_per_host, seed)
        return SimulationPlan(
            platform=network,
            hosts=tuple(hosts),
            placement=given.placement,
            model=given.model,
            folded=not given.check_data,
        )

    return SimulateRequest(
        simulations=tuple(map(simulation, counts)),
        engine_options=(
            *("--memory-per-process", f"{memory}B", "--seed", str(seed)),
            *(("--no-check",) if given.benchmark == "b_eff" and not given.check_data else ()),
            *(*_NO_LIMIT, *DEFAULTS[given.benchmark], *options),
        ),
    )


def _platform_chooser(given: SimulateOptions) -> Callable[[int], Platform]:
    """Return what makes the platform for a number of processes."""
    links = _links(given)
    kind = _choose_network(given)
    if kind is None:
        assert given.platform is not None  # _choose_network refuses neither of both
        fixed = from_file(given.platform)
        return lambda _: fixed
    extents = None if given.shape is None else _parse_shape(given.shape)
    return lambda count: describe(
        kind, given.hosts if kind.shape or given.hosts else count, extents, links
    )


def _links(given: SimulateOptions) -> Links:
    """Read the links; a backbone is like any other link by default."""
    backbone = given.backbone_bandwidth or given.bandwidth
    latency = quantity("--latency", given.latency, parse_latency)
    return Links(
        bandwidth=quantity("--bandwidth", given.bandwidth, parse_bandwidth),
        latency=latency,
        backbone_latency=latency,
        backbone_bandwidth=quantity("--backbone-bandwidth", backbone, parse_bandwidth),
    )


def _parse_shape(text: str) -> tuple[int, ...]:
    """Read 16x4x4. Raises WrongUsageError."""
    if not re.fullmatch(r"[1-9]\d{0,6}(x[1-9]\d{0,6})*", text, re.ASCII):
        raise WrongUsageError(f"--shape {text}: must be whole numbers from 1, such as 16x4x4")
    return tuple(map(int, text.split("x")))


def _choose_network(given: SimulateOptions) -> Network | None:
    """Return the described network, None for a platform file. Raises WrongUsageError."""
    name = given.network
    if (name is None) == (given.platform is None):
        raise WrongUsageError(f"give either --network ({_NAMES}) or --platform FILE.xml")
    if name is None:
        for option, value in (("--hosts", given.hosts), ("--shape", given.shape)):
            if value is not None:
                raise WrongUsageError(f"{option} {value}: the platform file sets it; leave it out")
        return None
    if name != "two-switch" and given.backbone_bandwidth is not None:
        raise WrongUsageError(
            f"--network {name}: has no backbone; --backbone-bandwidth belongs to two-switch"
        )
    return NETWORKS[name]
