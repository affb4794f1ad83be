"""`beff simulate`."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from beff.cli import exit_codes
from beff.cli.errors import WrongUsageError
from beff.cli.live import display_for
from beff.cli.options import parse_process_counts
from beff.cli.results_folder import make_folder
from beff.cli.run_b_eff import B_EFF
from beff.cli.run_benchmark import Measured, Run
from beff.cli.run_options import OutputDirOption
from beff.cli.run_report import report_runs
from beff.cli.simulate_options import (
    BackboneBandwidthOption,
    BackboneLatencyOption,
    BandwidthOption,
    CheckDataOption,
    EngineOption,
    EngineOptions,
    ExactOption,
    HostsOption,
    LatencyOption,
    LauncherOption,
    LoopbackBandwidthOption,
    LoopbackLatencyOption,
    MemoryOption,
    ModelOption,
    NetworkOption,
    PerHostOption,
    PlacementOption,
    PlatformOption,
    ProcessesOption,
    SeedOption,
    SettingOption,
    ShapeOption,
    check_engine_options,
    check_settings,
    choose_model,
    choose_network,
    parse_shape,
    quantity,
)
from beff.launch.follow import follow_b_eff
from beff.model.errors import ResultError
from beff.model.journal import SUFFIX
from beff.model.load import as_b_eff, load_document
from beff.simulate.engine import find_or_build_engine
from beff.simulate.networks.network import Links, describe
from beff.simulate.placement import place
from beff.simulate.platform import from_file
from beff.simulate.quantities import parse_bandwidth, parse_latency, parse_size
from beff.simulate.simgrid import find_smpirun
from beff.simulate.simulation import Programs, Simulation
from beff.simulate.simulation import simulate as run_simulation

DEFAULTS = ("--loop-time", "1us", "--repetitions", "1", "--methods", "sendrecv,nonblocking")
"""One iteration and one repetition tell all where every repetition is the same. MPI_Alltoallv, a
message between every two processes in each call, is never the fastest and costs the most."""
_NO_LIMIT = ("--time-limit", "1000000h")
_LARGEST_SEED = 2**53 - 1


def simulate(  # noqa: PLR0917 - one parameter per option of the command
    processes: ProcessesOption,
    network: NetworkOption = None,
    platform: PlatformOption = None,
    hosts: HostsOption = None,
    shape: ShapeOption = None,
    bandwidth: BandwidthOption = "12.5GB/s",
    latency: LatencyOption = "500ns",
    loopback_bandwidth: LoopbackBandwidthOption = "10GB/s",
    loopback_latency: LoopbackLatencyOption = "200ns",
    backbone_bandwidth: BackboneBandwidthOption = None,
    backbone_latency: BackboneLatencyOption = None,
    placement: PlacementOption = "block",
    processes_per_host: PerHostOption = None,
    exact: ExactOption = False,
    model: ModelOption = None,
    cfg: SettingOption = None,
    memory_per_process: MemoryOption = "2GiB",
    seed: SeedOption = None,
    check_data: CheckDataOption = False,
    output_dir: OutputDirOption = None,
    engine: EngineOption = None,
    launcher: LauncherOption = None,
    engine_options: EngineOptions = None,
) -> int:
    """Tell what b_eff a network would have, by running b_eff in SimGrid's SMPI.

    The result is an ordinary one, marked as simulated and never valid for comparison. Exit code 0:
    simulated to the end and verified; 3: stopped before the end; 1: failed; 2: wrong usage.

    \b
    Examples:
      beff simulate --network flat --processes 16,64
      beff simulate --network two-switch --processes 32 --bandwidth 1GB/s --backbone-bandwidth 4GB/s
      beff simulate --network fat-tree --shape 16x4x4 --processes 64 --placement random
      beff simulate --platform cluster.xml --processes 128 --placement cyclic --model smpi
    """  # noqa: D301 - \b keeps the lines of the example apart
    options = engine_options or []
    check_engine_options(options)
    counts = parse_process_counts(processes)
    links = _links(
        bandwidth,
        latency,
        loopback_bandwidth,
        loopback_latency,
        backbone_bandwidth,
        backbone_latency,
    )
    kind = choose_network(network, platform, hosts, shape, backbone_bandwidth, backbone_latency)
    fixed = from_file(platform) if platform is not None else None
    extents = None if shape is None else parse_shape(shape)
    settings = tuple(cfg or [])
    check_settings(settings)
    chosen_seed = secrets.randbelow(_LARGEST_SEED) if seed is None else seed
    memory = quantity("--memory-per-process", memory_per_process, parse_size)
    chosen_model = choose_model(model, exact)
    simulations = []
    for count in counts:
        network_platform = fixed
        if network_platform is None:
            assert kind is not None  # choose_network refuses neither of both
            network_platform = describe(
                kind, hosts if kind.shape or hosts else count, extents, links
            )
        simulations.append(
            Simulation(
                platform=network_platform,
                hosts=tuple(
                    place(network_platform, count, placement, processes_per_host, chosen_seed)
                ),
                placement=placement,
                model=chosen_model,
                settings=settings,
                folded=not check_data,
            )
        )
    job = _Job(
        programs=Programs(find_smpirun(launcher), find_or_build_engine(engine)),
        folder=make_folder(output_dir),
        options=[
            *("--memory-per-process", f"{memory}B", "--seed", str(chosen_seed)),
            *([] if check_data else ["--no-check"]),
            *(*_NO_LIMIT, *DEFAULTS, *options),
        ],
    )
    runs = []
    for simulation in simulations:
        runs.append(_run_one(job, simulation))
        if runs[-1].stopped:
            break
    verified = report_runs(runs)
    codes = [run.exit_code for run in runs]
    return exit_codes.worst(codes if verified else [*codes, exit_codes.FAILED])


@dataclass(frozen=True)
class _Job:
    """What all runs of the command have in common."""

    programs: Programs
    folder: Path
    options: list[str]


def _links(  # noqa: PLR0917 - in the order of the options
    bandwidth: str,
    latency: str,
    loopback_bandwidth: str,
    loopback_latency: str,
    backbone_bandwidth: str | None,
    backbone_latency: str | None,
) -> Links:
    """Read the links; a backbone is like any other link unless told otherwise."""
    return Links(
        bandwidth=quantity("--bandwidth", bandwidth, parse_bandwidth),
        latency=quantity("--latency", latency, parse_latency),
        loopback_bandwidth=quantity("--loopback-bandwidth", loopback_bandwidth, parse_bandwidth),
        loopback_latency=quantity("--loopback-latency", loopback_latency, parse_latency),
        backbone_bandwidth=quantity(
            "--backbone-bandwidth", backbone_bandwidth or bandwidth, parse_bandwidth
        ),
        backbone_latency=quantity("--backbone-latency", backbone_latency or latency, parse_latency),
    )


def _run_one(job: _Job, simulation: Simulation) -> Run:
    prefix = job.folder / f"b_eff_{simulation.processes}p"
    if Path(f"{prefix}.json").exists() and "--overwrite" not in job.options:
        raise WrongUsageError(
            f"{prefix}.json holds an earlier run; choose another folder with --output-dir or write"
            " --overwrite behind '--'"
        )
    title = f"b_eff, {simulation.processes} processes on {simulation.platform.name}"
    look = follow_b_eff(Path(f"{prefix}{SUFFIX}"))
    display = display_for(title)
    try:
        ended = run_simulation(
            simulation,
            job.programs,
            prefix,
            job.options,
            lambda: display.show(look()),
        )
    finally:
        display.close()
    try:
        document = load_document(Path(f"{prefix}.json"))
    except ResultError:
        if ended.stopped_by is None:
            raise
        return Run(B_EFF, simulation.processes, prefix, None, exit_codes.NOT_VALID, True)
    result = as_b_eff(document)
    code = exit_codes.OK if result.complete else exit_codes.NOT_VALID
    stopped = ended.stopped_by is not None
    return Run(B_EFF, simulation.processes, prefix, Measured(document, result), code, stopped)
