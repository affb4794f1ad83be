"""What the judgement of a map says, in the numbers of the hosts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from beff.judge.finding import Verdict
from beff.maps.findings import PairJudgement, Status
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import PairMap
from beff.maps.topology import Switches
from support.machines.leaves import Leaves
from support.machines.machine import Machine

Hosts = frozenset[int]
Links = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Said:
    """Who is called bad, what is called open, and the verdict on the whole.

    `open_groups` are those whose way to the others is open or bad; of `told_groups` it is only told
    that what crosses at once gets less.
    """

    bad_hosts: Hosts
    open_hosts: Hosts
    bad_links: Links
    open_links: Links
    open_groups: frozenset[Hosts]
    told_groups: frozenset[Hosts]
    verdict: Verdict


def switches_of(machine: Machine) -> list[Switches] | None:
    """Return the switches above each host of a tree; None of other networks."""
    if not isinstance(machine.topology, Leaves):
        return None
    from_above = reversed([*enumerate(machine.topology.group_of)])
    columns = [[f"s{level}.{one}" for one in groups.tolist()] for level, groups in from_above]
    return list(zip(["top"] * machine.units, *columns, strict=True))


def said_of(
    pairs: PairMap, before: PairMap | None = None, switches: Sequence[Switches] | None = None
) -> Said:
    """Judge a map, beside one of an earlier day where there is one."""
    earlier = () if before is None else [before]
    found: PairJudgement = judge_pairs(pairs, None, switches, earlier)
    number = {name: unit for unit, name in enumerate(pairs.names)}
    bad_hosts = {number[unit.name] for unit in found.units if unit.status == Status.SLOW}
    others = {number[unit.name] for unit in found.units if unit.status != Status.GOOD} - bad_hosts
    links: dict[bool, set[tuple[int, int]]] = {True: set(), False: set()}
    for link in found.links:
        one, other = sorted((number[link.first], number[link.second]))
        links[link.status == Status.SLOW].add((one, other))
    groups: dict[bool, set[Hosts]] = {True: set(), False: set()}
    for way in (*found.groups, *found.uplinks):
        groups[way.status == Status.GOOD].add(frozenset(number[name] for name in way.names))
    broken = any(way.status == Status.SLOW for way in (*found.groups, *found.uplinks))
    broken |= any(one.status == Status.SLOW for one in found.common)
    is_bad = bad_hosts or links[True] or broken
    is_open = others or groups[False] or links[False] or found.is_open
    return Said(
        frozenset(bad_hosts),
        frozenset(others),
        frozenset(links[True]),
        frozenset(links[False]),
        frozenset(groups[False]),
        frozenset(groups[True]),
        Verdict.BAD if is_bad else Verdict.UNKNOWN if is_open else Verdict.GOOD,
    )
