"""What `beff nodes` says of maps of made-up machines: the table of bench/RESULTS.md.

Run by `.venv/bin/python bench/check_power.py --runs 1000 --hosts 8,16 --only 'nothing|x 1.3'`. The
limits of the judgement were tuned on seeds below 8000 (where hosts differ by 10 % below 21 000), so
a test begins beyond; --unlike judges machines with more noise and twice as many outliers than any
of those. A run is a hit when exactly what is slow is named slow, and nothing else; it is open when
something is inconclusive; false comfort is a fault of which the verdict is good. It names an
innocent when a host or link that is as it should be is called slow.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from math import log
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "python"))

import numpy as np
from support.pair_maps import Machine, own_effects, pair_fields

from beff.analysis.b_pairs.findings import PairJudgement, Status
from beff.analysis.b_pairs.judge import SLOW, judge_pairs
from beff.analysis.b_pairs.pair_map import pair_map

FIRST = 20_000
"""The first seed: none that the limits were tuned on."""


def cases(sizes: list[int]) -> Iterator[tuple[str, Machine]]:
    """Return the machines with their names."""
    for units in sizes:
        clean = Machine(units)
        third = dict.fromkeys(range(1, units, 3), 2.0)
        yield "nothing slow", clean
        yield "nothing slow, noise of 10 %", replace(clean, noise=0.1)
        yield "hosts differ by 10 %", replace(clean, spread=0.1)
        yield "leaves of 8, uplinks 2:1", replace(clean, leaf=8)
        yield "leaves of 8, uplinks 2:1, one x 2", replace(clean, leaf=8, slow={3: 2.0})
        yield "leaves of 8, uplinks 2:1, one x 1.3", replace(clean, leaf=8, slow={3: 1.3})
        yield "one x 1.15, 20 passes", replace(clean, slow={3: 1.15}, passes=20)
        yield "one x 1.15, 100 passes", replace(clean, slow={3: 1.15}, passes=100)
        yield "one x 1.3", replace(clean, slow={3: 1.3})
        yield "one x 1.3, noise of 10 %", replace(clean, slow={3: 1.3}, noise=0.1)
        yield "one x 2", replace(clean, slow={3: 2.0})
        yield "two, x 1.3 and x 2", replace(clean, slow={3: 1.3, 6 % units: 2.0})
        yield "a third x 2", replace(clean, slow=third)
        yield "hosts differ by 5 %, a third x 2", replace(clean, slow=third, spread=0.05)
        yield "half x 2", replace(clean, slow=dict.fromkeys(range(0, units, 2), 2.0))
        yield "70 % x 2", replace(clean, slow=dict.fromkeys(range(round(0.7 * units)), 2.0))
        yield "one x 2 in short messages", replace(clean, slow={3: 2.0}, kinds=("small",))
        yield "one rail of two", replace(clean, slow={3: 2.0}, kinds=("large",))
        yield "a link x 2", replace(clean, links={(2, 3): 2.0})
        yield "a link x 1.5 in long messages", replace(clean, links={(2, 3): 1.5}, kinds=("large",))
        yield "a link x 2 in one direction", replace(clean, one_way={(2, 3): 2.0})
        uplink = range(max(2, units // 4)), 4.0
        yield "uplink of a quarter x 4", replace(clean, uplink=uplink)
        yield "one x 2 for 30 % of the time", replace(clean, busy=(3,))


def slow_by_nature(machine: Machine, seed: int, slow: float) -> set[str]:
    """Return the hosts that take longer than the middle one by `slow` without a fault.

    That is less 2 %: a map shows it to so much.
    """
    own = own_effects(machine, seed)
    return {f"n{unit}" for unit in np.flatnonzero(own - np.median(own) > log(1 + slow - 0.02))}


def is_hit(machine: Machine, found: PairJudgement, by_nature: set[str]) -> bool:
    """Whether exactly what is slow is named."""
    slow = {f"n{unit}" for unit in machine.slow}
    hosts = {unit.name for unit in found.with_status(Status.SLOW)} - (by_nature - slow) == slow
    links = {(link.first, link.second) for link in found.links if link.status == Status.SLOW}
    wanted = {(f"n{one}", f"n{other}") for one, other in (*machine.links, *machine.one_way)}
    groups = {frozenset(group.names) for group in found.groups if not group.is_usual}
    apart = {frozenset(f"n{u}" for u in machine.uplink[0])} if machine.uplink else set()
    return hosts and links == wanted and groups == apart


def innocents(machine: Machine, found: PairJudgement, by_nature: set[str]) -> int:
    """How many hosts and links that are as they should be are called slow."""
    faulty = {f"n{unit}" for unit in (*machine.slow, *machine.busy)} | by_nature
    links = {(f"n{one}", f"n{other}") for one, other in (*machine.links, *machine.one_way)}
    hosts = sum(unit.name not in faulty for unit in found.with_status(Status.SLOW))
    return hosts + sum(
        link.status == Status.SLOW and (link.first, link.second) not in links
        for link in found.links
    )


def is_good(found: PairJudgement) -> bool:
    """Whether nothing is named and nothing is open."""
    groups = all(group.is_usual for group in found.groups)
    hosts = all(unit.status == Status.GOOD for unit in found.units)
    return hosts and groups and not found.links and not found.kinds_of_units


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--first", type=int, default=FIRST, help="the first seed")
    parser.add_argument("--hosts", default="8,16,64", help="numbers of hosts")
    parser.add_argument("--only", type=re.compile, default="", help="rows with this expression")
    parser.add_argument("--slow", type=float, default=SLOW, help="from what share on, as 0.1")
    parser.add_argument("--unlike", action="store_true", help="more noise and outliers")
    parser.add_argument("--limits", action="store_true", help="print what would have been seen")
    given = parser.parse_args()
    seen = " a slow host is seen from, least - median - most |" if given.limits else ""
    print("| machine | hosts | runs | exactly that named | good | innocent named slow |" + seen)
    print("|---|---|---|---|---|---|" + "---|" * given.limits)
    for name, usual in cases([int(size) for size in given.hosts.split(",")]):
        if not re.search(given.only, name):
            continue
        more = {"noise": usual.noise + 0.02, "outliers": 2 * usual.outliers}
        machine = replace(usual, **more) if given.unlike else usual
        hits = good = slow = 0
        limits: list[float] = []
        for seed in range(given.first, given.first + given.runs):
            found = judge_pairs(pair_map(pair_fields(machine, seed)), given.slow)
            by_nature = slow_by_nature(machine, seed, given.slow)
            hits += is_hit(machine, found, by_nature)
            good += is_good(found)
            slow += innocents(machine, found, by_nature) > 0
            limits.append(found.seen.limit if found.seen else float("nan"))
        least, median, most = np.quantile(limits, (0, 0.5, 1))
        seen = f" {least:.2f} - {median:.2f} - {most:.2f} |" if given.limits else ""
        counts = f"{given.runs} | {hits} | {good} | {slow} |"
        print(f"| {name} | {machine.units} | {counts}{seen}", flush=True)


if __name__ == "__main__":
    main()
