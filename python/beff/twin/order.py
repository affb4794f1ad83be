"""An order of ranks on hosts that lowers the time of given messages, by a map of pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf

import numpy as np

from beff.maps.matrix import MessageMatrix
from beff.maps.pair_map import Floats
from beff.maps.schedule import Ints
from beff.twin.exchanges import Slots, best_slots, each_once
from beff.twin.traffic import Place, short_s
from beff.twin.ways import Ways
from beff.verify.common.checks import number_key

_AS_GOOD = 1.01
"""Orders that need so many times as long as the best need as long."""
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
    of_hosts = np.maximum(on.sum(axis=0), on.sum(axis=1)) / ways.hosts
    found = [(float(of_hosts.max()), Place("host", (int(of_hosts.argmax()),)))]
    for level, uplinks in enumerate(ways.levels):
        across = sent.between(uplinks.groups[host_of], len(uplinks.crossed))
        needs = np.maximum(across.sum(axis=0), across.sum(axis=1)) / uplinks.carried
        needs = np.nan_to_num(needs)
        found.append((float(needs.max()), Place("uplink", (int(needs.argmax()), level))))
    found += [
        (max(on[ends], on[ends[::-1]]) / rate, Place("link", ends))
        for ends, rate in ways.links.items()
    ]
    longest, place = max(found, key=lambda one: one[0])
    first, second = np.nonzero(on)
    short = float(short_s(ways, first, second).max()) if first.size else 0.0
    return Narrowest(short, longest, place)


def better_order(ways: Ways, sent: Sent, host_of: Ints, seed: int = 0) -> Ints:
    """Return the host of each rank, on each as many as before, where the narrowest needs least.

    Of orders that need as long, the one of which least leaves groups of hosts; the present one
    counts as one of them, and so do hosts switch by switch and by name.
    """
    hosts, place, per_host = np.unique(host_of, return_inverse=True, return_counts=True)
    by_switch = np.lexsort([level.groups[hosts] for level in ways.levels])
    by_name = np.array(
        sorted(range(len(hosts)), key=lambda one: number_key(ways.names[hosts[one]]))
    )
    found = [host_of, *(np.repeat(hosts[one], per_host[one]) for one in (by_switch, by_name))]
    starts = [place]
    if sent.ranks <= _MOST_RANKS and per_host.max() > 1:
        weights = _both_ways(sent.between(np.arange(sent.ranks), sent.ranks))
        ranks = Slots(place, ways.hosts[hosts], np.full(len(place), np.inf))
        starts.append(place[best_slots(weights, ranks, seed)])
    found += [hosts[start] for start in starts]
    if per_host.min() == per_host.max():
        starts.append(np.repeat(np.arange(len(hosts)), per_host))
        for start in each_once(starts):
            on = _both_ways(sent.between(start, len(hosts)))
            found += [hosts[by_switch[start]], hosts[by_name[start]]]
            for level in ways.levels:
                slots = Slots(level.groups[hosts], level.carried, ways.hosts[hosts])
                found.append(hosts[best_slots(on, slots, seed, [by_switch])[start]])
    found = each_once(found)
    needs = [narrowest(ways, sent, one).seconds for one in found]
    near = [one for one, need in zip(found, needs, strict=True) if need <= _AS_GOOD * min(needs)]
    return min(near, key=lambda one: _crossing(ways, sent, one))


def _crossing(ways: Ways, sent: Sent, host_of: Ints) -> float:
    """Return the bytes that leave groups of hosts, of each level once."""
    apart = [level.groups[host_of] for level in ways.levels]
    return float(sum(sent.bytes[on[sent.sender] != on[sent.receiver]].sum() for on in apart))


@dataclass(frozen=True)
class Change:
    """An order, and the times of each kind of messages before and after.

    `least` and `most`: how many times as fast all are together at least and at most.
    """

    host_of: Ints
    times: dict[str, tuple[Narrowest, Narrowest]]
    least: float
    most: float

    @property
    def gain(self) -> float:
        """How many times as fast all are together."""
        return _times_as_long(*_in_all(self.times))

    @property
    def is_offered(self) -> bool:
        """Whether it is faster for sure, and none of the messages become slower."""
        slowest = max(
            _times_as_long(after.seconds, before.seconds) for before, after in self.times.values()
        )
        return self.least > 1 and slowest <= 1 + _NO_LOSS


_NO_LOSS = 0.03
"""One kind of messages may become slower by as much where all together become faster."""


def _in_all(times: Mapping[str, tuple[Narrowest, Narrowest]]) -> tuple[float, float]:
    """Return what all kinds of messages need before and after."""
    before, after = (sum(both[place].seconds for both in times.values()) for place in (0, 1))
    return before, after


def change_of(ways: Ways, traffics: Mapping[str, Sent], now: Ints, width: float) -> Change:
    """Return the order found; `width`: how far a time may be off, as a logarithm.

    At least it gains what it does where no uplink carries more than was seen.
    """
    host_of = better_order(ways, together(list(traffics.values())), now)
    times = {
        kind: (narrowest(ways, sent, now), narrowest(ways, sent, host_of))
        for kind, sent in traffics.items()
    }
    before, after = _in_all(times)
    seen_before, seen_after = (
        sum(narrowest(ways.as_seen, sent, on).seconds for sent in traffics.values())
        for on in (now, host_of)
    )
    least = _times_as_long(before, seen_after) / exp(width)
    return Change(host_of, times, least, _times_as_long(seen_before, after) * exp(width))


def _times_as_long(one: float, other: float) -> float:
    """Return how many times as long one takes as the other; where nothing is sent, 0 s each."""
    return one / other if other else inf if one else 1.0


def _both_ways(sent: Floats) -> Floats:
    """Return the mean of both directions."""
    mean: Floats = (sent + sent.T) / 2
    return mean
