"""Write the map of a row as CSV: `cd bench; python -m slow_hosts ROW [SEED]`; without ROW all rows.

The first line, behind #, says what is true of it.
"""

import sys

import numpy as np

from slow_hosts.between import every_row
from slow_hosts.machine import COLUMNS, measure

rows = {row.name: row for row in every_row()}
if len(sys.argv) == 1:
    print(*(f"{name}: {row.must.text()}" for name, row in rows.items()), sep="\n")
elif sys.argv[1] not in rows:
    sys.exit(f"no row is called '{sys.argv[1]}': without a name all are listed")
else:
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    machine, truth = rows[sys.argv[1]].draw(seed)
    print(f"# {truth}", ",".join(COLUMNS.names or ()), sep="\n")
    np.savetxt(sys.stdout, measure(machine, seed), "%d,%d,%d,%.9f,%d,%d")
