"""A plain table of figures over time, of any benchmark: docs/how-to/check.md#any-benchmark.

    figure,value,unit,when,host,repetition
    osu_latency 8 B,1.93,us,2026-11-01T10:00:00Z,n1,1
    ior write,5120,MiB/s,2026-11-01T10:20:00Z,n1,1

Every unit means what it says: MB/s is 10^6 byte/s, MiB/s 2^20. `host` (or `system`), `repetition`
and `better` (higher or lower, where the unit does not say) may be left out.
"""

import csv
from collections.abc import Iterator

from beff.importers.figures import Row
from beff.importers.printed import Printed, columns_in, known_columns

_NEEDED = ("figure", "value", "unit", "when")
_KNOWN = (*_NEEDED, "host", "system", "repetition", "better")


def recognises(text: str) -> bool:
    """Whether the first line names columns of such a table."""
    return {"figure", "value"} <= {*columns_in(text)}


def rows(printed: Printed) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a table with their lines. Raises ResultError naming one that is wrong."""
    names = known_columns(printed, _KNOWN)
    if lacking := [name for name in _NEEDED if name not in names]:
        raise printed.problem(f"line 1: names no column {' and '.join(lacking)}")
    if {"host", "system"} <= {*names}:
        raise printed.problem("line 1: has host and system; a figure is of one of them")
    table = csv.reader(printed.text.splitlines())
    try:
        next(table)
        for row in table:
            if not row or row[0].lstrip().startswith("#"):
                continue
            if len(row) != len(names):
                raise csv.Error(f"has {len(row)} columns, the first line {len(names)}")
            yield table.line_num, dict(zip(names, map(str.strip, row), strict=True))
    except csv.Error as problem:
        raise printed.problem(f"line {table.line_num}: {problem}") from None
