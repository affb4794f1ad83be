"""The days of a series in order of time: to which of them one is compared, and since when slower.

Whether a day is slower follows from the days before it, so all is found by going through them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import expm1

from beff.judge.benchmarks import ASSUMED_NOISE
from beff.judge.change import EQUIVALENCE, THRESHOLD, Change, Logs
from beff.judge.steps import step_places
from beff.today.rule import ERROR, LAST, Look, Word, change_beside, level, seen_from, word_of

MOST_DAYS = 60
"""The newest ones; a machine that was replaced long ago says nothing."""
MORE_LOAD = 0.05
"""Others have this much more of the cores than usual: a loss is theirs."""


@dataclass(frozen=True)
class FigureOfDay:
    """A figure that is judged each day, with its part of ERROR; the first of a benchmark is shown.

    `field` is its name in the summary of a result.
    """

    name: str
    field: str
    error: float
    more_is_better: bool = True


FIGURES: Mapping[str, tuple[FigureOfDay, ...]] = {
    "b_eff": (
        FigureOfDay("b_eff", "b_eff_MBps", 0.95 * ERROR),
        FigureOfDay("latency", "latency_us", 0.05 * ERROR, more_is_better=False),
    ),
    "b_eff_io": (FigureOfDay("files", "b_eff_io_MBps", ERROR),),
}
"""Latency differs more: only a loss of it that is beyond doubt counts."""


@dataclass(frozen=True)
class Day:
    """Repetitions of a session: the logarithms of each figure, of which more is better.

    `load` is the share of the cores that others had, None where not known; `folder` is that of the
    last call.
    """

    start_s: float
    logs: Mapping[str, Logs]
    load: float | None = None
    hosts: str = ""
    folder: str = ""


@dataclass(frozen=True)
class JudgedFigure:
    """A figure of a day beside the days before, and the loss from which on one would be seen."""

    figure: FigureOfDay
    change: Change
    word: Word
    seen: float

    @property
    def shares(self) -> tuple[float, float, float]:
        """The low end of the interval of EQUIVALENCE, the change and the high end, as shares."""
        half, sign = self.change.half_width(EQUIVALENCE), 1 if self.figure.more_is_better else -1
        low, middle, high = (expm1(sign * self.change.estimate + end) for end in (-half, 0.0, half))
        return low, middle, high


@dataclass(frozen=True)
class JudgedDay:
    """What is said of a day beside the days before; `since` is when it became slower.

    `more_load` is what of the cores others have, where that is the reason that nothing is said.
    """

    day: Day
    before: tuple[Day, ...] = ()
    figures: tuple[JudgedFigure, ...] = ()
    since: float | None = None
    more_load: float | None = None

    @property
    def word(self) -> Word | None:
        """The worst of all figures, None of a first day; whether it is open, the first one says."""
        words: set[Word] = {one.word for one in self.figures[:1]}
        words |= {one.word for one in self.figures if one.word is not Word.OPEN}
        if self.more_load is not None and Word.SLOWER in words:
            return Word.OPEN
        return min(words, key=list(Word).index, default=None)

    @property
    def worst(self) -> JudgedFigure:
        """The first figure that is slower, else the first one."""
        slower = (one for one in self.figures if one.word is Word.SLOWER)
        return next(slower, self.figures[0])


@dataclass
class Standing:
    """What is known when a day begins: parts of days between steps, and a slow stretch.

    Days since one that was slower are no part of the days before until one is as fast. A stretch
    with a single slower day was chance or passed, and is; one with more is left out for good.
    """

    benchmark: str
    limit: float = THRESHOLD
    kept: list[Day] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    stretch: list[tuple[Day, Word]] = field(default_factory=list)

    def judged(self, day: Day, look: Look = LAST) -> JudgedDay:
        """Judge a day, which is not added."""
        if not self.kept:
            return JudgedDay(day)
        bounds = pairwise([0, *self.steps, len(self.kept)])
        parts = [self.kept[begin:end] for begin, end in bounds]
        found = []
        for figure in FIGURES[self.benchmark]:
            own = day.logs.get(figure.name, ())
            logs = [
                [one.logs[figure.name] for one in part if figure.name in one.logs] for part in parts
            ]
            if not own or not logs[-1]:
                continue
            change = change_beside(
                [part for part in logs if part], own, ASSUMED_NOISE[self.benchmark]
            )
            asked = change, look, figure.error, self.limit
            found.append(JudgedFigure(figure, change, word_of(*asked), seen_from(*asked)))
        judged = JudgedDay(day, tuple(parts[-1]), tuple(found), more_load=self._more_load(day))
        if judged.word is not Word.SLOWER:
            return judged
        slow = [one for one, word in self.stretch if word is Word.SLOWER]
        return replace(judged, since=(slow[0] if slow else day).start_s)

    def add(self, judged: JudgedDay) -> None:
        """Let a day be one of those before."""
        day, word = judged.day, judged.word
        if judged.more_load is not None and word is Word.OPEN:
            return
        if word is Word.SLOWER or (self.stretch and word is Word.OPEN):
            self.stretch.append((day, word))
            return
        if sum(one is Word.SLOWER for _, one in self.stretch) < 2:
            self.kept += [one for one, _ in self.stretch]
        self.stretch = []
        self.kept = [*self.kept, day][-MOST_DAYS:]
        first = FIGURES[self.benchmark][0].name
        levels = [level(one.logs[first]) for one in self.kept]
        self.steps = step_places(levels, range(len(levels)))

    def _more_load(self, day: Day) -> float | None:
        """Return what others have of the cores where it is more than on the days before."""
        usual = sorted(one.load for one in self.kept if one.load is not None)
        if day.load is None or not usual:
            return None
        return day.load if day.load - usual[len(usual) // 2] > MORE_LOAD else None


def standing_after(benchmark: str, days: Sequence[Day], limit: float = THRESHOLD) -> Standing:
    """Go through the days of a series in order of time."""
    standing = Standing(benchmark, limit)
    for day in days:
        standing.add(standing.judged(day))
    return standing
