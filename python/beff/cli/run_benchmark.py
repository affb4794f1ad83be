"""What `beff run` must know of a benchmark, and what a run of one leaves."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from beff.launch.numbering import Numbering
from beff.launch.progress import FollowerOf
from beff.launch.target import Target
from beff.model.contract import MeasuredResult
from beff.model.load import Document


@dataclass(frozen=True)
class Measured:
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
    measured: Measured | None
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
