"""How long pairs of a round take that share uplinks evenly: max-min fairness.

D. Bertsekas, R. Gallager, Data Networks, 1992, section 6.5.2.
"""

from collections.abc import Sequence

import numpy as np

from beff.maps.pair_map import Floats
from beff.maps.schedule import Ints
from beff.twin.uplinks import Met, Uplinks

_ROUNDING = 1 + 1e-9


def shared_s(met: Met, levels: Sequence[Uplinks], alone_s: Floats) -> Floats:
    """Return the seconds of each meeting that takes `alone_s` where nothing is shared.

    All that waits at an uplink gets as much of it a byte; what others leave goes to the rest.
    """
    places, room = _places(met, levels)
    rounds = met.pairs.round_numbers
    speed = 1 / alone_s
    left = np.flatnonzero(~np.isnan(alone_s) & np.isfinite(room[places]).any(axis=1))
    while left.size:
        moved = np.repeat(met.moved[left], places.shape[1])
        asked = np.bincount(places[left].ravel(), moved, len(room))
        fair = np.maximum(room[places[left]] / asked[places[left]], 0.0).min(axis=1)
        done = speed[left] <= fair
        if not done.any():
            # the fullest uplink of each round has nothing to give away
            lowest = np.full(int(rounds.max()) + 1, np.inf)
            np.minimum.at(lowest, rounds[left], fair)
            done = fair <= lowest[rounds[left]] * _ROUNDING
            speed[left[done]] = fair[done]
        taken = np.repeat(met.moved[left[done]] * speed[left[done]], places.shape[1])
        room = room - np.bincount(places[left[done]].ravel(), taken, len(room))
        left = left[~done]
    return 1 / speed


def _places(met: Met, levels: Sequence[Uplinks]) -> tuple[Ints, Floats]:
    """Return the uplinks on the way of each meeting in its round, and the byte/s of each.

    The last one has room for all: the place of those that cross none.
    """
    rounds = met.pairs.round_numbers
    count = int(rounds.max(initial=0)) + 1
    room = [np.tile(one.carried, count) for one in levels]
    begins = np.cumsum([0, *map(len, room)])
    found = []
    for begin, one in zip(begins, levels, strict=False):
        first, second = one.groups[met.pairs.first], one.groups[met.pairs.second]
        for end in (first, second):
            place = begin + rounds * len(one.carried) + end
            found.append(np.where(first == second, begins[-1], place))
    return np.stack(found, axis=1), np.append(
        np.nan_to_num(np.concatenate(room), nan=np.inf, posinf=np.inf), np.inf
    )
