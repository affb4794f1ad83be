"""What is kept of a machine: its repetitions, the series that they make, and their days.

A history holds, below the name of a cluster, `runs/<time>/<repetition>/` with the result files of
each call, and `maps` as `beff nodes --fleet` takes it. A result is the truth; what the days need of
it stands in a line of `runs/<time>/kept.jsonl`, and is read of the result again where it is not.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

from beff.judge.conditions import CONDITIONS, UNKNOWN, Use, conditions_of, unusable
from beff.judge.series import FIGURES, Day
from beff.judge.series import days_of as sessions_as_days
from beff.launch.allocation import find_allocation
from beff.launch.campaign import ENDINGS
from beff.result.errors import BeffError, ResultError
from beff.result.host_list import expand_host_list, fold_host_list
from beff.result.load import Document, load_document
from beff.result.plain_text import clean_text
from beff.result.result_files import files_of
from beff.result.strict_json import GZIP_SUFFIX, json_object
from beff.result.write import write_atomically
from beff.verify.common.wires import most_load

LINES = "kept.jsonl"
_ALIKE = ("program", "MPI library")
"""Conditions that need not be alike where results are compared, but in a series."""
_LONGEST = 40
"""Open MPI's name of itself fills a line."""


def history_folder(chosen: Path | None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder that was chosen, else $BEFF_HISTORY, else one of the user's data."""
    if chosen is not None:
        return chosen
    if environ.get("BEFF_HISTORY"):
        return Path(environ["BEFF_HISTORY"])
    with suppress(RuntimeError):
        return Path(environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "beff/history"
    raise BeffError("there is no home folder for the history; name a folder by --history")


def cluster_name(environ: Mapping[str, str] = os.environ, nodename: str | None = None) -> str:
    """Return the launcher's name of the cluster, else that of this host, fit for a folder.

    In a job without one it is the name of its first host without the number.
    """
    name = environ.get("SLURM_CLUSTER_NAME", "")
    if not name:
        name = (os.uname().nodename if nodename is None else nodename).partition(".")[0]
        if find_allocation(environ) is not None:
            name = name.rstrip("0123456789").rstrip("-_") or name
    return re.sub(r"[^\w.-]", "_", name).lstrip(".") or "machine"


@dataclass(frozen=True)
class Repetition:
    """A result that is kept, in the folder of its call; `file` is its place within.

    `alike` has what all of a series have in common, by name and as it is said. Where the call began
    a series `anew`, none before it counts.
    """

    file: str
    benchmark: str
    start_s: float
    alike: Mapping[str, str]
    figures: Mapping[str, float]
    hosts: str
    load: float | None = None
    anew: bool = False
    folder: str = ""


def repetition_of(document: Document, file: str) -> Repetition:
    """Return what days need of a result. Raises ResultError for one that is of no use."""
    for sentence in unusable([document]):
        raise ResultError(sentence)
    result, benchmark = document.result, document.benchmark
    figures = {
        one.name: value
        for one in FIGURES.get(benchmark, ())
        if (value := getattr(result.summary, one.field)) is not None and value > 0
    }
    shown = FIGURES[benchmark][0].name if benchmark in FIGURES else ""
    if document.is_imported or shown not in figures:
        raise ResultError("has no value of a run", document.source)
    needed = [
        *conditions_of(benchmark, Use.SAME | Use.HISTORY | Use.MACHINE),
        *(one for one in CONDITIONS if one.name in _ALIKE),
    ]
    found = ((one, one.found(result)) for one in needed)
    alike = {
        one.name: one.show(value)
        for one, value in found
        if value is not UNKNOWN and value is not None  # None is an option that was not given
    }
    return Repetition(
        *(file, benchmark, document.started_at.timestamp(), alike, figures),
        *(result.environment.host_list, most_load(result)),
    )


def keep(document: Document, call: Path, *, anew: bool) -> Repetition:
    """Pack a result that has just been measured, and write its line. Raises BeffError."""
    plain = Path(document.source)
    packed = plain.with_name(plain.name + GZIP_SUFFIX)
    repetition = replace(repetition_of(document, str(packed.relative_to(call))), anew=anew)
    write_atomically(packed, plain.read_text(encoding="utf-8"), overwrite=True)
    _add_line(call, repetition)
    with suppress(OSError):
        for ending in ENDINGS:
            plain.with_name(plain.stem + ending).unlink(missing_ok=True)
    return replace(repetition, folder=str(call))


def _add_line(call: Path, repetition: Repetition) -> None:
    """Add a line; where that fails, the result says the same."""
    fields = {name: value for name, value in asdict(repetition).items() if name != "folder"}
    with suppress(OSError), (call / LINES).open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(fields) + "\n")


def kept_in(runs: Path, left_out: Callable[[ResultError], object]) -> list[Repetition]:
    """Return all repetitions of a cluster, the oldest first."""
    calls = sorted(place for place in runs.iterdir() if place.is_dir())
    found = (one for call in calls for one in _of_call(call, left_out))
    return sorted(found, key=lambda one: one.start_s)


def _of_call(call: Path, left_out: Callable[[ResultError], object]) -> Iterator[Repetition]:
    try:
        files = {str(file.relative_to(call)): file for file in files_of(call)}
    except ResultError as problem:
        left_out(problem)
        return
    known = {one.file: one for one in _lines(call)}
    for name, file in files.items():
        if name + GZIP_SUFFIX in files:
            continue
        if name in known:
            yield replace(known[name], folder=str(call))
            continue
        try:
            repetition = repetition_of(load_document(file), name)
        except ResultError as problem:
            left_out(problem)
            continue
        _add_line(call, repetition)
        yield replace(repetition, folder=str(call))


def _lines(call: Path) -> Iterator[Repetition]:
    """Yield what the lines hold; one that was cut off is read of its result again."""
    place = call / LINES
    with suppress(OSError, UnicodeDecodeError):
        for line in place.read_text(encoding="utf-8").splitlines():
            with suppress(ResultError, TypeError):
                yield Repetition(**json_object(str(place), line))


def series_with(
    newest: Repetition, kept: Iterable[Repetition]
) -> tuple[list[Repetition], tuple[str, ...]]:
    """Return the repetitions of the series of the newest one, and why no longer one goes on.

    A sentence for each condition in which the last one of as many hosts and processes differs.
    """
    of_size = [one for one in kept if _size(one) == _size(newest)]
    series = [one for one in of_size if one.alike == newest.alike]
    anew = max((one for one in series if one.anew), key=lambda one: one.start_s, default=None)
    if anew is not None:
        begun = min(one.start_s for one in series if one.folder == anew.folder)
        series = [one for one in series if one.start_s >= begun]
    others = [one for one in of_size if one.alike != newest.alike]
    last = max(others, key=lambda one: one.start_s, default=None)
    if last is None or any(one.folder != newest.folder for one in series):
        return series, ()
    return series, tuple(
        f"{name}: {_short(last.alike.get(name))} before, {_short(newest.alike.get(name))} now"
        for name in dict.fromkeys([*last.alike, *newest.alike])
        if last.alike.get(name) != newest.alike.get(name)
    )


def _short(said: str | None) -> str:
    return clean_text(said or "none", _LONGEST)


def _size(one: Repetition) -> tuple[str, ...]:
    return (one.benchmark, *(one.alike.get(name, "") for name in ("nodes", "processes")))


def days_of(series: Sequence[Repetition]) -> list[Day]:
    """Return the days of a series in order of time: sessions, as everywhere."""
    figures = [
        {one: run.figures[one.name] for one in FIGURES[run.benchmark] if one.name in run.figures}
        for run in series
    ]
    days = sessions_as_days([one.start_s for one in series], figures)
    return [_told(day, [series[run] for run in runs]) for day, runs in days]


def _told(day: Day, repetitions: Sequence[Repetition]) -> Day:
    loads = [one.load for one in repetitions if one.load is not None]
    names = {name for one in repetitions for name in expand_host_list(one.hosts)}
    return replace(
        day,
        load=median(loads) if loads else None,
        hosts=fold_host_list(sorted(names)),
        folder=repetitions[-1].folder,
    )
