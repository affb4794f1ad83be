"""The one reader of plain tables, pairs.csv and figures.csv, and what it makes of the latter.

The first line that is neither empty nor a comment names the columns, in any order and case. Cells
are separated by commas, semicolons or tabs; where by semicolons, numbers may have decimal commas.

A plain table of figures over time, of any benchmark (docs/how-to/import.md):

    figure,value,unit,when,host,repetition
    osu_latency 8 B,1.93,us,2026-11-01T10:00:00Z,n1,1
    ior write,5120,MiB/s,2026-11-01T10:20:00Z,n1,1

Every unit means what it says: MB/s is 10^6 byte/s, MiB/s 2^20. `host` (or `system`), `repetition`
and `better` (higher or lower, where the unit does not say) may be left out.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import StringIO
from typing import Any

from beff.imports.printed import Printed, utc_of
from beff.result.bounds import LARGEST_FIGURE, LONGEST_HOST_NAME, Row
from beff.result.errors import ResultError
from beff.result.plain_figures import PlainRows, better_of

_SEPARATORS = ",;\t"
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SHOWN = 40
_LARGEST = {"bytes": 10**12, "round": 10**9, "repetition": 10**9}
"""The columns of whole numbers."""
_FIGURES = ("seconds", "MBps", "value")
_HOSTS = ("from", "to", "host", "system")
PAIR_COLUMNS = ("from", "to", "bytes")
PAIRS = "pairs.csv, with columns from, to, bytes and seconds or MBps"


def headings_of(text: str) -> set[str]:
    """Return the names in the first line of a table, in lower case; none where it is no table."""
    line = _first_line(text)
    with suppress(csv.Error):
        return {name.strip().lower() for name in next(csv.reader([line], delimiter=_between(line)))}
    return set()


class PlainTable:
    """A table; `rows` are the values of each line by the names of their columns.

    `written` are the headings of its columns by the names under which they are known.
    """

    def __init__(self, printed: Printed, needed: Sequence[str], others: Sequence[str]) -> None:
        """Read the headings. Raises ResultError where one is lacking, or there twice."""
        self._printed, self._needed = printed, needed
        self._separator = _between(_first_line(printed.text))
        self._lines = self._read()
        self._number = 1
        self._decimal_sign = ""
        self._hosts: dict[str, str] = {}
        self.written: dict[str, str] = {}
        self._headings = next(self._lines)
        known = {name.lower(): name for name in (*needed, *others)}
        self._columns = [known.get(heading.lower()) for heading in self._headings]
        headings = zip(self._headings, self._columns, strict=True)
        for place, (heading, name) in enumerate(headings, start=1):
            if name is None:
                what = f"column '{heading}'" if heading else f"column {place}, without a name,"
                printed.remarks.append(f"{what} is left out; known are {', '.join(known.values())}")
            elif name in self.written:
                raise self.problem(f"names '{heading}' twice")
            else:
                self.written[name] = heading
        if lacking := [name for name in needed if name not in self.written]:
            raise printed.problem(f"has no column {' and '.join(lacking)}")

    def problem(self, reason: str) -> ResultError:
        """Return the error that says what is wrong with the present line."""
        return self._printed.problem(f"line {self._number}: {reason}")

    @property
    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield lines, without cells that may be empty and are. Raises ResultError.

        The headings may be there again, as in tables that were joined.
        """
        for cells in self._lines:
            if cells == self._headings:
                continue
            if len(cells) != len(self._columns):
                raise self.problem(f"has {len(cells)} columns, the headings {len(self._columns)}")
            row = zip(self._columns, cells, strict=True)
            try:
                yield {
                    name: self._value(name, cell)
                    for name, cell in row
                    if name is not None and (cell or name in self._needed)
                }
            except ValueError as problem:
                raise self.problem(str(problem)) from None

    def _value(self, name: str, cell: str) -> Any:
        """Return what a cell means. Raises ValueError."""
        if name in _LARGEST:
            value = int(cell) if cell.isascii() and cell.isdecimal() and len(cell) < 20 else -1
            if not 0 <= value <= _LARGEST[name]:
                most = f"not a whole number up to {_LARGEST[name]:.0e}"
                raise ValueError(f"{name} is '{cell[:_SHOWN]}', {most}")
            return value
        if name in _FIGURES:
            return self._positive(cell)
        if name == "when":
            return utc_of(cell)
        if not cell:
            raise ValueError("names no host" if name in _HOSTS else f"has no {name}")
        if len(cell) > LONGEST_HOST_NAME:
            raise ValueError(f"'{cell[:_SHOWN]}...' is too long for {name}")
        # case does not matter in names of hosts
        return self._hosts.setdefault(cell.lower(), cell) if name in _HOSTS else cell

    def _positive(self, text: str) -> float:
        plain = text
        if self._separator == ";" and (sign := "".join(set(text) & set(",."))):
            self._decimal_sign = self._decimal_sign or sign
            if sign != self._decimal_sign:
                what = f"has not the decimal sign '{self._decimal_sign}' of those above"
                raise ValueError(f"'{text[:_SHOWN]}' {what}")
            plain = text.replace(",", ".")
        value = float(plain) if _NUMBER.fullmatch(plain) else 0.0
        if not 0 < value <= LARGEST_FIGURE:
            raise ValueError(f"'{text[:_SHOWN]}' is no positive number up to {LARGEST_FIGURE:g}")
        return value

    def _read(self) -> Iterator[list[str]]:
        """Yield the cells of lines that hold any. Raises ResultError for what is no line."""
        lines = csv.reader(_lines(self._printed.text), delimiter=self._separator, strict=True)
        try:
            for cells in lines:
                row = [cell.strip() for cell in cells]
                if any(row):
                    yield row
                self._number = lines.line_num + 1
        except csv.Error as problem:
            raise self.problem(f"is no line of a table: {problem}") from None


def _lines(text: str) -> Iterator[str]:
    """Yield lines as an editor counts them; comments are empty ones."""
    for line in StringIO(text, newline=None):
        yield "\n" if line.lstrip().startswith("#") else line


def _first_line(text: str) -> str:
    return next((line for line in _lines(text) if line.strip()), "")


def _between(line: str) -> str:
    return max(_SEPARATORS, key=line.count)


def figures_in(printed: Printed) -> dict[str, list[Any]]:
    """Return the columns of a table as a file of figures has them.

    Raises ResultError naming the first line that is wrong.
    """
    needed, others = ("figure", "value", "unit", "when"), ("host", "system", "repetition", "better")
    table = PlainTable(printed, needed, others)
    if {"host", "system"} <= {*table.written}:
        raise printed.problem("has columns host and system; a figure is of one of them")
    rows: list[Row] = []
    first: dict[tuple[str, str], Row] = {}
    values: dict[tuple[str, str, str, int], float] = {}
    for cells in table.rows:
        host = cells.pop("host", None) or cells.pop("system", "")
        row = {"host": host, "better": better_of(cells["unit"]), "repetition": 0, **cells}
        figure = row["figure"]
        if row["better"] not in ("higher", "lower"):
            raise table.problem(
                f"whether more is better, unit '{row['unit']}' does not say; add a column better"
                " with higher or lower"
            )
        above = first.setdefault((figure, host), row)
        for name in (name for name in ("unit", "better") if row[name] != above[name]):
            raise table.problem(f"{name} of '{figure}' is {row[name]}, above it was {above[name]}")
        repetition = row["repetition"]
        known = values.setdefault((figure, host, row["when"], repetition), row["value"])
        if repetition and known != row["value"]:
            raise table.problem(f"repetition {repetition} of '{figure}' has another value above")
        rows.append(row)
    if not rows:
        raise printed.problem("holds no figure")
    return {name: [row[name] for row in rows] for name in PlainRows.columns()}
