"""What a change means, in words."""

from dataclasses import dataclass
from enum import Enum
from math import log1p

from beff.analysis.compare.interval import Change, Interval

EQUIVALENCE = 0.90
"""Confidence of the interval that must lie within the threshold: two one-sided tests of 5 %."""


class Verdict(str, Enum):
    """The words, from worst to best; those that leave something open stand between."""

    SLOWER = "slower"
    SLIGHTLY_SLOWER = "slower, within threshold"
    NOT_FASTER = "not faster"
    NOT_CLEAR = "inconclusive"
    NO_CHANGE = "no change"
    NOT_SLOWER = "not slower"
    SLIGHTLY_FASTER = "faster, within threshold"
    FASTER = "faster"

    @property
    def is_no_slowdown(self) -> bool:
        """Whether a slowdown beyond the threshold is ruled out."""
        return self not in {Verdict.SLOWER, Verdict.NOT_FASTER, Verdict.NOT_CLEAR}


@dataclass(frozen=True)
class Judged:
    """A verdict, and the interval that it was read from with its confidence."""

    verdict: Verdict
    interval: Interval
    confidence: float


def judge(found: Change, confidence: float, threshold: float, more_is_better: bool) -> Judged:
    """Weigh a change against noise and threshold (0.05 for 5 %).

    A side is slower or faster when the whole interval of `confidence` lies beyond the threshold:
    the better figure is surely that much above the other. All else, as "no change", is as much a
    claim, and is read from the interval of EQUIVALENCE.
    """
    sure, equal = found.interval(confidence), found.interval(EQUIVALENCE)
    gain, near = (sure, equal) if more_is_better else (sure.reversed(), equal.reversed())
    margin = log1p(threshold)
    if gain.high < -margin:
        return Judged(Verdict.SLOWER, sure, confidence)
    if gain.low > margin:
        return Judged(Verdict.FASTER, sure, confidence)
    return Judged(_within(gain, near, margin), equal, EQUIVALENCE)


def not_told(found: Change) -> Judged:
    """Return what is said where nothing tells the noise."""
    return Judged(Verdict.NOT_CLEAR, found.interval(EQUIVALENCE), EQUIVALENCE)


def _within(gain: Interval, near: Interval, margin: float) -> Verdict:
    if -margin <= near.low and near.high <= margin:
        if gain.high < 0:
            return Verdict.SLIGHTLY_SLOWER
        return Verdict.SLIGHTLY_FASTER if gain.low > 0 else Verdict.NO_CHANGE
    if near.low >= -margin:
        return Verdict.NOT_SLOWER
    return Verdict.NOT_FASTER if near.high <= margin else Verdict.NOT_CLEAR
