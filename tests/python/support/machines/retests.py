"""Which pairs the program measures again: definitions-b_pairs.md, core/pairs/pair_map.cpp."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from support.machines.ways import Floats, Ints, Mask

PASSES = 4
SLOW_UNIT = 1.15
SLOW_LINK = 1.25
MOST_UNITS = 8
MOST_LINKS = 12
PARTNERS = 2


@dataclass(frozen=True)
class _Kind:
    """The times of one kind of messages, as the choice sees them.

    `best` [units, units] is each pair's best time, infinite where they never met; `order` the
    partners of each unit, the quickest first; `own` each unit's 25 % quantile; `score` by how much
    its quantiles exceed those of the unit in the middle.
    """

    best: Floats
    order: Ints
    own: Floats
    score: Floats


def pairs_to_retest(
    units: int, first: Ints, second: Ints, times: dict[str, Floats]
) -> list[tuple[int, int]]:
    """Return what is measured again, in its order; `times` [pairs] by kind of messages."""
    kinds = [_kind(units, first, second, of_kind) for of_kind in times.values()]
    suspect = np.zeros(units, dtype=bool)
    chosen: dict[tuple[int, int], None] = {}

    def add(one: int, other: int) -> None:
        chosen.setdefault((min(one, other), max(one, other)))

    def compare(kind: _Kind, unit: int, besides: int) -> None:
        for other in _partners(kind, unit, ~suspect):
            if other != besides:
                add(unit, other)
                return

    for kind in kinds:
        slow = kind.score > SLOW_UNIT
        suspect |= slow
        by_score = np.argsort(-kind.score, kind="stable")
        for unit in by_score[slow[by_score]][:MOST_UNITS].tolist():
            for partner in _partners(kind, unit, ~suspect)[:PARTNERS]:
                add(unit, partner)
                compare(kind, partner, unit)
    for kind in kinds:
        for one, other in _slow_links(kind, suspect):
            add(one, other)
            compare(kind, one, other)
            compare(kind, other, one)
    return list(chosen)


def _kind(units: int, first: Ints, second: Ints, times: Floats) -> _Kind:
    best = np.full((units, units), np.inf)
    np.minimum.at(best.reshape(-1), first * units + second, times)
    best = np.minimum(best, best.T)
    unit = np.concatenate((first, second))
    order = np.lexsort((np.tile(times, 2), unit))
    sorted_times = np.tile(times, 2)[order]
    counts = np.bincount(unit, minlength=units)
    begins = np.cumsum(counts) - counts
    own, score = np.zeros(units), np.zeros(units)
    for share in (0.05, 0.25):
        own = sorted_times[begins + (share * (counts - 1)).astype(int)]
        score = np.maximum(score, own / np.sort(own)[(units - 1) // 2])
    return _Kind(best, np.argsort(best, axis=1, kind="stable"), own, score)


def _partners(kind: _Kind, unit: int, allowed: Mask) -> list[int]:
    ones = kind.order[unit]
    has_met = np.isfinite(kind.best[unit][ones])
    found: list[int] = ones[allowed[ones] & has_met].tolist()
    return found


def _slow_links(kind: _Kind, suspect: Mask) -> list[tuple[int, int]]:
    """Return the pairs that are slower than both of their units, the worst first."""
    ratio = kind.best / np.maximum(kind.own[:, None], kind.own[None, :])
    ratio[suspect[:, None] | suspect[None, :] | ~np.isfinite(ratio)] = 0
    # those that are as slow stay in the order of their units, and the partners of these
    one = np.arange(len(kind.own))[:, None]
    ratio = np.take_along_axis(ratio, kind.order, axis=1)
    flat = np.where(one < kind.order, ratio, 0).reshape(-1)
    worst = np.argsort(-flat, kind="stable")[:MOST_LINKS]
    units = len(kind.own)
    return [
        (int(place // units), int(kind.order.reshape(-1)[place]))
        for place in worst
        if flat[place] > SLOW_LINK
    ]
