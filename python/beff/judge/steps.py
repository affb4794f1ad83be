"""Steps of a series of figures: where a machine became faster or slower, and stayed so.

A series is cut into two or three parts, in every way that leaves three units in each. A cut counts
if each of its steps is a change by the rule of all comparisons, between the runs before it and
those since, as sure as the number of ways asks for (Bonferroni); the surest one counts, and its
parts are cut again. Three parts at once, as two would not show what was mended again.

The unit is the session, runs that share what differs from day to day, where there are enough to
know how much days differ, else the run.
"""
# ruff: noqa: PLC0415 - SciPy takes 0.3 s

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log, log1p
from statistics import median

import numpy as np
from numpy.typing import NDArray

from beff.judge.change import (
    ERROR_RATE,
    THRESHOLD,
    Change,
    ChangeVerdict,
    Interval,
    Logs,
    change_by_parts,
    confidence_of,
    judge_change,
)

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


SHORTEST_PART = 3
"""A step counts when at least so many units stand on either side."""
SMALLEST_STEP = 0.02
"""A step below 2 % is not marked, however quiet the series is."""

_Values = NDArray[np.float64]
_TAIL = 0.1
_ROUNDING = 1e-12
"""Spread of equal logarithms."""


@dataclass(frozen=True)
class Step:
    """The run at `index` is the first after a step from the level `before` to `after`.

    `verdict` and `interval`, of ln(after / before), are those of a comparison of the runs before
    it with those since.
    """

    index: int
    before: float
    after: float
    verdict: ChangeVerdict
    interval: Interval

    @property
    def ratio(self) -> float:
        """How many times the figures after are those before."""
        return self.after / self.before


def steps_of(values: Sequence[float], starts: Sequence[float] | None = None) -> list[Step]:
    """Return the steps of a series of positive values in the order of time.

    `starts` are in seconds; without them each value is a day of its own. Series of fewer than 6
    units have no step. Raises ValueError for a value that is not positive.
    """
    if any(value <= 0 for value in values):
        raise ValueError("steps are defined for positive values")
    logs = [log(value) for value in values]
    sessions = list(range(len(values))) if starts is None else sessions_of(starts)
    firsts = [n for n in range(len(sessions)) if n == 0 or sessions[n] != sessions[n - 1]]
    if len(firsts) >= KNOWN_FROM:
        logs, sessions = list(levels(sessions, logs).values()), sorted(set(sessions))
    else:
        firsts = list(range(len(values)))
    places = step_places(logs, sessions)
    parts = [logs[begin:end] for begin, end in pairwise([0, *places, len(logs)])]
    confidence = confidence_of(max(len(logs) - 2 * SHORTEST_PART + 1, 1))
    found = []
    for place, change in zip(places, _changes(parts, places, sessions), strict=True):
        judged = judge_change(change, confidence, THRESHOLD, more_is_better=True)
        ends = exp(change.a), exp(change.b)
        found.append(Step(firsts[place], *ends, judged.verdict, judged.interval))
    return found


def step_places(units: Logs, sessions: Sequence[int]) -> list[int]:
    """Return where each unit stands that is the first after a step; `sessions` has that of each."""
    cuts = _surest_cut(units, sessions)
    found = []
    for begin, end in pairwise([0, *cuts, len(units)] if cuts else ()):
        inner = step_places(units[begin:end], sessions[begin:end])
        found += [begin] * (begin > 0) + [begin + place for place in inner]
    return found


def _surest_cut(units: Logs, sessions: Sequence[int]) -> list[int]:
    """Return where to cut into the two or three parts whose steps are surest, if any are."""
    best: list[int] = []
    surest = ERROR_RATE / 2
    for ways, cuts in _candidates(units):
        parts = [units[begin:end] for begin, end in pairwise([0, *cuts, len(units)])]
        changes = _changes(parts, cuts, sessions)
        if min(abs(change.estimate) for change in changes) < log1p(SMALLEST_STEP):
            continue
        chance = ways * max(map(_chance, changes))
        if chance <= surest:
            best, surest = cuts, chance
    return best


def _changes(parts: Sequence[Logs], cuts: Sequence[int], sessions: Sequence[int]) -> list[Change]:
    return [
        change_by_parts(before, after, parts, side_by_side=sessions[cut - 1] == sessions[cut])
        for (before, after), cut in zip(pairwise(parts), cuts, strict=True)
    ]


def _chance(change: Change) -> float:
    """Return how likely such a change is where there is none, in either direction."""
    from scipy.special import stdtr

    error = max(change.error, _ROUNDING)
    return 2 * float(stdtr(change.degrees, -abs(change.estimate) / error))


def _candidates(units: Logs) -> list[tuple[int, list[int]]]:
    """Return the best cut into two parts and the best into three, each with the number of ways.

    The best is the one whose smallest step is largest beside the noise within the parts. What lies
    farther beyond the percentiles 10 or 90 than these lie apart is drawn in to there.
    """
    logs = np.asarray(units, dtype=np.float64)
    n = len(logs)
    places = np.arange(SHORTEST_PART, n - SHORTEST_PART + 1)
    if not places.size:
        return []
    low = np.quantile(logs, _TAIL, method="higher")
    high = np.quantile(logs, 1 - _TAIL, method="lower")
    logs = np.clip(logs, 2 * low - high, 2 * high - low)
    logs -= logs.mean()
    firsts = places[: max(places.size - SHORTEST_PART, 0)]
    found = [(int(places.size), _best_last_cut(logs, (), places)[1])]
    if firsts.size:
        three = max(_best_last_cut(logs, (int(at),), places[places >= at + 3]) for at in firsts)
        found.append((int(firsts.size * (firsts.size + 1) // 2), three[1]))
    return found


def _best_last_cut(
    logs: _Values, before: tuple[int, ...], places: NDArray[np.int_]
) -> tuple[float, list[int]]:
    """Return how sure the least sure step is, by Student's t, and the cuts, for the best place."""
    sums = np.concatenate([[0.0], np.cumsum(logs)])
    inner = [np.full_like(places, bound) for bound in (0, *before)]
    bounds = np.stack([*inner, places, np.full_like(places, len(logs))])
    sizes = np.diff(bounds, axis=0)
    means = np.diff(sums[bounds], axis=0) / sizes
    within = float(logs @ logs) - (sizes * means**2).sum(axis=0)
    variance = np.maximum(within / (len(logs) - len(sizes)), _ROUNDING**2)
    errors = np.sqrt(variance * (1 / sizes[1:] + 1 / sizes[:-1]))
    weakest = (np.abs(np.diff(means, axis=0)) / errors).min(axis=0)
    at = int(weakest.argmax())
    return float(weakest[at]), [*before, int(places[at])]
