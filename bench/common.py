"""What benches share: where things are, options, rows that are judged, tables in Markdown.

Each bench is a program with `--short`, the form that `make bench` runs: little of everything, to
see that it works and what it prints. `make bench-NAME` runs one in full; `ARGS` are its options.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BIN = ROOT / ".venv" / "bin"
_PLACES = ("tests", "tests/python", "python", "build/module/tests/core/binding")
sys.path[:0] = [str(ROOT / part) for part in _PLACES]


def options_of(doc: str | None) -> argparse.ArgumentParser:
    """Return the parser of a bench; its help is the first paragraph of the text of the module."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n\n")[0])
    parser.add_argument("--short", action="store_true", help="a little of everything")
    return parser


def table(heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print a table, each row as soon as it is made."""
    heads = list(heads)
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}", flush=True)
    for cells in rows:
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
    print()


def options_of_rows(doc: str | None, runs: int, first: int) -> argparse.ArgumentParser:
    """Return the parser of a bench of rows, each of which is judged with so many seeds."""
    parser = options_of(doc)
    parser.add_argument("--runs", type=int, default=runs, help="made of each row that is sound")
    parser.add_argument("--first", type=int, default=first, help="the first seed")
    parser.add_argument("--only", type=re.compile, default="", help="rows with this expression")
    parser.add_argument("--jobs", type=int, default=1, help="processes that judge")
    return parser


def counts_of(
    given: argparse.Namespace, rows: Mapping[str, Any], count: Callable[[str, int], Counter[str]]
) -> Iterator[tuple[str, int, Counter[str]]]:
    """Yield the name of each row, how many seeds it has, and the sum of the counts of all."""
    with ProcessPoolExecutor(given.jobs) as pool:
        for name in filter(re.compile(given.only).search, rows):
            runs = given.runs if getattr(rows[name], "is_clean", True) else max(1, given.runs // 5)
            seeds = range(given.first, given.first + runs)
            counts = pool.map(partial(count, name), seeds, chunksize=1 + runs // (4 * given.jobs))
            yield name, runs, sum(counts, Counter())
