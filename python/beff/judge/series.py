"""The days of a series in order of time: to which of them one is compared, and since when slower.

`beff today`, `check`, `compare`, `show --history` and what stands beside a result all ask here.
Whether a day is slower follows from the days before it, so all is found by going through them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, expm1, log, log1p
from statistics import median
from typing import Any

from beff.judge.benchmarks import ASSUMED_NOISE
from beff.judge.change import (
    EQUIVALENCE,
    MEASURED_FROM,
    THRESHOLD,
    Change,
    Logs,
    change_by_days,
    level,
    mean,
)
from beff.judge.day_rule import ERROR, LAST, Look, Word, seen_from, sessions_of, word_of
from beff.judge.finding import EARLIER_RESULTS, OF_WORD, Checked, Finding, Verdict
from beff.result.plain_figures import Measured, PlainFigures, joined

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


@dataclass(frozen=True)
class FigureOfDay:
    """A figure that is judged each day, with its part of ERROR; the first of a series is shown.

    `field` is its name in the summary of a result.
    """

    name: str
    unit: str
    error: float = ERROR
    more_is_better: bool = True
    field: str = ""

    def log_of(self, value: float) -> float:
        """Return the logarithm of a value, of which more is better."""
        return log(value) if self.more_is_better else -log(value)

    def of_log(self, log: float) -> float:
        """Return the value that has it."""
        return exp(log if self.more_is_better else -log)


FIGURES: Mapping[str, tuple[FigureOfDay, ...]] = {
    "b_eff": (
        FigureOfDay("b_eff", "MB/s", OF_VALUE * ERROR, field="b_eff_MBps"),
        FigureOfDay(
            "latency", "us", (1 - OF_VALUE) / 25 * ERROR, more_is_better=False, field="latency_us"
        ),
    ),
    "b_eff_io": (FigureOfDay("files", "MB/s", OF_VALUE * ERROR, field="b_eff_io_MBps"),),
}
"""Of those that decide with their parts of ERROR, what is kept of each day: 2 of 26 for b_eff."""


@dataclass(frozen=True)
class Day:
    """Repetitions of a session: the logarithms of each figure, of which more is better.

    `folder` is that of the last call.
    """

    start_s: float
    logs: Mapping[str, Logs]
    hosts: str = ""
    folder: str = ""


@dataclass(frozen=True)
class JudgedFigure:
    """A figure of a day beside the days before, and the loss from which on one would be seen.

    A loss beyond the limit `is_likely` where the interval of EQUIVALENCE excludes 0.
    """

    figure: FigureOfDay
    change: Change
    word: Word
    seen: float
    is_likely: bool = False

    @property
    def shares(self) -> tuple[float, float, float]:
        """The low end of the interval of EQUIVALENCE, the change and the high end, as shares."""
        half, sign = self.change.half_width(EQUIVALENCE), 1 if self.figure.more_is_better else -1
        low, middle, high = (expm1(sign * self.change.estimate + end) for end in (-half, 0.0, half))
        return low, middle, high


def judged_figure(
    figure: FigureOfDay, change: Change, limit: float, look: Look = LAST, *, beyond: bool = False
) -> JudgedFigure:
    """Say what a change of a figure means, as `word_of`."""
    asked = look, figure.error, limit
    is_likely = change.estimate < min(log1p(-limit), -change.half_width(EQUIVALENCE))
    word, seen = word_of(change, *asked, beyond=beyond), seen_from(change, *asked, beyond=beyond)
    return JudgedFigure(figure, change, word, seen, is_likely)


@dataclass(frozen=True)
class JudgedDay:
    """What is said of a day beside the days before; `since` is when it became slower.

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
        change = _change_of(judged, self.figure)
        level = mean(self.changes)
        return change is not None and abs(change - level) < abs(change)


def _change_of(judged: JudgedDay, name: str) -> float | None:
    return next((one.change.estimate for one in judged.figures if one.figure.name == name), None)


@dataclass
class Standing:
    """What is known when a day begins: the days before, in parts between steps, and a stretch.

    Days of a stretch are no part of the days before. One that ends before it is a step was chance,
    and is. A step to slower is left out for good; one to faster is a part of its own, with which
    days are compared then.
    `assumed` is what days are believed to differ by, at least, where too few show it.
    """

    figures: Sequence[FigureOfDay]
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
        self, *today: Day, look: Look = LAST, others: Sequence[Sequence[Day]] = ()
    ) -> JudgedDay:
        """Judge a day, or several as one, which are not added.

        Parts of `others`, between steps, show how much days differ, too.
        """
        if not self.parts:
            return JudgedDay(today[0])
        figures = []
        for figure in self.figures:
            own, (*parts, last), known = (
                [[day.logs[figure.name] for day in part if figure.name in day.logs] for part in of]
                for of in ([today], self.parts, others)
            )
            if not own[0] or not last:
                continue
            before = [*filter(None, parts), last]
            change = change_by_days(before, own[0], self.assumed, [*filter(None, known)])
            judged = judged_figure(figure, change, self.limit, look)
            # one quick repetition shows that the machine still can
            quickest = mean([max(day) for day in own[0]])
            if judged.word is Word.SLOWER and quickest >= change.a and min(map(len, own[0])) > 1:
                judged = replace(judged, word=Word.OPEN)
            figures.append(judged)
        day = JudgedDay(today[0], tuple(self.parts[-1]), tuple(figures))
        if day.word is not Word.SLOWER:
            return day
        is_since = self.stretch is not None and self.stretch.word is Word.SLOWER
        begun = self.stretch.days[0] if self.stretch is not None and is_since else today[0]
        return replace(day, since=begun.start_s)

    def add(self, judged: JudgedDay) -> None:
        """Let a day be one of those before."""
        word = judged.word
        stretch = self.stretch
        if stretch is not None and word is not stretch.word:
            if stretch.holds(judged):
                self._grow(stretch, judged)
                return
            self._end(stretch, judged.day)
        begins = self._begins(judged)
        if begins is None:
            self._keep(judged.day)
            return
        slower = (one for one in judged.figures if one.word is Word.SLOWER)
        name = next(slower, judged.figures[0]).figure.name
        self.stretch = self.stretch or Stretch(begins, name)
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
        stretch.changes.append(_change_of(judged, stretch.figure) or 0.0)
        stretch.sure += judged.word is stretch.word
        if stretch.is_step or len(stretch.days) < SINCE:
            return
        if stretch.sure < SURE:
            if stretch.sure == 0:
                self._end(stretch, judged.day)
            return
        stretch.is_step = True
        self.steps.append(stretch)
        if stretch.word is Word.FASTER:
            self.parts.append(stretch.days)
            self.stretch = None

    def _end(self, stretch: Stretch, day: Day) -> None:
        if not stretch.is_step:
            self._keep(*stretch.days)
        stretch.until = day
        self.stretch = None

    def _keep(self, *days: Day) -> None:
        if not self.parts:
            self.parts.append([])
        self.parts[-1] += days
        while len(self.kept) > MOST_DAYS:
            del self.parts[0][0]
            self.parts = [part for part in self.parts if part]


def first_day(benchmark: str, limit: float = THRESHOLD) -> Standing:
    """Return what is known of a benchmark of ours before anything was measured."""
    return Standing(FIGURES[benchmark], ASSUMED_NOISE[benchmark], limit)


def standing_after(begin: Standing, days: Sequence[Day]) -> Standing:
    """Go through the days of a series in order of time."""
    for day in days:
        begin.add(begin.judged(day))
    return begin


def days_of(
    starts: Sequence[float], figures: Sequence[Mapping[FigureOfDay, float]]
) -> list[tuple[Day, list[int]]]:
    """Return the days of runs, in order of time, and which runs are of each: those of a session.

    Each run started at a time, in seconds, and has positive figures.
    """
    sessions = sessions_of(starts)
    by_session: dict[int, list[int]] = {}
    for run in sorted(range(len(starts)), key=lambda run: starts[run]):
        by_session.setdefault(sessions[run], []).append(run)
    found = []
    for runs in by_session.values():
        named = dict.fromkeys(figure for run in runs for figure in figures[run])
        logs = {
            figure.name: tuple(
                figure.log_of(figures[run][figure]) for run in runs if figure in figures[run]
            )
            for figure in named
        }
        found.append((Day(starts[runs[0]], logs), runs))
    return found


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
    figure: FigureOfDay, starts: Sequence[float], values: Sequence[float], assumed: float = ASSUMED
) -> list[Step]:
    """Return the steps of a series of positive values in order of time; starts are in seconds."""
    days = days_of(starts, [{figure: value} for value in values])
    levels = [level(day.logs[figure.name]) for day, _ in days]
    steps = step_places([day for day, _ in days], lambda: Standing((figure,), assumed))
    bounds = [0, *steps, len(days)]
    found = []
    for begin, place, end in zip(bounds, bounds[1:], bounds[2:], strict=False):
        before, after = median(levels[begin:place]), median(levels[place:end])
        ends = figure.of_log(before), figure.of_log(after)
        word = Word.FASTER if after > before else Word.SLOWER
        found.append(Step(days[place][1][0], *ends, word))
    return found


def step_places(days: Sequence[Day], begin: Callable[[], Standing]) -> list[int]:
    """Return where each day stands that is the first after a step.

    A slower stretch ends with a step as well, and may have steps of its own.
    """
    place_of = {day.start_s: place for place, day in enumerate(days)}
    found = []
    for stretch in standing_after(begin(), days).steps:
        first = place_of[stretch.days[0].start_s]
        found.append(first)
        if stretch.word is Word.FASTER:
            continue
        found += [first + place for place in step_places(stretch.days, begin)]
        if stretch.until is not None:
            found.append(place_of[stretch.until.start_s])
    return sorted({*found})


def figure_of(series: Measured, error: float = ERROR) -> FigureOfDay:
    """Return what is judged of a series."""
    return FigureOfDay(series.figure, series.unit, error, series.better == "higher")


def check_figures(
    checked: Sequence[tuple[str, PlainFigures]], earlier: Sequence[PlainFigures]
) -> Checked:
    """Judge the last day of each series of files, which are named, beside all days before it.

    That any is wrongly called slower has the probability ERROR.
    """
    asked = list(joined(one for _, one in checked))
    whole = {one.key: one for one in joined([*(one for _, one in checked), *earlier])}
    source = ", ".join(name for name, _ in checked)
    return Checked(
        tuple(
            _of_series(one, whole[one.key], figure_of(one, ERROR / len(asked)), source)
            for one in asked
        )
    )


def _of_series(own: Measured, whole: Measured, figure: FigureOfDay, source: str) -> Finding:
    days = days_of(whole.starts, [{figure: value} for value in whole.values])
    last = max(place for place, (day, _) in enumerate(days) if day.start_s <= own.starts[-1])
    before, (today, runs) = days[:last], days[last]
    facts: dict[str, Any] = {"benchmark": own.title, "copies": [], "checked again": []}
    facts["earlier"] = sum(len(of) for _, of in before)
    if not before:
        code = "no earlier results"
        return Finding(code, own.title, Verdict.UNKNOWN, EARLIER_RESULTS, facts, source=source)
    standing = standing_after(Standing([figure]), [day for day, _ in before])
    day = standing.judged(today)
    facts |= {"checked": len(runs), "day": day}
    code, verdict = "compared with earlier", OF_WORD[day.word]
    return Finding(code, own.title, verdict, EARLIER_RESULTS, facts, source=source)
