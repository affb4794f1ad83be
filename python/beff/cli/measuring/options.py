"""Options of `beff run`, and those that `beff job` and `beff nodes` share with it."""

from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Literal

from beff.cli.common.help_text import Group
from beff.cli.common.options import (
    DURATION,
    SIZE,
    Quantity,
    argument,
    build_option,
    flag,
    launcher_option,
    memory_option,
    option,
    overwrite_flag,
)
from beff.launch.networks import NETWORKS
from beff.launch.platform import RULES


class BenchmarkName(str, Enum):
    """The benchmarks by their names."""

    B_EFF = "b_eff"
    B_EFF_IO = "b_eff_io"
    B_PAIRS = "b_pairs"


output_dir_option = partial(
    option,
    "DIR",
    "Folder for the results.",
    otherwise="results/<time in UTC>",
    group=Group.WRITTEN,
)
program_option = partial(
    option,
    "PATH",
    "The measuring program, or the folder of all.",
    otherwise="beside this command, else on PATH",
    group=Group.PROCESSES,
)


@dataclass(frozen=True, kw_only=True)
class MeasureOptions:
    """What `beff run` and `beff job` measure, as the user wrote it; nothing is checked yet."""

    output_dir: Path | None = output_dir_option()
    benchmark: list[BenchmarkName] | None = option(
        "b_eff|b_eff_io|b_pairs",
        "The benchmark; may be repeated.",
        otherwise="b_eff and b_eff_io, in a job of four hosts or more all",
        group=Group.MEASURED,
    )
    path: Path | None = option(
        "DIR",
        "Where b_eff_io measures files: in a job script a folder that all nodes see.",
        otherwise="the folder for the results, of a job script none",
        group=Group.B_EFF_IO,
    )
    time: Quantity | None = option(
        DURATION,
        "Scheduled time T of b_eff_io; a valid run needs 15min for each of up to three"
        " numbers of processes that it measures with.",
        otherwise="30s, in a job script what is valid",
        group=Group.B_EFF_IO,
    )
    quick: bool = flag(
        "Measure briefly, to be compared with other quick runs: b_eff in a minute, by definition"
        " short-1, valid among its own kind; b_eff_io for 30s, never valid.",
        group=Group.MEASURED,
    )
    procedure: Literal["cold", "original"] | None = option(
        None,
        "Procedure of b_eff_io: cold drops page caches before the read, original leaves them as"
        " release 2.1 does.",
        otherwise="cold",
        group=Group.B_EFF_IO,
    )
    max_data: Quantity | None = option(
        SIZE,
        "Most data that b_eff_io writes to disk.",
        otherwise="1GiB, or 128MiB per process if that is more; none with --time of 15min or more",
        group=Group.B_EFF_IO,
    )
    filesystem_note: str | None = option(
        "TEXT",
        "Note on the file system for the result of b_eff_io: servers, devices,"
        " non-default settings.",
        group=Group.B_EFF_IO,
    )
    bisection: int | None = option(
        "[=N]",
        "Let b_pairs measure as well what crosses halves of the hosts, by N processes of each host,"
        " 1 where no number is given.",
        min=1,
        group=Group.MEASURED,
    )
    per_host: str | None = option(
        "LIST",
        "Let b_pairs measure as well what hosts reach by so many processes of each, such as"
        " 1,2,4,all.",
        group=Group.MEASURED,
    )
    memory_per_process: Quantity | None = memory_option()
    engine: Path | None = program_option()
    mpi: str | None = build_option()
    overwrite: bool = overwrite_flag()
    engine_options: list[str] | None = argument(
        "-- ENGINE_OPTIONS...",
        "Options passed on to the one benchmark chosen by --benchmark; write them behind '--'.",
        default=None,
    )


@dataclass(frozen=True, kw_only=True)
class RunOptions(MeasureOptions):
    """What the user wrote of `beff run`; nothing is checked yet."""

    processes: str | None = option(
        "N[,N...]",
        "Numbers of processes to measure.",
        names="--processes -n",
        otherwise="the physical cores",
        group=Group.PROCESSES,
    )
    numbering: Literal["sequential", "round-robin", "both"] | None = option(
        None,
        "Ask the launcher to number the processes sequential (fill a node, then"
        " the next) or round-robin (one process per node in turn), or measure with"
        " both.",
        otherwise="as the launcher does",
        group=Group.PROCESSES,
    )
    launcher: str | None = launcher_option()
    stall_limit: Quantity | None = option(
        DURATION,
        "End a run that has not recorded anything new for this time, as with a dead link.",
        otherwise="15min; for b_eff_io 1.5 T if longer; for b_pairs a third of its duration more",
        group=Group.PROCESSES,
    )
    simulate: str | None = option(
        "NETWORK|FILE.xml",
        "Measure on a network that SimGrid simulates, described as NAME[:SIZE][,RATE][,TIME] by"
        f" rate and latency of each link, with NAME of {', '.join(NETWORKS)}; or by a platform"
        " file of SimGrid.",
        group=Group.NETWORK,
    )
    placement: str | None = option(
        f"{'|'.join(RULES)}[:N]|FILE",
        "Fill simulated host after host, deal out in turn, shuffle, with N processes on a host,"
        " else as few as the hosts allow; or a file with each rank's host.",
        otherwise="block",
        group=Group.NETWORK,
    )
    model: Literal["exact", "smpi"] | None = option(
        None,
        "exact: latency + size / fair share of the bandwidth; smpi: with SimGrid's factors fitted"
        " to a real cluster.",
        otherwise="exact",
        group=Group.NETWORK,
    )
    expect: Path | None = option(
        "FILE", "Judge the results at the end by this file, as beff check does.", group=Group.JUDGED
    )
    report: bool = flag(
        "Also write the results as one page; the last line of the output names it.",
        group=Group.WRITTEN,
    )
