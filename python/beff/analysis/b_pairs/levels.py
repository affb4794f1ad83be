"""Levels: of quick pairs, of groups of units that are quick among each other, of a unit."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from beff.analysis.b_pairs.pair_map import Floats, Mask
from beff.analysis.b_pairs.schedule import Ints

APART = float(np.log(1.25))
"""A pair is quick when it takes less than 25 % longer than the quick pairs of the machine."""
_QUICK_SHARE = 0.1
"""The level of quick pairs: so many are still quicker."""
SIGMA_PER_HALF = 2.75
"""Standard deviation over that of the shortest half, for Gaussian noise and 8 values or more."""
_FAR_OFF = 3.0


@dataclass(frozen=True)
class Most:
    """Median of all values, and standard deviation without a minority that lies far off."""

    middle: float
    sigma: float


def most_of(values: Floats) -> Most:
    """Return the median, and the deviation of the shortest half and what lies within three of it.

    Least median of squares, reweighted (P. J. Rousseeuw and A. M. Leroy: Robust Regression and
    Outlier Detection, Wiley 1987). NaN are left out.
    """
    known = np.sort(values[~np.isnan(values)])
    if known.size < 2:
        return Most(float(known[0]) if known.size else 0.0, 0.0)
    size = known.size // 2 + 1
    start = int(np.argmin(known[size - 1 :] - known[: known.size - size + 1]))
    half = known[start : start + size]
    sigma = SIGMA_PER_HALF * float(half.std())
    reach = _FAR_OFF * sigma
    near = known[(known >= half[0] - reach) & (known <= half[-1] + reach)]
    return Most(float(np.median(known)), max(float(near.std(ddof=1)), sigma / 2))


def quick_level(times: Floats) -> float:
    """Return the level of the quick pairs."""
    known = times[~np.isnan(times)]
    return float(np.quantile(known, _QUICK_SHARE)) if known.size else 0.0


def groups_of(members: Sequence[int], first: Ints, second: Ints, quick: Mask) -> list[list[int]]:
    """Return the groups of members that chains of quick pairs join, the largest first.

    Noise only adds time: it can take a pair out of a chain, and never joins two groups.
    """
    parent = {member: member for member in members}

    def root(unit: int) -> int:
        while parent[unit] != unit:
            parent[unit] = parent[parent[unit]]
            unit = parent[unit]
        return unit

    for one, other in zip(first[quick].tolist(), second[quick].tolist(), strict=True):
        if one in parent and other in parent:
            parent[root(one)] = root(other)
    found: dict[int, list[int]] = {}
    for member in members:
        found.setdefault(root(member), []).append(member)
    return sorted(found.values(), key=lambda group: (-len(group), group))


def by_unit(first: Ints, second: Ints, values: Floats, units: int, share: float) -> Floats:
    """Return a quantile of the values of each unit's entries; NaN where there is none."""
    return quantiles(
        np.concatenate([first, second]), np.concatenate([values, values]), units, share
    )


def quantiles(groups: Ints, values: Floats, count: int, share: float) -> Floats:
    """Return a quantile of the values of each group, between two where it lies so; NaN of none."""
    known = ~np.isnan(values)
    groups, values = groups[known], values[known]
    values = values[np.lexsort((values, groups))]
    sizes = np.bincount(groups, minlength=count)
    starts = np.cumsum(sizes) - sizes
    place = share * np.maximum(sizes - 1, 0)
    low = np.floor(place).astype(np.int64)
    found = np.full(count, np.nan)
    some = sizes > 0
    below = values[(starts + low)[some]]
    above = values[(starts + np.minimum(low + 1, np.maximum(sizes - 1, 0)))[some]]
    found[some] = below + (place - low)[some] * (above - below)
    return found


def cells_of(labels: Ints, first: Ints, second: Ints) -> Ints:
    """Return for each pair a number that only pairs between the same two groups have."""
    low, high = np.minimum(labels[first], labels[second]), np.maximum(labels[first], labels[second])
    cells: Ints = low * (int(labels.max(initial=0)) + 1) + high
    return cells


def cell_levels(labels: Ints, first: Ints, second: Ints, times: Floats) -> Floats:
    """Return for each entry the quickest quarter of all entries between the same two groups."""
    _, places = np.unique(cells_of(labels, first, second), return_inverse=True)
    return quantiles(places, times, int(places.max(initial=-1)) + 1, 0.25)[places]
