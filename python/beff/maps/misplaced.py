"""Which hosts are not behind the switch that somebody says, by the short messages of a map."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from math import exp, sqrt

import numpy as np

from beff.maps.constants import AGREES, APART, QUICK, SIGMAS
from beff.maps.findings import MisplacedFinding
from beff.maps.levels import ERROR_OF_QUICK, links_of, quantiles, scatter
from beff.maps.pair_map import Floats, PairMap
from beff.maps.topology import Known, Switches, known_groups

_MEDIAN_OF_SIGMA = 1.25
"""Standard error of the median of k Gaussian values, times the root of k."""
_FEWEST_OTHERS = 2
"""So many others show where a host is."""


def in_place(
    pairs: PairMap, switches: Sequence[Switches] | None
) -> tuple[Known | None, tuple[MisplacedFinding, ...]]:
    """Return the groups that switches make, with units moved to where the map shows them.

    Moved are those that are surely nearer to others; none where groups are not apart.
    """
    if switches is None:
        return None, ()
    known = known_groups(switches)
    links = links_of(pairs)
    levels = quantiles(links.of, pairs.times["small"], len(links.first), QUICK)
    square = np.full((pairs.units, pairs.units), np.nan)
    square[links.first, links.second] = square[links.second, links.first] = levels
    near, others = _near(square, known)
    every, labels = np.arange(pairs.units), known.labels
    own = near[labels, every]
    elsewhere = near.copy()
    elsewhere[labels, every] = np.inf
    elsewhere[np.isnan(elsewhere)] = np.inf
    nearest, gain = elsewhere.argmin(axis=0), own - elsewhere.min(axis=0)
    known_gain = gain[np.isfinite(gain)]
    apart = -float(np.median(known_gain)) if known_gain.size else 0.0
    if apart < APART:
        return known, ()
    error = ERROR_OF_QUICK * scatter(links, pairs.times["small"])
    error *= _MEDIAN_OF_SIGMA / sqrt(float(np.median(links.counts)))
    sure = SIGMAS * error * np.sqrt(1 / others[labels, every] + 1 / others[nearest, every])
    found = np.flatnonzero(np.nan_to_num(gain, neginf=-1.0) > np.fmax(AGREES * apart, sure))
    seen = labels.copy()
    seen[found] = nearest[found]
    return replace(known, labels=seen), tuple(
        MisplacedFinding(
            pairs.names[unit],
            known.names[labels[unit]],
            known.names[seen[unit]],
            exp(float(gain[unit])),
        )
        for unit in found.tolist()
    )


def _near(square: Floats, known: Known) -> tuple[Floats, Floats]:
    """Return [group, unit] what messages to those of a group take, and to how many, at least 1.

    NaN where these are too few to show it.
    """
    groups = range(len(known.switches))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of who met nobody of a group
        near = np.stack(
            [
                np.nanquantile(square[:, known.labels == one], QUICK, axis=1, method="lower")
                for one in groups
            ]
        )
    met = ~np.isnan(square)
    others = np.stack([met[:, known.labels == one].sum(axis=1) for one in groups])
    near[others < _FEWEST_OTHERS] = np.nan
    return near, np.maximum(1, others)
