"""What `beff simulate` shall do, after everything the user wrote was checked."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from beff.cli.errors import WrongUsageError
from beff.cli.options import check_passed_on, parse_process_counts, quantity
from beff.cli.simulate_options import LARGEST_SEED, SimulateOptions
from beff.model.quantities import parse_bandwidth, parse_latency, parse_size
from beff.simulate.model import MODELS
from beff.simulate.networks import NETWORKS
from beff.simulate.networks.network import Links, Network, describe
from beff.simulate.placement import place
from beff.simulate.platform import Platform, from_file
from beff.simulate.simulation import Simulation

DEFAULTS = ("--loop-time", "1us", "--repetitions", "1", "--methods", "sendrecv,nonblocking")
"""One iteration and one repetition tell all where every repetition is the same. MPI_Alltoallv, a
message between every two processes in each call, is never the fastest and costs the most."""
_NO_LIMIT = ("--time-limit", "1000000h")
_NAMES = ", ".join(NETWORKS)
_SET_HERE = ("--output", "--progress", "--quiet", "--memory-per-process", "--seed", "--no-check")


@dataclass(frozen=True)
class SimulateRequest:
    """The runs, one per number of processes, and the engine's options that they share."""

    simulations: tuple[Simulation, ...]
    engine_options: tuple[str, ...]


def validated(given: SimulateOptions) -> SimulateRequest:
    """Check what the user wrote. Raises WrongUsageError, or NetworkError for the network."""
    options = given.engine_options or []
    check_passed_on(
        options,
        command="beff simulate",
        set_here=_SET_HERE,
        instead="networks are named by --network or --platform",
        program="b_eff",
    )
    counts = parse_process_counts(given.processes)
    platform = _platform_chooser(given)
    settings = tuple(given.cfg or [])
    _check_settings(settings)
    seed = secrets.randbelow(LARGEST_SEED) if given.seed is None else given.seed
    memory = quantity("--memory-per-process", given.memory_per_process, parse_size)
    model = _choose_model(given.model, given.exact)

    def simulation(count: int) -> Simulation:
        network = platform(count)
        hosts = place(network, count, given.placement, given.processes_per_host, seed)
        return Simulation(
            platform=network,
            hosts=tuple(hosts),
            placement=given.placement,
            model=model,
            settings=settings,
            folded=not given.check_data,
        )

    return SimulateRequest(
        simulations=tuple(map(simulation, counts)),
        engine_options=(
            *("--memory-per-process", f"{memory}B", "--seed", str(seed)),
            *(() if given.check_data else ("--no-check",)),
            *(*_NO_LIMIT, *DEFAULTS, *options),
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
    """Read the links; a backbone is like any other link unless told otherwise."""

    def bandwidth(option: str, text: str) -> float:
        return quantity(option, text, parse_bandwidth)

    def latency(option: str, text: str) -> float:
        return quantity(option, text, parse_latency)

    return Links(
        bandwidth=bandwidth("--bandwidth", given.bandwidth),
        latency=latency("--latency", given.latency),
        loopback_bandwidth=bandwidth("--loopback-bandwidth", given.loopback_bandwidth),
        loopback_latency=latency("--loopback-latency", given.loopback_latency),
        backbone_bandwidth=bandwidth(
            "--backbone-bandwidth", given.backbone_bandwidth or given.bandwidth
        ),
        backbone_latency=latency("--backbone-latency", given.backbone_latency or given.latency),
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
                raise WrongUsageError(f"{option} {value}: the platform file tells it; leave it out")
        return None
    if name not in NETWORKS:
        raise WrongUsageError(f"--network {name}: is not known; the networks are {_NAMES}")
    backbone = (given.backbone_bandwidth, given.backbone_latency)
    if name != "two-switch" and any(value is not None for value in backbone):
        raise WrongUsageError(
            f"--network {name}: has no backbone; --backbone-bandwidth and --backbone-latency belong"
            " to two-switch"
        )
    return NETWORKS[name]


def _choose_model(name: str | None, exact: bool) -> str:
    """Return the model's name. Raises WrongUsageError."""
    if name is not None and name not in MODELS:
        raise WrongUsageError(f"--model {name}: is not known; the models are {', '.join(MODELS)}")
    if exact and name not in (None, "exact"):
        raise WrongUsageError(f"--exact and --model {name} exclude each other; give one")
    return name or "exact"


def _check_settings(settings: tuple[str, ...]) -> None:
    """Refuse what is no setting. Raises WrongUsageError."""
    for setting in settings:
        if not re.fullmatch(r"[\w/-]+:\S+", setting):
            raise WrongUsageError(
                f"--cfg {setting}: must be KEY:VALUE, such as network/latency-factor:2"
            )
