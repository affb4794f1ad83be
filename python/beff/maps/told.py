"""What a map that another program measured does not tell, and what is left of a judgement by it."""

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt

import numpy as np

from beff.maps.findings import PairJudgement, Status, UnitFinding
from beff.maps.levels import ERROR_OF_QUICK, links_of, scatter
from beff.maps.pair_map import Mask, PairMap
from beff.result.imported_pairs import ImportedPairs
from beff.result.numbers import percent

_LARGEST_ERROR = 0.15
_FEWEST_PARTNERS = 3
"""Who is slow with fewer that are not slow may have slow ways to them."""


def unseen_by(result: ImportedPairs) -> Iterator[str]:
    """Yield how a unit may be slow without being seen, as what follows 'slow'."""
    plan = result.plan
    if plan.small_bytes is None:
        yield "in short messages only"
    if plan.large_bytes is None:
        yield "in long messages only"
    if plan.ways == "one":
        yield "in the other direction only"


def why_too_seldom(pairs: PairMap) -> str | None:
    """Say why a map of another program shows nothing about hosts that other maps hold."""
    links = links_of(pairs)
    errors = [
        ERROR_OF_QUICK * scatter(links, times) / sqrt(float(np.median(links.counts)))
        for times in pairs.times.values()
    ]
    worst = max(errors)
    if worst <= _LARGEST_ERROR:
        return None
    return f"its few measurements of each pair differ so much, by {percent(worst)}"


def as_told(pairs: PairMap, found: PairJudgement) -> PairJudgement:
    """Leave only suspects of slow units that hardly met others that are not slow.

    A pair takes as long as its slower unit does, or as its way.
    """
    slow = {unit.name for unit in found.with_status(Status.SLOW)}
    place = {name: unit for unit, name in enumerate(pairs.names)}
    is_slow = np.array([name in slow for name in pairs.names])
    partners = {name: _partners(pairs, place[name], is_slow) for name in slow}
    few = {name: count for name, count in partners.items() if count < _FEWEST_PARTNERS}
    if not few:
        return found
    left = found.without_slow(few)
    units = tuple(_with_reason(one, few.get(one.name)) for one in left.units)
    return replace(left, units=units)


def _partners(pairs: PairMap, unit: int, is_slow: Mask) -> int:
    mine = (pairs.first == unit) | (pairs.second == unit)
    met = np.unique(np.where(pairs.first == unit, pairs.second, pairs.first)[mine])
    return int(np.sum(~is_slow[met]))


def _with_reason(unit: UnitFinding, partners: int | None) -> UnitFinding:
    if partners is None:
        return unit
    why = f"it met {partners or 'no'} others that are not slow, so it is slow or the way to them is"
    return replace(unit, evidence=tuple(replace(one, reason=why) for one in unit.evidence))
