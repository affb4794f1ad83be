"""The change between two sides, and how sure it is: beside what runs differ by, or what days do.

docs/explanation/statistics.md. All works on natural logarithms of figures, so a change is a ratio.
"""
# ruff: noqa: PLC0415 - SciPy is imported only where something is compared: it takes 0.3 s

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import floor, fsum, sqrt
from statistics import median

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


def mean(values: Logs) -> float:
    """Arithmetic mean; the order of the values has no influence, not even on the last bit."""
    return fsum(values) / len(values)


def squares(side: Logs) -> float:
    """Return the sum of squares around the mean."""
    middle = mean(side)
    return fsum((value - middle) ** 2 for value in side)


def fenced(sides: Sequence[Logs]) -> list[list[float]]:
    """Return the sides with every unit that is far off drawn in to the fence of its side.

    The fences of a side lie FAR_OUT times the largest distance between the quartiles of a side
    beyond its own quartiles. A unit that lies within those of another side stays: a machine that
    is in one of two states by chance must not pass for two machines.
    """
    if min(map(len, sides)) < FEWEST_FOR_FENCES:
        return [list(side) for side in sides]
    quartiles = [(_quantile(side, 0.25), _quantile(side, 0.75)) for side in sides]
    width = FAR_OUT * max(high - low for low, high in quartiles)
    fences = [(low - width, high + width) for low, high in quartiles]
    return [
        [
            value
            if any(low <= value <= high for low, high in fences)
            else min(max(value, own[0]), own[1])
            for value in side
        ]
        for side, own in zip(sides, fences, strict=True)
    ]


def drawn_in(sides: Sequence[Logs], kept: Sequence[Logs]) -> int:
    """Return how many units the fences moved."""
    return sum(
        own != within
        for side, inside in zip(sides, kept, strict=True)
        for own, within in zip(side, inside, strict=True)
    )


def _quantile(values: Logs, share: float) -> float:
    """Interpolate between the ordered values, as NumPy does by default."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = min(floor(place), len(ordered) - 2)
    return ordered[below] + (place - below) * (ordered[below + 1] - ordered[below])


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
    given = a, b
    a, b = fenced(given)
    left = whole - lost - drawn_in(given, (a, b))
    noise = sqrt((squares(a) + squares(b)) / left) if left > 0 else 0.0
    ends = mean(a), mean(b)
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
        middle = {
            session: fsum(
                median(log for log, at in zip(side, of, strict=True) if at == session) / 2
                for side, of in ((a, of_a), (b, of_b))
            )
            for session in sessions
        }
        whole = mean([*middle.values()])
        a, b = (
            [log - middle[session] + whole for log, session in zip(side, of, strict=True)]
            for side, of in ((a, of_a), (b, of_b))
        )
    lost = len(sessions) - 1
    return change_by_sides(a, b, assumed=assumed, lost=lost, side_by_side=not alternated)


def level(day: Logs) -> float:
    """Return the median of the means of all pairs, of each with itself too (Hodges, Lehmann)."""
    return _level_and_squares(tuple(day))[0]


@lru_cache(maxsize=4096)
def _level_and_squares(day: tuple[float, ...]) -> tuple[float, float]:
    """Return it and the sum of squares around the mean; a day is looked at on all days after it."""
    middle = median((a + b) / 2 for a, b in combinations_with_replacement(day, 2))
    return middle, squares(day)


def within(days: Days) -> tuple[float, int]:
    """Return the variance of repetitions around the mean of their day, and its degrees."""
    degrees = sum(len(day) - 1 for day in days)
    sums = fsum(_level_and_squares(tuple(day))[1] for day in days)
    return (sums / degrees if degrees else 0.0), degrees


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
    known = [*parts, *others]
    before = [day for part in known for day in part]
    levels, now = [[level(day) for day in part] for part in known], [level(day) for day in today]
    kept = fenced(levels)
    degrees = len(before) - len(known) - drawn_in(levels, kept) + len(now) - 1
    between = fsum(map(squares, [*kept, now])) / degrees if degrees > 0 else 0.0
    last = kept[len(parts) - 1]
    ends, beside = (mean(last), mean(now)), 1 / len(now) + 1 / len(last)
    noise, freely = within([*before, *today])
    own, own_degrees = within(today)
    usual, usual_degrees = within(before)
    typical = fsum(1 / len(day) for day in before) / len(before)
    runs = fsum(1 / len(day) for day in today) / len(today)
    fewer = noise * max(runs - typical, 0.0) / len(today)
    if _is_wild(own, own_degrees, usual, usual_degrees):
        fewer, freely, noise = own * runs / len(today), own_degrees, own
    square = between * beside + fewer
    weights = (between * beside) ** 2 / max(degrees, 1) + fewer**2 / max(freely, 1)
    effective = square**2 / weights if weights > 0 else float(max(degrees, 0))
    unsure = assumed * sqrt(beside) if degrees < MEASURED_FROM else 0.0
    return Change(*ends, sqrt(noise), sqrt(square), effective if degrees > 0 else 0.0, unsure)


def _is_wild(own: float, degrees: int, usual: float, of_usual: int) -> bool:
    from scipy.special import fdtrc

    if degrees < 1 or of_usual < 1 or own <= 0:
        return False
    return usual == 0 or float(fdtrc(degrees, of_usual, own / usual)) < WILD
