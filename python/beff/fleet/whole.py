"""What all hosts of a fleet take longer than in the days before."""

from collections.abc import Iterator
from math import exp

import numpy as np

from beff.fleet.fit import Fit
from beff.maps.baseline import SLOWER, reach_of
from beff.maps.findings import CommonFinding, Status
from beff.maps.pair_map import FEWEST_UNITS


def slower_since(fit: Fit, days: float) -> Iterator[CommonFinding]:
    """Yield what the last map of four hosts or more took longer than those in so many days before.

    What its hosts take by nature is not in it.
    """
    whole = np.flatnonzero(fit.sizes >= FEWEST_UNITS)
    day = np.array([one.day for one in fit.maps])
    if not whole.size:
        return
    last = int(whole[-1])
    before = whole[:-1][day[whole[:-1]] >= day[last] - days]
    for kind, took in fit.by_kind.items():
        levels = took.levels[before][~np.isnan(took.levels[before])]
        longer = float(took.levels[last] - np.median(levels)) if levels.size else 0.0
        if longer > SLOWER:
            status = Status.SLOW if longer > reach_of(levels.tolist()) else Status.SUSPECT
            size = fit.maps[last].pairs.bytes_of[kind]
            yield CommonFinding(kind, size, exp(longer), True, levels.size, status)
