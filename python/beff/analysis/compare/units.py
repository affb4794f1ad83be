"""The units of evidence: runs, or sessions where runs came in groups with gaps in between."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
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
        """Return the units of one figure, of whose logarithms `a` and `b` hold one per run.

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
