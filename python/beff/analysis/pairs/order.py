"""An order of the units in which those that are near each other stand together.

Clustering by average linkage (R. R. Sokal, C. D. Michener, University of Kansas Science Bulletin
38, 1958) of what each pair takes beyond the quick pairs: racks and leaves of a network become
blocks of neighbours, and what is slow stands at an edge.
"""
# ruff: noqa: PLC0415 - SciPy takes 0.3 s

import numpy as np

from beff.analysis.pairs.blocks import APART, cell_levels, groups_of, quick_level
from beff.analysis.pairs.pair_map import KINDS, Floats, Ints, PairMap
from beff.analysis.pairs.polish import polish


def best_times(pairs: PairMap, kind: str) -> Floats:
    """Return ln(ns) of each entry: the better look, so that a disturbance of one does not show."""
    times = pairs.times[kind]
    best: Floats = np.fmin.reduce(times, axis=0)
    return best


def by_similarity(pairs: PairMap) -> Ints:
    """Return all units in an order in which similar ones are neighbours.

    Memory and time grow with the square of the units.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    if pairs.units < 2:
        return np.arange(pairs.units)
    beyond = sum((_beyond(pairs, kind) for kind in KINDS), np.zeros((pairs.units, pairs.units)))
    order = leaves_list(linkage(squareform(beyond, checks=False), "average"))
    return order.astype(np.int64)


def _beyond(pairs: PairMap, kind: str) -> Floats:
    """Return for every two units ln(time) beyond the quick pairs, at least 0.

    Of pairs that did not meet: the median between their groups, with the effects of both units.
    """
    best = best_times(pairs, kind)
    square = np.zeros((pairs.units, pairs.units))
    if np.isnan(best).all():
        return square
    first, second = pairs.first, pairs.second
    quick = best - quick_level(best) < APART
    labels = np.zeros(pairs.units, dtype=np.int64)
    for number, group in enumerate(groups_of(range(pairs.units), first, second, quick)):
        labels[group] = number
    cells = cell_levels(labels, first, second, best)
    model = polish(first, second, best - cells, pairs.units)
    between = np.full((int(labels.max()) + 1,) * 2, float(np.nanmedian(best)))
    between[labels[first], labels[second]] = between[labels[second], labels[first]] = cells
    effects = np.nan_to_num(model.effects)
    square = between[np.ix_(labels, labels)] + effects[:, None] + effects[None, :]
    met = ~np.isnan(best)
    ends = first[met], second[met]
    square[ends] = np.inf
    np.minimum.at(square, ends, best[met])
    square[ends[::-1]] = square[ends]
    square = np.maximum(square - quick_level(best), 0)
    np.fill_diagonal(square, 0)
    return square
