"""Options of `beff simulate`: their declarations, and the checks before anything is simulated."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from beff.cli.errors import WrongUsageError
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
    typer.Option("--processes", metavar="N[,N...]", help="Numbers of processes to simulate."),
]
NetworkOption = Annotated[
    str | None,
    typer.Option("--network", metavar="NAME", help=f"A network: {_NAMES}.", show_default=False),
]
PlatformOption = Annotated[
    Path | None,
    typer.Option(
        "--platform",
        metavar="FILE.xml",
        help="A platform file of SimGrid instead of --network.",
        show_default=False,
    ),
]
HostsOption = Annotated[
    int | None,
    typer.Option(
        "--hosts",
        metavar="N",
        min=_FEWEST_HOSTS,
        help="Hosts of the network.  [default: one per process, or those of the shape]",
        show_default=False,
    ),
]
ShapeOption = Annotated[
    str | None,
    typer.Option(
        "--shape",
        metavar="AxBx...",
        help="; ".join(
            f"{network.name}: {' x '.join(network.shape)}"
            for network in NETWORKS.values()
            if network.shape
        )
        + ".",
        show_default=False,
    ),
]
BandwidthOption = Annotated[
    str,
    typer.Option(
        "--bandwidth", metavar="RATE", help="Of each link and direction, as 800MB/s or 10Gbit/s."
    ),
]
LatencyOption = Annotated[
    str,
    typer.Option("--latency", metavar="TIME", help="Of each link; a route has two or more."),
]
LoopbackBandwidthOption = Annotated[
    str,
    typer.Option("--loopback-bandwidth", metavar="RATE", help="Between processes of one host."),
]
LoopbackLatencyOption = Annotated[
    str,
    typer.Option("--loopback-latency", metavar="TIME", help="Between processes of one host."),
]
BackboneBandwidthOption = Annotated[
    str | None,
    typer.Option(
        "--backbone-bandwidth",
        metavar="RATE",
        help="Between the switches of two-switch.  [default: that of a link]",
        show_default=False,
    ),
]
BackboneLatencyOption = Annotated[
    str | None,
    typer.Option(
        "--backbone-latency",
        metavar="TIME",
        help="Between the switches of two-switch.  [default: that of a link]",
        show_default=False,
    ),
]
PlacementOption = Annotated[
    str,
    typer.Option(
        "--placement",
        metavar="|".join([*RULES, "FILE"]),
        help="Fill host after host, deal out in turn, shuffle; or a file with each rank's host.",
    ),
]
PerHostOption = Annotated[
    int | None,
    typer.Option(
        "--processes-per-host",
        metavar="N",
        min=1,
        help="Processes on a host.  [default: as few as the hosts allow]",
        show_default=False,
    ),
]
ExactOption = Annotated[
    bool, typer.Option("--exact", help="The same as --model exact, the default.")
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="|".join(MODELS),
        help="exact: latency + size / fair share of the bandwidth; smpi: with SimGrid's factors"
        " fitted to a real cluster.  [default: exact]",
        show_default=False,
    ),
]
SettingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--cfg",
        metavar="KEY:VALUE",
        help="A setting of SimGrid, such as network/latency-factor:2; may be repeated.",
        show_default=False,
    ),
]
MemoryOption = Annotated[
    str,
    typer.Option(
        "--memory-per-process", metavar="SIZE", help="Simulated memory; L_max is 1/128 of it."
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        max=2**53 - 1,
        help="Of random rings and random placement.  [default: new in each run]",
        show_default=False,
    ),
]
CheckDataOption = Annotated[
    bool,
    typer.Option(
        "--check-data",
        help="Give each process buffers of its own and check what it receives; takes memory.",
    ),
]
EngineOption = Annotated[
    Path | None,
    typer.Option(
        "--engine",
        metavar="PATH",
        help="b_eff as built for SMPI.  [default: built in the checkout, else b_eff_smpi on PATH]",
        show_default=False,
    ),
]
LauncherOption = Annotated[
    str | None,
    typer.Option(
        "--launcher",
        metavar="PATH",
        help="SimGrid's launcher.  [default: smpirun on PATH]",
        show_default=False,
    ),
]
EngineOptions = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ENGINE_OPTIONS",
        help="Options passed on to b_eff; write them behind '--'.",
        show_default=False,
    ),
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
    for option in (option.partition("=")[0] for option in options):
        if option in _SET_HERE:
            raise WrongUsageError(
                f"{option} cannot be given behind '--': beff simulate sets it; its --help lists the"
                " options in front of it"
            )
        if option in _MEASURE_NOTHING:
            raise WrongUsageError(f"{option} measures nothing; start b_eff itself with it")
