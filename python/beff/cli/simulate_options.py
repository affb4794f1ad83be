"""Options of `beff simulate`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from beff.cli.options import argument, flag, option
from beff.cli.run_options import OutputDirOption
from beff.simulate.networks import NETWORKS
from beff.simulate.placement import RULES

LARGEST_SEED = 2**53 - 1
_FEWEST_HOSTS = 2


@dataclass(frozen=True)
class SimulateOptions:
    """What the user wrote; nothing is checked yet."""

    processes: Annotated[
        str, option("--processes -n", "N[,N...]", "Numbers of processes to simulate.")
    ]
    benchmark: Annotated[
        Literal["b_eff", "b_pairs"], option("--benchmark", None, "The benchmark.")
    ] = "b_eff"
    network: Annotated[
        Literal["flat", "two-switch", "fat-tree", "torus", "dragonfly"] | None,
        option("--network", None, "The network."),
    ] = None
    platform: Annotated[
        Path | None,
        option("--platform", "FILE.xml", "A platform file of SimGrid instead of --network."),
    ] = None
    hosts: Annotated[
        int | None,
        option(
            "--hosts",
            "N",
            "Hosts of the network.",
            default="one per process, or those of the shape",
            min=_FEWEST_HOSTS,
        ),
    ] = None
    shape: Annotated[
        str | None,
        option(
            "--shape",
            "AxBx...",
            "; ".join(
                f"{network.name}: {' by '.join(network.shape)}"
                for network in NETWORKS.values()
                if network.shape
            )
            + ".",
        ),
    ] = None
    bandwidth: Annotated[
        str, option("--bandwidth", "RATE", "Of each link and direction, as 800MB/s or 10Gbit/s.")
    ] = "12.5GB/s"
    latency: Annotated[
        str, option("--latency", "TIME", "Of each link; a route has two or more.")
    ] = "500ns"
    backbone_bandwidth: Annotated[
        str | None,
        option(
            "--backbone-bandwidth",
            "RATE",
            "Between the switches of two-switch.",
            default="that of a link",
        ),
    ] = None
    placement: Annotated[
        str,
        option(
            "--placement",
            "|".join([*RULES, "FILE"]),
            "Fill host after host, deal out in turn, shuffle; or a file with each rank's host.",
        ),
    ] = "block"
    processes_per_host: Annotated[
        int | None,
        option(
            "--processes-per-host",
            "N",
            "Processes on a host.",
            default="as few as the hosts allow",
            min=1,
        ),
    ] = None
    model: Annotated[
        Literal["exact", "smpi"],
        option(
            "--model",
            None,
            "exact: latency + size / fair share of the bandwidth; smpi: with"
            " SimGrid's factors fitted to a real cluster.",
        ),
    ] = "exact"
    memory_per_process: Annotated[
        str, option("--memory-per-process", "SIZE", "Simulated memory; L_max is 1/128 of it.")
    ] = "2GiB"
    seed: Annotated[
        int | None,
        option(
            "--seed",
            "N",
            "Of random rings and random placement.",
            default="new in each run",
            min=0,
            max=LARGEST_SEED,
        ),
    ] = None
    check_data: Annotated[
        bool,
        flag(
            "--check-data",
            "Give each process buffers of its own and check what it receives; takes memory.",
        ),
    ] = False
    output_dir: OutputDirOption = None
    engine: Annotated[
        Path | None,
        option(
            "--engine",
            "PATH",
            "The program as built for SMPI.",
            default="built in the checkout, else b_eff_smpi or b_pairs_smpi on PATH",
        ),
    ] = None
    launcher: Annotated[
        str | None, option("--launcher", "PATH", "SimGrid's launcher.", default="smpirun on PATH")
    ] = None
    engine_options: Annotated[
        list[str] | None,
        argument("ENGINE_OPTIONS", "Options passed on to the program; write them behind '--'."),
    ] = None
