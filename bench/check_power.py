"""What `beff check` says of maps of made-up machines: the table of bench/RESULTS.md.

Run by `.venv/bin/python bench/check_power.py [RUNS [FIRST [HOSTS...]]]`; runs have the seeds from
FIRST on. The limits of the judgement were tuned on seeds below 200, so a test begins beyond. A run
is a hit when exactly what is slow is named slow, and nothing else; it names an innocent when a host
or link that is as it should be is called slow; suspects are counted apart.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "python"))

import numpy as np
from support.pair_maps import Machine, own_effects, pair_fields

from beff.analysis.pairs.findings import PairJudgement, Status
from beff.analysis.pairs.judge import judge_pairs
from beff.analysis.pairs.kind import SLOW
from beff.analysis.pairs.pair_map import pair_map

FIRST = 7000
"""The first seed: none that the limits were tuned on."""


def cases() -> Iterator[tuple[str, Machine]]:
    """Return the machines with their names."""
    for units in (int(size) for size in (sys.argv[3:] or ("5", "8", "64", "512"))):
        clean = Machine(units)
        third = dict.fromkeys(range(1, units, 3), 2.0)
        yield f"{units} hosts, nothing slow", clean
        yield f"{units} hosts that differ by 10 %", replace(clean, spread=0.1)
        yield f"{units} hosts, one x 1.3", replace(clean, slow={3: 1.3})
        yield f"{units} hosts, one x 2", replace(clean, slow={3: 2.0})
        yield f"{units} hosts, two x 1.3 and x 2", replace(clean, slow={3: 1.3, 6 % units: 2.0})
        yield f"{units} hosts, a third x 2", replace(clean, slow=third)
        yield (
            f"{units} hosts that differ by 5 %, a third x 2",
            replace(clean, slow=third, spread=0.05),
        )
        yield (
            f"{units} hosts, one x 2 in short messages only",
            replace(clean, slow={3: 2.0}, kinds=("small",)),
        )
        link = replace(clean, links={(2, 3): 2.0})
        yield f"{units} hosts, one link x 2", link
        yield f"{units} hosts, one link x 2 in long messages only", replace(link, kinds=("large",))
        yield (
            f"{units} hosts, uplink of a quarter x 4",
            replace(clean, uplink=(range(max(2, units // 4)), 4.0)),
        )
        yield f"{units} hosts, one x 2 for 30 % of each look", replace(clean, busy=(3,))


def slow_by_nature(machine: Machine, seed: int) -> set[str]:
    """Return the hosts that take 15 % longer than the middle one without a fault."""
    own = own_effects(machine, seed)
    return {f"n{unit}" for unit in np.flatnonzero(own - np.median(own) > SLOW)}


def is_hit(machine: Machine, found: PairJudgement, by_nature: set[str]) -> bool:
    """Whether exactly what is slow is named."""
    slow = {f"n{unit}" for unit in machine.slow}
    hosts = {unit.name for unit in found.with_status(Status.SLOW)} - (by_nature - slow) == slow
    links = {(link.first, link.second) for link in found.links if link.status == Status.SLOW}
    wanted = {(f"n{one}", f"n{other}") for one, other in machine.links}
    groups = {frozenset(group.names) for group in found.groups if not group.is_usual}
    apart = {frozenset(f"n{u}" for u in machine.uplink[0])} if machine.uplink else set()
    return hosts and links == wanted and groups == apart


def innocents(machine: Machine, found: PairJudgement, by_nature: set[str], status: Status) -> int:
    """How many hosts and links that are as they should be got a status."""
    faulty = {f"n{unit}" for unit in (*machine.slow, *machine.busy)} | by_nature
    links = {(f"n{one}", f"n{other}") for one, other in machine.links}
    hosts = sum(unit.name not in faulty for unit in found.with_status(status))
    return hosts + sum(
        link.status == status and (link.first, link.second) not in links for link in found.links
    )


def main() -> None:
    """Print the table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    first = int(sys.argv[2]) if len(sys.argv) > 2 else FIRST
    print(f"| machine | exactly that named, of {runs} | innocent named slow | innocent suspect |")
    print("|---|---|---|---|")
    for name, machine in cases():
        hits = slow = suspect = 0
        for seed in range(first, first + runs):
            names = [f"n{unit}" for unit in range(machine.units)]
            found = judge_pairs(pair_map(pair_fields(machine, seed), names))
            by_nature = slow_by_nature(machine, seed)
            hits += is_hit(machine, found, by_nature)
            slow += innocents(machine, found, by_nature, Status.SLOW) > 0
            suspect += innocents(machine, found, by_nature, Status.SUSPECT) > 0
        print(f"| {name} | {hits} | {slow} | {suspect} |", flush=True)


if __name__ == "__main__":
    main()
