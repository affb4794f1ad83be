"""Write the map of a row as CSV: `cd bench; python -m slow_hosts ROW [SEED]`; without ROW all rows.

The first line, behind #, says what is true of it.
"""

from __future__ import annotations

import sys

import numpy as np

from slow_hosts.between import every_row
from slow_hosts.machine import COLUMNS, measure


def main(arguments: list[str]) -> None:
    """Print the map, or the names of rows with what must be said of each."""
    every = {row.name: row for row in every_row()}
    if not arguments:
        print(*(f"{name}: {row.must.text()}" for name, row in every.items()), sep="\n")
        return
    if arguments[0] not in every:
        sys.exit(f"no row is called '{arguments[0]}': without a name all are listed")
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    machine, truth = every[arguments[0]].draw(seed)
    print(f"# {truth}")
    np.savetxt(
        sys.stdout,
        measure(machine, seed),
        "%d,%d,%d,%.9f,%d,%d",
        header=",".join(COLUMNS.names or ()),
        comments="",
    )


if __name__ == "__main__":
    main(sys.argv[1:])
