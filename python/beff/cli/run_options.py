"""Options of `beff run`: their declarations, and the checks that come before any measuring."""

import re
from pathlib import Path
from typing import Annotated

import typer

from beff.cli.errors import WrongUsageError
from beff.cli.run_b_eff import B_EFF
from beff.cli.run_b_eff_io import B_EFF_IO
from beff.cli.run_benchmark import Benchmark

BENCHMARKS = (B_EFF, B_EFF_IO)
"""In the order in which they are measured."""

_MEASURE_NOTHING = ("--help", "--version", "--plan", "--probe")
_NUMBER = r"(?:\d+\.?\d*|\.\d+)"
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
_SIZE = re.compile(rf"{_NUMBER} *(?:B|[kMGT]B|[KMGT]iB)?", re.ASCII)
_DURATION = re.compile(rf"({_NUMBER}) *({'|'.join(_SECONDS)})", re.ASCII)

ProcessesOption = Annotated[
    str | None,
    typer.Option(
        "--processes",
        metavar="N[,N...]",
        help="Numbers of processes to measure.  [default: the physical cores]",
        show_default=False,
    ),
]
OutputDirOption = Annotated[
    Path | None,
    typer.Option(
        "--output-dir",
        metavar="DIR",
        help="Folder for the results.  [default: results/<time in UTC>]",
        show_default=False,
    ),
]
BenchmarkOption = Annotated[
    list[str] | None,
    typer.Option(
        "--benchmark",
        metavar="NAME",
        help="b_eff or b_eff_io; may be repeated.  [default: both]",
        show_default=False,
    ),
]
PathOption = Annotated[
    Path | None,
    typer.Option(
        "--path",
        metavar="DIR",
        help="Where b_eff_io measures files.  [default: the folder for the results]",
        show_default=False,
    ),
]
TimeOption = Annotated[
    str | None,
    typer.Option(
        "--time",
        metavar="DURATION",
        help="Scheduled time T of b_eff_io; a valid run needs 30min.  [default: 30s]",
        show_default=False,
    ),
]
MaxDataOption = Annotated[
    str | None,
    typer.Option(
        "--max-data",
        metavar="SIZE",
        help="Bound of what b_eff_io puts on disk.  [default: 1GiB, or 128MiB per process if that"
        " is more; none with --time of 15min or more]",
        show_default=False,
    ),
]
FilesystemNoteOption = Annotated[
    str | None,
    typer.Option(
        "--filesystem-note",
        metavar="TEXT",
        help="What b_eff_io shall record of the file system: servers, devices, settings that are"
        " no defaults.",
        show_default=False,
    ),
]
RunEngineOption = Annotated[
    Path | None,
    typer.Option(
        "--engine",
        metavar="PATH",
        help="The measuring program, or the folder of both.  [default: beside this command, else"
        " on PATH]",
        show_default=False,
    ),
]
StallLimitOption = Annotated[
    str | None,
    typer.Option(
        "--stall-limit",
        metavar="DURATION",
        help="End a run that has not recorded anything new for this time, as with a dead link."
        "  [default: 10min; for b_eff_io 15min or 1.5 T, the longer]",
        show_default=False,
    ),
]
EngineOptions = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ENGINE_OPTIONS",
        help="Options passed on to the one benchmark chosen by --benchmark; write them behind"
        " '--'.",
        show_default=False,
    ),
]


def parse_benchmarks(names: list[str] | None) -> list[Benchmark]:
    """Read --benchmark, several times or as 'b_eff,b_eff_io'. Raises WrongUsageError."""
    if not names:
        return list(BENCHMARKS)
    wanted = {name.strip() for text in names for name in text.split(",")}
    for name in sorted(wanted - {benchmark.name for benchmark in BENCHMARKS}):
        raise WrongUsageError(
            f"--benchmark {','.join(names)}: '{name}' is no benchmark; write b_eff or b_eff_io"
        )
    return [benchmark for benchmark in BENCHMARKS if benchmark.name in wanted]


def check_engine_options(options: list[str], benchmarks: list[Benchmark]) -> None:
    """Refuse options behind '--' that cannot be passed on. Raises WrongUsageError."""
    if not options:
        return
    if not options[0].startswith("-"):
        raise WrongUsageError(
            f"'{options[0]}' is not an option; numbers of processes are given by --processes"
        )
    for option in (option.partition("=")[0] for option in options):
        if all(option in benchmark.own_options for benchmark in benchmarks):
            raise WrongUsageError(
                f"{option} cannot be given behind '--': beff run sets it; beff run --help lists"
                " the options in front of it, such as --output-dir and --memory-per-process"
            )
        if option in _MEASURE_NOTHING:
            programs = " or ".join(benchmark.name for benchmark in benchmarks)
            raise WrongUsageError(
                f"{option} measures nothing; start the measuring program {programs} itself with it"
            )
    if len(benchmarks) > 1:
        raise WrongUsageError(
            f"{options[0]} behind '--' could be meant for b_eff or for b_eff_io; choose one by"
            " --benchmark"
        )


def check_io_options(benchmarks: list[Benchmark], **given: object) -> None:
    """Refuse options of b_eff_io where it is not measured. Raises WrongUsageError."""
    if B_EFF_IO in benchmarks:
        return
    for name, value in given.items():
        if value is not None:
            raise WrongUsageError(
                f"--{name.replace('_', '-')} {value}: belongs to b_eff_io, which --benchmark does"
                " not choose"
            )


def parse_duration(option: str, text: str) -> float:
    """Seconds of a duration such as 90s or 15min. Raises WrongUsageError."""
    parts = _DURATION.fullmatch(text)
    seconds = float(parts[1]) * _SECONDS[parts[2]] if parts else 0.0
    if not seconds > 0:
        raise WrongUsageError(f"{option} {text}: must be a duration above 0, such as 90s or 30min")
    return seconds


def check_size(option: str, text: str) -> None:
    """Refuse what is no size; the engine judges whether it is enough. Raises WrongUsageError."""
    if not _SIZE.fullmatch(text):
        raise WrongUsageError(f"{option} {text}: must be a size, such as 512MiB or 2GiB")


def engine_paths(chosen: Path | None, benchmarks: list[Benchmark]) -> dict[str, Path | None]:
    """Return the program that --engine means, by benchmark. Raises WrongUsageError.

    A folder holds the programs by their names, and so does the folder of a program that has one of
    these names; a program of any other name serves one benchmark.
    """
    names = [benchmark.name for benchmark in benchmarks]
    if chosen is None:
        return dict.fromkeys(names)
    if chosen.is_dir():
        return {name: chosen / name for name in names}
    if chosen.name in {benchmark.name for benchmark in BENCHMARKS}:
        return {name: chosen.with_name(name) for name in names}
    if len(names) == 1:
        return {names[0]: chosen}
    raise WrongUsageError(
        f"--engine {chosen}: is one program for two benchmarks; name the folder of b_eff and"
        " b_eff_io, or choose one by --benchmark"
    )
