"""Options of `beff run`: their declarations, and the checks that come before any measuring."""

import re
from pathlib import Path
from typing import Annotated

from beff.cli.errors import WrongUsageError
from beff.cli.options import argument, option
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
    option(
        "--processes", "N[,N...]", "Numbers of processes to measure.", default="the physical cores"
    ),
]
OutputDirOption = Annotated[
    Path | None,
    option("--output-dir", "DIR", "Folder for the results.", default="results/<time in UTC>"),
]
BenchmarkOption = Annotated[
    list[str] | None,
    option("--benchmark", "NAME", "b_eff or b_eff_io; may be repeated.", default="both"),
]
PathOption = Annotated[
    Path | None,
    option("--path", "DIR", "Where b_eff_io measures files.", default="the folder for the results"),
]
TimeOption = Annotated[
    str | None,
    option(
        "--time",
        "DURATION",
        "Scheduled time T of b_eff_io; a valid run needs 30min.",
        default="30s",
    ),
]
MaxDataOption = Annotated[
    str | None,
    option(
        "--max-data",
        "SIZE",
        "Bound of what b_eff_io puts on disk.",
        default="1GiB, or 128MiB per process if that is more; none with --time of 15min or more",
    ),
]
FilesystemNoteOption = Annotated[
    str | None,
    option(
        "--filesystem-note",
        "TEXT",
        "What b_eff_io shall record of the file system: servers, devices,"
        " settings that are no defaults.",
    ),
]
RunEngineOption = Annotated[
    Path | None,
    option(
        "--engine",
        "PATH",
        "The measuring program, or the folder of both.",
        default="beside this command, else on PATH",
    ),
]
CheckOption = Annotated[
    Path | None,
    option("--check", "EXPECT", "Judge the results at the end by this file, as beff check does."),
]
StallLimitOption = Annotated[
    str | None,
    option(
        "--stall-limit",
        "DURATION",
        "End a run that has not recorded anything new for this time, as with a dead link.",
        default="10min; for b_eff_io 15min or 1.5 T, the longer",
    ),
]
EngineOptions = Annotated[
    list[str] | None,
    argument(
        "ENGINE_OPTIONS",
        "Options passed on to the one benchmark chosen by --benchmark; write them behind '--'.",
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
    for name in (given.partition("=")[0] for given in options):
        if all(name in benchmark.own_options for benchmark in benchmarks):
            raise WrongUsageError(
                f"{name} cannot be given behind '--': beff run sets it; beff run --help lists"
                " the options in front of it, such as --output-dir and --memory-per-process"
            )
        if name in _MEASURE_NOTHING:
            programs = " or ".join(benchmark.name for benchmark in benchmarks)
            raise WrongUsageError(
                f"{name} measures nothing; start the measuring program {programs} itself with it"
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
