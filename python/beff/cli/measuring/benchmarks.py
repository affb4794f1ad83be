"""Each benchmark's part of `beff run`."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from beff.cli.measuring.options import MeasureOptions
from beff.launch.follow import FollowerOf, follow_b_eff, follow_b_eff_io, follow_b_pairs
from beff.launch.numbering import Numbering
from beff.launch.target import Target
from beff.result.contract import MeasuredResult
from beff.result.errors import WrongUsageError
from beff.result.load import Document, as_b_eff, as_b_eff_io, as_b_pairs
from beff.result.numbers import parse_duration
from beff.result.places import is_folder
from beff.verify.b_eff_io.schedule import default_partitions, shortest_valid_time_s


@dataclass(frozen=True)
class MeasuredRun:
    """A result as read: its document, and the same typed."""

    document: Document
    result: MeasuredResult


@dataclass(frozen=True)
class Benchmark:
    """One of the benchmarks.

    `own_options` are the engine's options that `beff run` sets itself.
    """

    name: str
    own_options: tuple[str, ...]
    follow: FollowerOf
    read: Callable[[Document], MeasuredResult]


@dataclass(frozen=True)
class Job:
    """A benchmark to be run with these engine options for a number of processes.

    `accepts` says whether a result lets the command end with exit code 0. A run whose journal does
    not grow for `stall_limit_s` is ended.
    """

    benchmark: Benchmark
    target: Target
    options: Callable[[int], list[str]]
    accepts: Callable[[MeasuredResult], bool]
    stall_limit_s: float


@dataclass(frozen=True)
class Run:
    """One run of an engine: where its files are, its result if there is one, its exit code.

    `numbering` is what the launcher was asked for.
    """

    benchmark: Benchmark
    processes: int
    prefix: Path
    measured: MeasuredRun | None
    exit_code: int
    stopped: bool
    numbering: Numbering | None = None

    @property
    def title(self) -> str:
        """What was measured, in words."""
        return title_of(self.benchmark, self.processes, self.numbering)

    @property
    def result_file(self) -> Path:
        """The result file."""
        return Path(f"{self.prefix}.json")


def title_of(benchmark: Benchmark, processes: int, numbering: Numbering | None) -> str:
    """Say what a run measures."""
    order = "" if numbering is None else f", {numbering.value}"
    return f"{benchmark.name} with {processes} processes{order}"


B_EFF = Benchmark(
    name="b_eff",
    own_options=("--output", "--overwrite", "--progress", "--quiet", "--memory-per-process"),
    follow=follow_b_eff,
    read=as_b_eff,
)

STALL_LIMIT_S = 15 * 60.0
"""A loop takes milliseconds, at most seconds; starting many processes may take minutes."""


def is_valid(result: MeasuredResult) -> bool:
    """Whether a result may be compared with those of other machines."""
    return result.valid


def b_eff_job(
    target: Target,
    options: list[str],
    stall_limit_s: float | None,
    accepts: Callable[[MeasuredResult], bool] = is_valid,
) -> Job:
    """Return the job that measures b_eff with these engine options."""
    limit_s = stall_limit_s or STALL_LIMIT_S
    return Job(B_EFF, target, lambda _: options, accepts, limit_s)


SHORT_TIME = "30s"
SHORT_BELOW_S = 15 * 60
"""A run of less time is short: bounded so that it suits a laptop-sized machine."""
_SHORT_CHUNK = "8MiB"
_SHORT_DATA_MIB = 1024
_SHORT_DATA_PER_PROCESS_MIB = 128
"""One call of every pattern with chunks of 8 MiB writes up to 110 MiB per process."""
_ENGINE_HANG_LIMIT_S = 10 * 60.0
"""The engine itself gives up after this time or T; it can name the ranks, so it comes first."""
_STALL_FACTOR = 1.5
_TOO_SHORT = frozenset(
    {"scheduled time", "read from the file system", "measured in full", "schedule"}
)
"""Criteria that the short default run cannot meet, whatever the machine."""


@dataclass(frozen=True)
class IoWanted:
    """What the user asked of b_eff_io; `time_s` is their --time, `folder` is for the results."""

    given: MeasureOptions
    time_s: float | None
    folder: Path

    @property
    def files_below(self) -> Path:
        """The folder in which the measured files go."""
        return self.given.path or self.folder

    @property
    def is_short(self) -> bool:
        """Whether the run is bounded."""
        return self.time_s is None or self.time_s < SHORT_BELOW_S

    @property
    def is_default(self) -> bool:
        """Whether being short was our choice, not the user's."""
        return self.time_s is None and not self.given.engine_options

    def options(self, processes: int) -> list[str]:
        """Return the engine's options for a number of processes."""
        given, passed_on = self.given, self.given.engine_options or []
        options = ["--path", str(self.files_below), "--time", str(given.time or SHORT_TIME)]
        if given.max_data is not None:
            options += ["--max-data", given.max_data.text]
        elif self.is_short:
            bound = max(_SHORT_DATA_MIB, _SHORT_DATA_PER_PROCESS_MIB * processes)
            options += ["--max-data", f"{bound}MiB"]
        chosen = (option.partition("=")[0] for option in passed_on)
        if self.is_short and "--max-chunk" not in chosen:
            options += ["--max-chunk", _SHORT_CHUNK]
        if given.procedure is not None:
            options += ["--procedure", given.procedure]
        if given.filesystem_note is not None:
            options += ["--filesystem-note", given.filesystem_note]
        return [*options, *passed_on]

    def accepts(self, result: MeasuredResult) -> bool:
        """Whether the result is valid, or not valid only because our default run is short."""
        unmet = {criterion.code for criterion in result.criteria if not criterion.met}
        return result.valid or (self.is_default and result.complete and unmet <= _TOO_SHORT)


def valid_time_s(processes: int) -> int:
    """T that a run of the default release with the default partitions needs to be valid."""
    return shortest_valid_time_s("1", len(default_partitions(processes)))


def check_path(path: Path | None) -> None:
    """Refuse a folder that cannot take files, before anything is measured."""
    if path is not None and not is_folder(path):
        raise WrongUsageError(f"--path {path}: there is no such folder; make it or name another")
    if path is not None and not os.access(path, os.W_OK | os.X_OK):
        raise WrongUsageError(f"--path {path}: no files can be made there; name another folder")


def io_job(
    target: Target,
    wanted: IoWanted,
    options: Callable[[int], list[str]],
    stall_limit_s: float | None,
) -> Job:
    """Return the job that measures b_eff_io with these options for a number of processes."""
    return Job(
        B_EFF_IO,
        target,
        options,
        wanted.accepts,
        stall_limit_s or _STALL_FACTOR * max(_ENGINE_HANG_LIMIT_S, wanted.time_s or 0.0),
    )


B_EFF_IO = Benchmark(
    name="b_eff_io",
    own_options=(
        *("--output", "--overwrite", "--progress", "--quiet", "--memory-per-process"),
        *("--path", "--time", "--procedure", "--max-data", "--filesystem-note"),
    ),
    follow=follow_b_eff_io,
    read=as_b_eff_io,
)


FEWEST_HOSTS = 4
"""From so many on `beff run` measures pairs as well: three cannot be judged."""
_FEWEST_PASSES = 3
"""Of a run of pairs, which may rest between two of them."""

B_PAIRS = Benchmark(
    name="b_pairs",
    own_options=("--output", "--overwrite", "--progress", "--quiet", "--memory-per-process"),
    follow=follow_b_pairs,
    read=as_b_pairs,
)


def b_pairs_job(target: Target, options: list[str], stall_limit_s: float | None) -> Job:
    """Return the job that measures b_pairs with these engine options."""
    rest_s = longest_duration_s(options) / _FEWEST_PASSES
    limit_s = stall_limit_s or STALL_LIMIT_S + rest_s
    return Job(B_PAIRS, target, lambda _: options, lambda result: result.valid, limit_s)


def longest_duration_s(options: list[str]) -> float:
    """Return the --duration among options of b_pairs, 0 without it."""
    return _longest_s(options, "--duration", 0.0)


_BISECTION_S = 600.0


def longest_bisection_s(options: list[str]) -> float:
    """Return how long a bisection may take that options of b_pairs ask for, 0 for none."""
    asked = any(option.partition("=")[0] == "--bisection" for option in options)
    return _longest_s(options, "--bisection-time", _BISECTION_S) if asked else 0.0


def _longest_s(options: list[str], name: str, default_s: float) -> float:
    """Return the longest duration that options give; what is none counts nothing.

    The program refuses it.
    """
    given = [value for option, value in pairwise(options) if option == name]
    prefix = f"{name}="
    given += [option.removeprefix(prefix) for option in options if option.startswith(prefix)]
    durations = []
    for text in given:
        with suppress(ValueError):
            durations.append(parse_duration(text))
    return max(durations, default=default_s)
