"""What `beff run` and `beff job` were asked for: read and checked before anything is measured."""

from collections.abc import Sequence
from pathlib import Path

from beff.cli.options import check_passed_on
from beff.cli.run_b_pairs import B_PAIRS
from beff.cli.run_benchmarks import B_EFF, B_EFF_IO, Benchmark
from beff.cli.run_options import RunOptions
from beff.model.errors import WrongUsageError

BENCHMARKS = (B_EFF, B_EFF_IO, B_PAIRS)
"""In the order in which they are measured."""
USUAL = (B_EFF, B_EFF_IO)
"""Those that are measured unless others are named."""


def benchmarks_of(
    names: Sequence[str] | None, usual: Sequence[Benchmark] = USUAL
) -> list[Benchmark]:
    """Return those that --benchmark chooses, without it the usual ones."""
    return [one for one in BENCHMARKS if (one.name in names if names else one in usual)]


def check_engine_options(options: list[str], benchmarks: list[Benchmark]) -> None:
    """Refuse options behind '--' that cannot be passed on. Raises WrongUsageError."""
    check_passed_on(
        options,
        command="beff run",
        set_here=set.intersection(*(set(benchmark.own_options) for benchmark in benchmarks)),
        instead="numbers of processes are given by --processes",
        program="the measuring program " + " or ".join(one.name for one in benchmarks),
    )
    if options and len(benchmarks) > 1:
        names = " or for ".join(one.name for one in benchmarks)
        raise WrongUsageError(
            f"{options[0]} behind '--' could be meant for {names}; choose one by --benchmark"
        )


def check_io_options(benchmarks: list[Benchmark], given: RunOptions) -> None:
    """Refuse options of b_eff_io where it is not measured. Raises WrongUsageError."""
    if B_EFF_IO in benchmarks:
        return
    for name in ("path", "time", "max_data", "filesystem_note"):
        value = getattr(given, name)
        if value is not None:
            raise WrongUsageError(
                f"--{name.replace('_', '-')} {value}: belongs to b_eff_io, which --benchmark does"
                " not choose"
            )


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
        f"--engine {chosen}: is one program for several benchmarks; name the folder of b_eff,"
        " b_eff_io and b_pairs, or choose one by --benchmark"
    )
