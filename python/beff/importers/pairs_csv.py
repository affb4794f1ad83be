"""A plain table of measurements of pairs, pairs.csv: docs/how-to/import-pairs.md.

    from,to,bytes,seconds,when,round
    n1,n2,8,1.9e-06,2026-11-01T10:00:00Z,1
    n1,n2,1048576,9.1e-05,2026-11-01T10:00:00Z,2

Instead of `seconds`, what a message took, there may be `MBps`, 10^6 byte/s.
"""

import csv
from collections.abc import Callable
from itertools import islice

import numpy as np

from beff.importers.pairs import Readings, Test
from beff.importers.printed import Printed, columns_in, known_columns, positive, utc_of, whole
from beff.maps.schedule import Ints
from beff.result.bounds import LONGEST_HOST_NAME
from beff.result.numbers import BYTES_PER_MB

_NEEDED = ("from", "to", "bytes")
_TIME, _RATE = "seconds", "MBps"
_KNOWN = (*_NEEDED, _TIME, _RATE, "when", "round")
_MOST_BYTES = 10**12
_MOST_ROUNDS = 10**9
_AT_ONCE = 20_000


def recognises(text: str) -> bool:
    """Whether the first line names the columns of such a table."""
    return {*_NEEDED} <= {*columns_in(text)}


def read(printed: Printed, found: Readings) -> None:
    """Take the rows over. Raises ResultError naming the first line that is wrong."""
    lines = printed.text.splitlines()
    names = known_columns(printed, _KNOWN)
    if (_TIME in names) == (_RATE in names):
        raise printed.problem(f"line 1: needs a column {_TIME} or {_RATE}, and not both")
    table = _Table(names, found)
    rows = csv.reader(lines[1:])
    begin = 2
    try:
        while some := list(islice(rows, _AT_ONCE)):
            table.take(some, begin)
            begin += len(some)
    except csv.Error as problem:
        raise printed.problem(f"line {begin + rows.line_num - 1}: {problem}") from None
    except ValueError as problem:
        raise printed.problem(str(problem)) from None


class _Table:
    """Takes rows column by column, as there may be a million; what columns hold is looked at once.

    `read` are the numbers of what was read, by column and text.
    """

    def __init__(self, names: list[str], found: Readings) -> None:
        self.names, self.found = names, found
        self.is_rate = _RATE in names
        self.test = Test("rate" if self.is_rate else "time", self.is_rate, None)
        self.read: dict[str, dict[str, int]] = {name: {} for name in ("host", "bytes", "round", "")}

    def take(self, rows: list[list[str]], begin: int) -> None:
        """Note rows, of which the first is on a line. Raises ValueError naming a line."""
        kept = [row for row in rows if row and not row[0].startswith("#")]
        try:
            self._take(kept)
        except ValueError:
            for number, row in enumerate(rows, start=begin):
                if row and not row[0].startswith("#"):
                    try:
                        self._take([row])
                    except ValueError as problem:
                        raise ValueError(f"line {number}: {problem}") from None

    def _take(self, rows: list[list[str]]) -> None:
        """Note rows, or none of them. Raises ValueError saying what is wrong."""
        for row in rows:
            if len(row) != len(self.names):
                raise ValueError(f"has {len(row)} columns, the first line {len(self.names)}")
        columns = dict(zip(self.names, zip(*rows, strict=True), strict=False))
        if not columns:
            return
        first, second = (self._numbers("host", columns[name], self._host) for name in _NEEDED[:2])
        size = self._numbers("bytes", columns["bytes"], self._size)
        values = np.array([positive(cell) for cell in columns[_RATE if self.is_rate else _TIME]])
        ns = values * 1e9
        if self.is_rate:
            sizes = np.array([size_bytes for _, size_bytes in self.found.sizes])
            ns = sizes[size] * 1e9 / (values * BYTES_PER_MB)
        rounds = np.full(len(ns), -1)
        if "round" in columns:
            rounds = self._numbers("round", columns["round"], _round)
        if "when" in columns:
            self._numbers("", columns["when"], self._moment)
        self.found.extend(first, second, size, ns, rounds)

    def _numbers(self, kind: str, column: tuple[str, ...], of: Callable[[str], int]) -> Ints:
        known = self.read[kind]
        for text in dict.fromkeys(column):
            if text not in known:
                known[text] = of(text)
        return np.fromiter(map(known.__getitem__, column), np.int64, len(column))

    def _host(self, text: str) -> int:
        name = text.strip()
        if not name or len(name) > LONGEST_HOST_NAME:
            raise ValueError(f"'{name[:40]}' is no name of a host")
        return self.found.hosts.setdefault(name, len(self.found.hosts))

    def _size(self, text: str) -> int:
        size = self.test, whole("bytes", text, _MOST_BYTES)
        return self.found.sizes.setdefault(size, len(self.found.sizes))

    def _moment(self, text: str) -> int:
        self.found.seen_at(utc_of(text) if text.strip() else None)
        return 0


def _round(text: str) -> int:
    return whole("round", text, _MOST_ROUNDS) if text.strip() else -1
