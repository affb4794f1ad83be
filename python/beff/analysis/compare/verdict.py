"""What a change means, in words."""

from enum import Enum
from math import log1p

from beff.analysis.compare.interval import Change

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


def judge(found: Change, confidence: float, threshold: float, more_is_better: bool) -> Verdict:
    """Weigh a change against noise and threshold (0.05 for 5 %).

    A side is slower or faster when the whole interval of `confidence` lies beyond the threshold:
    the better figure is surely that much above the other. "No change" is as much a claim: the
    interval of EQUIVALENCE lies within the threshold.
    """
    sure, equal = found.interval(confidence), found.interval(EQUIVALENCE)
    gain, near = (sure, equal) if more_is_better else (sure.reversed(), equal.reversed())
    margin = log1p(threshold)
    if gain.high < -margin:
        return Verdict.SLOWER
    if gain.low > margin:
        return Verdict.FASTER
    if -margin <= near.low and near.high <= margin:
        if gain.high < 0:
            return Verdict.SLIGHTLY_SLOWER
        return Verdict.SLIGHTLY_FASTER if gain.low > 0 else Verdict.NO_CHANGE
    if near.low >= -margin:
        return Verdict.NOT_SLOWER
    return Verdict.NOT_FASTER if near.high <= margin else Verdict.NOT_CLEAR
