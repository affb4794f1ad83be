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

import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from common import options_of, table
from support.fleets import Fault, MapOf, fleet_of, host_name, leaf_name

from beff.fleet.fit import MapOfFleet, fit
from beff.fleet.states import Fleet, State
from beff.fleet.states import fleet_of as judged
from beff.maps.findings import Status
from beff.maps.judge_pairs import judge_pairs

LONG, SHORT = ("large",), ("small",)
NIGHTS: dict[str, Any] = {"hosts": 200, "leaf": 20, "per_map": 12, "maps_a_day": 1.0}
UNKNOWN: dict[str, Any] = {"known_switches": False, "per_map": 8}
THIRD: dict[str, Any] = {"hosts": 60, "per_map": 8}
UPGRADE = (leaf_name(1), 40.0, 0.75)
ROWS: dict[str, dict[str, Any]] = {
    "clean": {},
    "two kinds of hosts, x1.3": {"kinds": (0.3, 1.3)},
    "a leaf replaced by quicker hosts": {"replaced_leaf": (leaf_name(3), 60.0, 0.9)},
    "host x1.2": {"factor": 1.2},
    "host x1.2, two kinds, a leaf replaced": {
        "factor": 1.2,
        "kinds": (0.3, 1.3),
        "replaced_leaf": (leaf_name(3), 60.0, 0.9),
    },
    "host x1.2, neighbours idle": {"factor": 1.2, "stretch": 4.0},
    "host x1.5, each side adds its half": {"factor": 1.5, "additive": True},
    "host x1.3 in long messages": {"factor": 1.3, "kinds_of_fault": LONG},
    "host x1.5, noise 10 %, spread 5 %": {"factor": 1.5, "noise": 0.1, "spread": 0.05},
    "uplink x1.5 in long messages": {"uplink": 1.5, "kinds_of_fault": LONG},
    "host x1.3, no switches known": {"factor": 1.3, "known_switches": False},
    "12 of 200 a night, uplinks x1.25 in 15 %": {**NIGHTS, "loaded": (0.15, 1.25)},
    "12 of 200 a night, uplinks x1.5 in 25 %": {**NIGHTS, "loaded": (0.25, 1.5)},
    "12 of 200 a night, uplinks x1.25 in 15 %, host x1.2": {
        **NIGHTS,
        "loaded": (0.15, 1.25),
        "factor": 1.2,
    },
    "8 of 200 a night, no switches known, a hop x1.15": {**NIGHTS, **UNKNOWN, "hop": 1.15},
    "8 of 200 a night, no switches known, a hop x1.2": {**NIGHTS, **UNKNOWN, "hop": 1.2},
    "8 of 60 a night, a leaf upgraded to x.75": {**NIGHTS, **THIRD, "replaced_leaf": UPGRADE},
    "8 of 60 a night, a leaf upgraded to x.85": {
        **NIGHTS,
        **THIRD,
        "replaced_leaf": (*UPGRADE[:2], 0.85),
    },
    "8 of 60 a night, a leaf upgraded to x.75, host x1.5": {
        **NIGHTS,
        **THIRD,
        "replaced_leaf": UPGRADE,
        "factor": 1.5,
    },
    "4 of 200 a night": {**NIGHTS, "per_map": 4},
    "4 of 200 a night, host x1.2": {**NIGHTS, "per_map": 4, "factor": 1.2},
    "12 of 60 a night, host x2 in 40 % of its maps": {
        **NIGHTS,
        **THIRD,
        "per_map": 12,
        "factor": 2.0,
        "share": 0.4,
    },
}
"""Each with what is other than usual."""
DAYS_JUDGED = 10


def measured(maps: list[MapOf], day: float) -> Fleet:
    """Judge the maps until a day."""
    before = (one for one in maps if one.day <= day)
    joined = fit([MapOfFleet(one.day, "", one.pairs, one.switches) for one in before])

    def named(place: int) -> set[str]:
        one = joined.maps[place]
        found = judge_pairs(one.pairs, switches=one.switches)
        return {unit.name for unit in found.with_status(Status.SLOW)}

    return judged(joined, day, named=named)


def bad_in(fleet: Fleet) -> set[str]:
    """Return the hosts on the bad list."""
    return {one.name for one in fleet.hosts if one.state == State.SLOW}


def counted(row: Mapping[str, Any], seed: int) -> Counter[str]:
    """Return what was said of one history."""
    chance, site = np.random.default_rng((seed, 9)), {"stretch": 1.0, **row}
    factor, uplink = site.pop("factor", None), site.pop("uplink", None)
    kinds, share = site.pop("kinds_of_fault", LONG + SHORT), site.pop("share", 1.0)
    hosts, leaf = site.get("hosts", 500), site.get("leaf", 16)
    number, since = int(chance.integers(hosts)), float(chance.uniform(60, 90))
    where = host_name(number) if uplink is None else leaf_name(number // leaf)
    fault = Fault(where, since, factor or uplink or 1.0, kinds=kinds, share=share)
    faults = () if factor is uplink is None else (fault,)
    history = fleet_of(seed, faults=faults, **site)
    maps, counts = list(history.maps), Counter[str]()
    behind = {host_name(host) for host in range(hosts) if leaf_name(host // leaf) == where}
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


def lines(runs: int, only: re.Pattern[str], jobs: int) -> Iterator[list[object]]:
    """Judge the histories that are asked for, and yield a line for each row."""
    with ProcessPoolExecutor(jobs) as pool:
        for name, row in ROWS.items():
            if not only.search(name):
                continue
            begin = time.perf_counter()
            counts = sum(pool.map(partial(counted, row), range(1000, 1000 + runs)), Counter())
            took = time.perf_counter() - begin
            named = f"{counts['in time']} of {counts['faulty']}" if counts["faulty"] else "-"
            innocents = f"{counts['innocents']} of {counts['judged']}"
            days = f"{counts['open']} of {DAYS_JUDGED * runs}"
            found = [named, counts["or its uplink"], innocents, counts["uplinks"], days]
            yield [name, runs, *found, f"{took:.0f}"]


def main() -> None:
    """Print the table."""
    parser = options_of(__doc__)
    parser.add_argument("--runs", type=int, default=20, help="histories of each row")
    parser.add_argument("--only", type=re.compile, default="", help="rows with this expression")
    parser.add_argument("--jobs", type=int, default=1, help="processes that judge")
    options = parser.parse_args()
    if options.short:
        options.runs, options.only = 1, re.compile("^host x1.2$")
    heads = ["named in time", "or its uplink", "innocents bad", "other uplinks", "days open", "s"]
    table(["fleet", "histories", *heads], lines(options.runs, options.only, options.jobs))


if __name__ == "__main__":
    main()
