"""The days of a series in order of time: to which of them one is compared, and since when slower.

`beff today`, `check`, `compare`, `show --history` and what stands beside a result all ask here.
Whether a day is slower follows from the days before it, so all is found by going through them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import log1p
from statistics import fmean, median

from beff.judge.benchmarks import ASSUMED_NOISE, VALUES, Quantity
from beff.judge.change import (
    ERROR,
    MEASURED_FROM,
    THRESHOLD,
    JudgedFigure,
    Logs,
    Word,
    change_by_days,
    judged_figure,
    level,
    sessions_of,
)

MOST_DAYS = 60
"""The newest ones; a machine that was replaced long ago says nothing."""
SINCE = 3
"""So many days of a stretch may be a step: the machine has become slower, or faster."""
SURE = 2
"""So many of them must surely differ: one in a hundred does so by chance."""
ASSUMED = ASSUMED_NOISE["b_eff"]
"""What days of any other figure are believed to differ by, where too few show it."""


OF_VALUE = 0.95
"""The part of ERROR that the value of a benchmark has; its other figures share the rest."""
VALUE_OF = {
    "b_eff": Quantity(VALUES, "b_eff", "MB/s", field="b_eff_MBps"),
    "b_eff_io": Quantity(VALUES, "files", "MB/s", field="b_eff_io_MBps"),
}
LATENCY = Quantity(VALUES, "latency", "us", more_is_better=False, field="latency_us")
FIGURES: Mapping[str, Mapping[Quantity, float]] = {
    "b_eff": {VALUE_OF["b_eff"]: OF_VALUE * ERROR, LATENCY: (1 - OF_VALUE) / 25 * ERROR},
    "b_eff_io": {VALUE_OF["b_eff_io"]: OF_VALUE * ERROR},
}
"""Of those that decide with their parts of ERROR, what is kept of each day: 2 of 26 for b_eff."""
Runs = Sequence[tuple[float, Mapping[Quantity, float]]]
"""When each run started, in seconds, and its positive figures."""


@dataclass(frozen=True)
class Day:
    """Repetitions of a session: the logarithms of each figure, of which more is better.

    `runs` are their places among all runs, `folder` is that of the last call.
    """

    start_s: float
    logs: Mapping[str, Logs]
    runs: tuple[int, ...] = ()
    hosts: str = ""
    folder: str = ""


@dataclass(frozen=True)
class JudgedDay:
    """The verdict on a day compared with the days before; `since` is when it became slower.

    `by_runs` says that runs of the same days were compared with each other.
    """

    day: Day
    before: tuple[Day, ...] = ()
    figures: tuple[JudgedFigure, ...] = ()
    since: float | None = None
    by_runs: bool = False

    @property
    def word(self) -> Word | None:
        """The worst of all figures, None of a first day.

        Whether it is open, the first one says, and any other with a loss that is likely.
        """
        words: set[Word] = {one.word for one in self.figures[:1]}
        words |= {one.word for one in self.figures if one.word is not Word.OPEN or one.is_likely}
        return min(words, key=list(Word).index, default=None)

    def change_of(self, name: str) -> float | None:
        """Return the change of a figure, as a logarithm; None where it was not judged."""
        return next((one.change.estimate for one in self.figures if one.figure.name == name), None)

    @property
    def worst(self) -> JudgedFigure:
        """The first figure by which the day is slower, or open, else the first one."""
        first, *others = self.figures
        if first.word is not self.word and self.word in {Word.SLOWER, Word.OPEN}:
            others = [one for one in others if one.word is self.word and one.is_likely]
            return next(iter(others), first)
        return first


@dataclass
class Stretch:
    """Days since one beyond the limit; `until` is the day that ended it.

    `changes` are those of the figure that differs. It is a step from SINCE days on, of which SURE
    are surely slower, or faster.
    """

    word: Word
    figure: str
    days: list[Day] = field(default_factory=list)
    changes: list[float] = field(default_factory=list)
    sure: int = 0
    is_step: bool = False
    until: Day | None = None

    def holds(self, judged: JudgedDay) -> bool:
        """Whether a day is nearer to the days of the stretch than to those before."""
        level, change = fmean(self.changes), judged.change_of(self.figure)
        return change is not None and abs(change - level) < abs(change)


@dataclass
class Standing:
    """A series up to a day: the days before it, split at steps, and a stretch that may be one.

    `errors` are the parts of ERROR of each figure that is judged, the value first. Days of a
    stretch are no part of the days before. One that ends before it is a step was chance, and is. A
    step to slower is left out for good; one to faster is a part of its own, with which days are
    compared then.
    `assumed` is what days are believed to differ by, at least, where too few show it.
    """

    errors: Mapping[Quantity, float]
    assumed: float = ASSUMED
    limit: float = THRESHOLD
    parts: list[list[Day]] = field(default_factory=list)
    stretch: Stretch | None = None
    steps: list[Stretch] = field(default_factory=list)

    @property
    def kept(self) -> list[Day]:
        """All days that others are compared with."""
        return [day for part in self.parts for day in part]

    def judged(
        self, *today: Day, part: float = 1.0, others: Sequence[Sequence[Day]] = ()
    ) -> JudgedDay:
        """Judge a day, or several as one, without adding it to the series.

        It is tested with a `part` of the errors. Parts of `others`, between steps, show how much
        days differ, too.
        """
        if not self.parts:
            return JudgedDay(today[0])
        figures = []
        for figure, error in self.errors.items():
            (now,), (*parts, last), known = (
                [[logs for day in part if (logs := day.logs.get(figure.name))] for part in of]
                for of in ([today], self.parts, others)
            )
            if not now or not last:
                continue
            before = [*filter(None, parts), last]
            change = change_by_days(before, now, self.assumed, [*filter(None, known)])
            judged = judged_figure(figure, change, error, self.limit, part)
            # one quick repetition shows that the machine still can
            quickest = fmean([max(day) for day in now])
            if judged.word is Word.SLOWER and quickest >= change.a and min(map(len, now)) > 1:
                judged = replace(judged, word=Word.OPEN)
            figures.append(judged)
        day = JudgedDay(today[0], tuple(self.parts[-1]), tuple(figures))
        if day.word is not Word.SLOWER:
            return day
        stretch = self.stretch
        begun = stretch.days[0] if stretch and stretch.word is Word.SLOWER else today[0]
        return replace(day, since=begun.start_s)

    def add(self, judged: JudgedDay) -> None:
        """Let a day be one of those before."""
        stretch = self.stretch
        if stretch and judged.word is not stretch.word and not stretch.holds(judged):
            self._end(judged.day)
        if self.stretch is None:
            if (word := self._begins(judged)) is None:
                self._keep(judged.day)
                return
            slower = (one for one in judged.figures if one.word is Word.SLOWER)
            self.stretch = Stretch(word, next(slower, judged.figures[0]).figure.name)
        self._grow(self.stretch, judged)

    def _begins(self, judged: JudgedDay) -> Word | None:
        """Return what a stretch that begins with a day is: the value lies beyond the limit."""
        if judged.word in (Word.SLOWER, Word.FASTER):
            return judged.word
        change = judged.figures[0].change if judged.figures else None
        few = len(self.kept) <= MEASURED_FROM
        if change is None or few or abs(change.estimate) < -log1p(-self.limit):
            return None
        return Word.FASTER if change.estimate > 0 else Word.SLOWER

    def _grow(self, stretch: Stretch, judged: JudgedDay) -> None:
        stretch.days.append(judged.day)
        stretch.changes.append(judged.change_of(stretch.figure) or 0.0)
        stretch.sure += judged.word is stretch.word
        if stretch.is_step or len(stretch.days) < SINCE:
            return
        if stretch.sure == 0:
            self._end(judged.day)
        if stretch.sure < SURE:
            return
        stretch.is_step = True
        self.steps.append(stretch)
        if stretch.word is Word.FASTER:
            self.parts.append(stretch.days)
            self.stretch = None

    def _end(self, day: Day) -> None:
        if self.stretch is not None:
            if not self.stretch.is_step:
                self._keep(*self.stretch.days)
            self.stretch.until = day
        self.stretch = None

    def _keep(self, *days: Day) -> None:
        if not self.parts:
            self.parts.append([])
        self.parts[-1] += days
        while len(self.kept) > MOST_DAYS:
            del self.parts[0][0]
            self.parts = [part for part in self.parts if part]


def first_day(benchmark: str, limit: float = THRESHOLD) -> Standing:
    """Return the empty series of a benchmark of ours."""
    return Standing(FIGURES[benchmark], ASSUMED_NOISE[benchmark], limit)


def standing_after(begin: Standing, days: Sequence[Day]) -> Standing:
    """Add the days of a series, in order of time; return it."""
    for day in days:
        begin.add(begin.judged(day))
    return begin


def logs_of(runs: Runs, figures: Iterable[Quantity]) -> dict[str, Logs]:
    """Return the logarithms of each figure in those of the runs that have it."""
    return {one.name: [one.log_of(run[one]) for _, run in runs if one in run] for one in figures}


def days_of(runs: Runs, figures: Collection[Quantity]) -> list[Day]:
    """Return the days of runs, in order of time: the runs of a session each."""
    sessions = sessions_of([start for start, _ in runs])
    order = sorted(range(len(runs)), key=lambda run: runs[run][0])
    by_day = [tuple(of_day) for _, of_day in groupby(order, lambda run: sessions[run])]
    return [
        Day(runs[of_day[0]][0], logs_of([runs[run] for run in of_day], figures), of_day)
        for of_day in by_day
    ]


@dataclass(frozen=True)
class Step:
    """The run at `index` is the first after a step from the level `before` to `after`.

    Levels are medians of days.
    """

    index: int
    before: float
    after: float
    word: Word

    @property
    def ratio(self) -> float:
        """How many times the figures after are those before."""
        return self.after / self.before


def steps_of(
    figure: Quantity, starts: Sequence[float], values: Sequence[float], assumed: float = ASSUMED
) -> list[Step]:
    """Return the steps of a series of positive values in order of time; starts are in seconds."""
    runs = [(start, {figure: value}) for start, value in zip(starts, values, strict=True)]
    days = days_of(runs, [figure])
    levels = [level(day.logs[figure.name]) for day in days]
    steps = step_places(days, lambda: Standing({figure: ERROR}, assumed))
    bounds = [0, *steps, len(days)]
    result = []
    for begin, place, end in zip(bounds, bounds[1:], bounds[2:], strict=False):
        before, after = median(levels[begin:place]), median(levels[place:end])
        ends = figure.of_log(before), figure.of_log(after)
        word = Word.FASTER if after > before else Word.SLOWER
        result.append(Step(days[place].runs[0], *ends, word))
    return result


def step_places(days: Sequence[Day], begin: Callable[[], Standing]) -> list[int]:
    """Return where each day stands that is the first after a step.

    A slower stretch ends with a step as well, and may have steps of its own.
    """
    place_of = {day.start_s: place for place, day in enumerate(days)}
    places = set[int]()
    for stretch in standing_after(begin(), days).steps:
        first = place_of[stretch.days[0].start_s]
        places.add(first)
        if stretch.word is Word.FASTER:
            continue
        places |= {first + place for place in step_places(stretch.days, begin)}
        if stretch.until is not None:
            places.add(place_of[stretch.until.start_s])
    return sorted(places)
