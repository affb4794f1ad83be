"""Groups of hosts behind an uplink that others share, by the map of pairs."""

import numpy as np

from beff.analysis.b_pairs.schedule import Ints
from beff.analysis.pairs.levels import APART, groups_of, quantiles, quick_level
from beff.analysis.pairs.pair_map import Floats, PairMap

ALWAYS = 0.9
"""Pairs inside a group are quick in so many of their meetings, whatever else is under way; between
groups they are quick where few others cross."""
MOST_ALONE = 0.1


def leaves_of(pairs: PairMap, times: Floats) -> Ints:
    """Return a number for each host, the same for those of a group; all 0 where there are none.

    Groups are joined by chains of pairs that are always quick. They count where nearly all hosts
    are in one, most pairs inside each are quick, and most between it and the others are not.
    """
    none = np.zeros(pairs.units, dtype=np.int64)
    known = ~np.isnan(times)
    keys, link_of = np.unique(pairs.first * pairs.units + pairs.second, return_inverse=True)
    usual = quantiles(link_of, times, len(keys), ALWAYS)
    first, second = keys // pairs.units, keys % pairs.units
    always_quick = np.nan_to_num(usual, nan=np.inf) - quick_level(times) < APART
    groups = [g for g in groups_of(range(pairs.units), first, second, always_quick) if len(g) > 1]
    alone = pairs.units - sum(map(len, groups))
    if len(groups) < 2 or alone > MOST_ALONE * pairs.units:
        return none
    labels = np.full(pairs.units, -1, dtype=np.int64)
    for number, group in enumerate(groups):
        labels[group] = number
    ends = labels[pairs.first], labels[pairs.second]
    is_inside = (ends[0] == ends[1]) & (ends[0] >= 0)
    limit = quick_level(times) + APART
    for number in range(len(groups)):
        of_group = (ends[0] == number) | (ends[1] == number)
        inside, crossing = times[of_group & is_inside & known], times[of_group & ~is_inside & known]
        if not inside.size or not crossing.size:
            return none
        if np.median(inside) > limit or np.median(crossing) < limit:
            return none
    labels[labels < 0] = len(groups) + np.arange(alone)
    return labels
