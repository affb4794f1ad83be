"""Options of `beff simulate`: their declarations, and the checks before anything is simulated."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

from beff.cli.errors import WrongUsageError
from beff.cli.options import argument, flag, option
from beff.simulate.model import MODELS
from beff.simulate.networks import NETWORKS
from beff.simulate.networks.network import Network
from beff.simulate.placement import RULES

Value = TypeVar("Value")

_NAMES = ", ".join(NETWORKS)
_SET_HERE = ("--output", "--progress", "--quiet", "--memory-per-process", "--seed", "--no-check")
_MEASURE_NOTHING = ("--help", "--version", "--plan", "--probe")
_FEWEST_HOSTS = 2

ProcessesOption = Annotated[
    str,
    option("--processes", "N[,N...]", "Numbers of processes to simulate."),
]
NetworkOption = Annotated[
    str | None,
    option("--network", "NAME", f"A network: {_NAMES}."),
]
PlatformOption = Annotated[
    Path | None,
    option("--platform", "FILE.xml", "A platform file of SimGrid instead of --network."),
]
HostsOption = Annotated[
    int | None,
    option(
        "--hosts",
        "N",
        "Hosts of the network.",
        default="one per process, or those of the shape",
        min=_FEWEST_HOSTS,
    ),
]
ShapeOption = Annotated[
    str | None,
    option(
        "--shape",
        "AxBx...",
        "; ".join(
            f"{network.name}: {' x '.join(network.shape)}"
            for network in NETWORKS.values()
            if network.shape
        )
        + ".",
    ),
]
BandwidthOption = Annotated[
    str,
    option("--bandwidth", "RATE", "Of each link and direction, as 800MB/s or 10Gbit/s."),
]
LatencyOption = Annotated[
    str,
    option("--latency", "TIME", "Of each link; a route has two or more."),
]
LoopbackBandwidthOption = Annotated[
    str,
    option("--loopback-bandwidth", "RATE", "Between processes of one host."),
]
LoopbackLatencyOption = Annotated[
    str,
    option("--loopback-latency", "TIME", "Between processes of one host."),
]
BackboneBandwidthOption = Annotated[
    str | None,
    option(
        "--backbone-bandwidth",
        "RATE",
        "Between the switches of two-switch.",
        default="that of a link",
    ),
]
BackboneLatencyOption = Annotated[
    str | None,
    option(
        "--backbone-latency",
        "TIME",
        "Between the switches of two-switch.",
        default="that of a link",
    ),
]
PlacementOption = Annotated[
    str,
    option(
        "--placement",
        "|".join([*RULES, "FILE"]),
        "Fill host after host, deal out in turn, shuffle; or a file with each rank's host.",
    ),
]
PerHostOption = Annotated[
    int | None,
    option(
        "--processes-per-host",
        "N",
        "Processes on a host.",
        default="as few as the hosts allow",
        min=1,
    ),
]
ExactOption = Annotated[bool, flag("--exact", "The same as --model exact, the default.")]
ModelOption = Annotated[
    str | None,
    option(
        "--model",
        "|".join(MODELS),
        "exact: latency + size / fair share of the bandwidth; smpi: with"
        " SimGrid's factors fitted to a real cluster.",
        default="exact",
    ),
]
SettingOption = Annotated[
    list[str] | None,
    option(
        "--cfg",
        "KEY:VALUE",
        "A setting of SimGrid, such as network/latency-factor:2; may be repeated.",
    ),
]
MemoryOption = Annotated[
    str,
    option("--memory-per-process", "SIZE", "Simulated memory; L_max is 1/128 of it."),
]
SeedOption = Annotated[
    int | None,
    option(
        "--seed",
        "N",
        "Of random rings and random placement.",
        default="new in each run",
        min=0,
        max=2**53 - 1,
    ),
]
CheckDataOption = Annotated[
    bool,
    flag(
        "--check-data",
        "Give each process buffers of its own and check what it receives; takes memory.",
    ),
]
EngineOption = Annotated[
    Path | None,
    option(
        "--engine",
        "PATH",
        "b_eff as built for SMPI.",
        default="built in the checkout, else b_eff_smpi on PATH",
    ),
]
LauncherOption = Annotated[
    str | None,
    option("--launcher", "PATH", "SimGrid's launcher.", default="smpirun on PATH"),
]
EngineOptions = Annotated[
    list[str] | None,
    argument("ENGINE_OPTIONS", "Options passed on to b_eff; write them behind '--'."),
]


def quantity(option: str, text: str, parse: Callable[[str], Value]) -> Value:
    """Return the value that `parse` reads. Raises WrongUsageError."""
    try:
        return parse(text)
    except ValueError as problem:
        raise WrongUsageError(f"{option} {text}: {problem}") from None


def parse_shape(text: str) -> tuple[int, ...]:
    """Read 16x4x4. Raises WrongUsageError."""
    if not re.fullmatch(r"[1-9]\d{0,6}(x[1-9]\d{0,6})*", text, re.ASCII):
        raise WrongUsageError(f"--shape {text}: must be whole numbers from 1, such as 16x4x4")
    return tuple(map(int, text.split("x")))


def choose_network(
    name: str | None, platform: Path | None, hosts: int | None, shape: str | None, *backbone: object
) -> Network | None:
    """Return the described network, None for a platform file. Raises WrongUsageError."""
    if (name is None) == (platform is None):
        raise WrongUsageError(f"give either --network ({_NAMES}) or --platform FILE.xml")
    if name is None:
        given = {"--hosts": hosts, "--shape": shape}
        for option, value in given.items():
            if value is not None:
                raise WrongUsageError(f"{option} {value}: the platform file tells it; leave it out")
        return None
    if name not in NETWORKS:
        raise WrongUsageError(f"--network {name}: is not known; the networks are {_NAMES}")
    if name != "two-switch" and any(value is not None for value in backbone):
        raise WrongUsageError(
            f"--network {name}: has no backbone; --backbone-bandwidth and --backbone-latency belong"
            " to two-switch"
        )
    return NETWORKS[name]


def choose_model(name: str | None, exact: bool) -> str:
    """Return the model's name. Raises WrongUsageError."""
    if name is not None and name not in MODELS:
        raise WrongUsageError(f"--model {name}: is not known; the models are {', '.join(MODELS)}")
    if exact and name not in (None, "exact"):
        raise WrongUsageError(f"--exact and --model {name} exclude each other; give one")
    return name or "exact"


def check_settings(settings: tuple[str, ...]) -> None:
    """Refuse what is no setting. Raises WrongUsageError."""
    for setting in settings:
        if not re.fullmatch(r"[\w/-]+:\S+", setting):
            raise WrongUsageError(
                f"--cfg {setting}: must be KEY:VALUE, such as network/latency-factor:2"
            )


def check_engine_options(options: list[str]) -> None:
    """Refuse options behind '--' that cannot be passed on. Raises WrongUsageError."""
    if options and not options[0].startswith("-"):
        raise WrongUsageError(
            f"'{options[0]}' is not an option; networks are named by --network or --platform"
        )
    for name in (given.partition("=")[0] for given in options):
        if name in _SET_HERE:
            raise WrongUsageError(
                f"{name} cannot be given behind '--': beff simulate sets it; its --help lists the"
                " options in front of it"
            )
        if name in _MEASURE_NOTHING:
            raise WrongUsageError(f"{name} measures nothing; start b_eff itself with it")
