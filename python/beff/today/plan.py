"""How many repetitions a day gets: until it is sure, or the time is over."""

from math import sqrt

from beff.judge.change import EQUIVALENCE, MEASURED_FROM, Change, Logs, within
from beff.judge.day_rule import Look, Word, gain_of
from beff.judge.series import Day, JudgedDay, Standing

FEWEST = 3
"""Repetitions before the first look: of two, nobody knows which one is far off."""
SMALL_GAIN = 0.05
"""Less than this part of its variance, and more repetitions do not tell more of a day."""
LEVEL_WITHIN, MOST_FIRST = 0.0125, 5
"""The level of a first day is known well enough, as a share; the first of all has no more runs."""


def planned(within_s: float, took_s: float) -> int:
    """Return how many repetitions fit into a time, by what the first one took; at least one."""
    return max(int(within_s / took_s), 1) if took_s > 0 else 1


def looked(standing: Standing, day: Day, left: int, looks: int) -> tuple[JudgedDay, bool]:
    """Judge a day; return whether it has enough repetitions, as `left` more may be made.

    There are at most so many looks. Whether more repetitions would tell more does not depend on
    what the day is like, so the last look may be taken where they would not.
    """
    last = Look(looks, is_last=True)
    if left <= 0:
        return standing.judged(day, look=last), True
    judged = standing.judged(day, look=Look(looks, is_last=False))
    repetitions = len(next(iter(day.logs.values())))
    if repetitions < FEWEST:
        return judged, False
    if len(standing.kept) <= MEASURED_FROM:
        is_known = own_half_width(day.logs.get(standing.figures[0].name, ())) <= LEVEL_WITHIN
        is_known |= not standing.kept and repetitions >= MOST_FIRST
        return judged, is_known or judged.word is Word.SLOWER
    if judged.word is not Word.OPEN:
        return judged, True
    if gain_of(judged.figures[0].change, repetitions, repetitions + left) < SMALL_GAIN:
        return standing.judged(day, look=last), True
    return judged, False


def own_half_width(day: Logs) -> float:
    """Return half the interval of EQUIVALENCE of a day's level by its repetitions alone."""
    variance, degrees = within([day])
    if degrees < 1:
        return float("inf")
    alone = Change(0.0, 0.0, sqrt(variance), sqrt(variance / len(day)), degrees)
    return alone.half_width(EQUIVALENCE)
