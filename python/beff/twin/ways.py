"""What the map of pairs says of the ways between hosts: rates in byte/s, each way."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from beff.maps.findings import Status
from beff.maps.judge_pairs import judge_pairs
from beff.maps.kind import Kind
from beff.maps.kinds import kinds_of
from beff.maps.levels import quantiles
from beff.maps.network import network_rate_MBps, rate_of
from beff.maps.pair_map import Floats, Mask, PairMap, pair_map
from beff.maps.schedule import Ints, parts_of
from beff.result.b_pairs_result import BPairsResult
from beff.result.numbers import BYTES_PER_MB
from beff.verify.common.checks import expand_host_list

_QUARTER = 0.25
"""Pairs that end sooner count as faster than all were together, so most steps show too much."""


@dataclass(frozen=True)
class Halves:
    """Steps in which each pair is of a host of `group` and another one.

    `crossed`: byte/s each way, of which a quarter of the steps have no more. `longer`: how many
    times as long pairs took as alone; NaN where no pair was measured alone.
    """

    group: int
    crossed: float
    longer: float


def halves_that_are_groups(result: BPairsResult, labels: Ints) -> Iterator[Halves]:
    """Yield the groups, by the number of each unit, of which there are such steps."""
    asked, found = result.plan.bisection, result.bisection
    if asked is None or found is None:
        return
    alone = [rate_of(result, asked.processes, "both ways", max(1, ns)) for ns in found.alone.ns]
    for number, halves in enumerate(found.halves):
        if not halves.steps.sum_MBps:
            continue
        parts = parts_of(result.plan, asked, result.options["seed"], number)
        together = float(np.quantile(halves.steps.sum_MBps, _QUARTER, method="lower"))
        longer = len(parts[0]) * float(np.median(alone)) / together if alone else np.nan
        for part in parts:
            group = int(labels[part[0]])
            if set(part.tolist()) == set(np.flatnonzero(labels == group).tolist()):
                yield Halves(group, together / 2 * BYTES_PER_MB, longer)


_NS_PER_S = 1e9
_QUICK_PARTNERS = 0.25
"""A host's rate is that with its quicker partners: others are slow themselves, or share a way."""
_BUSY_ROUNDS = 0.9
"""What crosses in rounds that move most; in the others another uplink is what all wait for."""
WAITED = 1.1
"""What crosses has waited where it takes so many times as long as the ports of its hosts need."""
SHARED_UPLINK_POWER = 0.5
"""A group shares an uplink where the time of a round grows with what crosses to this power."""
CROSSING_RATIO = 1.2
"""Rounds show that growth only if so many times as much crosses in one as in another."""


@dataclass(frozen=True)
class Ways:
    """Rates of `names`, the hosts in the order of the result; without what a short message takes.

    `hosts`: what a host exchanges with another one near it, with all processes; NaN where it was
    not measured. `ports`: the sum of its ports, NaN where not known. `slow` hosts are slow by the
    map. `groups` has a number for each host, the same for those that are near each other. `crossed`
    is what went between a group and the others, NaN where nothing did; it `waited` where that took
    longer than hosts need, and it `grew` where more took longer. `links`: the rate of each link
    that is slow, by the numbers of its ends. `near` and `far`: the map by short and long messages.
    """

    names: tuple[str, ...]
    hosts: Floats
    ports: Floats
    slow: Mask
    groups: Ints
    crossed: Floats
    waited: Mask
    grew: Mask
    links: dict[tuple[int, int], float]
    near: Kind
    far: Kind

    @property
    def uplinks(self) -> Floats:
        """What groups share for sure; else NaN."""
        return np.where(self.grew, self.crossed, np.nan)

    @property
    def carried(self) -> Floats:
        """What may go between a group and the others; infinite where nothing has waited."""
        return np.where(self.grew | self.waited, self.crossed, np.inf)


def ways_of(result: BPairsResult) -> Ways:
    """Return what a map between hosts says."""
    pairs = pair_map(result)
    near, far = kinds_of(pairs)
    judged = judge_pairs(pairs)
    names = [host.name for host in result.environment.hosts]
    number = {name: place for place, name in enumerate(pairs.names)}
    moved = _bytes_of_pairs(result, pairs)
    seconds = _seconds_of_bytes(near, far)
    slow = {
        unit.name
        for unit in judged.with_status(Status.SLOW)
        if any(entry.kind == "large" for entry in unit.evidence)
    }
    links = {}
    for link in judged.links:
        ends = number[link.first], number[link.second]
        factor = max((e.factor for e in link.evidence if e.kind == "large"), default=1.0)
        if link.status == Status.SLOW and factor > 1:
            own = (pairs.first == ends[0]) & (pairs.second == ends[1])
            links[ends] = float(np.nanmax((moved / seconds)[own]))
    hosts = _rates_of_hosts(far, moved / seconds)
    alone_s = moved / np.fmin(hosts[pairs.first], hosts[pairs.second])
    crossed, waited, grew = _crossed(far, moved, seconds, seconds / alone_s)
    for halves in halves_that_are_groups(result, far.labels):
        if halves.longer > WAITED:
            crossed[halves.group], waited[halves.group] = halves.crossed, True
    return Ways(
        tuple(names),
        hosts,
        _rates_of_ports(result, names),
        np.array([name in slow for name in pairs.names]),
        far.labels,
        crossed,
        waited,
        grew,
        links,
        near,
        far,
    )


def _bytes_of_pairs(result: BPairsResult, pairs: PairMap) -> Floats:
    """Return what each pair sent each way in an exchange."""
    own = np.array([host.processes for host in result.environment.hosts], dtype=np.float64)
    if result.plan.per_host == "one":
        own = np.ones_like(own)
    return result.plan.large_bytes * np.minimum(own[pairs.first], own[pairs.second])


def _seconds_of_bytes(near: Kind, far: Kind) -> Floats:
    """Return what long messages took in each meeting beyond what short ones of the pair take."""
    whole = np.exp(far.pairs.times["large"])
    seconds: Floats = np.maximum(whole - np.exp(near.levels)[near.links.of], whole / 2) / _NS_PER_S
    return seconds


def _rates_of_hosts(kind: Kind, rates: Floats) -> Floats:
    """Return what hosts exchange inside of their groups, or where that was not measured, at all."""
    links, units = kind.links, kind.pairs.units
    of_link = quantiles(links.of, rates, len(links.first), 0.5)
    ends = np.concatenate([links.first, links.second])
    inside, every = (
        quantiles(ends, np.tile(values, 2), units, 1 - _QUICK_PARTNERS)
        for values in (np.where(kind.inside, of_link, np.nan), of_link)
    )
    return np.where(np.isnan(inside), every, inside)


def _rates_of_ports(result: BPairsResult, names: list[str]) -> Floats:
    rates = dict.fromkeys(names, np.nan)
    for group in () if result.roofs is None else result.roofs.hosts:
        rate = network_rate_MBps(group) * BYTES_PER_MB
        for name in expand_host_list(group.hosts, len(names)):
            rates[name] = rate or np.nan
    return np.array([rates[name] for name in names])


def _crossed(
    kind: Kind, moved: Floats, seconds: Floats, longer: Floats
) -> tuple[Floats, Mask, Mask]:
    """Return for each group what went between it and the others, if it waited, and if it grew.

    All that crossed in a round counts by the time of its slowest pair, so that what ended sooner
    does not count as faster than it was. `longer`: the time of each meeting over what its hosts
    need.
    """
    pairs, labels, groups = kind.pairs, kind.labels, kind.groups
    found, (waited, grew) = np.full(groups, np.nan), np.zeros((2, groups), dtype=np.bool_)
    first, second = labels[pairs.first], labels[pairs.second]
    crosses = (first != second) & ~np.isnan(seconds)
    round_of = pairs.round_numbers
    if groups < 2:
        return found, waited, grew
    # byte by round and group
    load = np.zeros((int(round_of.max()) + 1, groups))
    for ends in (first, second):
        np.add.at(load, (round_of[crosses], ends[crosses]), moved[crosses])
    busier = np.maximum(load[round_of, first], load[round_of, second])
    for group in range(groups):
        mine = crosses & ((first == group) | (second == group))
        if not mine.any():
            continue
        quickest, longest = np.full(len(load), np.inf), np.zeros(len(load))
        np.minimum.at(quickest, round_of[mine], seconds[mine])
        np.maximum.at(longest, round_of[mine], seconds[mine])
        is_quickest = mine & (seconds == quickest[round_of])
        grew[group] = _grows_with(busier[is_quickest], seconds[is_quickest])
        used = longest > 0
        rates = load[used, group] / longest[used]
        share = _BUSY_ROUNDS if grew[group] else 1.0
        found[group] = np.quantile(rates, share, method="higher")
        busy = np.quantile(load[used, group], _BUSY_ROUNDS, method="higher")
        waited[group] = np.median(longer[mine & (load[round_of, group] >= busy)]) > WAITED
    return found, waited, grew


def _grows_with(loads: Floats, times: Floats) -> bool:
    """Whether more takes longer, as where it shares an uplink, and not where it only goes far.

    Asked of the quickest pair of each round: an uplink holds up all that cross, and where routes
    of a network collide some do not wait.
    """
    if loads.size < 2 or loads.max() < CROSSING_RATIO * loads.min():
        return False
    slope = np.polyfit(np.log(loads), np.log(times), 1)[0]
    return bool(slope >= SHARED_UPLINK_POWER)
