"""The command of a valid run of b_eff_io, where the one that was made is too short."""

import shlex
from collections.abc import Iterable

from beff.analysis.b_eff_io.schedule import default_partitions, shortest_valid_time_s
from beff.cli.run_benchmarks import B_EFF_IO, IoWanted

_KEPT = (
    *("procedure", "filesystem_note", "numbering", "memory_per_process", "engine", "launcher"),
    *("mpi", "stall_limit", "expect", "report"),
)
"""Fields of RunOptions that a longer run takes over."""
_LEFT_OUT = frozenset(
    {"--max-segment", "--pointer", "--rewrite", "--time-limit", "--types", "--verify"}
)
"""Options behind '--' that make a run not valid; their defaults do not."""


def valid_run(wanted: IoWanted, counts: list[int]) -> str | None:
    """Return the command of a valid run where this one, measured, is too short, else None.

    It keeps what was given, but for what bounds the run.
    """
    passed_on = _by_option(wanted.given.engine_options or [])
    needed_s = max(_needed_s(dict(passed_on), count) for count in counts)
    if wanted.time_s is not None and wanted.time_s >= needed_s:
        return None
    words = ["beff", "run", "--benchmark", B_EFF_IO.name, "-n", ",".join(map(str, counts))]
    words += ["--path", str(wanted.files_below), "--time", f"{needed_s // 60}min"]
    for name in _KEPT:
        value = getattr(wanted.given, name)
        if value is not None and value is not False:
            words.append(f"--{name.replace('_', '-')}")
            words += [] if value is True else [str(value)]
    kept = [option for option in passed_on if option[0] not in _LEFT_OUT]
    if kept:
        words += ["--", *(word for name, values in kept for word in (name, *values))]
    return shlex.join(words)


def _by_option(words: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Return options behind '--', each with its values, which may stand behind '='."""
    found: list[tuple[str, list[str]]] = []
    for word in words:
        name, equals, value = word.partition("=")
        if word.startswith("-"):
            found.append((name, [value] if equals else []))
        else:
            found[-1][1].append(word)
    return found


def _needed_s(options: dict[str, list[str]], processes: int) -> int:
    """T that a run with these options of the program needs."""
    release = options.get("--release", ["1"])[0]
    given = options.get("--partitions")
    sizes = default_partitions(processes) if given is None else given[0].split(",")
    return shortest_valid_time_s(release, len(sizes))
