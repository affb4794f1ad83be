"""What is kept of a machine: its repetitions, the series that they make, and their days.

A history holds, below the name of a cluster, `runs/<time>/<repetition>/` with the result files of
each call, and `maps` as `beff nodes --fleet` takes it. A call that begins a series anew has a file
of that name.
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from beff.judge.conditions import Use, key_of, unusable
from beff.judge.series import FIGURES, Day
from beff.judge.series import days_of as sessions_as_days
from beff.launch.allocation import find_allocation
from beff.launch.campaign import ENDINGS
from beff.result.errors import BeffError, ResultError
from beff.result.host_list import expand_host_list, fold_host_list
from beff.result.load import Document, load_document
from beff.result.plain_text import clean_text
from beff.result.result_files import files_of
from beff.result.strict_json import GZIP_SUFFIX
from beff.result.write import write_atomically
from beff.verify.analysis import others_had

ANEW = "anew"
_MOST_CALLS = 100
"""The newest ones: enough for as many days as others are compared with."""
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

    `alike` has what all of a series have in common, by name and as it is said, `others` what may
    change in it. Where the call began a series `anew`, none before it counts.
    """

    file: str
    benchmark: str
    start_s: float
    alike: Mapping[str, str]
    figures: Mapping[str, float]
    hosts: str
    others: Mapping[str, str]
    load: float | None = None
    """What other programs had of the cores, as a share; None of a quiet run."""
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
    return Repetition(
        *(file, benchmark, document.started_at.timestamp(), key_of(document), figures),
        *(result.environment.host_list, key_of(document, Use.REMARK), others_had(document)),
    )


def keep(document: Document, call: Path, *, anew: bool) -> Repetition:
    """Pack a result that has just been measured. Raises BeffError."""
    plain = Path(document.source)
    packed = plain.with_name(plain.name + GZIP_SUFFIX)
    repetition = repetition_of(document, str(packed.relative_to(call)))
    write_atomically(packed, plain.read_text(encoding="utf-8"), overwrite=True)
    if anew:
        write_atomically(call / ANEW, "", overwrite=True)
    with suppress(OSError):
        for ending in ENDINGS:
            plain.with_name(plain.stem + ending).unlink(missing_ok=True)
    return replace(repetition, anew=anew, folder=str(call))


def kept_in(runs: Path, left_out: Callable[[ResultError], object]) -> list[Repetition]:
    """Return the quiet repetitions of the newest calls of a cluster, the oldest first."""
    calls = sorted(place for place in runs.iterdir() if place.is_dir())
    found = []
    for call in calls[-_MOST_CALLS:]:
        try:
            files = {str(file.relative_to(call)): file for file in files_of(call)}
        except ResultError as problem:
            left_out(problem)
            continue
        for name, file in files.items():
            if name + GZIP_SUFFIX in files:
                continue
            try:
                one = repetition_of(load_document(file), name)
            except ResultError as problem:
                left_out(problem)
                continue
            if one.load is None:
                found.append(replace(one, anew=(call / ANEW).exists(), folder=str(call)))
    return sorted(found, key=lambda one: one.start_s)


def series_with(
    newest: Repetition, kept: Iterable[Repetition]
) -> tuple[list[Repetition], tuple[str, ...], tuple[str, ...]]:
    """Return the repetitions of the series of the newest one, why it is another, and what changed.

    A series begins where the last repetition of as many hosts and processes differs in a condition.
    What changed within the series since the last call may be why it is slower.
    """
    of_size = [one for one in kept if _size(one) == _size(newest)]
    series = [one for one in of_size if one.alike == newest.alike]
    anew = max((one for one in series if one.anew), key=lambda one: one.start_s, default=None)
    if anew is not None:
        begun = min(one.start_s for one in series if one.folder == anew.folder)
        series = [one for one in series if one.start_s >= begun]
    earlier = [one for one in series if one.folder != newest.folder]
    if earlier:
        last = max(earlier, key=lambda one: one.start_s)
        return series, (), _differences(last.others, newest.others, _MAY_CHANGE)
    others = [one for one in of_size if one.alike != newest.alike]
    last = max(others, key=lambda one: one.start_s, default=newest)
    return series, _differences(last.alike, newest.alike, {*last.alike, *newest.alike}), ()


_MAY_CHANGE = ("program", "MPI library", "kernel")
"""Updates of these are what a day is compared for."""


def _differences(
    last: Mapping[str, str], newest: Mapping[str, str], names: Collection[str]
) -> tuple[str, ...]:
    def short(text: str | None) -> str:
        return clean_text(text or "none", _LONGEST)

    return tuple(
        f"{name}: {short(last.get(name))} before, {short(newest.get(name))} now"
        for name in sorted(names)
        if last.get(name) != newest.get(name)
    )


def _size(one: Repetition) -> tuple[str, ...]:
    return (one.benchmark, *(one.alike.get(name, "") for name in ("nodes", "processes")))


def days_of(series: Sequence[Repetition]) -> list[Day]:
    """Return the days of a series in order of time: sessions, as everywhere."""
    figures = [
        {one: run.figures[one.name] for one in FIGURES[run.benchmark] if one.name in run.figures}
        for run in series
    ]
    days = []
    for day, runs in sessions_as_days([one.start_s for one in series], figures):
        own = [series[run] for run in runs]
        names = sorted({name for one in own for name in expand_host_list(one.hosts)})
        days.append(replace(day, hosts=fold_host_list(names), folder=own[-1].folder))
    return days
