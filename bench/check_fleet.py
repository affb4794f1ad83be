#!/usr/bin/env python3
"""What `beff nodes --fleet` says of made-up fleets over 120 days: the table of bench/RESULTS.md.

500 hosts on leaves of 16, two maps a day of 16 hosts that are idle, hosts that differ by 2 %, noise
of 3 %, a drift of 1 % a week (tests/python/support/fleets.py). A fault begins on a day that is
drawn from 60 to 90. It is named in time if it is by the second map that holds the host (an uplink:
by the fifth with one of its hosts; a host that is slow in a part of its maps: if it is not good on
the last day); beside it, how many were said to be a host or its uplink by then. Innocents are those
on the bad list on ten days of each history, of all hosts measured so far.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from common import counts_of, options_of_rows, table
from slow_hosts.machine import BOTH
from support.fleets import LONG, Fault, maps_of

from beff.maps.findings import Status
from beff.maps.fleet import Fleet, State, fleet_of
from beff.maps.fleet_fit import MapOfFleet, fit
from beff.maps.judge_pairs import judge_pairs

LEAF: dict[str, Any] = {"replaced": (3, 60.0, 0.9)}
KINDS: dict[str, Any] = {"kinds": (0.3, 1.3)}
NIGHTS: dict[str, Any] = {"hosts": 200, "leaf": 20, "per_map": 12, "maps_a_day": 1.0}
LOADED: dict[str, Any] = {**NIGHTS, "loaded": (0.15, 1.25)}
UNKNOWN: dict[str, Any] = {**NIGHTS, "known_switches": False, "per_map": 8}
THIRD: dict[str, Any] = {**NIGHTS, "hosts": 60, "per_map": 8}
UPGRADED: dict[str, Any] = {**THIRD, "replaced": (1, 40.0, 0.75)}
FOUR: dict[str, Any] = {**NIGHTS, "per_map": 4}
ROWS: dict[str, dict[str, Any]] = {
    "clean": {},
    "two kinds of hosts, x1.3": KINDS,
    "a leaf replaced by quicker hosts": LEAF,
    "host x1.2": {"factor": 1.2},
    "host x1.2, two kinds, a leaf replaced": {"factor": 1.2, **KINDS, **LEAF},
    "host x1.2, neighbours idle": {"factor": 1.2, "stretch": 4.0},
    "host x1.5, each side adds its half": {"factor": 1.5, "model": "sum"},
    "host x1.3 in long messages": {"factor": 1.3, "kinds_of_fault": LONG},
    "host x1.5, noise 10 %, spread 5 %": {"factor": 1.5, "noise": 0.1, "spread": 0.05},
    "uplink x1.5 in long messages": {"uplink": 1.5, "kinds_of_fault": LONG},
    "host x1.3, no switches known": {"factor": 1.3, "known_switches": False},
    "12 of 200 a night, uplinks x1.25 in 15 %": LOADED,
    "12 of 200 a night, uplinks x1.5 in 25 %": {**NIGHTS, "loaded": (0.25, 1.5)},
    "12 of 200 a night, uplinks x1.25 in 15 %, host x1.2": {**LOADED, "factor": 1.2},
    "8 of 200 a night, no switches known, a hop x1.15": {**UNKNOWN, "hop": 1.15},
    "8 of 200 a night, no switches known, a hop x1.2": {**UNKNOWN, "hop": 1.2},
    "8 of 60 a night, a leaf upgraded to x.75": UPGRADED,
    "8 of 60 a night, a leaf upgraded to x.85": {**THIRD, "replaced": (1, 40.0, 0.85)},
    "8 of 60 a night, a leaf upgraded to x.75, host x1.5": {**UPGRADED, "factor": 1.5},
    "4 of 200 a night": FOUR,
    "4 of 200 a night, host x1.2": {**FOUR, "factor": 1.2},
    "12 of 60 a night, host x2 in 40 % of its maps": {
        **{**THIRD, "per_map": 12},
        **{"factor": 2.0, "share": 0.4},
    },
}
"""Each with what is other than usual."""
DAYS_JUDGED = 10


def measured(maps: list[MapOfFleet], day: float) -> Fleet:
    """Judge the maps until a day."""
    joined = fit([one for one in maps if one.day <= day])

    def named(place: int) -> set[str]:
        one = joined.maps[place]
        found = judge_pairs(one.pairs, switches=one.switches)
        return {unit.name for unit in found.with_status(Status.SLOW)}

    return fleet_of(joined, day, named=named)


def bad_in(fleet: Fleet) -> set[str]:
    """Return the hosts on the bad list."""
    return {one.name for one in fleet.hosts if one.state == State.SLOW}


def counted(name: str, seed: int) -> Counter[str]:
    """Return what was said of one history."""
    chance = np.random.default_rng((seed, 9))
    site = {"hosts": 500, "stretch": 1.0, "passes": 20, **ROWS[name]}
    factor, uplink = site.pop("factor", None), site.pop("uplink", None)
    kinds, share = site.pop("kinds_of_fault", BOTH), site.pop("share", 1.0)
    hosts, leaf = site["hosts"], site.get("leaf", 16)
    number, since = int(chance.integers(hosts)), float(chance.uniform(60, 90))
    where = f"n{number:03}" if uplink is None else f"leaf{number // leaf:02}"
    fault = Fault(where, since, factor or uplink or 1.0, kinds=kinds, share=share)
    faults = () if factor is uplink is None else (fault,)
    maps, counts = [*maps_of(seed, faults=faults, **site)], Counter[str]()
    behind = {f"n{host:03}" for host in range(hosts) if f"leaf{host // leaf:02}" == where}
    guilty = {where} if uplink is None else set()
    for day in np.linspace(30, 120, DAYS_JUDGED).tolist():
        fleet = measured(maps, day)
        counts["judged"] += len(fleet.hosts)
        counts["innocents"] += len(bad_in(fleet) - guilty)
        counts["open"] += any(one.state in {State.ONCE, State.OPEN} for one in fleet.hosts)
        of_uplinks = {name for one in fleet.uplinks for name in one.hosts}
        counts["uplinks"] += bool(of_uplinks - (behind if uplink else set()))
    held = guilty or behind
    after = [one.day for one in maps if one.day >= since and held & {*one.pairs.names}]
    needed = 2 if uplink is None else 5
    if faults and len(after) >= needed:
        fleet = measured(maps, after[needed - 1 if share == 1 else -1])
        counts["faulty"] += 1
        by_uplink = any(behind & {*one.hosts} for one in fleet.uplinks)
        states = {one.name: one.state for one in fleet.hosts}
        by_host = states.get(where) != State.GOOD if share < 1 else where in bad_in(fleet)
        counts["in time"] += by_uplink if uplink else by_host
        counts["or its uplink"] += states.get(where) == State.OPEN
    return counts


def lines(given: argparse.Namespace) -> Iterator[list[object]]:
    """Judge the histories that are asked for, and yield a line for each row."""
    for name, runs, counts in counts_of(given, ROWS, counted):
        named = f"{counts['in time']} of {counts['faulty']}" if counts["faulty"] else "-"
        innocents = f"{counts['innocents']} of {counts['judged']}"
        days = f"{counts['open']} of {DAYS_JUDGED * runs}"
        yield [name, runs, named, counts["or its uplink"], innocents, counts["uplinks"], days]


def main() -> None:
    """Print the table."""
    given = options_of_rows(__doc__, 20, 1000).parse_args()
    if given.short:
        given.runs, given.only = 1, "^host x1.2$"
    heads = ["named in time", "or its uplink", "innocents bad", "other uplinks", "days open"]
    table(["fleet", "histories", *heads], lines(given))


if __name__ == "__main__":
    main()
