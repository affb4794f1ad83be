"""The change between two sides with its uncertainty; docs/explanation/statistics.md."""
# ruff: noqa: PLC0415 - SciPy is imported only where something is compared: it takes 0.3 s

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import expm1, fsum, log1p, sqrt
from statistics import median

SHORTEST_GAP_S = 3600.0
"""Between two sessions no run starts for at least an hour,"""
GAPS_APART = 5.0
"""and for so many times the median gap between the starts of neighbouring runs."""


@dataclass(frozen=True)
class Units:
    """What is independent on both sides: ln(figure) of each unit.

    `lost` are degrees of freedom that went into the levels of sessions.
    """

    a: tuple[float, ...]
    b: tuple[float, ...]
    lost: int = 0

    @property
    def degrees(self) -> int:
        """How many independent differences between units of the same side there are."""
        return len(self.a) + len(self.b) - 2 - self.lost


@dataclass(frozen=True)
class Sessions:
    """The number of the session of each run of both sides."""

    a: tuple[int, ...]
    b: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len({*self.a, *self.b})

    @property
    def are_shared(self) -> bool:
        """Whether both sides ran in every session: then its level cancels out."""
        return set(self.a) == set(self.b)

    @property
    def are_units(self) -> bool:
        """Whether a session counts as one unit, however many runs it had."""
        return self.count > 1 and not self.are_shared

    def units(self, a: Sequence[float], b: Sequence[float]) -> Units:
        """Return the units of one figure; `a` and `b` hold its logarithms, one per run.

        Where both sides ran in every session, runs are compared with their session's level; else
        the mean of a side's runs in a session is one unit.
        """
        if self.count == 1:
            return Units(tuple(a), tuple(b))
        means_a, means_b = _means(self.a, a), _means(self.b, b)
        if not self.are_shared:
            return Units(tuple(means_a.values()), tuple(means_b.values()))
        level = {session: (means_a[session] + means_b[session]) / 2 for session in means_a}
        return Units(
            tuple(value - level[session] for session, value in zip(self.a, a, strict=True)),
            tuple(value - level[session] for session, value in zip(self.b, b, strict=True)),
            lost=self.count - 1,
        )


def _means(sessions: Sequence[int], values: Sequence[float]) -> dict[int, float]:
    return {
        session: fsum(own) / len(own)
        for session in sorted(set(sessions))
        for own in [[v for s, v in zip(sessions, values, strict=True) if s == session]]
    }


def sessions_of(
    a: Sequence[float] | None, b: Sequence[float] | None, runs: tuple[int, int]
) -> Sessions:
    """Group runs by gaps between their starts in seconds; all are one session where None is."""
    if a is None or b is None:
        return Sessions((0,) * runs[0], (0,) * runs[1])
    starts = [*a, *b]
    in_order = sorted(starts)
    gaps = [after - before for before, after in pairwise(in_order)]
    limit = max(SHORTEST_GAP_S, GAPS_APART * median(gaps)) if gaps else SHORTEST_GAP_S
    begins = [after for after, gap in zip(in_order[1:], gaps, strict=True) if gap > limit]
    numbers = [sum(start >= begin for begin in begins) for start in starts]
    return Sessions(tuple(numbers[: len(a)]), tuple(numbers[len(a) :]))


MEASURED_FROM = 3
"""With this many degrees of freedom (five runs in all) the runs themselves show their noise."""
ONE_AFTER_THE_OTHER = 1.8
"""How much wider an interval must be when one side was measured before the other.

Runs next to each other in time are alike: they correlate by about 0.5 (statistics.md).
Then the mean of n runs scatters by more than s / sqrt(n), and s comes out too small; for 3 to 10
runs both together make up a factor of sqrt(3.2). Sides that alternate meet the same times and need
none.
"""


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

    `of_medians` is what the medians of the sides say, which a single run far off does not move.
    `error` is its standard error as the runs show it, with `degrees` of freedom (0: they do not);
    `assumed_error` is the one that noise known from elsewhere gives, 0 where the runs show theirs.
    """

    estimate: float
    of_medians: float
    error: float
    degrees: float
    assumed_error: float

    def interval(self, confidence: float) -> Interval:
        """Return the interval: Student's by the runs or the normal one, whichever is wider."""
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

    def chance_within(self, margin: float) -> float:
        """Return how likely such an estimate is, at most, if the change lies within +- margin.

        Two-sided: 1 - this is the largest confidence with which the interval lies beyond.
        """
        from scipy.special import ndtr, stdtr

        beyond = abs(self.estimate) - margin
        if beyond <= 0:
            return 1.0
        chance = 0.0
        if self.assumed_error > 0:
            chance = 2 * float(ndtr(-beyond / self.assumed_error))
        if self.degrees > 0 and self.error > 0:
            chance = max(chance, 2 * float(stdtr(self.degrees, -beyond / self.error)))
        return min(1.0, chance)


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean; the order of the values has no influence, not even on the last bit."""
    return fsum(values) / len(values)


def scatter(units: Units) -> float:
    """Return the standard deviation of units around the mean of their side, of both sides."""
    if units.degrees <= 0:
        return 0.0
    return sqrt((_squares(units.a) + _squares(units.b)) / units.degrees)


def noise_is_measured(units: Units) -> bool:
    """Whether there are enough units to take the noise from them."""
    return units.degrees >= MEASURED_FROM


def change_between(units: Units, assumed_noise: float, widening: float = 1.0) -> Change:
    """Return mean(b) - mean(a) of units, which hold ln(figure), with Welch's standard error.

    Where a side has a single unit, the other's spread stands for it. Where the units do not show
    their noise, `assumed_noise`, a standard deviation of ln(figure), is the least that is believed.
    """
    n, m = len(units.a), len(units.b)
    estimate = mean(units.b) - mean(units.a)
    middle = median(units.b) - median(units.a)
    assumed = 0.0
    if not noise_is_measured(units):
        assumed = max(assumed_noise, scatter(units)) * sqrt(1 / n + 1 / m)
    if units.degrees <= 0:
        return Change(estimate, middle, 0.0, 0.0, assumed)
    left = units.degrees / (n + m - 2)
    if n > 1 and m > 1:
        parts = (_squares(units.a) / (n - 1) / n, n - 1), (_squares(units.b) / (m - 1) / m, m - 1)
        square = fsum(part for part, _ in parts)
        weights = fsum(part**2 / degrees for part, degrees in parts)
        degrees = square**2 / weights if weights > 0 else n + m - 2
    else:
        square = (_squares(units.a) + _squares(units.b)) / (n + m - 2) * (1 / n + 1 / m)
        degrees = n + m - 2
    error = sqrt(square / left) * widening
    return Change(estimate, middle, error, max(degrees * left, 1.0), assumed)


def _squares(side: Sequence[float]) -> float:
    middle = mean(side)
    return fsum((value - middle) ** 2 for value in side)


def holm_levels(chances: Sequence[float], error_rate: float) -> list[float]:
    """Return the level at which each of some chances (p-values) is judged.

    Whoever rejects where the chance is at most its level rejects wrongly, even once among all,
    with a probability of `error_rate` at most. The k-th smallest of n is judged at
    error_rate / (n + 1 - k) as long as all smaller ones were rejected, the others at the level of
    the first that was not.
    """
    levels = [error_rate] * len(chances)
    left = len(chances)
    failed = None
    for index in sorted(range(len(chances)), key=lambda place: chances[place]):
        level = error_rate / left if failed is None else failed
        levels[index] = level
        if failed is None and chances[index] > level:
            failed = level
        left -= 1
    return levels


ERROR_RATE = 0.01
"""Probability that any of the runs is wrongly called far off in one figure."""
LEAST = log1p(0.2)
"""Nearer runs are not worth a word."""
_FEWEST = 3
"""Of fewer runs of a side it is not known which one is off."""


def far_off(units: Units) -> Iterator[tuple[int, int, float]]:
    """Yield side (0: A), place and distance from the side's median, a share, of runs far off."""
    from scipy.special import stdtrit

    runs = len(units.a) + len(units.b)
    for side, own in enumerate((units.a, units.b)):
        for place, figure in enumerate(own) if len(own) >= _FEWEST else ():
            rest = (*own[:place], *own[place + 1 :])
            others = Units(*((rest, units.b) if side == 0 else (units.a, rest)), units.lost)
            if others.degrees <= 0 or abs(figure - mean(rest)) < LEAST:
                continue
            limit = float(stdtrit(others.degrees, 1 - ERROR_RATE / 2 / runs))
            error = scatter(others) * sqrt(1 + 1 / len(rest))
            if abs(figure - mean(rest)) > limit * error:
                yield side, place, expm1(figure - median(own))
