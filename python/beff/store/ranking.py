"""Personal ranking: the weighted geometric mean of figures normalised to the best.

score = (x_1^w_1 * ... * x_k^w_k) ^ (1 / (w_1 + ... + w_k))

where x = value / best of all systems, or best / value where less is better, so 0 < x <= 1. A
geometric mean ranks alike whatever machine the figures are normalised to (P. J. Fleming,
J. J. Wallace, Communications of the ACM 29 (3), 1986). A system without a figure that has a weight
is not ranked: leaving it out would reward not measuring.

The page in the browser computes the same by static/ranking.js; tests compare both.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

WEIGHT_CHANGE = 0.2
"""How far single weights are moved to see how sure a rank is."""
LARGEST_WEIGHT = 10.0
_KEY_UNIT = 1e-9
"""Scores that differ by less than this share are equal, whatever the last bit of a logarithm."""


@dataclass(frozen=True, kw_only=True)
class RankingCriterion:
    """What the ranking needs to know of a figure that can have a weight."""

    key: str
    less_is_better: bool = False


Figures = Sequence[float | None]
"""Of one system, in the order of the criteria; None where it was not measured."""


@dataclass(frozen=True)
class Candidate:
    """A system to be ranked.

    `low` and `high` are its worst and best figure over comparable runs; they equal `figures`
    where there is a single run.
    """

    id: int
    figures: Figures
    low: Figures
    high: Figures


@dataclass(frozen=True)
class Rank:
    """The place of a system: `best` to `worst` is how sure it is.

    The range covers all changes of one weight by WEIGHT_CHANGE up or down, each with the system's
    own figures at their worst and best. Systems of equal score share a rank.
    """

    id: int
    score: float
    rank: int
    best: int
    worst: int


def rank(
    candidates: Sequence[Candidate], criteria: Sequence[RankingCriterion], weights: dict[str, float]
) -> list[Rank]:
    """Return the ranked systems, the best first; equal ones by id.

    Systems without a figure that has a weight are left out; without any weight all are.
    """
    chosen = [
        (place, weights[criterion.key], criterion.less_is_better)
        for place, criterion in enumerate(criteria)
        if weights.get(criterion.key, 0) > 0
    ]
    complete = [
        candidate
        for candidate in candidates
        if all((candidate.figures[place] or 0) > 0 for place, _, _ in chosen)
    ]
    if not chosen or not complete:
        return []
    weights_chosen = [weight for _, weight, _ in chosen]
    whole = sum(weights_chosen)
    own, low, high = (
        _logs([getattr(candidate, name) for candidate in complete], chosen, complete)
        for name in ("figures", "low", "high")
    )
    sums, low_sums, high_sums = (
        [_weighted_sum(row, weights_chosen) for row in rows] for rows in (own, low, high)
    )
    ordered = sorted(_key(total / whole) for total in sums)
    best, worst = [len(complete)] * len(complete), [1] * len(complete)
    for place, change in _variations(weights_chosen):
        keys, lifted, sunken = (
            [
                _key((total + change * row[place]) / (whole + change))
                for total, row in zip(totals, rows, strict=True)
            ]
            for totals, rows in ((sums, own), (high_sums, high), (low_sums, low))
        )
        in_order = sorted(keys)
        for index, key in enumerate(keys):
            first = _better(in_order, max(key, lifted[index])) + 1
            last = _better(in_order, min(key, sunken[index])) + (sunken[index] >= key)
            best[index] = min(best[index], first)
            worst[index] = max(worst[index], last)
    ranks = [
        Rank(
            candidate.id,
            math.exp(total / whole),
            _better(ordered, _key(total / whole)) + 1,
            best[index],
            worst[index],
        )
        for index, (candidate, total) in enumerate(zip(complete, sums, strict=True))
    ]
    return sorted(ranks, key=lambda entry: (entry.rank, entry.id))


_Chosen = list[tuple[int, float, bool]]


def _logs(rows: list[Figures], chosen: _Chosen, complete: list[Candidate]) -> list[list[float]]:
    """Return ln(x) of each system and chosen figure, normalised to the best figure of all."""
    signs = [-1.0 if less_is_better else 1.0 for _, _, less_is_better in chosen]
    bests = [
        max(sign * math.log(candidate.figures[place] or 1.0) for candidate in complete)
        for sign, (place, _, _) in zip(signs, chosen, strict=True)
    ]
    return [
        [
            sign * math.log(row[place] or 1.0) - best
            for sign, best, (place, _, _) in zip(signs, bests, chosen, strict=True)
        ]
        for row in rows
    ]


def _variations(weights: list[float]) -> list[tuple[int, float]]:
    """Return which weight is changed by how much: none, then each alone down and up."""
    varied = [(0, 0.0)]
    for place, weight in enumerate(weights):
        varied += [(place, -WEIGHT_CHANGE * weight), (place, WEIGHT_CHANGE * weight)]
    return varied


def _weighted_sum(logs: list[float], weights: list[float]) -> float:
    total = 0.0
    for log, weight in zip(logs, weights, strict=True):
        total += weight * log
    return total


def _key(score: float) -> int:
    return math.floor(score / _KEY_UNIT + 0.5)


def _better(in_order: list[int], key: int) -> int:
    """How many of the keys in ascending order are larger."""
    return len(in_order) - bisect_right(in_order, key)
