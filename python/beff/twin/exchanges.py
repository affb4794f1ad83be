"""Nodes with traffic between them are put on slots so that the narrowest place needs less time.

The graph partitioning of B. W. Kernighan and S. Lin (1970), with the time of the narrowest place
instead of the sum of what is cut; it begins with SciPy's quadratic assignment and an order of
neighbours.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from beff.maps.pair_map import Floats
from beff.maps.schedule import Ints

_MOST_BY_FAQ = 256
"""Of more nodes one assignment takes more than a second, and only the best beginning is changed."""
_SEEDS = 3
_MOST_TRIED = 4 * 10**7
"""Exchanges that are looked at from one beginning: some seconds."""
_LEAST = 1e-6
"""A gain as a share of the sum of powers; less is rounding."""


@dataclass(frozen=True)
class Slots:
    """The bin that each slot is in, the capacity of each bin, and the rate of each slot.

    Rates are in byte/s; infinite where there is no limit.
    """

    bin: Ints
    capacity: Floats
    rate: Floats

    def seconds(self, weights: Floats, slot_of: Ints) -> float:
        """Return the time of the narrowest place; `weights` are bytes between nodes, each way."""
        on = self.bin[slot_of]
        to_bins = weights @ np.eye(len(self.capacity))[on]
        total = weights.sum(axis=1)
        own = to_bins[np.arange(len(on)), on]
        cut = np.bincount(on, total - own, len(self.capacity))
        return float(max((total / self.rate[slot_of]).max(), (cut / self.capacity).max()))


def best_slots(weights: Floats, slots: Slots, seed: int, starts: Sequence[Ints] = ()) -> Ints:
    """Return a slot for each node; node by node where nothing is better than that.

    `starts`: where to begin, beside what is tried anyway.
    """
    identity = np.arange(len(weights))
    if not weights.any():
        return identity
    begins = each_once([*starts, *_starts(weights, slots, seed)])
    if len(weights) > _MOST_BY_FAQ:
        begins = [min(begins, key=lambda one: slots.seconds(weights, one))]
    found = [identity, *(_exchanged(weights, one, slots) for one in begins)]
    return min(found, key=lambda one: slots.seconds(weights, one))


def each_once(orders: Sequence[Ints]) -> list[Ints]:
    """Return the orders without those that are there already."""
    return list({one.tobytes(): one for one in orders}.values())


def _starts(weights: Floats, slots: Slots, seed: int) -> list[Ints]:
    """Return where to begin: as it is, in order of nodes or neighbours bin by bin, and by SciPy."""
    # SciPy takes 0.3 s to load
    from scipy.optimize import quadratic_assignment  # noqa: PLC0415
    from scipy.sparse import csr_array  # noqa: PLC0415
    from scipy.sparse.csgraph import reverse_cuthill_mckee  # noqa: PLC0415

    nodes = len(weights)
    identity = np.arange(nodes)
    by_bin = np.argsort(slots.bin, kind="stable")
    neighbours = np.asarray(reverse_cuthill_mckee(csr_array(weights), symmetric_mode=True))
    in_order = np.empty(nodes, dtype=np.int64)
    in_order[neighbours] = by_bin
    found = [identity, by_bin, in_order]
    narrow = np.where(np.isfinite(slots.capacity), 1 / slots.capacity, 0.0)[slots.bin]
    if nodes <= _MOST_BY_FAQ and narrow.any():
        apart = slots.bin[:, None] != slots.bin[None, :]
        distance = np.where(apart, narrow[:, None] + narrow[None, :], 0.0) / narrow.max()
        for number in range(_SEEDS):
            done = quadratic_assignment(
                weights / weights.max(),
                distance,
                options={"rng": np.random.default_rng(seed + number), "P0": "randomized"},
            )
            found.append(np.asarray(done.col_ind))
    return found


def _exchanged(weights: Floats, start: Ints, slots: Slots) -> Ints:
    """Exchange two nodes as long as that helps, those where it is narrowest first."""
    slot_of, total = start.copy(), weights.sum(axis=1)
    scale = slots.seconds(weights, start)
    if scale <= 0:
        return slot_of
    to_bins = weights @ np.eye(len(slots.capacity))[slots.bin[slot_of]]
    tried = 0
    while tried < _MOST_TRIED:
        on, rate = slots.bin[slot_of], slots.rate[slot_of] * scale
        own = to_bins[np.arange(len(on)), on]
        cut = np.bincount(on, total - own, len(slots.capacity)).astype(np.float64)
        capacity = slots.capacity * scale
        narrowest, slowest = int((cut / capacity).argmax()), int((total / rate).argmax())
        is_bin = cut[narrowest] / capacity[narrowest] > total[slowest] / rate[slowest]
        if not is_bin and rate.min() == rate.max():
            return slot_of
        rows = np.flatnonzero(on == narrowest) if is_bin else np.array([slowest])
        for some in (rows, np.arange(len(on))):
            gain = _gains(weights, to_bins, (total, own, cut), (on, rate, capacity), some)
            tried += gain.size
            best = int(gain.argmax())
            if gain.flat[best] > _LEAST:
                break
        else:
            return slot_of
        one, other = int(some[best // len(on)]), best % len(on)
        for node, leaves, enters in ((one, on[one], on[other]), (other, on[other], on[one])):
            to_bins[:, leaves] -= weights[:, node]
            to_bins[:, enters] += weights[:, node]
        slot_of[[one, other]] = slot_of[[other, one]]
    return slot_of


def _gains(
    weights: Floats,
    to_bins: Floats,
    of_nodes: tuple[Floats, Floats, Floats],
    places: tuple[Ints, Floats, Floats],
    rows: Ints,
) -> Floats:
    """Return by how much the sum of powers falls when one of `rows` and any node are exchanged."""
    (total, own, cut), (on, rate, capacity) = of_nodes, places
    leaves = 2 * own - total
    both = 2 * weights[rows]
    mine = cut[on[rows], None] + leaves[rows, None] + total - 2 * to_bins[:, on[rows]].T + both
    theirs = cut[on] + leaves + total[rows, None] - 2 * to_bins[rows][:, on] + both
    before = _power(cut / capacity)[on]
    gain = before[rows, None] + before - _power(mine / capacity[on[rows], None])
    gain -= _power(theirs / capacity[on])
    gain[on[rows][:, None] == on] = 0.0
    alone = _power(total / rate)
    gain += alone[rows, None] + alone
    gain -= _power(total[rows, None] / rate) + _power(total / rate[rows, None])
    return gain


def _power(share: Floats) -> Floats:
    """Return the eighth power: the narrowest place counts most, a gain at others leads on."""
    second = np.maximum(share, 0.0) ** 2
    fourth = second * second
    eighth: Floats = fourth * fourth
    return eighth
