"""The roofs, and which is the nearest in most random rings between hosts, by a map of pairs.

Each says how long an iteration of a pattern takes at least, and its sentence. Conditions and limits
are the table of docs/explanation/limits.md.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from beff.maps.pair_map import Floats
from beff.result.b_eff_result import BEffResult
from beff.result.b_pairs_result import BPairsResult
from beff.result.numbers import BYTES_PER_MB, percent, rate
from beff.twin.traffic import Traffic, traffic_of
from beff.twin.ways import Ways, ways_of
from beff.verify.b_eff.averages import Figures
from beff.verify.b_eff.definition import RANDOM_PATTERNS, RING_PATTERNS, draw_of, in_first_group
from beff.verify.common.checks import fold_host_list

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

    `at` says where: the number of a host, those of group and level, or the ends of a link.
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
    found = NOT_NEAR
    for level, uplinks in enumerate(known.ways.levels):
        crossing = np.maximum(*iteration.traffic.crossing(uplinks.groups))
        rates = crossing * iteration.message_bytes / iteration.took_s
        reach = _largest(rates / uplinks.known)
        if reach.share > found.share:
            found = Reach(reach.share, (*reach.at, level))
    return found


def _say_uplink(known: Known, iteration: Iteration, reach: Reach) -> str:
    ways, (group, level) = known.ways, reach.at
    members = np.flatnonzero(ways.levels[level].groups == group)
    names = fold_host_list([ways.names[host] for host in members])
    inside = float(np.nansum(ways.hosts[members]))
    uplink = float(ways.levels[level].known[group])
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


FAR_BELOW_RINGS = 0.6
"""Where random rings reach less than this share of what rings reach, links between limit."""
_MOST_PLACES = 60_000
"""Of random rings; more would take seconds."""


@dataclass(frozen=True)
class Nearest:
    """The nearest roof of an iteration, None where none is reached."""

    iteration: Iteration
    roof: Roof | None
    reach: Reach
    hosts: float
    """Of the busiest host, as a share of what it reaches in the map of pairs."""

    @property
    def name(self) -> str | None:
        """The name of the roof."""
        return None if self.roof is None else self.roof.name


def nearest_roof(known: Known, iteration: Iteration) -> Nearest:
    """Return the nearest roof of an iteration; what it exceeds is none."""
    reaches = [(roof.reach(known, iteration), roof) for roof in ROOFS]
    reach, roof = max(
        (each for each in reaches if each[0].share <= EXCEEDED * each[1].slack),
        key=lambda each: each[0].share,
        default=(NOT_NEAR, ROOFS[0]),
    )
    hosts = float(host_shares(known, iteration).max())
    return Nearest(iteration, roof if reach.share >= REACHED else None, reach, hosts)


def said_between_hosts(known: Known, iterations: Sequence[Iteration]) -> tuple[str | None, str]:
    """Return the name of the roof, None where it is not known, and what to say."""
    nearest = [nearest_roof(known, iteration) for iteration in iterations]
    random = [each for each in nearest if each.iteration.pattern in RANDOM_PATTERNS]
    rings = [each for each in nearest if each.iteration.pattern not in RANDOM_PATTERNS]
    name = _in_most(random)
    if name is not None:
        in_rings = "rings and " if _in_most(rings) == name else ""
        return name, f"{_sentence(known, random, name)} (in {in_rings}random rings)"
    shared = _shared_ways(rings, random)
    if shared is not None:
        return "links of the network", shared
    of_rings = _in_most(rings)
    if of_rings is not None:
        return (
            None,
            f"no limit is near in random rings; in rings {_sentence(known, rings, of_rings)}",
        )
    return None, _why_not(known, random)


def _in_most(group: Sequence[Nearest]) -> str | None:
    """Return the name of the roof that is the nearest in half of a group or more."""
    often = Counter(each.name for each in group if each.name is not None)
    return next((roof.name for roof in ROOFS if 2 * often[roof.name] >= len(group) > 0), None)


def _sentence(known: Known, group: Sequence[Nearest], name: str) -> str:
    """Say it by the pattern in the middle of those that are near."""
    mine = sorted((each for each in group if each.name == name), key=lambda one: one.reach.share)
    typical = mine[len(mine) // 2]
    assert typical.roof is not None
    return typical.roof.sentence(known, typical.iteration, typical.reach)


def _shared_ways(rings: Sequence[Nearest], random: Sequence[Nearest]) -> str | None:
    """Say so where random rings reach much less than rings, with the same hosts and messages."""
    if not rings or not random or any(each.roof is not None for each in random):
        return None
    in_rings = float(np.median([each.hosts for each in rings]))
    in_random = float(np.median([each.hosts for each in random]))
    if in_rings < REACHED or in_random > FAR_BELOW_RINGS * in_rings:
        return None
    first, other = (_typical_rate(group) for group in (random, rings))
    return f"links of the network: {first} leave a host in random rings, {other} in rings"


def _typical_rate(group: Sequence[Nearest]) -> str:
    rates = [float(each.iteration.rates().max()) for each in group]
    return rate(float(np.median(rates)) / BYTES_PER_MB)


def _why_not(known: Known, nearest: Sequence[Nearest]) -> str:
    hosts = float(np.median([each.hosts for each in nearest]))
    each = _typical_rate(nearest)
    if hosts > EXCEEDED:
        return f"{each} leave a host, more than between two hosts in the map of pairs"
    if hosts >= REACHED:
        what = f"{each} leave a host, as much as between two hosts in the map of pairs"
        if np.isnan(known.ways.ports).all():
            return f"{what}, and the rate of the ports is not known"
        port = float(np.nanmedian(known.ways.ports)) / BYTES_PER_MB
        return f"{what}, and its ports have {rate(port)}"
    return f"{each} leave a host, and no known limit is near"


def between_hosts(
    result: BEffResult, figures: Figures, pairs: BPairsResult
) -> tuple[str | None, str]:
    """Return the name of the roof, None where it is not known, and what to say."""
    ways = ways_of(pairs)
    if np.isnan(ways.hosts).any():
        return None, "the map of pairs has no long messages of some host"
    copy = None if pairs.roofs is None else pairs.roofs.copy_MBps_per_process
    placement = result.environment.placement
    alone = figures.pingpong_MBps if placement[0] != placement[1] else None
    known = Known(
        ways,
        copy * BYTES_PER_MB if copy else None,
        alone * BYTES_PER_MB if alone else None,
        result.environment.simulated,
    )
    return said_between_hosts(known, iterations_of(result, figures))


def iterations_of(result: BEffResult, figures: Figures) -> list[Iteration]:
    """Return the averaged rings and random rings at L_max; of many processes not all of these."""
    environment = result.environment
    lmax = result.message_sizes_bytes[-1]
    most = max(3, _MOST_PLACES // environment.processes)
    chosen = [p for p in range(RING_PATTERNS) if in_first_group(result.definition, p)]
    found = []
    for pattern in (*chosen, *RANDOM_PATTERNS[:most]):
        bandwidth = figures.patterns[pattern].by_size[-1]
        if bandwidth is None:
            continue
        traffic = traffic_of(pattern, environment.placement, draw_of(result.options))
        took_s = lmax * len(traffic.sender) / (bandwidth * BYTES_PER_MB)
        found.append(Iteration(pattern, traffic, lmax, took_s))
    return found
