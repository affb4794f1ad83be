"""What the map of pairs says of the ways between hosts: rates in byte/s, each way."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

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
from beff.twin.uplinks import WAITED, Met, Uplinks, crossed_by, fitted, groups_of_groups, shared_s
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


@dataclass(frozen=True)
class Ways:
    """Rates of `names`, the hosts in the order of the result; without what a short message takes.

    `hosts`: what a host exchanges with another one near it, with all processes; NaN where it was
    not measured. `ports`: the sum of its ports, NaN where not known. `slow` hosts are slow by the
    map. `levels`: hosts that are near each other, then groups of such groups. `links`: the rate of
    each link that is slow, by the numbers of its ends. `near` and `far`: the map by short and long
    messages. `off`: ln(measured / needed by all this) of each meeting.
    """

    names: tuple[str, ...]
    hosts: Floats
    ports: Floats
    slow: Mask
    levels: tuple[Uplinks, ...]
    links: dict[tuple[int, int], float]
    near: Kind
    far: Kind
    off: Floats

    @property
    def groups(self) -> Ints:
        """A number for each host, the same for those that are near each other."""
        return self.levels[0].groups

    @cached_property
    def as_seen(self) -> "Ways":
        """The same, but no uplink carries more than was seen."""
        seen = (replace(one, grew=np.ones_like(one.grew)) for one in self.levels)
        return replace(self, levels=tuple(seen))


def ways_of(result: BPairsResult) -> Ways:
    """Return what a map between hosts says."""
    pairs = pair_map(result)
    near, far = kinds = kinds_of(pairs)
    judged = judge_pairs(pairs, kinds=kinds)
    names = [host.name for host in result.environment.hosts]
    number = {name: place for place, name in enumerate(pairs.names)}
    met = Met(pairs, _bytes_of_pairs(result, pairs), _seconds_of_bytes(near, far))
    slow = {
        unit.name
        for unit in judged.with_status(Status.SLOW)
        if any(entry.kind == "large" for entry in unit.evidence)
    }
    rates = met.moved / met.seconds
    hosts = _rates_of_hosts(far, rates)
    need_s, links = met.moved / np.fmin(hosts[pairs.first], hosts[pairs.second]), {}
    for link in judged.links:
        ends = number[link.first], number[link.second]
        factor = max((e.factor for e in link.evidence if e.kind == "large"), default=1.0)
        if link.status == Status.SLOW and factor > 1:
            own = (pairs.first == ends[0]) & (pairs.second == ends[1])
            links[ends] = float(np.nanmax(rates[own]))
            need_s[own] = np.fmax(need_s[own], met.moved[own] / links[ends])
    levels = _levels(met, near, far, need_s, result)
    return Ways(
        tuple(names),
        hosts,
        _rates_of_ports(result, names),
        np.array([name in slow for name in pairs.names]),
        levels,
        links,
        near,
        far,
        np.log(met.seconds / shared_s(met, levels, need_s)),
    )


def _levels(
    met: Met, near: Kind, far: Kind, need_s: Floats, result: BPairsResult
) -> tuple[Uplinks, ...]:
    """Return what groups share, then groups of groups; `need_s`: of each meeting at its hosts."""
    levels = [crossed_by(met, far.labels, need_s)]
    so_far = np.fmax(need_s, met.at_uplinks(levels[0]))
    for groups in groups_of_groups(near, far, met.seconds / so_far):
        above = crossed_by(met, groups, so_far)
        levels.append(replace(above, grew=above.grew & above.waited))
        so_far = np.fmax(so_far, met.at_uplinks(levels[-1]))
    return tuple(_with_halves(one, result) for one in fitted(met, levels, need_s))


def _with_halves(uplinks: Uplinks, result: BPairsResult) -> Uplinks:
    """Return what a bisection knows better of groups that are its halves."""
    for halves in halves_that_are_groups(result, uplinks.groups):
        if halves.longer > WAITED:
            uplinks.crossed[halves.group], uplinks.waited[halves.group] = halves.crossed, True
    return uplinks


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
        -quantiles(ends, -np.tile(values, 2), units, _QUICK_PARTNERS)
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
