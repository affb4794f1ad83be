"""An order of ranks on hosts that lowers the time of given messages, by a map of pairs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from beff.maps.matrix import MessageMatrix
from beff.maps.pair_map import Floats
from beff.maps.schedule import Ints
from beff.twin.exchanges import Slots, best_slots
from beff.twin.traffic import Place, short_s
from beff.twin.ways import Ways

_MOST_RANKS = 512
"""Of more ranks, those that are on one host stay together."""


@dataclass(frozen=True)
class Narrowest:
    """How long a short message takes on the longest way, and all bytes where it is narrowest."""

    short_s: float
    bytes_s: float
    place: Place

    @property
    def seconds(self) -> float:
        """Return how long an iteration takes."""
        return self.short_s + self.bytes_s


@dataclass(frozen=True)
class Sent:
    """Bytes of an iteration from one of so many ranks to another, row by row."""

    ranks: int
    sender: Ints
    receiver: Ints
    bytes: Floats

    @classmethod
    def of(cls, matrix: MessageMatrix) -> "Sent":
        """Return what a matrix of messages sends."""
        sent = matrix.volume().astype(np.float64)
        return cls(matrix.processes, matrix.sender, matrix.receiver, sent)

    def between(self, bin_of: Ints, bins: int) -> Floats:
        """Return the bytes from bin to bin; what stays in one does not count."""
        found = np.zeros((bins, bins))
        np.add.at(found, (bin_of[self.sender], bin_of[self.receiver]), self.bytes)
        np.fill_diagonal(found, 0.0)
        return found


def together(all_: Sequence[Sent]) -> Sent:
    """Return all in one iteration."""
    return Sent(
        all_[0].ranks,
        np.concatenate([each.sender for each in all_]),
        np.concatenate([each.receiver for each in all_]),
        np.concatenate([each.bytes for each in all_]),
    )


def narrowest(ways: Ways, sent: Sent, host_of: Ints) -> Narrowest:
    """Return what an iteration takes with the ranks on these hosts."""
    on = sent.between(host_of, len(ways.names))
    across = sent.between(ways.groups[host_of], len(ways.carried))
    leaves, crosses = (np.maximum(one.sum(axis=0), one.sum(axis=1)) for one in (on, across))
    found = [
        (need, Place(kind, (place,)))
        for kind, moved, rates in (("host", leaves, ways.hosts), ("uplink", crosses, ways.carried))
        for place, need in enumerate(np.nan_to_num(moved / rates).tolist())
    ]
    found += [
        (max(on[ends], on[ends[::-1]]) / rate, Place("link", ends))
        for ends, rate in ways.links.items()
    ]
    longest, place = max(found, key=lambda one: one[0])
    first, second = np.nonzero(on)
    short = float(short_s(ways, first, second).max()) if first.size else 0.0
    return Narrowest(short, longest, place)


def better_order(ways: Ways, sent: Sent, host_of: Ints, seed: int = 0) -> Ints:
    """Return the host of each rank, on each as many as before, where the narrowest needs least."""
    hosts, place, per_host = np.unique(host_of, return_inverse=True, return_counts=True)
    found, starts = [host_of], [place]
    if sent.ranks <= _MOST_RANKS and per_host.max() > 1:
        weights = _both_ways(sent.between(np.arange(sent.ranks), sent.ranks))
        ranks = Slots(place, ways.hosts[hosts], np.full(sent.ranks, np.inf))
        starts.append(place[best_slots(weights, ranks, seed)])
    slots = Slots(ways.groups[hosts], ways.carried, ways.hosts[hosts])
    for start in starts:
        found.append(hosts[start])
        if per_host.min() == per_host.max():
            on = _both_ways(sent.between(start, len(hosts)))
            found.append(hosts[best_slots(on, slots, seed)[start]])
    return min(found, key=lambda one: narrowest(ways, sent, one).seconds)


def _both_ways(sent: Floats) -> Floats:
    """Return the mean of both directions."""
    mean: Floats = (sent + sent.T) / 2
    return mean
