#!/usr/bin/env python3
"""What the judge of maps of pairs says of made-up machines: the table of bench/RESULTS.md.

Run by `.venv/bin/python bench/check_power.py --runs 1000 --hosts 8,16 --only 'flat|host x 1.3'`.
The machines and what is true of them are in tests/python/support/machines. Counted are maps: of
which exactly what is true was said; that call an innocent host or link bad (with an upper bound of
its share, 95 %); that leave something open; that are good; and of which that is wrong, because
something is faulty. Seeds below the first one are for those who change the judge. `--hosts planted`
draws any network with a host that is slow by a half or more: none of these maps may be good.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from common import options_of, table
from scipy.stats import beta
from support.machines.measure import earlier_map, map_of
from support.rows.row import Row, percent
from support.rows.said import said_of
from support.rows.table import FIRST_UNSEEN, SIZES, rows

from beff.judge.finding import Verdict

DRAWN, PLANTED = "drawn", "planted"
HOSTS = ", ".join((*map(str, SIZES), DRAWN, PLANTED))


def counted(row: Row, seeds: Iterable[int], *, baseline: bool) -> Counter[str]:
    """Return how often what was said of the machines of a row."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        machine, truth = row.draw(seed)
        said = said_of(map_of(machine, seed), earlier_map(machine, seed) if baseline else None)
        is_good = said.verdict == Verdict.GOOD
        is_right = truth.is_said(said, machine.units, baseline=baseline)
        counts["exactly"] += is_right
        counts["innocents"] += truth.innocents(said) > 0
        counts["open"] += said.verdict == Verdict.UNKNOWN
        counts["good"] += is_good
        counts["missed"] += is_good and not is_right and not truth.is_clean
        counts["clean"] += truth.is_clean
    return counts


def upper_bound(found: int, runs: int) -> float:
    """Return the share that is not exceeded with 95 % (Clopper and Pearson, one-sided)."""
    return 1.0 if found == runs else float(beta.ppf(0.95, found + 1, runs - found))


def sizes_of(text: str) -> list[str]:
    """Return what --hosts asks for."""
    asked = text.split(",")
    if not {*asked} <= {*map(str, SIZES), DRAWN, PLANTED}:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of {HOSTS}")
    return asked


def expression_of(text: str) -> re.Pattern[str]:
    """Return what --only asks for."""
    try:
        return re.compile(text)
    except re.error as problem:
        raise argparse.ArgumentTypeError(f"'{text}' is no expression: {problem}") from None


def chosen(options: argparse.Namespace) -> Iterator[Row]:
    """Return the rows that are asked for."""
    sizes = tuple(int(size) for size in options.hosts if size.isdecimal())
    drawn, planted = (name in options.hosts for name in (DRAWN, PLANTED))
    for row in rows(sizes, drawn=drawn, planted=planted):
        if options.only.search(row.name):
            yield row


def lines(options: argparse.Namespace) -> Iterator[list[object]]:
    """Judge the machines that are asked for, and yield a line for each row."""
    seeds = range(options.first, options.first + options.runs)
    parts = [seeds[part :: options.jobs] for part in range(options.jobs)]
    with ProcessPoolExecutor(options.jobs) as pool:
        for row in chosen(options):
            count = partial(counted, row, baseline=options.baseline)
            counts = sum(pool.map(count, parts), Counter())
            bound = upper_bound(counts["innocents"], options.runs)
            innocents = f"{counts['innocents']} (≤ {percent(round(bound, 3))})"
            missed = "-" if counts["clean"] else counts["missed"]
            shown = [counts["exactly"], innocents, counts["open"], counts["good"], missed]
            yield [row.name, row.hosts, options.runs, *shown]


def main() -> None:
    """Print the table."""
    parser = options_of(__doc__)
    parser.add_argument("--runs", type=int, default=100, help="maps of each row")
    parser.add_argument("--first", type=int, default=FIRST_UNSEEN, help="the first seed")
    parser.add_argument("--hosts", type=sizes_of, default=f"4,8,16,{DRAWN}", help=f"of {HOSTS}")
    parser.add_argument("--only", type=expression_of, default="", help="rows with this expression")
    parser.add_argument("--jobs", type=int, default=1, help="processes that judge")
    parser.add_argument("--baseline", action="store_true", help="with a map of an earlier day")
    options = parser.parse_args()
    if options.short:
        options.runs, options.hosts, options.only = 3, ["8"], re.compile("^(flat|host x 1.3)")
    heads = ["exactly the truth", "innocents bad", "open", "good", "missed"]
    table(["machine", "hosts", "runs", *heads], lines(options))


if __name__ == "__main__":
    main()
