"""What is kept of a machine: its repetitions, the series that they make, and their days.

A history holds, below the name of a cluster, `runs/<time>/<repetition>/` with the result files of
each call, and `maps` as `beff nodes --fleet` takes it. A call that begins a series anew has a file
of that name.
"""

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

from beff.judge.change import MEASURED_FROM, Word, gain_of, own_half_width, part_of_look
from beff.judge.conditions import unusable
from beff.judge.runs import Run, run_of
from beff.judge.series import FIGURES, Day, JudgedDay, Standing
from beff.judge.series import days_of as sessions_as_days
from beff.launch.allocation import find_allocation
from beff.launch.campaign import ENDINGS
from beff.result.armour import clean_text
from beff.result.errors import BeffError, ResultError
from beff.result.host_list import expand_host_list, fold_host_list
from beff.result.load import Document, LeftOut, files_of, load_document
from beff.result.places import GZIP_SUFFIX, write_atomically

ANEW = "anew"
_MOST_CALLS = 100
"""The newest ones: enough for as many days as others are compared with."""
_LONGEST = 40
"""Open MPI's name of itself fills a line."""


def history_folder(chosen: Path | None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder that was chosen, else $BEFF_HISTORY, else one of the user's data."""
    if folder := chosen or environ.get("BEFF_HISTORY"):
        return Path(folder)
    with suppress(RuntimeError):
        return Path(environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "beff/history"
    raise BeffError("there is no home folder for the history; name a folder by --history")


def cluster_name(environ: Mapping[str, str] = os.environ, nodename: str | None = None) -> str:
    """Return the launcher's name of the cluster, else that of this host, fit for a folder.

    In a job without one it is the name of its first host without the number.
    """
    if not (name := environ.get("SLURM_CLUSTER_NAME", "")):
        name = (os.uname().nodename if nodename is None else nodename).partition(".")[0]
        if find_allocation(environ) is not None:
            name = name.rstrip("0123456789").rstrip("-_") or name
    return re.sub(r"[^\w.-]", "_", name).lstrip(".") or "machine"


def repetition_of(document: Document) -> Run:
    """Return a result as it is kept. Raises ResultError for one that is of no use."""
    for sentence in unusable([document]):
        raise ResultError(sentence)
    if not (run := run_of(document)).value:
        raise ResultError("has no value of a run", document.source)
    return run


def keep(document: Document, call: Path, *, anew: bool) -> Run:
    """Pack a result that has just been measured. Raises BeffError."""
    plain, repetition = Path(document.source), repetition_of(document)
    packed = plain.with_name(plain.name + GZIP_SUFFIX)
    write_atomically(packed, plain.read_text(encoding="utf-8"), overwrite=True)
    if anew:
        write_atomically(call / ANEW, "", overwrite=True)
    with suppress(OSError):
        for ending in ENDINGS:
            plain.with_name(plain.stem + ending).unlink(missing_ok=True)
    return replace(repetition, source=str(packed), anew=anew, folder=str(call))


def kept_in(runs: Path, left_out: LeftOut) -> list[Run]:
    """Return the quiet repetitions of the newest calls of a cluster, the oldest first."""
    calls = sorted(place for place in runs.iterdir() if place.is_dir())[-_MOST_CALLS:]
    kept: dict[str, Run] = {}
    for file in files_of(runs, left_out):
        call = runs / file.relative_to(runs).parts[0]
        if call in calls:
            try:
                run = repetition_of(load_document(file))
            except ResultError as problem:
                left_out(problem)
                continue
            # a packed one stands behind the plain one that a killed call left beside it
            anew = (call / ANEW).exists()
            kept[run.source.removesuffix(GZIP_SUFFIX)] = replace(run, anew=anew, folder=str(call))
    return sorted((run for run in kept.values() if run.load is None), key=lambda run: run.when)


def series_with(
    newest: Run, kept: Iterable[Run]
) -> tuple[list[Run], tuple[str, ...], tuple[str, ...]]:
    """Return the repetitions of the series of the newest one, why it is another, and what changed.

    A series begins where the last repetition of as many hosts and processes differs in a condition.
    What changed within the series since the last call may be why it is slower.
    """
    of_size = [one for one in kept if _size(one) == _size(newest)]
    series = [one for one in of_size if one.alike == newest.alike]
    if anew := max((one for one in series if one.anew), key=_when, default=None):
        begun = min(one.when for one in series if one.folder == anew.folder)
        series = [one for one in series if one.when >= begun]
    if last := max((one for one in series if one.folder != newest.folder), key=_when, default=None):
        return series, (), _differences(last.others, newest.others, _MAY_CHANGE)
    other = max((one for one in of_size if one.alike != newest.alike), key=_when, default=newest)
    return series, _differences(other.alike, newest.alike, {*other.alike, *newest.alike}), ()


_when = attrgetter("when")


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


def _size(run: Run) -> tuple[str, ...]:
    return (run.benchmark, *(run.alike.get(name, "") for name in ("nodes", "processes")))


def days_of(series: Sequence[Run]) -> list[Day]:
    """Return the days of a series in order of time: sessions, as everywhere."""
    runs = [(one.when.timestamp(), one.figures) for one in series]
    days = []
    for day in sessions_as_days(runs, FIGURES[series[0].benchmark]):
        of_day = [series[run] for run in day.runs]
        names = sorted({name for run in of_day for name in expand_host_list(run.hosts)})
        days.append(replace(day, hosts=fold_host_list(names), folder=of_day[-1].folder))
    return days


# --- how many repetitions a day gets ---

FEWEST = 3
"""Repetitions before the first look: of two, it is unknown which one is far off."""
SMALL_GAIN = 0.05
"""Less than this part of its variance, and more repetitions do not tell more of a day."""
LEVEL_WITHIN, MOST_FIRST = 0.0125, 5
"""The level of a first day is known well enough, as a share; the first of all has no more runs."""


def planned(within_s: float, took_s: float) -> int:
    """Return how many repetitions fit into a time, by what the first one took; at least one."""
    return max(int(within_s / took_s), 1) if took_s > 0 else 1


def judged_so_far(standing: Standing, day: Day, left: int, looks: int) -> tuple[JudgedDay, bool]:
    """Judge a day by the repetitions so far; return whether these are enough.

    `left` more can be made; at most so many `looks` are taken. Whether more repetitions would tell
    more does not depend on what the day is like, so the last look may be taken where they do not.
    """
    last = part_of_look(looks, is_last=True)
    if left <= 0:
        return standing.judged(day, part=last), True
    judged = standing.judged(day, part=part_of_look(looks, is_last=False))
    repetitions = len(next(iter(day.logs.values())))
    if repetitions < FEWEST:
        return judged, False
    if len(standing.kept) <= MEASURED_FROM:
        logs = day.logs.get(next(iter(standing.errors)).name, ())
        is_known = own_half_width(logs) <= LEVEL_WITHIN
        is_known |= not standing.kept and repetitions >= MOST_FIRST
        return judged, is_known or judged.word is Word.SLOWER
    if judged.word is not Word.OPEN:
        return judged, True
    if gain_of(judged.figures[0].change, repetitions, repetitions + left) < SMALL_GAIN:
        return standing.judged(day, part=last), True
    return judged, False
