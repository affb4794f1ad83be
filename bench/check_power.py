#!/usr/bin/env python3
"""What detectors of slow hosts say of made-up machines, beside what they must: bench/RESULTS.md.

Run by `.venv/bin/python bench/check_power.py --jobs 2 --only 'torus|14.2'`. Machines, rows and the
rules of others are in bench/slow_hosts. Counted are maps, of faulty rows a fifth of --runs: of
beff's judge those in which all that is faulty was named, a part of it, or nothing and the verdict
is open or good; and those in which an innocent was. Of the others hosts: named / innocents. Ends
with 1 if a row breaks what it must give. --set SIGMAS=5 judges with another constant of
beff.maps.levels.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator

from common import counts_of, options_of_rows, table
from slow_hosts.beff_judge import again, map_of, said_of
from slow_hosts.between import every_row
from slow_hosts.machine import measure
from slow_hosts.truth import PEERS, Said, counted

from beff.maps import levels

ROWS = {row.name: row for row in every_row()}
FIRST_UNSEEN = 50_000
"""Who changes the judge looks at seeds below."""
MOST_INNOCENTS = 3
"""In all clean rows together."""
WORDS = ("named", "part", "open", "good", "innocents")


def judged(name: str, seed: int) -> Counter[str]:
    """Return what beff and, behind their names, its peers say of the map of a row."""
    machine, truth = ROWS[name].draw(seed)
    found = measure(machine, seed, again)
    counts = counted(truth, said_of(map_of(found), ROWS[name].leaves(truth)))
    for rule, named in PEERS.items():
        hosts = named(found)
        theirs = counted(truth, Said(hosts, verdict="bad" if hosts else "good"))
        counts.update({f"{rule} {word}": number for word, number in theirs.items()})
    return counts


def lines(given: argparse.Namespace, broken: list[str]) -> Iterator[list[object]]:
    """Judge the rows that are asked for, and yield a line for each; note what breaks."""
    innocents = 0
    for name, runs, counts in counts_of(given, ROWS, judged):
        row = ROWS[name]
        innocents += counts["innocents"] * row.is_clean
        breaks = ", ".join(row.must.broken(counts))
        broken += [f"{name}: {breaks}"] * bool(breaks)
        shown = ["-" if row.is_clean and word in WORDS[:2] else counts[word] for word in WORDS]
        theirs = (
            f"{'-' if row.is_clean else counts[f'{rule} named']} / {counts[f'{rule} innocents']}"
            for rule in PEERS
        )
        yield [name, row.must.text(), runs, *shown, *theirs, breaks]
    if innocents > MOST_INNOCENTS:
        broken.append(f"all clean rows: {innocents} innocents")


def set_constant(text: str) -> None:
    """Set a constant in all modules that judge, and in processes that are made later."""
    name, _, value = text.partition("=")
    if not hasattr(levels, name):
        raise argparse.ArgumentTypeError(f"beff.maps.levels has no '{name}'")
    for module in [one for key, one in sys.modules.items() if key.startswith("beff.")]:
        if hasattr(module, name):
            setattr(module, name, float(value))


def main() -> int:
    """Print the table."""
    parser = options_of_rows(__doc__, 1000, FIRST_UNSEEN)
    parser.add_argument("--set", type=set_constant, help="a constant, as SIGMAS=5")
    given = parser.parse_args()
    if given.short:
        given.runs, given.only = 10, r"^(crossbar, 16 hosts|8\+8 x1.25)(: host x1.[35])?$"
    begin, broken = time.monotonic(), list[str]()
    table(["machine", "must be", "maps", *WORDS, *PEERS, "breaks"], lines(given, broken))
    print(f"{time.monotonic() - begin:.0f} s; {len(broken)} broken", *broken, sep="\n")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
