"""The change between two sides, with its interval, and what it is called.

docs/explanation/statistics.md. All works on natural logarithms of figures, so a change is a ratio.
"""
# ruff: noqa: PLC0415 - SciPy is imported only where something is compared: it takes 0.3 s

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from math import expm1, floor, fsum, log1p, log10, sqrt

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
FEWEST_FOR_CORRELATION = 12
"""Fewer days do not show whether neighbours are alike."""
TAKEN_BY_LEVELS = 0.2
"""Levels that are taken from the data take so much of the correlation of neighbours along."""


@dataclass(frozen=True)
class Interval:
    """The ends of a confidence interval of ln(B / A)."""

    low: float
    high: float

    @property
    def shares(self) -> tuple[float, float]:
        """B / A - 1 at the low and the high end."""
        return expm1(self.low), expm1(self.high)

    def reversed(self) -> "Interval":
        """Return the interval of ln(A / B)."""
        return Interval(-self.high, -self.low)


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

    def interval(self, confidence: float) -> Interval:
        """Return the interval: Student's by the units or the normal one, whichever is wider."""
        half = self.half_width(confidence)
        return Interval(self.estimate - half, self.estimate + half)

    def half_width(self, confidence: float) -> float:
        """Return half the width of the interval."""
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


def change_by_parts(a: Logs, b: Logs, parts: Sequence[Logs]) -> Change:
    """Compare two stretches of one machine's history: Student's interval between fenced means.

    The noise is that within all `parts`, each around a level of its own.
    """
    fenced_parts = fenced(parts)
    degrees = sum(map(len, parts)) - len(parts) - drawn_in(parts, fenced_parts)
    noise = sqrt(fsum(map(squares, fenced_parts)) / degrees)
    a, b = fenced([a, b])
    error = noise * sqrt(1 / len(a) + 1 / len(b)) * _widening(fenced_parts)
    return Change(mean(a), mean(b), noise, error, degrees)


def _widening(parts: Sequence[Logs]) -> float:
    """Return how much more the means of parts vary because neighbours are alike.

    sqrt((1 + r) / (1 - r)) with the correlation r of neighbours (Bayley, Hammersley).
    """
    if sum(map(len, parts)) < FEWEST_FOR_CORRELATION:
        return 1.0
    rests = [[value - mean(part) for value in part] for part in parts]
    whole = fsum(rest**2 for part in rests for rest in part)
    if whole == 0:
        return 1.0
    together = fsum(left * right for part in rests for left, right in pairwise(part))
    correlation = min(max(together / whole + TAKEN_BY_LEVELS, 0.0), 0.9)
    return sqrt((1 + correlation) / (1 - correlation))


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
