"""Groups of units that are quick among each other and slow to the others."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from beff.analysis.pairs.pair_map import Floats, Ints

APART = float(np.log(1.25))
"""A pair is quick when it takes less than 25 % longer than the quick pairs of the machine."""
_QUICK_SHARE = 0.1
"""The level of quick pairs: so many are still quicker."""


def groups_of(
    members: Sequence[int],
    first: Ints,
    second: Ints,
    quick: NDArray[np.bool_],
) -> list[list[int]]:
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


def quick_level(times: Floats) -> float:
    """Return the level of the quick pairs."""
    known = times[~np.isnan(times)]
    return float(np.quantile(known, _QUICK_SHARE)) if known.size else 0.0


def cell_levels(labels: Ints, first: Ints, second: Ints, times: Floats) -> Floats:
    """Return for each entry the median of all entries between the same two groups."""
    low = np.minimum(labels[first], labels[second])
    high = np.maximum(labels[first], labels[second])
    cells = low * (int(labels.max()) + 1) + high
    _, places = np.unique(cells, return_inverse=True)
    levels = np.zeros(len(times))
    for cell in range(int(places.max(initial=-1)) + 1):
        own = places == cell
        known = times[own & ~np.isnan(times)]
        levels[own] = np.median(known) if known.size else 0.0
    return levels
