"""Units that are slower in the second half of a map than in the first, as a host that warms is."""

from collections.abc import Iterator
from math import exp

import numpy as np

from beff.maps.constants import AGREES, SIGMAS
from beff.maps.findings import Evidence
from beff.maps.kind import Kind
from beff.maps.kinds import kinds_in
from beff.maps.pair_map import PairMap

_LATER = "slower in the second half of the map than in the first"


def slower_later(pairs: PairMap, kinds: list[Kind], floor: float) -> Iterator[tuple[int, Evidence]]:
    """Yield the units that take longer in the second half by more than `floor`, and chance."""
    # whole passes, where there are several
    number = pairs.passes if np.unique(pairs.passes).size > 1 else pairs.round_numbers
    is_later = 2 * number > number.min(initial=0) + number.max(initial=0)
    labels = [kind.labels for kind in kinds]
    halves = [kinds_in(pairs.part(half), labels) for half in (~is_later, is_later)]
    of_short = np.zeros(pairs.units)
    for kind, first, second in zip(kinds, *halves, strict=True):
        longer = second.own - first.own
        if kind.groups > 1 and kind.kind == "large":  # what crosses waits now and then
            longer = np.where(of_short > AGREES * longer, longer, 0.0)
        of_short = longer
        errors = np.hypot(first.unit_errors, second.unit_errors)
        for unit in np.flatnonzero(np.nan_to_num(longer) > np.fmax(floor, 2 * SIGMAS * errors)):
            times = second.meetings_of(int(unit))
            counts = int(np.sum(times > floor / 2)), times.size
            yield int(unit), kind.evidence(exp(float(longer[unit])), counts, None, _LATER)
