"""Is a day slower than the days before? A rule that may be asked after every repetition.

A day is a session: runs that share what differs from day to day.

A repetition differs from the level of its day, and days differ from each other. The level of a day
is the Hodges-Lehmann estimate of its repetitions, which one that is far off hardly moves. A day is
slower if the one-sided interval of its change excludes 0 and the change is beyond the limit. All
looks but the last share a small part of the error (Haybittle, Peto): together they err no more
often than one look would, however alike they are (Bonferroni). docs/explanation/statistics.md.

All works on natural logarithms of which more is better.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from math import expm1, log1p

from beff.judge.change import Change

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
GAP_S = 6 * 3600.0
"""A session ends where no run starts for so long."""
LONGEST_S = 24 * 3600.0
"""A session lasts at most so long."""


class Word(str, Enum):
    """What is said of a figure or a day, the worst first."""

    SLOWER = "slower"
    OPEN = "inconclusive"
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


def word_of(
    change: Change, look: Look, error: float, limit: float, *, beyond: bool = False
) -> Word:
    """Say what a change means at a look, with this part of ERROR for it; `limit` is a share.

    With `beyond` the whole interval of what is slower must lie beyond the limit: what was before is
    better by that much.
    """
    margin = -log1p(-limit)
    surely = change.half_width(1 - 2 * look.part(error))
    if change.estimate <= -margin and change.estimate + surely < -log1p(limit) * beyond:
        return Word.SLOWER
    if change.estimate - change.half_width(1 - 2 * look.part(EQUAL_ERROR)) < -margin:
        return Word.OPEN
    is_faster = change.estimate >= margin and change.estimate - surely > 0
    return Word.FASTER if is_faster else Word.AS_FAST


def seen_from(
    change: Change, look: Look, error: float, limit: float, *, beyond: bool = False
) -> float:
    """Return from which loss on, a share, one is found with the probability FOUND."""
    power = change.half_width(2 * FOUND - 1)
    surely = change.half_width(1 - 2 * look.part(error))
    return -expm1(-(max(surely + log1p(limit) * beyond, -log1p(-limit)) + power))


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
