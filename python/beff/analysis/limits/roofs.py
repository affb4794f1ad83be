"""The roofs: each says how long an iteration of a pattern takes at least, and its sentence.

Conditions and limits are the table of docs/explanation/limits.md.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from beff.analysis.b_pairs.pair_map import Floats
from beff.analysis.common.checks import fold_host_list
from beff.analysis.twin.traffic import Traffic
from beff.analysis.twin.ways import Ways
from beff.model.numbers import BYTES_PER_MB, percent, rate

REACHED = 0.75
"""A roof is reached from this share of it on."""
EXCEEDED = 1.25
"""What is exceeded by more is no roof."""
NEARER = 1.1
"""A slow host is what limits when it is so much nearer to its rate than the others to theirs."""
ALONE = 1.25
"""A pair of hosts that is so much faster alone shows that ports are faster than what left them."""
COPIES_PER_MESSAGE = 2
"""Through shared memory: into it and out of it. Some libraries need one."""


@dataclass(frozen=True)
class Iteration:
    """An iteration of a pattern at L_max: its messages, their length, and the time it took."""

    pattern: int
    traffic: Traffic
    message_bytes: int
    took_s: float

    def rates(self) -> Floats:
        """Return what left or entered each host, whichever is more, in byte/s."""
        most = np.maximum(self.traffic.leaving(), self.traffic.entering())
        rates: Floats = most * self.message_bytes / self.took_s
        return rates


@dataclass(frozen=True)
class Known:
    """What is known of a machine of several hosts; `copy` is of one process, in byte/s.

    `alone`: what a pair of hosts exchanges with nothing else under way, one way; None where that
    was not measured. `simulated` ports have no software beside them.
    """

    ways: Ways
    copy: float | None
    alone: float | None
    simulated: bool


@dataclass(frozen=True)
class Reach:
    """How near an iteration comes to a roof: its least time as a share of what it took.

    `at` says where: the number of a host or group, or the ends of a link.
    """

    share: float
    at: tuple[int, ...] = ()


@dataclass(frozen=True)
class Roof:
    """A row of the table."""

    name: str
    reach: Callable[[Known, Iteration], Reach]
    sentence: Callable[[Known, Iteration, Reach], str]
    slack: float = 1.0
    """A share so much above 1 may be true: where messages need less than the roof assumes."""


NOT_NEAR = Reach(0.0)


def _largest(shares: Floats) -> Reach:
    """Return the largest of the shares, with its place."""
    known = np.nan_to_num(shares)
    if not known.size or not known.max() > 0:
        return NOT_NEAR
    place = int(known.argmax())
    return Reach(float(known[place]), (place,))


def host_shares(known: Known, iteration: Iteration) -> Floats:
    """Return for each host its rate as a share of what it reaches in the map of pairs."""
    shares: Floats = iteration.rates() / known.ways.hosts
    return shares


def _slow_host(known: Known, iteration: Iteration) -> Reach:
    shares = host_shares(known, iteration)
    usual = _largest(np.where(known.ways.slow, 0.0, shares)).share
    slow = _largest(np.where(known.ways.slow, shares, 0.0))
    return slow if slow.share > usual * NEARER else NOT_NEAR


def _say_slow_host(known: Known, iteration: Iteration, reach: Reach) -> str:
    ways, (host,) = known.ways, reach.at
    usual = float(np.nanmedian(ways.hosts[~ways.slow]))
    others = int(ways.slow.sum()) - 1
    more = f" and {others} more" if others else ""
    return (
        f"a slow host: {ways.names[host]}{more} with {_rate(float(iteration.rates()[host]))},"
        f" {percent(float(ways.hosts[host]) / usual)} of what the others reach in the map of pairs"
    )


def _uplink(known: Known, iteration: Iteration) -> Reach:
    ways = known.ways
    if len(ways.uplinks) < 2:
        return NOT_NEAR
    out, into = iteration.traffic.crossing(ways.groups)
    crossing = np.maximum(out, into) * iteration.message_bytes / iteration.took_s
    return _largest(crossing / ways.uplinks)


def _say_uplink(known: Known, iteration: Iteration, reach: Reach) -> str:
    ways, (group,) = known.ways, reach.at
    members = np.flatnonzero(ways.groups == group)
    names = fold_host_list([ways.names[host] for host in members])
    inside = float(np.nansum(ways.hosts[members]))
    uplink = float(ways.uplinks[group])
    return (
        f"an uplink: {_rate(reach.share * uplink)} between {names} and the others, of"
        f" {_rate(uplink)} in the map of pairs; these hosts can send {_rate(inside)}"
    )


def _slow_link(known: Known, iteration: Iteration) -> Reach:
    found = NOT_NEAR
    for ends, link in known.ways.links.items():
        rate_ = iteration.traffic.between(*ends) * iteration.message_bytes / iteration.took_s
        if rate_ / link > found.share:
            found = Reach(rate_ / link, ends)
    return found


def _say_slow_link(known: Known, _: Iteration, reach: Reach) -> str:
    ways = known.ways
    first, second = (ways.names[end] for end in reach.at)
    link = ways.links[reach.at[0], reach.at[1]]
    return f"a slow link: {first} - {second} with {_rate(link)} in the map of pairs"


def _port(known: Known, iteration: Iteration) -> Reach:
    """Of ports of unknown rate nothing is said, but of simulated ones, beside which nothing is."""
    ways = known.ways
    usual = np.where(ways.slow, 0.0, iteration.rates())
    if not np.isnan(ways.ports).all():
        return _largest(usual / ways.ports)
    reach = _largest(usual / ways.hosts)
    is_as_alone = known.alone is not None and reach.at != ()
    if not known.simulated or not is_as_alone:
        return NOT_NEAR
    assert known.alone is not None
    return reach if known.alone < ALONE * float(usual.max()) else NOT_NEAR


def _say_port(known: Known, iteration: Iteration, reach: Reach) -> str:
    (host,) = reach.at
    own = float(iteration.rates()[host])
    port = float(known.ways.ports[host])
    of = f"of {_rate(port)}" if port == port else "as much as a pair of hosts alone"  # noqa: PLR0124
    return f"port rate: {_rate(own)} leave {_slower_hosts(known.ways, host)}, {of}"


def _slower_hosts(ways: Ways, host: int) -> str:
    """Name the hosts with rates like this one's, where others are faster."""
    rates = ways.hosts if np.isnan(ways.ports).all() else ways.ports
    faster = (rates > rates[host] * NEARER) & ~ways.slow
    if not faster.any():
        return "each host"
    alike = np.flatnonzero(~faster & ~ways.slow)
    names = fold_host_list([ways.names[index] for index in alike])
    return f"each of {names} (the others have {_rate(float(np.median(rates[faster])))})"


def _copies(known: Known, iteration: Iteration) -> Reach:
    if known.copy is None:
        return NOT_NEAR
    copied = COPIES_PER_MESSAGE * iteration.traffic.most_inside() * iteration.message_bytes
    return Reach(copied / known.copy / iteration.took_s)


def copies_sentence(own_MBps: float, copy_MBps: float) -> str:  # noqa: N803 - the unit
    """Say that copies limit what a process sends."""
    share = percent(own_MBps / copy_MBps)
    return (
        f"memory copies: {rate(own_MBps)} of messages of each process, {share} of"
        f" {rate(copy_MBps)} that it copies"
    )


def _say_copies(known: Known, iteration: Iteration, _: Reach) -> str:
    assert known.copy is not None
    own = iteration.traffic.most_inside() * iteration.message_bytes / iteration.took_s
    return copies_sentence(own / BYTES_PER_MB, known.copy / BYTES_PER_MB)


def _rate(bytes_per_s: float) -> str:
    return rate(bytes_per_s / BYTES_PER_MB)


ROOFS = (
    Roof("slow host", _slow_host, _say_slow_host),
    Roof("uplink", _uplink, _say_uplink),
    Roof("slow link", _slow_link, _say_slow_link),
    Roof("port rate", _port, _say_port),
    Roof("memory copies", _copies, _say_copies, slack=COPIES_PER_MESSAGE),
)
"""Of two roofs that are reached as often, the first one counts."""
