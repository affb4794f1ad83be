"""What grows with processes, hosts and results: one table.

    .venv/bin/python bench/scale [--only PART] [--largest N]

Needs two cores on which nothing else runs. Peak memory is that of the largest process.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scale import companion, core_alone, real_runs, simulated
from scale.table import lines

PARTS = {
    "core": core_alone.rows,
    "runs": real_runs.rows,
    "simulated": simulated.rows,
    "companion": companion.rows,
}


def main() -> None:
    """Print the table, part by part."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--only", choices=PARTS, help="one part of the table")
    options.add_argument("--largest", type=int, default=10**6, help="no size above this one")
    given = options.parse_args()
    for name, rows in PARTS.items():
        if given.only in (None, name):
            for line in lines(rows(given.largest)):
                print(line, flush=True)
            print()


if __name__ == "__main__":
    main()
