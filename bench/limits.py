#!/usr/bin/env python3
"""Say what limits b_eff on simulated machines of which it is known.

Prints a table in Markdown; exit code 1 where a line is wrong. Time is exact, so once.
Usage: .venv/bin/python bench/limits.py   (after make .venv/.tests build/smpi/.built)
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "python")]

from simulated.known_limits import MACHINES, Machine, said_of  # noqa: E402

RIGHT, WRONG, NOT_SAID = "right", "**wrong**", "not said"


def mark(machine: Machine, roof: str | None) -> str:
    """Return whether what was said is right."""
    if roof is None:
        return NOT_SAID
    return RIGHT if roof in machine.right else WRONG


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    counts: Counter[str] = Counter()
    print("| machine | limits it | said | |\n|---|---|---|---|")
    for machine in MACHINES:
        with tempfile.TemporaryDirectory(prefix="beff-limits-") as folder:
            limit = said_of(machine, Path(folder))
        found = mark(machine, limit.roof)
        counts[found] += 1
        expected = " or ".join(name or "nothing known" for name in machine.right)
        print(f"| {machine.name} | {expected} | {limit.sentence} | {found} |", flush=True)
    print(f"\n{counts[RIGHT]} right, {counts[NOT_SAID]} not said, {counts[WRONG]} wrong")
    if counts[WRONG]:
        sys.exit(1)


main()
