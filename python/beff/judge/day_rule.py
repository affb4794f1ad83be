"""Is a day slower than the days before? A rule that may be asked after every repetition.

A day is a session: runs that share what differs from day to day.

A repetition differs from the level of its day, and days differ from each other. The level of a day
is the Hodges-Lehmann estimate of its repetitions, which one that is far off hardly moves. A day is
slower if the one-sided interval of its change excludes 0 and the change is beyond the limit. All
looks but the last share a small part of the error (Haybittle, Peto): together they err no more
often than one look would, however alike they are (Bonferroni). docs/explanation/statistics.md.

All works on natural logarithms of which more is better.
"""
# ruff: noqa: PLC0415 - SciPy takes 0.3 s

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise
from math import expm1, fsum, log1p, sqrt
from statistics import median

from beff.judge.change import MEASURED_FROM, Change, Logs, drawn_in, fenced, mean, squares

ERROR = 0.008
"""Probability that a day as fast as the others is called slower, asked by itself.

Days that follow a wrong one are compared with the same days before, so they are wrong more often:
of all days at most one in a hundred is (bench/day_power.py).
"""
EQUAL_ERROR = 0.05
"""Probability that a day slower by the limit is called as fast, at most."""
BEFORE_LAST = 0.05
"""The part of an error that all looks but the last share."""
FOUND = 0.9
"""A loss is said to be seen if it is found with this probability."""
WILD = 0.01
"""Repetitions that differ so much as by chance in so few cases show the noise of their day."""

KNOWN_FROM = 5
"""With so many sessions it is known how much days differ."""
GAP_S = 6 * 3600.0
"""A session ends where no run starts for so long."""
LONGEST_S = 24 * 3600.0
"""A session lasts at most so long."""

Days = Sequence[Logs]
"""The repetitions of each day, the oldest day first."""


class Word(str, Enum):
    """What is said of a figure or a day, the worst first."""

    SLOWER = "slower"
    OPEN = "cannot say"
    FASTER = "faster"
    AS_FAST = "as fast"


@dataclass(frozen=True)
class Look:
    """Which look it is of how many that are planned."""

    planned: int = 1
    is_last: bool = True

    def part(self, error: float) -> float:
        """Return what of an error this look may spend."""
        if self.planned < 2:
            return error
        return error * (1 - BEFORE_LAST if self.is_last else BEFORE_LAST / (self.planned - 1))


LAST = Look()


def level(day: Logs) -> float:
    """Return the median of the means of all pairs, of each with itself too (Hodges, Lehmann)."""
    return _level_and_squares(tuple(day))[0]


@lru_cache(maxsize=1024)
def _level_and_squares(day: tuple[float, ...]) -> tuple[float, float]:
    """Return it and the sum of squares around the mean; a day is looked at on all days after it."""
    middle = median((a + b) / 2 for a, b in combinations_with_replacement(day, 2))
    return middle, squares(day)


def within(days: Days) -> tuple[float, int]:
    """Return the variance of repetitions around the mean of their day, and its degrees."""
    degrees = sum(len(day) - 1 for day in days)
    sums = fsum(_level_and_squares(tuple(day))[1] for day in days)
    return (sums / degrees if degrees else 0.0), degrees


def change_beside(parts: Sequence[Days], today: Logs, assumed: float) -> Change:
    """Return the change of a day from the level of the last part of the days before.

    Parts lie between steps: days differ by what they do around the level of their part, and levels
    that are far off are drawn in. Where today has fewer repetitions than the days had (in the
    harmonic mean), what repetitions differ by is added; where it has more, nothing is taken away.
    Repetitions of today that are wild count by themselves. Where fewer days than five show how much
    days differ, `assumed`, a standard deviation, is the least that is believed.
    """
    before = [day for part in parts for day in part]
    levels = [[level(day) for day in part] for part in parts]
    kept = fenced(levels)
    degrees = len(before) - len(parts) - drawn_in(levels, kept)
    between = fsum(map(squares, kept)) / degrees if degrees > 0 else 0.0
    ends, beside = (mean(kept[-1]), level(today)), 1 + 1 / len(kept[-1])
    noise, known = within([*before, today])
    own, own_degrees = within([today])
    usual, usual_degrees = within(before)
    typical = fsum(1 / len(day) for day in before) / len(before)
    fewer = noise * max(1 / len(today) - typical, 0.0)
    if _is_wild(own, own_degrees, usual, usual_degrees):
        fewer, known, noise = own / len(today), own_degrees, own
    square = between * beside + fewer
    weights = (between * beside) ** 2 / max(degrees, 1) + fewer**2 / max(known, 1)
    effective = square**2 / weights if weights > 0 else float(max(degrees, 0))
    unsure = assumed * sqrt(beside) if degrees < MEASURED_FROM else 0.0
    return Change(*ends, sqrt(noise), sqrt(square), effective if degrees > 0 else 0.0, unsure)


def _is_wild(own: float, degrees: int, usual: float, of_usual: int) -> bool:
    from scipy.special import fdtrc

    if degrees < 1 or of_usual < 1 or own <= 0:
        return False
    return usual == 0 or float(fdtrc(degrees, of_usual, own / usual)) < WILD


def word_of(change: Change, look: Look, error: float, limit: float) -> Word:
    """Say what a change means at a look, with this part of ERROR for it; `limit` is a share."""
    margin = -log1p(-limit)
    surely = change.half_width(1 - 2 * look.part(error))
    if change.estimate <= -margin and change.estimate + surely < 0:
        return Word.SLOWER
    if change.estimate - change.half_width(1 - 2 * look.part(EQUAL_ERROR)) < -margin:
        return Word.OPEN
    is_faster = change.estimate >= margin and change.estimate - surely > 0
    return Word.FASTER if is_faster else Word.AS_FAST


def seen_from(change: Change, look: Look, error: float, limit: float) -> float:
    """Return from which loss on, a share, one is found with the probability FOUND."""
    power = change.half_width(2 * FOUND - 1)
    surely = change.half_width(1 - 2 * look.part(error))
    return -expm1(-(max(surely, -log1p(-limit)) + power))


def gain_of(change: Change, repetitions: int, planned: int) -> float:
    """Return the part of the variance of a change that the repetitions to come would take away."""
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


def levels(
    sessions: Sequence[int], values: Sequence[float], runs: int | None = None
) -> Mapping[int, float]:
    """Return the level of each session, the median of its runs or of the first so many of them."""
    by_session: dict[int, list[float]] = {}
    for session, value in zip(sessions, values, strict=True):
        by_session.setdefault(session, []).append(value)
    return {session: median(own[:runs]) for session, own in sorted(by_session.items())}


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
