"""Short runs of a day, one after the other, each of which is kept as it ends."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from beff.cli.common import exit_codes
from beff.cli.common.files import make_folder, name_left_out
from beff.cli.common.live import showing
from beff.cli.common.say import warn
from beff.cli.measuring.benchmarks import B_EFF, B_PAIRS, start_of, words_for
from beff.cli.measuring.options import RunOptions
from beff.cli.measuring.outcome import document_of, exit_code_of
from beff.cli.measuring.request import FEWEST_HOSTS
from beff.definition.verify import require_verified
from beff.judge.series import JudgedDay, first_day, standing_after
from beff.launch.campaign import Left, made
from beff.launch.target import Target
from beff.result.errors import BeffError, ResultError
from beff.result.load import Document, as_b_eff
from beff.result.numbers import format_duration, percent
from beff.today.kept import Repetition, days_of, keep, kept_in, series_with
from beff.today.plan import looked, planned
from beff.verify.common.wires import DISTURBS, most_load

_ONCE = ("--repetitions", "1")
"""Of b_eff: a day alternates runs that are as short as they can be."""


@dataclass(frozen=True)
class Place:
    """What measures, with how many processes, files in which folder, and where all is kept.

    `call` is a new folder in `runs`; `pairs` finds the program of maps, which go into `maps`.
    """

    targets: dict[str, Target]
    pairs: Callable[[], Target]
    processes: int
    files: Path | None
    runs: Path
    call: Path
    maps: Path


@dataclass
class Found:
    """What a day is by each benchmark, its results, its map, and the codes of what went wrong.

    Of runs that were `disturbed`, which count as none, it has what others had of the cores.
    `another` says why it begins another series, `changed` what is other than on the day before,
    `why` why there is no day.
    """

    days: dict[str, JudgedDay] = field(default_factory=dict)
    repetitions: list[Repetition] = field(default_factory=list)
    disturbed: list[float] = field(default_factory=list)
    another: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    why: str = ""
    map: Document | None = None
    codes: list[int] = field(default_factory=list)


def measure_day(place: Place, within_s: float, limit: float, *, anew: bool) -> Found:
    """Measure until it is enough, at most for a time, or until something went wrong.

    A loss that matters is a share beyond `limit`.
    """
    found, kept = Found(), kept_in(place.runs, name_left_out)
    days: dict[str, _Series] = {}
    began, aside_s, most = time.monotonic(), 0.0, 0
    for number in count(1):
        for benchmark in place.targets:
            title = f"today: run {number}, at most {format_duration(within_s)}"
            document = _made(place, benchmark, place.call / str(number), title, found.codes)
            repetition = None if document is None else _kept(document, place, found, anew)
            if document is None or repetition is None:
                return found
            if benchmark == B_EFF and number == 1:
                aside = time.monotonic()
                found.map = _map(place, document, found.codes)
                aside_s = time.monotonic() - aside
            if repetition.load is not None:
                found.disturbed.append(repetition.load)
                continue
            found.repetitions.append(repetition)
            if benchmark not in days:
                series, another, changed = series_with(repetition, [*kept, repetition])
                found.another += another
                found.changed += changed
                days[benchmark] = _Series(benchmark, series, limit)
            else:
                days[benchmark].add(repetition)
        elapsed_s = time.monotonic() - began
        took_s = (elapsed_s - aside_s) / number
        most = most or planned(within_s - aside_s, took_s)
        left = 0 if elapsed_s + took_s > within_s else most - number
        looks = {name: looked(one.standing, one.day, left, most) for name, one in days.items()}
        found.days = {name: judged for name, (judged, _) in looks.items()}
        is_enough = all(is_enough for _, is_enough in looks.values())
        if left <= 0 or (is_enough and len(days) == len(place.targets)):
            break
    return found


class _Series:
    """A series as it was before today, and today."""

    def __init__(self, benchmark: str, series: list[Repetition], limit: float) -> None:
        *before, self.day = days_of(series)
        self._own = [one for one in series if one.start_s >= self.day.start_s]
        self.standing = standing_after(first_day(benchmark, limit), before)

    def add(self, repetition: Repetition) -> None:
        """Let it be one of today."""
        self._own.append(repetition)
        (self.day,) = days_of(self._own)


def _made(
    place: Place, benchmark: str, folder: Path, title: str, codes: list[int]
) -> Document | None:
    """Make a short run; None where it failed or was stopped, which is said."""
    words = words_for(benchmark, RunOptions(quick=True), place.files or folder, place.processes)
    words += _ONCE if benchmark == B_EFF else ()
    left, code = _run(place, place.targets[benchmark], benchmark, folder, words, title=title)
    if code == exit_codes.OK:
        return left.document
    codes.append(code)
    return None


def _map(place: Place, document: Document, codes: list[int]) -> Document | None:
    """Make a map of four hosts or more, also of one that was cut off; a day goes on without one."""
    if as_b_eff(document).environment.nodes < FEWEST_HOSTS:
        return None
    try:
        folder, title = place.maps / place.call.name, "today: map of the hosts"
        left, code = _run(place, place.pairs(), B_PAIRS, folder, [], title=title)
    except BeffError as problem:
        warn(f"beff: {problem}; there is no map of the hosts")
        codes.append(exit_codes.FAILED)
        return None
    codes.append(code)
    return document_of(left)


def _run(
    place: Place, target: Target, benchmark: str, folder: Path, words: list[str], *, title: str
) -> tuple[Left, int]:
    make_folder(folder, option="--history")
    start = start_of(benchmark, target, folder, place.processes, words)
    left = made(start, lambda _: showing(title))
    return left, exit_code_of(left, lambda _: True)


def _kept(document: Document, place: Place, found: Found, anew: bool) -> Repetition | None:
    """Keep a result; None of one that is of no use, which is said."""
    try:
        require_verified(document)
        return keep(document, place.call, anew=anew)
    except ResultError as problem:
        warn(f"beff: {problem}")
    if document.result.complete:
        found.codes.append(exit_codes.FAILED)
    else:
        found.codes.append(exit_codes.NOT_VALID)
        found.why = "a run did not measure everything in its time"
        load = most_load(document.result) or 0.0
        if load > DISTURBS:
            found.why += f"; other work takes {percent(load)} of the cores"
    return None
