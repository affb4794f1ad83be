"""What the map of pairs says of the ways between hosts: rates in byte/s, each way."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from beff.analysis.b_pairs.findings import Status
from beff.analysis.b_pairs.judge_pairs import judge_pairs
from beff.analysis.b_pairs.kind import Kind
from beff.analysis.b_pairs.kinds import kinds_of
from beff.analysis.b_pairs.levels import quantiles
from beff.analysis.b_pairs.pair_map import Floats, Mask, PairMap, pair_map
from beff.analysis.b_pairs.roofs import network_rate_MBps
from beff.analysis.b_pairs.schedule import Ints
from beff.analysis.common.checks import expand_host_list
from beff.analysis.limits.limit import CROSSING_RATIO, SHARED_UPLINK_POWER
from beff.model.b_pairs_result import BPairsResult
from beff.model.numbers import BYTES_PER_MB

_NS_PER_S = 1e9
_QUICK = 0.95
"""A host's rate: so many of its pairs are slower."""


@dataclass(frozen=True)
class Ways:
    """Rates of `names`, the hosts in the order of the result.

    `hosts`: what a host exchanges with another one at its quickest, with all processes; NaN where
    it was not measured. `ports`: the sum of its ports, NaN where not known. `slow` hosts are slow
    by the map. `groups` has a number for each host, the same for those that are near each other;
    `uplinks` is what went between a group and the others at most, NaN where nothing did.
    `links`: the rate of each link that is slow, by the numbers of its ends.
    """

    names: tuple[str, ...]
    hosts: Floats
    ports: Floats
    slow: Mask
    groups: Ints
    uplinks: Floats
    links: dict[tuple[int, int], float]


def ways_of(result: BPairsResult, fields: dict[str, Any]) -> Ways:
    """Return what a map between hosts says."""
    pairs = pair_map(fields)
    kind = kinds_of(pairs)[1]
    judged = judge_pairs(pairs)
    names = [host.name for host in result.environment.hosts]
    number = {name: place for place, name in enumerate(pairs.names)}
    moved = _bytes_of_pairs(result, pairs)
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
            links[ends] = _rate_of_link(kind, moved, ends)
    return Ways(
        tuple(names),
        _rates_of_hosts(kind, moved),
        _rates_of_ports(result, names),
        np.array([name in slow for name in pairs.names]),
        kind.labels,
        _rates_of_uplinks(kind, moved),
        links,
    )


def _bytes_of_pairs(result: BPairsResult, pairs: PairMap) -> Floats:
    """Return what each pair sent each way in an exchange."""
    own = np.array([host.processes for host in result.environment.hosts], dtype=np.float64)
    if result.plan.per_host == "one":
        own = np.ones_like(own)
    return result.plan.large_bytes * np.minimum(own[pairs.first], own[pairs.second])


def _rates(kind: Kind, moved: Floats) -> Floats:
    """Return the rate of each pair and round in byte/s."""
    rates: Floats = moved * _NS_PER_S / np.exp(kind.pairs.times[kind.kind])
    return rates


def _rates_of_hosts(kind: Kind, moved: Floats) -> Floats:
    pairs, rates = kind.pairs, _rates(kind, moved)
    ends = np.concatenate([pairs.first, pairs.second])
    return quantiles(ends, np.tile(rates, 2), pairs.units, _QUICK)


def _rate_of_link(kind: Kind, moved: Floats, ends: tuple[int, int]) -> float:
    own = (kind.pairs.first == ends[0]) & (kind.pairs.second == ends[1])
    return float(np.nanmax(_rates(kind, moved)[own]))


def _rates_of_ports(result: BPairsResult, names: list[str]) -> Floats:
    rates = dict.fromkeys(names, np.nan)
    for group in () if result.roofs is None else result.roofs.hosts:
        rate = network_rate_MBps(group) * BYTES_PER_MB
        for name in expand_host_list(group.hosts, len(names)):
            rates[name] = rate or np.nan
    return np.array([rates[name] for name in names])


def _rates_of_uplinks(kind: Kind, moved: Floats) -> Floats:
    """Return for each group the most that went in a round between it and the others.

    All that crossed in a round counts by the time of its slowest pair, so that what ended sooner
    does not count as faster than it was.
    """
    pairs, labels, groups = kind.pairs, kind.labels, kind.groups
    found = np.full(groups, np.nan)
    first, second = labels[pairs.first], labels[pairs.second]
    times = np.exp(pairs.times[kind.kind]) / _NS_PER_S
    crosses = (first != second) & ~np.isnan(times)
    round_of = pairs.round_numbers
    if groups < 2:
        return found
    # byte by round and group
    load = np.zeros((int(round_of.max()) + 1, groups))
    for ends in (first, second):
        np.add.at(load, (round_of[crosses], ends[crosses]), moved[crosses])
    busier = np.maximum(load[round_of, first], load[round_of, second])
    for group in range(groups):
        mine = crosses & ((first == group) | (second == group))
        quickest, longest = np.full((2, len(load)), np.inf)
        np.minimum.at(quickest, round_of[mine], times[mine])
        longest[round_of[mine]] = 0.0
        np.maximum.at(longest, round_of[mine], times[mine])
        is_quickest = mine & (times == quickest[round_of])
        if _grows_with(busier[is_quickest], times[is_quickest]):
            found[group] = float((load[:, group] / longest).max())
    return found


def _grows_with(loads: Floats, times: Floats) -> bool:
    """Whether more takes longer, as where it shares an uplink, and not where it only goes far.

    Asked of the quickest pair of each round: an uplink holds up all that cross, and where routes
    of a network collide some do not wait.
    """
    if loads.size < 2 or loads.max() < CROSSING_RATIO * loads.min():
        return False
    slope = np.polyfit(np.log(loads), np.log(times), 1)[0]
    return bool(slope >= SHARED_UPLINK_POWER)
