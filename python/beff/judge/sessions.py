"""Sessions: runs that share what differs from day to day, and whether two sides alternated."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

KNOWN_FROM = 5
"""With so many sessions it is known how much days differ."""
GAP_S = 6 * 3600.0
"""A session ends where no run starts for so long."""
LONGEST_S = 24 * 3600.0
"""A session lasts at most so long."""


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
