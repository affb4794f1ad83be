"""Options of `beff run`, and those that `beff job` and `beff twin simulate` share with it."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Literal

from beff.cli.common.help_text import Group
from beff.cli.common.options import (
    DURATION,
    SIZE,
    BuildOption,
    LauncherOption,
    MemoryOption,
    OverwriteOption,
    Quantity,
    argument,
    flag,
    option,
)


class BenchmarkName(str, Enum):
    """The benchmarks by their names."""

    B_EFF = "b_eff"
    B_EFF_IO = "b_eff_io"
    B_PAIRS = "b_pairs"


OutputDirOption = Annotated[
    Path | None,
    option(
        "--output-dir",
        "DIR",
        "Folder for the results.",
        default="results/<time in UTC>",
        group=Group.WRITTEN,
    ),
]
RunEngineOption = Annotated[
    Path | None,
    option(
        "--engine",
        "PATH",
        "The measuring program, or the folder of all.",
        default="beside this command, else on PATH",
        group=Group.PROCESSES,
    ),
]
EngineOptions = Annotated[
    list[str] | None,
    argument(
        "-- ENGINE_OPTIONS...",
        "Options passed on to the one benchmark chosen by --benchmark; write them behind '--'.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class MeasureOptions:
    """What `beff run` and `beff job` measure, as the user wrote it; nothing is checked yet."""

    output_dir: OutputDirOption = None
    benchmark: Annotated[
        list[BenchmarkName] | None,
        option(
            "--benchmark",
            "b_eff|b_eff_io|b_pairs",
            "The benchmark; may be repeated.",
            default="b_eff and b_eff_io, in a job of four hosts or more all",
            group=Group.MEASURED,
        ),
    ] = None
    path: Annotated[
        Path | None,
        option(
            "--path",
            "DIR",
            "Where b_eff_io measures files: in a job script a folder that all nodes see.",
            default="the folder for the results, of a job script none",
            group=Group.B_EFF_IO,
        ),
    ] = None
    time: Annotated[
        Quantity | None,
        option(
            "--time",
            DURATION,
            "Scheduled time T of b_eff_io; a valid run needs 15min for each of up to three"
            " numbers of processes that it measures with.",
            default="30s, in a job script what is valid",
            group=Group.B_EFF_IO,
        ),
    ] = None
    quick: Annotated[
        bool,
        flag(
            "--quick",
            "Measure everything briefly, about two minutes at any size; never valid, to be compared"
            " with other quick runs only.",
            group=Group.MEASURED,
        ),
    ] = False
    procedure: Annotated[
        Literal["cold", "original"] | None,
        option(
            "--procedure",
            None,
            "Procedure of b_eff_io: cold drops page caches before the read, original leaves them as"
            " release 2.1 does.",
            default="cold",
            group=Group.B_EFF_IO,
        ),
    ] = None
    max_data: Annotated[
        Quantity | None,
        option(
            "--max-data",
            SIZE,
            "Most data that b_eff_io writes to disk.",
            default="1GiB, or 128MiB per process if that is more; none with --time of 15min or"
            " more",
            group=Group.B_EFF_IO,
        ),
    ] = None
    filesystem_note: Annotated[
        str | None,
        option(
            "--filesystem-note",
            "TEXT",
            "Note on the file system for the result of b_eff_io: servers, devices,"
            " non-default settings.",
            group=Group.B_EFF_IO,
        ),
    ] = None
    bisection: Annotated[
        bool,
        flag(
            "--bisection",
            "Let b_pairs measure as well what crosses halves of the hosts.",
            group=Group.MEASURED,
        ),
    ] = False
    per_host: Annotated[
        str | None,
        option(
            "--per-host",
            "LIST",
            "Let b_pairs measure as well what hosts reach by so many processes of each, such as"
            " 1,2,4,all.",
            group=Group.MEASURED,
        ),
    ] = None
    memory_per_process: MemoryOption = None
    engine: RunEngineOption = None
    mpi: BuildOption = None
    overwrite: OverwriteOption = False
    engine_options: EngineOptions = None


@dataclass(frozen=True, kw_only=True)
class RunOptions(MeasureOptions):
    """What the user wrote of `beff run`; nothing is checked yet."""

    processes: Annotated[
        str | None,
        option(
            "--processes -n",
            "N[,N...]",
            "Numbers of processes to measure.",
            default="the physical cores",
            group=Group.PROCESSES,
        ),
    ] = None
    numbering: Annotated[
        Literal["sequential", "round-robin", "both"] | None,
        option(
            "--numbering",
            None,
            "Ask the launcher to number the processes sequential (fill a node, then"
            " the next) or round-robin (one process per node in turn), or measure with"
            " both.",
            default="as the launcher does",
            group=Group.PROCESSES,
        ),
    ] = None
    launcher: LauncherOption = None
    stall_limit: Annotated[
        Quantity | None,
        option(
            "--stall-limit",
            DURATION,
            "End a run that has not recorded anything new for this time, as with a dead link.",
            default="15min; for b_eff_io 1.5 T if longer; for b_pairs a third of its duration more",
            group=Group.PROCESSES,
        ),
    ] = None
    expect: Annotated[
        Path | None,
        option(
            "--expect",
            "FILE",
            "Judge the results at the end by this file, as beff check does.",
            group=Group.JUDGED,
        ),
    ] = None
    report: Annotated[
        bool,
        flag(
            "--report",
            "Also write the results as one page; the last line of the output names it.",
            group=Group.WRITTEN,
        ),
    ] = False
