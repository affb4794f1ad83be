"""What each benchmark's program is started with, and which of its results are accepted.

A quick run (`--quick`) is short, for comparing with others of its kind every week: b_eff by a
definition of its own, which is all that comparisons and lists ask for, the others with a memory per
process that does not depend on the machine.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from beff.cli.common.options import SIZE, Quantity, memory_options
from beff.cli.measuring.options import MeasureOptions
from beff.definition.b_eff_io_plan import default_partitions, shortest_valid_time_s
from beff.launch.campaign import Start
from beff.launch.numbering import Numbering
from beff.launch.target import Target
from beff.result.contract import BENCHMARKS, MeasuredResult
from beff.result.numbers import parse_duration

B_EFF, B_EFF_IO, B_PAIRS = BENCHMARKS
"""In the order in which they are measured."""

_QUICK_MEMORY = SIZE.of("64MiB")
SHORT_CLASS = "short-1"
"""The definition of a quick run of b_eff."""

SHORT_TIME = "30s"
_SHORT_BELOW_S = 15 * 60
"""A run of less time is short: bounded so that it suits a laptop-sized machine."""
_SHORT_CHUNK = "8MiB"
_SHORT_DATA_MIB = 1024
_SHORT_DATA_PER_PROCESS_MIB = 128
"""One call of every pattern with chunks of 8 MiB writes up to 110 MiB per process."""
_TOO_SHORT = frozenset(
    {"scheduled time", "read from the file system", "measured in full", "schedule"}
)
"""Criteria that the short default run cannot meet, whatever the machine."""


def words_for(benchmark: str, given: MeasureOptions, files: Path, processes: int) -> list[str]:
    """Return the options of a program for a number of processes, but for its output.

    b_eff_io measures in the folder `files`.
    """
    if benchmark == B_EFF and given.quick:
        return ["--definition", SHORT_CLASS]
    words = memory_options(_QUICK_MEMORY if given.quick else given.memory_per_process)
    if benchmark == B_EFF_IO:
        words += _io_words(given, files, processes)
    if benchmark == B_PAIRS:
        words += network_words(given)
    return words + (given.engine_options or [])


def _io_words(given: MeasureOptions, files: Path, processes: int) -> list[str]:
    words = ["--path", str(files), "--time", str(given.time or SHORT_TIME)]
    is_short = given.time is None or given.time.value < _SHORT_BELOW_S
    if given.max_data is not None:
        words += ["--max-data", given.max_data.text]
    elif is_short:
        bound = max(_SHORT_DATA_MIB, _SHORT_DATA_PER_PROCESS_MIB * processes)
        words += ["--max-data", f"{bound}MiB"]
    if is_short and "--max-chunk" not in dict(by_option(given.engine_options or [])):
        words += ["--max-chunk", _SHORT_CHUNK]
    if given.procedure is not None:
        words += ["--procedure", given.procedure]
    if given.filesystem_note is not None:
        words += ["--filesystem-note", given.filesystem_note]
    return words


def network_words(given: MeasureOptions) -> list[str]:
    """Return the options of b_pairs for the network as a whole."""
    per_host = [] if given.per_host is None else ["--per-host", given.per_host]
    number = "" if given.bisection in {None, 1} else f"={given.bisection}"
    return [f"--bisection{number}"] * (given.bisection is not None) + per_host


def accepts(given: MeasureOptions, result: MeasuredResult) -> bool:
    """Whether a result lets the command end with exit code 0.

    It is valid, or not valid only because the run was short by our choice, not the user's.
    """
    excused: frozenset[str] = frozenset()
    if result.benchmark == B_EFF_IO and given.time is None and not given.engine_options:
        excused = _TOO_SHORT
    unmet = {criterion.code for criterion in result.criteria if not criterion.met}
    return result.valid or (bool(excused) and result.complete and unmet <= excused)


_STALL_LIMIT_S = 15 * 60.0
"""A loop takes milliseconds, at most seconds; starting many processes may take minutes."""
_ENGINE_HANG_LIMIT_S = 10 * 60.0
"""b_eff_io itself gives up after this time or T; it can name the ranks, so it comes first."""
_STALL_FACTOR = 1.5
_FEWEST_PASSES = 3
"""Of a run of pairs, which may rest between two of them."""


def stall_limit_s(benchmark: str, words: Sequence[str], given: Quantity | None = None) -> float:
    """Return how long a run with these options may record nothing; `given` is the user's choice."""
    if given is not None and given.value:
        return given.value
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
    found: list[tuple[str, list[str]]] = []
    for word in words:
        name, equals, value = word.partition("=")
        if word.startswith("-"):
            found.append((name, [value] if equals else []))
        else:
            found[-1][1].append(word)
    return found


def start_of(
    benchmark: str,
    target: Target,
    folder: Path,
    processes: int,
    words: Sequence[str],
    *,
    numbering: Numbering | None = None,
    stall_limit: Quantity | None = None,
) -> Start:
    """Return the run of a program with these options, whose files go into a folder."""
    order = "" if numbering is None else numbering.value
    prefix = folder / f"{benchmark}_{processes}p{order and f'_{order}'}"
    options = ["--output", str(prefix), "--progress", "never", *words]
    return Start(
        benchmark=benchmark,
        processes=processes,
        title=f"{benchmark} with {processes} processes{order and f', {order}'}",
        prefix=prefix,
        command=target.command(processes, options, numbering),
        launcher=target.launcher.path,
        numbering=numbering,
        stall_limit_s=stall_limit_s(benchmark, words, stall_limit),
        starts_at_once=target.starts_at_once,
        pass_on=target.pass_on,
    )


def valid_time_s(processes: int, options: Mapping[str, Sequence[str]]) -> int:
    """T that a run of b_eff_io with these options of the program needs to be valid."""
    given = options.get("--partitions")
    sizes = default_partitions(processes) if given is None else given[0].split(",")
    return shortest_valid_time_s(options.get("--release", ["1"])[0], len(sizes))
