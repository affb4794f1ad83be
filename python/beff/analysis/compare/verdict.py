"""What a change means, in words."""

from enum import Enum
from math import log1p

from beff.analysis.compare.interval import Interval


class Verdict(str, Enum):
    """The words, from worst to best; those that are not clear stand between."""

    SLOWER = "slower"
    SLIGHTLY_SLOWER = "slower, within threshold"
    NOT_CLEAR = "not clear"
    NO_CHANGE = "no change"
    SLIGHTLY_FASTER = "faster, within threshold"
    FASTER = "faster"


def judge(interval: Interval, threshold: float, more_is_better: bool) -> Verdict:
    """Weigh a change against noise (the interval) and threshold (0.05 for 5 %).

    A side is slower or faster when its interval excludes no change and the better figure is more
    than `threshold` above the other.
    """
    gain = interval if more_is_better else interval.reversed()
    margin = log1p(threshold)
    if gain.high < 0:
        return Verdict.SLOWER if gain.estimate < -margin else Verdict.SLIGHTLY_SLOWER
    if gain.low > 0:
        return Verdict.FASTER if gain.estimate > margin else Verdict.SLIGHTLY_FASTER
    inside = -margin <= gain.low and gain.high <= margin
    return Verdict.NO_CHANGE if inside else Verdict.NOT_CLEAR
