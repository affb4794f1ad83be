"""An order of the units in which those that are near each other stand together.

Clustering by average linkage (R. R. Sokal, C. D. Michener, University of Kansas Science Bulletin
38, 1958) of what each pair takes beyond the quick pairs: racks and leaves of a network become
blocks of neighbours, and what is slow stands at an edge.
"""
# ruff: noqa: PLC0415 - SciPy takes 0.3 s

import numpy as np

from beff.analysis.b_pairs.schedule import Ints
from beff.analysis.pairs.kind import kind_of
from beff.analysis.pairs.levels import cell_levels, quick_level
from beff.analysis.pairs.pair_map import KINDS, Floats, PairMap


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

    Of pairs that did not meet: the level between their groups, with those of both units.
    """
    raw = pairs.times[kind]
    square = np.zeros((pairs.units, pairs.units))
    if np.isnan(raw).all():
        return square
    first, second = pairs.first, pairs.second
    found = kind_of(pairs, kind)
    between = np.full((found.groups,) * 2, float(np.nanmedian(raw)))
    cells = cell_levels(found.labels, first, second, raw)
    labels = found.labels
    between[labels[first], labels[second]] = between[labels[second], labels[first]] = cells
    own = np.nan_to_num(found.levels)
    square = between[np.ix_(labels, labels)] + np.maximum(own[:, None], own[None, :])
    met = ~np.isnan(raw)
    ends = first[met], second[met]
    square[ends] = np.inf
    np.minimum.at(square, ends, raw[met])
    square[ends[::-1]] = square[ends]
    square -= quick_level(raw)
    square = np.maximum(square, 0)
    np.fill_diagonal(square, 0)
    return square
