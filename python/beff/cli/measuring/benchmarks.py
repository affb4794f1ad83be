"""Options of measuring, what each program is started with by them, which results are accepted.

A quick run (`--quick`) is short, for comparing with others of its kind every week: b_eff by a
definition of its own, which is all that comparisons and lists ask for, the others with a memory per
process that does not depend on the machine.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from beff.cli.common import options
from beff.launch.campaign import Start
from beff.launch.launcher import Numbering
from beff.launch.networks import RULES
from beff.launch.target import Target
from beff.result.contract import BENCHMARKS, MeasuredResult
from beff.result.numbers import parse_duration

_Benchmarks = Annotated[list[Literal["b_eff", "b_eff_io", "b_pairs"]], "b_eff|b_eff_io|b_pairs"]
_Order = Literal["sequential", "round-robin", "both"]


@dataclass(frozen=True, kw_only=True)
class MeasureOptions(options.ProgramOptions, options.ResultOptions):
    """What `beff run` and `beff job` measure, as the user wrote it; nothing is checked yet."""

    benchmark: Annotated[_Benchmarks | None, options.MEASURED] = None
    """The benchmark; may be repeated.  [default: b_eff and b_eff_io, in a job of four hosts or more
    all]"""
    path: Annotated[options.Folder | None, options.B_EFF_IO] = None
    """Folder in which b_eff_io measures; all nodes must see it.  [default: the folder for the
    results; a job script needs one]"""
    time: Annotated[options.Duration | None, options.B_EFF_IO] = None
    """Scheduled time T of b_eff_io; a valid run needs 15min for each of the numbers of processes
    that it measures with, up to three.  [default: 30s, in a job script what is valid]"""
    quick: Annotated[bool, options.MEASURED] = False
    """Make short runs, to be compared with other quick runs: b_eff in a minute, by definition
    short-1, valid among its own kind; b_eff_io for 30s, never valid."""
    procedure: Annotated[Literal["cold", "original"] | None, options.B_EFF_IO] = None
    """Procedure of b_eff_io: cold drops page caches before the read, original leaves them as
    release 2.1 does.  [default: cold]"""
    max_data: Annotated[options.Size | None, options.B_EFF_IO] = None
    """Most data that b_eff_io writes to disk.  [default: 1GiB, or 128MiB per process if that is
    more; none with --time of 15min or more]"""
    filesystem_note: Annotated[str | None, options.B_EFF_IO] = None
    """Note on the file system for the result of b_eff_io: servers, devices, non-default
    settings."""
    io_peak: Annotated[options.Rate | None, options.B_EFF_IO] = None
    """What the hardware of the file system promises, such as 1.2GB/s, to show the share of it."""
    bisection: Annotated[options.Whole | None, "[=N]", options.MEASURED] = None
    """Also measure what crosses halves of the hosts, with N processes of each host (1 if no number
    is given), by b_pairs."""
    per_host: Annotated[str | None, "LIST", options.MEASURED] = None
    """Also measure what pairs of hosts reach with these numbers of processes each, such as
    1,2,4,all, by b_pairs."""
    engine_options: options.EngineOptions | None = field(default=None, kw_only=False)
    """Options for the one benchmark that --benchmark names, after '--'."""


@dataclass(frozen=True, kw_only=True)
class RunOptions(MeasureOptions, options.LaunchOptions):
    """What the user wrote of `beff run`; nothing is checked yet."""

    processes: Annotated[options.Counts | None, options.NUMBER] = None
    """Numbers of processes to measure.  [default: the physical cores]"""
    numbering: Annotated[_Order | None, options.PROCESSES] = None
    """Ask the launcher to number the processes sequential (fill a node, then the next) or
    round-robin (one process per node in turn), or measure with both.  [default: as the launcher
    does]"""
    stall_limit: Annotated[options.Duration | None, options.PROCESSES] = None
    """End a run that has not recorded anything new for this time, as with a dead link.  [default:
    15min; for b_eff_io 1.5 T if longer; for b_pairs a third of its duration more]"""
    simulate: Annotated[str | None, "NETWORK|FILE.xml", options.NETWORK] = None
    """Measure on a network that SimGrid simulates, described as NAME[:SIZE][,RATE][,TIME] by rate
    and latency of each link, with NAME of flat, two-switch, fat-tree, torus, dragonfly; or by a
    platform file of SimGrid."""
    placement: Annotated[str | None, f"{'|'.join(RULES)}[:N]|FILE", options.NETWORK] = None
    """Fill one simulated host after the other, deal out in turn, or shuffle, with N processes on
    each host, else as few as possible; or a file that names each rank's host.  [default: block]"""
    model: Annotated[Literal["exact", "smpi"] | None, options.NETWORK] = None
    """exact: latency + size / fair share of the bandwidth; smpi: with SimGrid's factors fitted to a
    real cluster.  [default: exact]"""
    expect: Annotated[options.File | None, options.JUDGED] = None
    """Judge the results at the end by this file, as beff check does."""
    report: Annotated[bool, options.WRITTEN] = False
    """Also write the results as one page; the last line of the output names it."""


B_EFF, B_EFF_IO, B_PAIRS = BENCHMARKS
"""In the order in which they are measured."""

SHORT_CLASS = "short-1"
"""The definition of a quick run of b_eff."""

SHORT_TIME = "30s"
_SHORT_BELOW_S = 15 * 60
"""A run of less time is short: bounded so that it suits a laptop-sized machine."""
_SHORT_CHUNK = "8MiB"
_SHORT_DATA_MIB = 1024
_SHORT_DATA_PER_PROCESS_MIB = 128
"""One call of every pattern with chunks of 8 MiB writes up to 110 MiB per process."""
_TOO_SHORT = {"scheduled time", "read from the file system", "measured in full", "schedule"}
"""Criteria that the short default run cannot meet, whatever the machine."""


OF_PROGRAM = {
    B_EFF: (),
    B_EFF_IO: ("path", "time", "procedure", "filesystem_note", "io_peak", "max_data"),
    B_PAIRS: ("bisection", "per_host"),
}
"""Fields of MeasureOptions that only one program knows."""


def words_for(benchmark: str, given: MeasureOptions, files: Path, processes: int) -> list[str]:
    """Return the options of a program for a number of processes, but for its output.

    b_eff_io measures in the folder `files`.
    """
    if benchmark == B_EFF and given.quick:
        return ["--definition", SHORT_CLASS]
    passed_on, usual = list(given.engine_options or ()), dict[str, Any]()
    if given.quick:
        usual["memory_per_process"] = "64MiB"
    if benchmark == B_EFF_IO:
        usual |= {"path": files, "time": given.time or SHORT_TIME}
        if given.time is None or given.time < _SHORT_BELOW_S:
            bound = max(_SHORT_DATA_MIB, _SHORT_DATA_PER_PROCESS_MIB * processes)
            usual["max_data"] = given.max_data or f"{bound}MiB"
            if "--max-chunk" not in dict(by_option(passed_on)):
                passed_on = ["--max-chunk", _SHORT_CHUNK, *passed_on]
    fields = "memory_per_process", *OF_PROGRAM[benchmark]
    words = options.words_of(replace(given, **usual), *fields)
    return [*words, *passed_on]


def accepts(given: RunOptions, result: MeasuredResult) -> bool:
    """Whether a result lets the command end with exit code 0.

    It is valid, or not valid only because it was simulated, or short by our choice, not the user's.
    """
    unmet = {criterion.code for criterion in result.criteria if not criterion.met}
    is_ours = result.benchmark == B_EFF_IO and given.time is None and not given.engine_options
    excused = given.simulate is not None or (is_ours and unmet <= _TOO_SHORT)
    return result.valid or (result.complete and excused)


_STALL_LIMIT_S = 15 * 60.0
"""A loop takes milliseconds, at most seconds; starting many processes may take minutes."""
_ENGINE_HANG_LIMIT_S = 10 * 60.0
"""b_eff_io itself gives up after this time or T; it can name the ranks, so it comes first."""
_STALL_FACTOR = 1.5
_FEWEST_PASSES = 3
"""Of a run of pairs, which may rest between two of them."""


def stall_limit_s(benchmark: str, words: Sequence[str]) -> float:
    """Return how long a run with these options may record nothing, unless the user says it."""
    if benchmark == B_EFF_IO:
        return _STALL_FACTOR * max(_ENGINE_HANG_LIMIT_S, longest_s(words, "--time"))
    return _STALL_LIMIT_S + longest_s(words, "--duration") / _FEWEST_PASSES


def longest_s(words: Sequence[str], name: str, default_s: float = 0.0) -> float:
    """Return the longest duration that options of this name give.

    What is none counts nothing: the program refuses it.
    """
    durations: list[float] = []
    for option, values in by_option(words):
        with suppress(ValueError):
            durations += [parse_duration(value) for value in values[:1] if option == name]
    return max(durations, default=default_s)


def by_option(words: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Return options of a program, each with its values, which may stand behind '='."""
    options: list[tuple[str, list[str]]] = []
    for word in words:
        name, equals, value = word.partition("=")
        if word.startswith("-"):
            options.append((name, [value] if equals else []))
        else:
            options[-1][1].append(word)
    return options


def start_of(
    benchmark: str,
    target: Target,
    folder: Path,
    processes: int,
    words: Sequence[str],
    *,
    numbering: Numbering | None = None,
    stall_limit: float | None = None,
) -> Start:
    """Return the run of a program with these options, whose files go into a folder."""
    order = [] if numbering is None else [numbering.value]
    prefix = folder / "_".join([benchmark, f"{processes}p", *order])
    options = ["--output", str(prefix), "--progress", "never", *words]
    return Start(
        benchmark=benchmark,
        processes=processes,
        title=", ".join([f"{benchmark} with {processes} processes", *order]),
        prefix=prefix,
        command=target.command(processes, options, numbering),
        launcher=target.launcher.path,
        numbering=numbering,
        stall_limit_s=stall_limit or stall_limit_s(benchmark, words),
        starts_at_once=target.starts_at_once,
        pass_on=target.pass_on,
    )
