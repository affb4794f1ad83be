"""What `beff simulate` shall do, after everything the user wrote was checked."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from beff.cli.options import check_passed_on, parse_process_counts, quantity
from beff.cli.simulate_options import LARGEST_SEED, SimulateOptions
from beff.model.errors import WrongUsageError
from beff.model.quantities import parse_bandwidth, parse_latency, parse_size
from beff.simulate.networks import NETWORKS, Links, Network, describe
from beff.simulate.placement import place
from beff.simulate.platform import Platform, from_file
from beff.simulate.programs import PROGRAMS
from beff.simulate.simulation import MODELS, SimulationPlan

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
    if given.benchmark not in PROGRAMS:
        raise WrongUsageError(
            f"--benchmark {given.benchmark}: cannot be simulated; write {' or '.join(PROGRAMS)}"
        )
    counts = parse_process_counts(given.processes)
    platform = _platform_chooser(given)
    seed = secrets.randbelow(LARGEST_SEED) if given.seed is None else given.seed
    memory = quantity("--memory-per-process", given.memory_per_process, parse_size)
    _check_model(given.model)

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
    if name not in NETWORKS:
        raise WrongUsageError(f"--network {name}: is not known; the networks are {_NAMES}")
    if name != "two-switch" and given.backbone_bandwidth is not None:
        raise WrongUsageError(
            f"--network {name}: has no backbone; --backbone-bandwidth belongs to two-switch"
        )
    return NETWORKS[name]


def _check_model(name: str) -> None:
    """Refuse a model that is not known. Raises WrongUsageError."""
    if name not in MODELS:
        raise WrongUsageError(f"--model {name}: is not known; the models are {', '.join(MODELS)}")
