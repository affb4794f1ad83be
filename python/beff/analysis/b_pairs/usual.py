"""What is usual of units, and where it is open which of them are as they should be."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp

import numpy as np

from beff.analysis.b_pairs.findings import SIZES
from beff.analysis.b_pairs.kind import Kind, middle_of
from beff.analysis.b_pairs.levels import QUICK, most_of
from beff.analysis.b_pairs.pair_map import Floats
from beff.analysis.common.checks import fold_host_list

MOST_SLOW, FEWEST_QUICK = 0.4, 0.2
"""Of more than this share of the units it is open whether they are slow or the others quick, unless
the others are fewer than that."""
_KINDS_APART = 3.5
"""Two kinds are so many standard deviations of either apart."""
_AT_BEST = 0.5
"""And at their quickest half of that; those that only wait for others are alike then."""


@dataclass(frozen=True)
class Usual:
    """Middle and deviation of most units; where there are two kinds, of the slower one.

    `slower` are the units of this, `apart` by how much it is slower.
    """

    middle: float
    sigma: float
    slower: tuple[int, ...] = ()
    apart: float = 0.0


def usual_units(kind: Kind, floor: float) -> Usual:
    """Return what is usual; two kinds are apart by `floor` and leave no clear majority."""
    most = Usual(0.0, most_of(kind.own).sigma)
    ordered = np.sort(kind.own[kind.tried])
    gaps = np.diff(ordered)
    slow_share = 1 - np.arange(1, len(ordered)) / max(1, len(ordered))
    gaps[(slow_share <= MOST_SLOW) | (slow_share > 1 - FEWEST_QUICK)] = 0.0
    if not gaps.size or gaps.max() <= floor / 2:
        return most
    is_slow = np.nan_to_num(kind.own, nan=-np.inf) > ordered[int(gaps.argmax())]
    quick, slow = kind.own[kind.tried & ~is_slow], kind.own[is_slow]
    sigma = max(most_of(quick).sigma, most_of(slow).sigma)
    apart = middle_of(slow) - middle_of(quick)
    at_best = middle_of(kind.at_best[is_slow]) - middle_of(kind.at_best[kind.tried & ~is_slow])
    if apart <= max(floor, _KINDS_APART * sigma) or at_best < _AT_BEST * apart:
        return most
    return Usual(middle_of(slow), sigma, tuple(np.flatnonzero(is_slow).tolist()), apart)


def two_kinds(kind: Kind, usual: Usual) -> Iterator[str]:
    """Say so where there are two kinds of units."""
    if usual.slower:
        yield (
            f"two kinds of {kind.pairs.plural}: with {len(usual.slower)} of"
            f" {int(kind.tried.sum())} {SIZES[kind.kind]} messages take {exp(usual.apart):.2f}"
            " times as long as with the others"
        )


def slow_groups(kind: Kind, limit: float) -> Iterator[str]:
    """Say so where pairs inside of a group take longer than those inside of the others."""
    if kind.groups < 2:
        return
    group = kind.labels[kind.links.first]
    inside = np.array(
        [
            _quick(kind.levels[kind.inside & (group == one)])
            if (kind.labels == one).sum() > 2
            else np.nan
            for one in range(kind.groups)
        ]
    )
    quick = np.nanmin(inside) if not np.isnan(inside).all() else 0.0
    usual = quick if kind.groups == 2 else middle_of(inside)
    names = np.array(kind.pairs.names)
    for one in np.flatnonzero(np.nan_to_num(inside - usual) > limit).tolist():
        yield (
            f"{SIZES[kind.kind]} messages inside of {fold_host_list(names[kind.labels == one])}"
            f" take {exp(inside[one] - usual):.2f} times as long as inside of the other groups:"
            f" another kind of {kind.pairs.plural}, or slow"
        )


def _quick(levels: Floats) -> float:
    return float(np.nanquantile(levels, QUICK, method="lower"))


def scattered(kind: Kind, floor: float, limits: Floats) -> Iterator[str]:
    """Say so where units differ so much that those beyond the limit asked for are no faults."""
    own = np.nan_to_num(kind.own, nan=-np.inf)
    beyond = np.flatnonzero((own > floor) & (own <= limits))
    if beyond.size:
        names = fold_host_list([kind.pairs.names[unit] for unit in beyond])
        yield (
            f"{kind.pairs.plural} differ so much in {SIZES[kind.kind]} messages (standard deviation"
            f" {np.nanstd(kind.own):.0%}) that it may be by nature that {names} take more than"
            f" {exp(floor):.2f} times as long as the median"
        )
