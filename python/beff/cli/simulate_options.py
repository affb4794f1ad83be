"""Options of `beff simulate`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from beff.cli.options import argument, option
from beff.cli.run_options import OutputDirOption
from beff.simulate.networks import NETWORKS
from beff.simulate.placement import RULES

LARGEST_SEED = 2**53 - 1


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
        str | None,
        option(
            "--network",
            "NAME[:SIZE][,RATE][,TIME]",
            "The network, the rate of each link and direction, and its latency: "
            + ", ".join(
                f"{network.name}{':' if network.shape else '[:HOSTS]'}{' x '.join(network.shape)}"
                for network in NETWORKS.values()
            )
            + "; of two-switch also backbone=RATE.",
        ),
    ] = None
    platform: Annotated[
        Path | None,
        option("--platform", "FILE.xml", "A platform file of SimGrid instead of --network."),
    ] = None
    placement: Annotated[
        str,
        option(
            "--placement",
            f"{'|'.join(RULES)}[:N]|FILE",
            "Fill host after host, deal out in turn, shuffle, with N processes on a host, else as"
            " few as the hosts allow; or a file with each rank's host.",
        ),
    ] = "block"
    model: Annotated[
        Literal["exact", "smpi"],
        option(
            "--model",
            None,
            "exact: latency + size / fair share of the bandwidth; smpi: with"
            " SimGrid's factors fitted to a real cluster.",
        ),
    ] = "exact"
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
    engine_options: Annotated[
        list[str] | None,
        argument("ENGINE_OPTIONS", "Options passed on to the program; write them behind '--'."),
    ] = None
