"""What a map that another program measured does not tell."""

from collections.abc import Iterator
from math import sqrt

import numpy as np

from beff.maps.levels import ERROR_OF_QUICK, links_of, scatter
from beff.maps.pair_map import PairMap
from beff.result.imported_pairs import ImportedPairs
from beff.result.numbers import percent

_LARGEST_ERROR = 0.15


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
