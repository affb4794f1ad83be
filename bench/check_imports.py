#!/usr/bin/env python3
"""What maps that other programs measured say of made-up machines, by format: bench/RESULTS.md.

The machines of tests/python/support/machines, each pair measured once, written as each program
prints it (tests/python/support/foreign_logs.py), imported and judged. Counted are maps: of which
what our own map says was said; that name the slow host; that call an innocent host bad.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from common import options_of, table
from support.foreign_logs import FORMATS, by_our_own_map, pairs_of
from support.machines.faults import Fault
from support.machines.flat import flat
from support.machines.leaves import leaves
from support.machines.machine import Machine, broken

from beff.importers.table import import_pairs
from beff.judge.judge_results import judge_results

_SLOW = 5


def machines(hosts: int) -> dict[str, tuple[Machine, frozenset[str]]]:
    """Return machines, each with the hosts that are slow."""
    slow, halves = frozenset({f"n{_SLOW}"}), leaves(hosts // 2, hosts // 2, hop=1.2)
    return {
        "flat": (flat(hosts), frozenset()),
        "host x 2": (broken(flat(hosts).topology, Fault(2.0, hosts=(_SLOW,))), slow),
        "host x 1.3": (broken(flat(hosts).topology, Fault(1.3, hosts=(_SLOW,))), slow),
        "two leaves": (Machine(halves), frozenset()),
        "two leaves, host x 2": (broken(halves, Fault(2.0, hosts=(_SLOW,))), slow),
    }


def lines(options: argparse.Namespace) -> Iterator[list[object]]:
    """Judge the maps, and yield a line for each machine and format."""
    for name, (machine, slow) in machines(options.hosts).items():
        for layout, write in FORMATS.items():
            counts: Counter[str] = Counter()
            for seed in range(options.runs):
                with TemporaryDirectory() as folder:
                    files = write(pairs_of(machine, seed))
                    for file, text in files.items():
                        Path(folder, file).write_text(text, encoding="utf-8")
                    paths = [Path(folder, file) for file in files]
                    checked = judge_results([import_pairs(paths, None)[0]], None, None)
                counts["alike"] += checked.verdict == by_our_own_map(machine, seed).verdict
                counts["found"] += slow <= {*checked.bad_hosts}
                counts["innocents"] += not slow >= {*checked.bad_hosts}
            found = counts["found"] if slow else "-"
            yield [name, layout, options.runs, counts["alike"], found, counts["innocents"]]


def main() -> None:
    """Print the table."""
    parser = options_of(__doc__)
    parser.add_argument("--runs", type=int, default=20, help="maps of each row")
    parser.add_argument("--hosts", type=int, default=16, help="of each machine")
    options = parser.parse_args()
    if options.short:
        options.runs, options.hosts = 1, 8
    heads = ["format", "maps", "verdict of our own map", "slow host named", "innocents bad"]
    table(["machine", *heads], lines(options))


if __name__ == "__main__":
    main()
