#!/usr/bin/env python3
"""What detectors of slow hosts say of made-up machines, beside what they must: bench/RESULTS.md.

Run by `.venv/bin/python bench/check_power.py --jobs 2 --only 'torus|14.2'`. Machines, rows and the
rules of others are in bench/slow_hosts. Counted are maps: of beff's judge those in which all that
is faulty was named, a part of it, or nothing and the verdict is open or good; and those in which an
innocent was. Of the others hosts: named / innocents. Ends with 1 if a row breaks what it must give.
--set SIGMAS=5 judges with another constant of beff.maps.constants.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from common import options_of, table
from slow_hosts.beff_judge import again, map_of, said_of
from slow_hosts.between import every_row
from slow_hosts.machine import measure
from slow_hosts.peers import PEERS
from slow_hosts.rows import Row
from slow_hosts.truth import Said, counted

from beff.maps import constants

ROWS = {row.name: row for row in every_row()}
FIRST_UNSEEN = 50_000
"""Who changes the judge looks at seeds below."""
MOST_INNOCENTS = 3
"""In all clean rows together."""


def judged(name: str, seeds: range) -> dict[str, Counter[str]]:
    """Return what beff and its peers say of maps of a row."""
    counts: dict[str, Counter[str]] = {rule: Counter() for rule in ("beff", *PEERS)}
    for seed in seeds:
        machine, truth = ROWS[name].draw(seed)
        found = measure(machine, seed, again)
        counts["beff"] += counted(truth, said_of(map_of(found), ROWS[name].leaves(truth)))
        for rule, named in PEERS.items():
            hosts = named(found)
            said = Said(hosts, verdict="bad" if hosts else "good")
            counts[rule] += counted(truth, said)
    return counts


def lines(options: argparse.Namespace, broken: list[str]) -> Iterator[list[object]]:
    """Judge the rows that are asked for, and yield a line for each; note what breaks."""
    innocents = 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for row in options.only:
            maps = options.runs if row.is_clean else max(1, options.runs // 5)
            begin = options.first
            seeds = [
                range(begin + n, begin + maps, 4 * options.jobs) for n in range(4 * options.jobs)
            ]
            parts = [*pool.map(partial(judged, row.name), seeds)]
            sums = {rule: sum((part[rule] for part in parts), Counter()) for rule in parts[0]}
            ours = sums.pop("beff")
            innocents += ours["innocents"] if row.is_clean else 0
            breaks = row.must.broken(ours)
            broken += [f"{row.name}: {', '.join(breaks)}"] if breaks else []
            shown = ["-"] * 2 if row.is_clean else [ours["named"], ours["part"]]
            cells = [*shown, ours["open"], ours["good"], ours["innocents"]]
            theirs = [f"{one['named']} / {one['innocents']}" for one in sums.values()]
            theirs = [cell.replace("0 /", "- /") if row.is_clean else cell for cell in theirs]
            yield [row.name, row.must.text(), maps, *cells, *theirs, ", ".join(breaks)]
    if innocents > MOST_INNOCENTS:
        broken.append(f"all clean rows: {innocents} innocents")


def rows_of(text: str) -> list[Row]:
    """Return the rows that --only asks for."""
    try:
        found = [row for row in ROWS.values() if re.search(text, row.name)]
    except re.error as problem:
        raise argparse.ArgumentTypeError(f"'{text}' is no expression: {problem}") from None
    if not found:
        raise argparse.ArgumentTypeError(f"no row has '{text}' in its name")
    return found


def set_constant(text: str) -> None:
    """Set a constant in all modules that judge, and in processes that are made later."""
    name, _, value = text.partition("=")
    if not hasattr(constants, name):
        raise argparse.ArgumentTypeError(f"beff.maps.constants has no '{name}'")
    for module in [one for key, one in sys.modules.items() if key.startswith("beff.")]:
        if hasattr(module, name):
            setattr(module, name, float(value))


def main() -> int:
    """Print the table."""
    parser = options_of(__doc__)
    parser.add_argument(
        "--runs", type=int, default=1000, help="maps of clean rows; faulty: a fifth"
    )
    parser.add_argument("--first", type=int, default=FIRST_UNSEEN, help="the first seed")
    parser.add_argument("--only", type=rows_of, default="", help="rows with this expression")
    parser.add_argument("--set", type=set_constant, help="a constant, as SIGMAS=5")
    parser.add_argument("--jobs", type=int, default=1, help="processes that judge")
    options = parser.parse_args()
    if options.short:
        options.runs, options.only = (
            10,
            rows_of(r"^(crossbar, 16 hosts|8\+8 x1.25)(: host x1.[35])?$"),
        )
    begin, broken = time.monotonic(), list[str]()
    heads = [
        "machine",
        "must be",
        "maps",
        "named",
        "part",
        "open",
        "good",
        "innocents",
        *PEERS,
        "breaks",
    ]
    table(heads, lines(options, broken))
    print(f"{time.monotonic() - begin:.0f} s; {len(broken)} broken", *broken, sep="\n")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
