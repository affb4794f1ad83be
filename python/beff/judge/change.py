"""The change between two sides, how sure it is, and whether a day is slower than those before it.

A change is set beside what runs differ by, or what days do: docs/explanation/statistics.md. All
works on natural logarithms of figures of which more is better, so a change is a ratio.

A day is a session: runs that share what differs from day to day. A repetition differs from the
level of its day, and days differ from each other. The level of a day is the Hodges-Lehmann estimate
of its repetitions, which one that is far off hardly moves. A day is slower if the one-sided
interval of its change excludes 0 and the change is beyond the limit. All looks but the last share a
small part of the error (Haybittle, Peto): together they err no more often than one look would,
however alike they are (Bonferroni).
"""
# ruff: noqa: PLC0415 - SciPy is imported only where something is compared: it takes 0.3 s

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import chain, combinations_with_replacement, pairwise
from math import expm1, fsum, log1p, sqrt
from operator import ne
from statistics import fmean, median, quantiles

from beff.judge.benchmarks import Quantity

Logs = Sequence[float]

MEASURED_FROM = 3
"""With this many degrees of freedom (five runs in all) the runs themselves show their noise."""
FAR_OUT = 3.0
"""So many times the distance of its quartiles beyond them a run is far off (Tukey's far out)."""
FEWEST_FOR_FENCES = 5
"""With fewer runs on a side one far off moves their quartiles as well."""
SIDE_BY_SIDE = 1.8
"""How much wider an interval must be when sides share a session and one came after the other.

Runs next to each other in time are alike: they correlate by about 0.5 (statistics.md).
Then the mean of n runs scatters by more than s / sqrt(n), and s comes out too small; for 3 to 10
runs both together make up a factor of sqrt(3.2). Sides that alternate meet the same times and need
none.
"""
THRESHOLD = 0.05
"""The smallest loss that matters, as a share; a user may name another."""
EQUIVALENCE = 0.90
"""Confidence of the intervals that are shown: two one-sided tests of 5 %."""
WILD = 0.01
"""Repetitions that differ so much as by chance in so few cases show the noise of their day."""

Days = Sequence[Logs]
"""The repetitions of each day, the oldest day first."""


@dataclass(frozen=True)
class Change:
    """An estimate of ln(B / A) and how sure it is.

    `a` and `b` are the levels of the sides, `noise` the standard deviation from unit to unit, all
    as logarithms. `error` is the standard error that the units show, with `degrees` of freedom
    (0: they do not); `assumed_error` is the one that noise known from elsewhere gives, 0 where the
    units show theirs.
    """

    a: float
    b: float
    noise: float
    error: float
    degrees: float
    assumed_error: float = 0.0

    @property
    def estimate(self) -> float:
        """The estimate of ln(B / A)."""
        return self.b - self.a

    def half_width(self, confidence: float) -> float:
        """Return half the interval: Student's by the units or the normal one, if that is wider."""
        from scipy.special import ndtri, stdtrit

        upper = (1 + confidence) / 2
        half = float(ndtri(upper)) * self.assumed_error
        if self.degrees > 0:
            half = max(half, float(stdtrit(self.degrees, upper)) * self.error)
        return half


def squares(side: Logs) -> float:
    """Return the sum of squares around the mean."""
    middle = fmean(side)
    return fsum((value - middle) ** 2 for value in side)


def fenced(sides: Sequence[Logs]) -> tuple[list[list[float]], int]:
    """Return the sides with all units that are far off drawn in to the fence of their side.

    Also return how many these are.

    The fences of a side lie FAR_OUT times the largest distance between the quartiles of a side
    beyond its own quartiles. A unit that lies within those of another side stays: a machine that
    is in one of two states by chance must not pass for two machines.
    """
    if min(map(len, sides)) < FEWEST_FOR_FENCES:
        return [list(side) for side in sides], 0
    quartiles = [quantiles(side, method="inclusive")[::2] for side in sides]
    width = FAR_OUT * max(high - low for low, high in quartiles)
    fences = [(low - width, high + width) for low, high in quartiles]

    def drawn(value: float, low: float, high: float) -> float:
        is_inside = any(least <= value <= most for least, most in fences)
        return value if is_inside else min(max(value, low), high)

    kept = [[drawn(value, *of) for value in side] for side, of in zip(sides, fences, strict=True)]
    return kept, sum(map(ne, chain(*sides), chain(*kept)))


def change_by_sides(
    a: Logs, b: Logs, *, assumed: float = 0.0, lost: int = 0, side_by_side: bool = False
) -> Change:
    """Compare sides that may be unequally noisy: Welch's interval between fenced means.

    Each unit that is drawn in costs a degree of freedom (Dixon, Tukey); `lost` went into the levels
    of sessions. Where a side has a single unit, the other's spread stands for it. Where the units
    do not show their noise, `assumed`, a standard deviation, is the least that is believed.
    `side_by_side` says that one side came after the other in one session.
    """
    n, m = len(a), len(b)
    whole = n + m - 2
    (a, b), moved = fenced((a, b))
    left = whole - lost - moved
    noise = sqrt((squares(a) + squares(b)) / left) if left > 0 else 0.0
    ends = fmean(a), fmean(b)
    least = 0.0
    if left < MEASURED_FROM:
        noise = max(noise, assumed)
        least = noise * sqrt(1 / n + 1 / m)
    if left <= 0:
        return Change(*ends, noise, 0.0, 0.0, least)
    if n > 1 and m > 1:
        parts = (squares(a) / (n - 1) / n, n - 1), (squares(b) / (m - 1) / m, m - 1)
        square = fsum(part for part, _ in parts)
        weights = fsum(part**2 / degrees for part, degrees in parts)
        degrees = square**2 / weights if weights > 0 else whole
    else:
        square, degrees = (squares(a) + squares(b)) / whole * (1 / n + 1 / m), whole
    share = left / whole
    error = sqrt(square / share) * (SIDE_BY_SIDE if side_by_side else 1.0)
    return Change(*ends, noise, error, max(degrees * share, 1.0), least)


def change_by_runs(
    a: Logs, b: Logs, of_a: Sequence[int], of_b: Sequence[int], *, assumed: float, alternated: bool
) -> Change:
    """Compare runs of sessions in each of which both sides ran, so that its level cancels out.

    `of_a` and `of_b` are the sessions of the runs.
    """
    sessions = sorted({*of_a})
    if len(sessions) > 1:
        sides = [[*zip(side, of, strict=True)] for side, of in ((a, of_a), (b, of_b))]
        middle = {
            session: fsum(median(log for log, at in side if at == session) / 2 for side in sides)
            for session in sessions
        }
        whole = fmean([*middle.values()])
        a, b = ([log - middle[session] + whole for log, session in side] for side in sides)
    lost = len(sessions) - 1
    return change_by_sides(a, b, assumed=assumed, lost=lost, side_by_side=not alternated)


def level(day: Logs) -> float:
    """Return the median of the means of all pairs, of each with itself too (Hodges, Lehmann)."""
    return _level(tuple(day))  # a day is looked at on all days after it


@lru_cache(maxsize=4096)
def _level(day: tuple[float, ...]) -> float:
    return median((a + b) / 2 for a, b in combinations_with_replacement(day, 2))


def within(days: Days) -> tuple[float, int]:
    """Return the variance of repetitions around the mean of their day, and its degrees."""
    degrees = sum(len(day) - 1 for day in days)
    return (fsum(map(squares, days)) / degrees if degrees else 0.0), degrees


def own_half_width(day: Logs) -> float:
    """Return half the interval of EQUIVALENCE of a day's level by its repetitions alone."""
    variance, degrees = within([day])
    if degrees < 1:
        return float("inf")
    alone = Change(0.0, 0.0, sqrt(variance), sqrt(variance / len(day)), degrees)
    return alone.half_width(EQUIVALENCE)


def change_by_days(
    parts: Sequence[Days], today: Days, assumed: float, others: Sequence[Days] = ()
) -> Change:
    """Return the change of days, usually one, from the level of the last part of those before.

    Parts lie between steps: days differ by what they do around the level of their part, and levels
    that are far off are drawn in; parts of `others` show it as well. Where today has fewer
    repetitions than the other days (in the harmonic mean), what repetitions differ by is added;
    where it has more, nothing is taken away. Repetitions of today that are wild count by
    themselves. Where too few days show how much days differ, `assumed`, a standard deviation, is
    the least that is believed.
    """
    from scipy.special import fdtrc

    known = [*parts, *others]
    before = [day for part in known for day in part]
    levels, now = [[level(day) for day in part] for part in known], [level(day) for day in today]
    kept, moved = fenced(levels)
    degrees = len(before) - len(known) - moved + len(now) - 1
    between = fsum(map(squares, [*kept, now])) / degrees if degrees > 0 else 0.0
    last = kept[len(parts) - 1]
    ends, beside = (fmean(last), fmean(now)), 1 / len(now) + 1 / len(last)
    noise, freely = within([*before, *today])
    of_today, today_degrees = within(today)
    usual, usual_degrees = within(before)
    typical = fsum(1 / len(day) for day in before) / len(before)
    runs = fsum(1 / len(day) for day in today) / len(today)
    fewer = noise * max(runs - typical, 0.0) / len(today)
    is_known = today_degrees > 0 and usual_degrees > 0 and of_today > 0
    if is_known and (usual == 0 or fdtrc(today_degrees, usual_degrees, of_today / usual) < WILD):
        fewer, freely, noise = of_today * runs / len(today), today_degrees, of_today
    square = between * beside + fewer
    weights = (between * beside) ** 2 / max(degrees, 1) + fewer**2 / max(freely, 1)
    effective = square**2 / weights if weights > 0 else float(max(degrees, 0))
    unsure = assumed * sqrt(beside) if degrees < MEASURED_FROM else 0.0
    return Change(*ends, sqrt(noise), sqrt(square), effective if degrees > 0 else 0.0, unsure)


ERROR = 0.008
"""Probability that a day as fast as the others is called slower, by a single test.

Days that follow a wrong one are compared with the same days before, so they are wrong more often:
of all days at most one in a hundred is (bench/day_power.py).
"""
EQUAL_ERROR = 0.05
"""Probability that a day slower by the limit is called as fast, at most."""
BEFORE_LAST = 0.05
"""The share of an error that all looks before the last may spend together."""
POWER = 0.9
"""A loss is said to be seen if it is called so with this probability."""
GAP_S = 6 * 3600.0
"""A session ends where no run starts for so long."""
LONGEST_S = 24 * 3600.0
"""A session lasts at most so long."""


class Word(str, Enum):
    """The verdict on a figure or a day, the worst first."""

    SLOWER = "slower"
    OPEN = "inconclusive"
    FASTER = "faster"
    AS_FAST = "as fast"


def part_of_look(planned: int, *, is_last: bool) -> float:
    """Return the share of an error that one of so many planned looks may spend."""
    if planned < 2:
        return 1.0
    return 1 - BEFORE_LAST if is_last else BEFORE_LAST / (planned - 1)


@dataclass(frozen=True)
class JudgedFigure:
    """A figure of a day compared with the days before, and the smallest loss that would be seen.

    A loss beyond the limit `is_likely` where the interval of EQUIVALENCE excludes 0.
    """

    figure: Quantity
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
    figure: Quantity,
    change: Change,
    error: float,
    limit: float,
    part: float = 1.0,
    *,
    beyond: bool = False,
) -> JudgedFigure:
    """Return the verdict on the change of a figure.

    It is tested with this `part` of an `error`; the `limit` is a share. A loss is seen with the
    probability POWER. With `beyond` the whole interval of a loss must lie beyond the limit.
    """
    margin, at_least = -log1p(-limit), log1p(limit) * beyond
    surely = change.half_width(1 - 2 * part * error)
    word = Word.AS_FAST
    if change.estimate <= -margin and change.estimate + surely < -at_least:
        word = Word.SLOWER
    elif change.estimate - change.half_width(1 - 2 * part * EQUAL_ERROR) < -margin:
        word = Word.OPEN
    elif change.estimate >= margin and change.estimate > surely:
        word = Word.FASTER
    seen = -expm1(-(max(surely + at_least, margin) + change.half_width(2 * POWER - 1)))
    is_likely = change.estimate < min(-margin, -change.half_width(EQUIVALENCE))
    return JudgedFigure(figure, change, word, seen, is_likely)


def gain_of(change: Change, repetitions: int, planned: int) -> float:
    """Return by which share further repetitions would reduce the variance of a change."""
    variance = max(change.error, change.assumed_error) ** 2
    taken = change.noise**2 * (1 / repetitions - 1 / max(planned, repetitions))
    return min(taken / variance, 1.0) if variance > 0 else 0.0


def sessions_of(starts: Sequence[float]) -> list[int]:
    """Return the number of the session of each run, from 0 in order of time; starts in seconds."""
    numbers: dict[float, int] = {}
    number, first, last = -1, float("-inf"), float("-inf")
    for start in sorted(starts):
        if start - last >= GAP_S or start - first >= LONGEST_S:
            number, first = number + 1, start
        numbers[start] = number
        last = start
    return [numbers[start] for start in starts]


def alternated(a: Sequence[float], b: Sequence[float]) -> bool:
    """Whether runs in order of time change sides at least half as often as in a random order.

    In a random order of n and n runs that is n times in the mean. Runs of both sides that started
    at once are as good as alternated.
    """
    if set(a) & set(b):
        return True
    sides = [side for _, side in sorted([(t, "A") for t in a] + [(t, "B") for t in b])]
    changes = sum(left != right for left, right in pairwise(sides))
    return changes >= max(2.0, min(len(a), len(b)) / 2)
