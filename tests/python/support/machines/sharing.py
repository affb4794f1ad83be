"""How messages that are under way at the same time share the links."""

from __future__ import annotations

import numpy as np

from support.machines.ways import NO_LINK, Floats, Ints

_ROUNDING = 1e-9


def max_min(own: Floats, links: Ints, at: Ints, capacities: Floats) -> Floats:
    """Return the rate of each pair by max-min fairness, in ports of a host.

    `own` is what a pair has alone, `links` [pairs, links] what it takes, `at` its round;
    `capacities` [rounds, links] are those of the links in each round.
    """
    place, left = _places(links, at, capacities)
    rates = own.copy()
    under_way = np.flatnonzero((links != NO_LINK).any(axis=1))
    place = place[under_way]
    while under_way.size:
        fair = left / np.maximum(np.bincount(place.ravel(), minlength=len(left)), 1)
        offered = fair[place]
        least = offered.min(axis=1)
        level = np.minimum(least, own[under_way])
        lowest = np.full(len(left), np.inf)
        np.minimum.at(lowest, place.ravel(), np.repeat(level, place.shape[1]))
        # a link is full where nobody on it is held back more elsewhere
        full = lowest >= fair * (1 - _ROUNDING)
        at_bottleneck = full[place] & (offered <= least[:, None] * (1 + _ROUNDING))
        done = (own[under_way] <= least) | at_bottleneck.any(axis=1)
        rates[under_way[done]] = level[done]
        taken = np.repeat(level[done], place.shape[1])
        left = left - np.bincount(place[done].ravel(), taken, minlength=len(left))
        under_way, place = under_way[~done], place[~done]
    return rates


def equal_share(own: Floats, links: Ints, at: Ints, capacities: Floats) -> Floats:
    """Return the rates where each on a link gets the same, and nobody what others leave."""
    if not links.shape[1]:
        return own
    place, left = _places(links, at, capacities)
    users = np.bincount(place.ravel(), minlength=len(left))
    shares: Floats = np.minimum(own, (left / np.maximum(users, 1))[place].min(axis=1))
    return shares


def _places(links: Ints, at: Ints, capacities: Floats) -> tuple[Ints, Floats]:
    """Return where each link is in the list of all links of all rounds, and this list.

    Its last has room for all: the link of those who need none.
    """
    count = capacities.shape[1]
    place = np.where(links == NO_LINK, capacities.size, at[:, None] * count + links)
    return place, np.append(capacities.ravel(), np.inf)
