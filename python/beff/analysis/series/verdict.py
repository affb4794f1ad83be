"""What a change is called: thresholds, error rates, and the words of every command."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from math import floor, log1p, log10

from beff.analysis.series.change import Change, Interval

THRESHOLD = 0.05
"""The smallest change that matters, as a share; a user may name another."""
ERROR_RATE = 0.02
"""Probability that any of the figures judged together is wrongly called slower, at most."""
EQUIVALENCE = 0.90
"""Confidence of the interval that must lie within the threshold: two one-sided tests of 5 %."""


class ChangeVerdict(str, Enum):
    """The words, from worst to best; those that leave something open stand between."""

    SLOWER = "slower"
    LIKELY_SLOWER = "likely slower"
    SLIGHTLY_SLOWER = "slower, within threshold"
    NOT_FASTER = "not faster"
    NOT_CLEAR = "inconclusive"
    NO_CHANGE = "no change"
    NOT_SLOWER = "not slower"
    SLIGHTLY_FASTER = "faster, within threshold"
    LIKELY_FASTER = "likely faster"
    FASTER = "faster"

    @property
    def is_no_slowdown(self) -> bool:
        """Whether a slowdown beyond the threshold is ruled out."""
        return self not in _OPEN


_OPEN = {
    ChangeVerdict.SLOWER,
    ChangeVerdict.LIKELY_SLOWER,
    ChangeVerdict.NOT_FASTER,
    ChangeVerdict.NOT_CLEAR,
}


class Claim(str, Enum):
    """What all figures that decide say together."""

    SLOWER = "slower"
    NOT_SLOWER = "not slower"
    OPEN = "inconclusive"


def claim_of(verdicts: Iterable[ChangeVerdict]) -> Claim:
    """Return whether any is slower, or a slowdown is ruled out in all."""
    found = set(verdicts)
    if ChangeVerdict.SLOWER in found:
        return Claim.SLOWER
    return Claim.NOT_SLOWER if all(one.is_no_slowdown for one in found) else Claim.OPEN


@dataclass(frozen=True)
class Judged:
    """A verdict, and the interval that it was read from with its confidence."""

    verdict: ChangeVerdict
    interval: Interval
    confidence: float


def confidence_of(figures: int) -> float:
    """Return the confidence at which each of some figures is called slower or faster (Bonferroni).

    That any is wrongly called slower then has a probability of ERROR_RATE at most, as has faster.
    """
    return 1 - 2 * ERROR_RATE / figures


def judge_change(
    found: Change, confidence: float, threshold: float, more_is_better: bool
) -> Judged:
    """Weigh a change against noise and threshold (0.05 for 5 %).

    Slower and faster are read from the interval of `confidence`, which must lie beyond the
    threshold: the better figure is that much above the other. All else is read from that of
    EQUIVALENCE; "within threshold" asks for a change that the former shows.
    """
    sure, near = found.interval(confidence), found.interval(EQUIVALENCE)
    if not more_is_better:
        sure, near = sure.reversed(), near.reversed()
    margin = log1p(threshold)
    if sure.high < -margin:
        return Judged(ChangeVerdict.SLOWER, found.interval(confidence), confidence)
    if sure.low > margin:
        return Judged(ChangeVerdict.FASTER, found.interval(confidence), confidence)
    return Judged(_open(sure, near, margin), found.interval(EQUIVALENCE), EQUIVALENCE)


def undecided(found: Change) -> Judged:
    """Return what is said where the noise is not known."""
    return Judged(ChangeVerdict.NOT_CLEAR, found.interval(EQUIVALENCE), EQUIVALENCE)


def _open(sure: Interval, near: Interval, margin: float) -> ChangeVerdict:
    if near.high < -margin:
        return ChangeVerdict.LIKELY_SLOWER
    if near.low > margin:
        return ChangeVerdict.LIKELY_FASTER
    if -margin <= near.low and near.high <= margin:
        if sure.high < 0:
            return ChangeVerdict.SLIGHTLY_SLOWER
        return ChangeVerdict.SLIGHTLY_FASTER if sure.low > 0 else ChangeVerdict.NO_CHANGE
    if near.low >= -margin:
        return ChangeVerdict.NOT_SLOWER
    return ChangeVerdict.NOT_FASTER if near.high <= margin else ChangeVerdict.NOT_CLEAR


def confidence_text(confidence: float) -> str:
    """Write a confidence with two digits of what it lacks to certainty: `90 %`, `99.85 %`."""
    lacking = 100 * (1 - confidence)
    decimals = max(1 - floor(log10(lacking)), 0)
    text = f"{100 * confidence:.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.') if decimals else text} %"
