"""A plain table of figures over time, of any benchmark: docs/how-to/check.md#any-benchmark.

    figure,value,unit,when,host,repetition
    osu_latency 8 B,1.93,us,2026-11-01T10:00:00Z,n1,1
    ior write,5120,MiB/s,2026-11-01T10:20:00Z,n1,1

Every unit means what it says: MB/s is 10^6 byte/s, MiB/s 2^20. `host` (or `system`), `repetition`
and `better` (higher or lower, where the unit does not say) may be left out.
"""

import csv
from collections.abc import Iterator
from math import isfinite
from typing import Any

from pydantic import TypeAdapter

from beff.importers.pairs import utc_of
from beff.importers.printed import Printed, columns_in, known_columns
from beff.result.bounds import LARGEST_FIGURE, Moment
from beff.result.plain_figures import better_of

_NEEDED = ("figure", "value", "unit", "when")
_KNOWN = (*_NEEDED, "host", "system", "repetition", "better")
_LONGEST_NAME = 255
_MOST_REPETITIONS = 10**9

_A_MOMENT: TypeAdapter[str] = TypeAdapter(Moment)

Key = tuple[str, str]


def recognises(text: str) -> bool:
    """Whether the first line names columns of such a table."""
    return {"figure", "value"} <= {*columns_in(text)}


def read(printed: Printed) -> list[dict[str, Any]]:
    """Return the series of a table, as a file of plain figures has them.

    Raises ResultError naming the first line that is wrong.
    """
    names = known_columns(printed, _KNOWN)
    if lacking := [name for name in _NEEDED if name not in names]:
        raise printed.problem(f"line 1: names no column {' and '.join(lacking)}")
    if {"host", "system"} <= {*names}:
        raise printed.problem("line 1: has host and system; a figure is of one of them")
    found: dict[Key, dict[str, Any]] = {}
    seen: dict[tuple[Key, str, int], float] = {}
    for number, row in _rows(printed):
        try:
            if len(row) != len(names):
                raise ValueError(f"has {len(row)} columns, the first line {len(names)}")
            _take(dict(zip(names, map(str.strip, row), strict=True)), found, seen)
        except ValueError as problem:
            raise printed.problem(f"line {number}: {problem}") from None
    if not found:
        raise printed.problem("holds no figure below its first line")
    return [*found.values()]


def _rows(printed: Printed) -> Iterator[tuple[int, list[str]]]:
    rows = csv.reader(printed.text.splitlines())
    try:
        next(rows)
        for row in rows:
            if row and not row[0].lstrip().startswith("#"):
                yield rows.line_num, row
    except csv.Error as problem:
        raise printed.problem(f"line {rows.line_num}: {problem}") from None


def _take(
    row: dict[str, str], found: dict[Key, dict[str, Any]], seen: dict[tuple[Key, str, int], float]
) -> None:
    """Add a row to its series. Raises ValueError saying what is wrong."""
    for name in ("figure", "unit"):
        if not row[name]:
            raise ValueError(f"has no {name}")
    host = row.get("host") or row.get("system") or ""
    if max(map(len, (row["figure"], row["unit"], host))) > _LONGEST_NAME:
        raise ValueError(f"holds a name of more than {_LONGEST_NAME} characters")
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
    value, when = _value(row["value"]), _when(row["when"])
    repetition = _repetition(row.get("repetition", ""))
    if repetition and seen.setdefault((key, when, repetition), value) != value:
        raise ValueError(f"repetition {repetition} of '{row['figure']}' has another value above")
    series["when"].append(when)
    series["values"].append(value)
    series["repetitions"].append(repetition)


def _value(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not (isfinite(value) and 0 < value <= LARGEST_FIGURE):
        raise ValueError(f"value '{text}' is no positive number up to {LARGEST_FIGURE:g}")
    return value


def _when(text: str) -> str:
    try:
        found = utc_of(text)
        _A_MOMENT.validate_python(found)
    except (ValueError, OverflowError):
        raise ValueError(
            f"when '{text}' is no time since 1970; write it as 2026-11-01 or 2026-11-01T10:00:00Z"
        ) from None
    return found


def _repetition(text: str) -> int:
    if not text:
        return 0
    if not (text.isascii() and text.isdigit() and int(text) <= _MOST_REPETITIONS):
        raise ValueError(f"repetition '{text}' is no whole number")
    return int(text)
