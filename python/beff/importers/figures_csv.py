"""A plain table of figures over time, of any benchmark, figures.csv: docs/how-to/import.md.

    figure,value,unit,when,host,repetition
    osu_latency 8 B,1.93,us,2026-11-01T10:00:00Z,n1,1
    ior write,5120,MiB/s,2026-11-01T10:20:00Z,n1,1

Every unit means what it says: MB/s is 10^6 byte/s, MiB/s 2^20. `host` (or `system`), `repetition`
and `better` (higher or lower, where the unit does not say) may be left out.
"""

from functools import partial
from typing import Any

from beff.importers.plain_table import PlainTable, Row, headings_of, whole
from beff.importers.printed import Printed, utc_of
from beff.result.bounds import LONGEST_HOST_NAME
from beff.result.plain_figures import better_of

_NEEDED = ("figure", "value", "unit", "when")
_KNOWN = (*_NEEDED, "host", "system", "repetition", "better")
_MOST_REPETITIONS = 10**9

Series = dict[str, Any]
_Key = tuple[str, str]
_Seen = dict[tuple[_Key, str, int], float]


def recognises(text: str) -> bool:
    """Whether the first line names columns of such a table."""
    return {"figure", "value"} <= headings_of(text)


def read(printed: Printed) -> list[Series]:
    """Return the series of a table as a file of figures has them.

    Raises ResultError naming the first line that is wrong.
    """
    table = PlainTable(printed, _KNOWN)
    if lacking := [name for name in _NEEDED if name not in table.written]:
        raise printed.problem(f"has no column {' and '.join(lacking)}")
    if {"host", "system"} <= {*table.written}:
        raise printed.problem("has columns host and system; a figure is of one of them")
    found: dict[_Key, Series] = {}
    seen: _Seen = {}
    table.each(partial(_take, table, found, seen))
    if not found:
        raise printed.problem("holds no figure")
    return [*found.values()]


def _take(table: PlainTable, found: dict[_Key, Series], seen: _Seen, row: Row) -> None:
    """Add a line to its series. Raises ValueError saying what is wrong."""
    for name in ("figure", "unit"):
        if not row[name]:
            raise ValueError(f"has no {name}")
        if len(row[name]) > LONGEST_HOST_NAME:
            raise ValueError(f"holds a {name} of more than {LONGEST_HOST_NAME} characters")
    host = table.host(row.get("host") or row.get("system") or "")
    own = {"unit": row["unit"], "better": row.get("better") or better_of(row["unit"])}
    if own["better"] not in ("higher", "lower"):
        raise ValueError(
            f"whether more is better, unit '{row['unit']}' does not say; add a column better with"
            " higher or lower"
        )
    key = row["figure"], host
    series = found.setdefault(
        key,
        {"figure": row["figure"], "host": host, **own, "when": [], "values": [], "repetitions": []},
    )
    for name, said in own.items():
        if series[name] != said:
            was = series[name]
            raise ValueError(f"{name} of '{row['figure']}' is {said}, above it was {was}")
    value, moment = table.positive(row["value"]), utc_of(row["when"])
    repetition = whole("repetition", row.get("repetition") or "0", _MOST_REPETITIONS)
    if repetition and seen.setdefault((key, moment, repetition), value) != value:
        raise ValueError(f"repetition {repetition} of '{row['figure']}' has another value above")
    series["when"].append(moment)
    series["values"].append(value)
    series["repetitions"].append(repetition)
