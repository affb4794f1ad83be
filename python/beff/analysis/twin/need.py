"""What an iteration of a pattern needs of a machine: the narrowest place, and the longest way."""

from dataclasses import dataclass

import numpy as np

from beff.analysis.b_pairs.pair_map import Floats
from beff.analysis.b_pairs.schedule import Ints
from beff.analysis.common.checks import fold_host_list
from beff.analysis.twin.traffic import Traffic
from beff.analysis.twin.ways import Ways

_NS_PER_S = 1e9


@dataclass(frozen=True)
class Place:
    """Where it is narrowest: `kind` host, uplink or link; `at` the numbers of host, group, ends."""

    kind: str
    at: tuple[int, ...]

    def said(self, ways: Ways) -> str:
        """Name it."""
        if self.kind == "uplink":
            members = np.flatnonzero(ways.groups == self.at[0])
            return f"the uplink of {fold_host_list([ways.names[host] for host in members])}"
        if self.kind == "link":
            return f"the link {' - '.join(ways.names[host] for host in self.at)}"
        return f"the port of {ways.names[self.at[0]]}"


@dataclass(frozen=True)
class Need:
    """What an iteration needs.

    `short_s`: of a short message on the longest way. `byte_s`: seconds for each byte of the length
    of a message, where it is narrowest; 0 where nothing leaves a host. `inside`: messages that a
    process sends to others of its host at most. `each`: messages of a process at most.
    """

    short_s: float
    byte_s: float
    place: Place | None
    inside: int
    each: int


def need_of(ways: Ways, traffic: Traffic, *, seen: bool = False) -> Need:
    """Return what the traffic needs; where `seen`, no uplink carries more than was seen."""
    leaves = traffic.source != traffic.target
    ends = traffic.source[leaves], traffic.target[leaves]
    places = _places(ways, traffic, ways.crossed if seen else ways.carried)
    byte_s, place = max(places, key=lambda each: each[0], default=(0.0, None))
    short = short_s(ways, *ends).max() if ends[0].size else 0.0
    each = int(np.bincount(traffic.sender).max())
    return Need(float(short), byte_s, place, traffic.most_inside(), each)


def _places(ways: Ways, traffic: Traffic, uplinks: Floats) -> list[tuple[float, Place]]:
    """Return of each kind of place the one that needs longest."""
    found = []
    of_hosts = np.maximum(traffic.leaving(), traffic.entering()) / ways.hosts
    of_groups = np.maximum(*traffic.crossing(ways.groups)) / uplinks
    for kind, needs in (("host", of_hosts), ("uplink", np.nan_to_num(of_groups))):
        if needs.size and needs.max() > 0:
            found.append((float(needs.max()), Place(kind, (int(needs.argmax()),))))
    for link, rate in ways.links.items():
        if traffic.between(*link):
            found.append((traffic.between(*link) / rate, Place("link", link)))
    return found


def short_s(ways: Ways, first: Ints, second: Ints) -> Floats:
    """Return how long short messages take between hosts; between groups that never met, longest."""
    times = ways.near.modelled(first, second)
    known = np.exp(times[~np.isnan(times)]) / _NS_PER_S
    longest = known.max() if known.size else 0.0
    return np.where(np.isnan(times), longest, np.exp(np.nan_to_num(times)) / _NS_PER_S)
