"""Units and links that are slow in a part of their rounds more often than others, or only later."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, sqrt

import numpy as np

from beff.definition.b_pairs_plan import Ints
from beff.maps.findings import Evidence
from beff.maps.kind import Kind, kinds_in
from beff.maps.levels import AGREES, CHANCE, HIGH, SIGMAS
from beff.maps.pair_map import Floats, Mask, PairMap

_WORTH = 0.05
"""What is slow in a smaller share of the rounds is not worth mentioning."""


@dataclass(frozen=True)
class Often:
    """In how many of their rounds units or links were slow, and from which share on that is much.

    `stands_out` are those that reach it.
    """

    slow: Ints
    of: Ints
    limit: Floats
    stands_out: Mask


def high_entries(kind: Kind) -> Mask:
    """Return which entries are slow by themselves: in a round in which few others are.

    What loads a network is shared by many pairs of a round; a fault is not.
    """
    usual = np.fmax(kind.beyond, kind.expected)[kind.links.of]
    high = np.nan_to_num(kind.times - usual, nan=-np.inf) > HIGH
    rounds = kind.pairs.round_numbers
    in_round = np.bincount(rounds[high], minlength=int(rounds.max(initial=0)) + 1)
    middle = float(np.median(in_round)) if in_round.size else 0.0
    alone: Mask = in_round[rounds] <= 1 + middle + 2 * SIGMAS * sqrt(middle)
    return high & alone


def often_of_units(kind: Kind, high: Mask) -> Often:
    """Count the rounds of each unit with those of its own group, as uplinks are shared.

    The partner with which it is slow most often is left out: that may be the link.
    """
    ends, units, of_links = kind.links.ends, kind.pairs.units, _of_links(kind, high, kind.inside)
    slow, of = (np.bincount(ends, np.tile(count, 2), units).astype(np.int64) for count in of_links)
    most = np.zeros(units, dtype=np.int64)
    np.maximum.at(most, ends, np.tile(of_links[0], 2))
    return _often(slow - most, of, slow)


def often_of_links(kind: Kind, high: Mask, but: Mask) -> Often:
    """Count the rounds of each link inside of a group, without those of the units in `but`."""
    kept = kind.inside & ~but[kind.links.first] & ~but[kind.links.second]
    slow, of = _of_links(kind, high, kept)
    return _often(slow, of, slow)


def _of_links(kind: Kind, high: Mask, kept: Mask) -> tuple[Ints, Ints]:
    """Count the rounds in which each link was slow, and all its rounds; 0 of those not `kept`."""
    known, links = ~np.isnan(kind.pairs.times[kind.kind]), len(kept)
    slow, of = (np.bincount(kind.links.of[some], minlength=links) for some in (known & high, known))
    return slow * kept, of * kept


def _often(judged: Ints, of: Ints, slow: Ints) -> Often:
    """Find who is slow more often than chance makes the worst, given the share of the others."""
    from scipy.special import bdtrc  # noqa: PLC0415 - takes 0.3 s, only where there is a map

    shares, tried = judged / np.maximum(of, 1), of > 0
    limit, none = np.ones(len(of)), np.zeros(len(of), dtype=bool)
    if tried.sum() < 2:
        return Often(slow, of, limit, none)
    middle, worst = float(np.median(shares[tried])), int(np.argmax(shares))
    others = (int(judged.sum()) - int(judged[worst])) / (int(of.sum()) - int(of[worst]))
    apart = float(np.median(np.abs(shares[tried] - middle)))
    expected = max(middle + 2 * SIGMAS * apart, others)
    expected = min(max(expected, 0.5 / int(of.sum())), 0.99)
    for count in np.unique(of[tried]).tolist():
        numbers = np.arange(2, count + 1)
        rare = numbers[bdtrc(numbers - 1, count, expected) * tried.sum() < CHANCE]
        limit[of == count] = max(rare[0] / count, expected + _WORTH) if rare.size else np.inf
    return Often(slow, of, np.fmin(limit, 1.0), tried & (shares >= limit))


_LATER = "slower in the second half of the map than in the first"


def slower_later(pairs: PairMap, kinds: list[Kind], floor: float) -> Iterator[tuple[int, Evidence]]:
    """Yield the units that take longer in the second half by more than `floor`, and chance."""
    # whole passes, where there are several
    number = pairs.passes if np.unique(pairs.passes).size > 1 else pairs.round_numbers
    is_later = 2 * number > number.min(initial=0) + number.max(initial=0)
    labels = [kind.labels for kind in kinds]
    halves = [kinds_in(pairs.part(half), labels) for half in (~is_later, is_later)]
    of_short = np.zeros(pairs.units)
    for kind, first, second in zip(kinds, *halves, strict=True):
        longer = second.excess - first.excess
        if kind.groups > 1 and kind.kind == "large":  # what crosses waits now and then
            longer = np.where(of_short > AGREES * longer, longer, 0.0)
        of_short = longer
        errors = np.hypot(first.unit_errors, second.unit_errors)
        for unit in np.flatnonzero(np.nan_to_num(longer) > np.fmax(floor, 2 * SIGMAS * errors)):
            times = second.meetings_of(int(unit))
            counts = int(np.sum(times > floor / 2)), times.size
            yield int(unit), kind.evidence(exp(float(longer[unit])), counts, None, _LATER)
