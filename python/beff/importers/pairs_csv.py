"""A plain table of measurements of pairs, pairs.csv: docs/how-to/import.md.

    from,to,bytes,seconds,when,round
    n1,n2,8,1.9e-06,2026-11-01T10:00:00Z,1
    n1,n2,1048576,9.1e-05,2026-11-01T10:00:00Z,2

Instead of `seconds`, what a message took, there may be `MBps`, 10^6 byte/s.
"""

from functools import partial
from typing import Any

from beff.importers.pairs import Readings, document_of
from beff.importers.plain_table import PlainTable, Row, headings_of, whole
from beff.importers.printed import Printed, utc_of
from beff.result.numbers import BYTES_PER_MB

DESCRIPTION = "pairs.csv, with columns from, to, bytes and seconds or MBps"
_NEEDED = ("from", "to", "bytes")
_TIME, _RATE = "seconds", "MBps"
_MOST_BYTES = 10**12
_MOST_ROUNDS = 10**9


def recognises(text: str) -> bool:
    """Whether the first line names the columns of such a table."""
    return {*_NEEDED} <= headings_of(text)


def read(printed: Printed) -> list[dict[str, Any]]:
    """Return the map that a table makes. Raises ResultError naming the first line that is wrong."""
    table = PlainTable(printed, (*_NEEDED, _TIME, _RATE, "when", "round"))
    if (_TIME in table.written) == (_RATE in table.written):
        raise printed.problem(f"needs a column {_TIME} or {_RATE}, and not both")
    found = Readings(is_rate=_RATE in table.written)
    table.each(partial(_take, table, found))
    if "b" in table.written.get(_RATE, ""):
        printed.remarks.append(f"'{table.written[_RATE]}' is taken for MBps, 10^6 byte/s, no bits")
    return [document_of(printed, DESCRIPTION, found)]


def _take(table: PlainTable, found: Readings, row: Row) -> None:
    """Note a line. Raises ValueError saying what is wrong."""
    ends = table.host(row["from"]), table.host(row["to"])
    if not all(ends):
        raise ValueError("names no host")
    size = whole("bytes", row["bytes"], _MOST_BYTES)
    value = table.positive(row[_RATE if found.is_rate else _TIME])
    ns = size * 1e9 / (value * BYTES_PER_MB) if found.is_rate else value * 1e9
    round_ = whole("round", row["round"], _MOST_ROUNDS) if row.get("round") else -1
    found.add(ends, size, ns, round_)
    if row.get("when"):
        found.seen_at(utc_of(row["when"]))
