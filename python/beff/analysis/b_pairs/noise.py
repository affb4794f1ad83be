"""How much the meetings of a pair differ: the noise of a map."""

import math
from functools import lru_cache

import numpy as np

from beff.analysis.b_pairs.pair_map import KINDS, Floats, pair_map
from beff.analysis.b_pairs.schedule import Ints
from beff.model.load import Document

_FEWEST_MEETINGS = 3


@lru_cache(maxsize=8)
def map_noise(document: Document) -> dict[str, float]:
    """Return, for short and long messages, by how much the times of a pair differ, as a share.

    Upper quartile / lower quartile - 1 of a pair's meetings, the median over the pairs. Empty where
    none met three times.
    """
    pairs = pair_map(document.fields)
    links = np.minimum(pairs.first, pairs.second) * pairs.units
    links += np.maximum(pairs.first, pairs.second)
    found = {}
    for kind in KINDS:
        width = _middle_half(links, pairs.times[kind])
        if width is not None:
            found[kind] = math.expm1(width)
    return found


def _middle_half(links: Ints, times: Floats) -> float | None:
    """Return the median over the links of the distance between the quartiles of their times."""
    known = ~np.isnan(times)
    links, times = links[known], times[known]
    order = np.lexsort((times, links))
    starts = np.flatnonzero(np.diff(links[order], prepend=-1))
    often = np.diff(starts, append=links.size)
    starts, often = starts[often >= _FEWEST_MEETINGS], often[often >= _FEWEST_MEETINGS]
    if not starts.size:
        return None
    upper, lower = (_quantiles(times[order], starts, often, share) for share in (0.75, 0.25))
    return float(np.median(upper - lower))


def _quantiles(times: Floats, starts: Ints, often: Ints, share: float) -> Floats:
    """Return the quantile of each stretch of rising times, between its two nearest entries."""
    place = share * (often - 1)
    below = np.floor(place).astype(np.int64)
    first, second = times[starts + below], times[starts + np.minimum(below + 1, often - 1)]
    quantiles: Floats = first + (place - below) * (second - first)
    return quantiles
