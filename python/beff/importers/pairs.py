"""A plain table of measurements of pairs, pairs.csv, and the map that they make.

    from,to,bytes,seconds,when,round
    n1,n2,8,1.9e-06,2026-11-01T10:00:00Z,1
    n1,n2,1048576,9.1e-05,2026-11-01T10:00:00Z,2

Instead of `seconds`, what a message took, there may be `MBps`, 10^6 byte/s (docs/how-to/import.md).
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from beff.definition.b_pairs_plan import Ints
from beff.definition.imported_pairs import figures_of
from beff.importers.plain_table import PlainTable, Row, headings_of, whole
from beff.importers.printed import Origin, Printed, head, utc_of
from beff.maps.pair_map import Floats
from beff.result.host_list import fold_host_list
from beff.result.imported_pairs import ImportedPlan, Meetings
from beff.result.numbers import BYTES_PER_MB

_PROGRAM = "pairs.csv"
DESCRIPTION = "pairs.csv, with columns from, to, bytes and seconds or MBps"
_REPEATED = 3
_LARGEST_SHORT = 4096
"""In byte: of messages up to here the time counts, of longer ones the bandwidth."""
_LONGEST_NS, _MOST_HOSTS = 10**15, 10**5
_NEVER_KNOWN = (
    "processes of a host",
    "pairs measured again alone",
    "what the hardware allows",
    "with what it was measured",
)


@dataclass
class Readings:
    """Measurements: `rows` are numbers of two of the `hosts`, byte, ns and round, one by one.

    A round is -1 where it is not known which pairs were measured at the same time.
    """

    is_rate: bool
    hosts: dict[str, int] = field(default_factory=dict)
    rows: "array[float]" = field(default_factory=lambda: array("d"))
    when: str | None = None

    def add(self, ends: tuple[str, str], size: int, ns: float, round_: int) -> None:
        """Note what a message of `size` byte took. Raises ValueError for an impossible time."""
        if not 1 <= ns <= _LONGEST_NS:
            raise ValueError(f"a time of {ns / 1e9:.3g} s from {ends[0]} to {ends[1]}")
        first, second = (self.hosts.setdefault(end, len(self.hosts)) for end in ends)
        self.rows.extend((first, second, size, ns, round_))

    def seen_at(self, when: str) -> None:
        """Note when something was measured; the first time counts."""
        self.when = when if self.when is None else min(when, self.when)


def _document_of(printed: Printed, found: Readings) -> dict[str, Any]:
    """Return the map that readings make, as a result has it.

    Of short and of long messages the length counts that the most pairs have. Raises ResultError
    where these are no map.
    """
    if len(found.hosts) > _MOST_HOSTS:
        raise printed.problem(
            f"names {len(found.hosts)} hosts; at most {_MOST_HOSTS} can be judged"
        )
    if len(found.hosts) < 2:
        raise printed.problem("holds no measurement between two hosts")
    columns = _Columns.of(found)
    small, large = None if found.is_rate else columns.best(short=True), columns.best(short=False)
    if small is None and large is None:
        raise printed.problem("holds no time of short messages, and no long messages")
    met = columns.meetings(small, large)
    plan = ImportedPlan(
        unit="host",
        units=len(found.hosts),
        measured_by=f"{_PROGRAM} {'rate' if found.is_rate else 'time'}",
        small_bytes=small,
        large_bytes=large,
        ways="each" if columns.both_ways() else "one",
    )
    names, when = list(found.hosts), found.when or printed.date
    is_repeated = columns.are_repeated(large if small is None else small)
    unknown = tuple(_unknown(plan, met, when, is_repeated=is_repeated))
    return {
        **head(printed, "b_pairs", "none", Origin(DESCRIPTION, _PROGRAM, None, when, unknown), []),
        "environment": {
            "host_list": fold_host_list(names),
            "hosts": [{"name": name, "processes": 1} for name in names],
            "nodes": len(names),
            "processes": len(names),
            "started_at": when,
        },
        "summary": figures_of(plan, met),
        "plan": plan.model_dump(),
        "meetings": met.model_dump(),
    }


@dataclass(frozen=True)
class _Columns:
    """Readings between two hosts; `size` is in byte."""

    first: Ints
    second: Ints
    size: Ints
    ns: Floats
    rounds: Ints
    units: int

    @classmethod
    def of(cls, found: Readings) -> "_Columns":
        rows = np.array(found.rows).reshape(-1, 5)
        rows = rows[rows[:, 0] != rows[:, 1]]
        first, second, size, _, rounds = rows.T.astype(np.int64)
        return cls(first, second, size, rows[:, 3], rounds, len(found.hosts))

    @cached_property
    def pair(self) -> Ints:
        """A number for each two hosts, whichever sent."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        pairs: Ints = low * self.units + high
        return pairs

    def best(self, *, short: bool) -> int | None:
        """Return the length that the most pairs have, of several the shortest or the longest."""
        _, one_of = _grouped(self.size, self.pair)
        sizes, often = np.unique(self.size[one_of], return_counts=True)
        fit = [
            (count, -size if short else size)
            for size, count in zip(sizes.tolist(), often.tolist(), strict=True)
            if (size <= _LARGEST_SHORT) is short
        ]
        return abs(max(fit)[1]) if fit else None

    def meetings(self, *chosen: int | None) -> Meetings:
        """Return each meeting: of two ways at the same time the slower one counts."""
        kind = np.full(len(self.size), -1)
        for number, size in enumerate(chosen):
            if size is not None:
                kind[self.size == size] = number
        mine = kind >= 0
        kinds, pair, rounds = kind[mine], self.pair[mine], self.rounds[mine]
        from_lower = (self.first < self.second)[mine].astype(np.int64)
        of_way, _ = _grouped(kinds, pair, rounds, from_lower)
        of, first_of = _grouped(pair, _which(of_way), rounds)
        slower = np.zeros((len(chosen), len(first_of)))
        np.maximum.at(slower, (kinds, of), self.ns[mine])
        pair, rounds = pair[first_of], rounds[first_of]
        small, large = (
            None if size is None else _times_text(slower[number])
            for number, size in enumerate(chosen)
        )
        return Meetings(
            first=_text(pair // self.units),
            second=_text(pair % self.units),
            round=_text(rounds) if (rounds >= 0).all() else None,
            small_ns=small,
            large_ns=large,
        )

    def are_repeated(self, size: int | None) -> bool:
        """Whether pairs have a length often enough to show how far repetitions differ."""
        mine = self.size == size
        return bool(mine.sum() >= _REPEATED * len(_grouped(self.pair[mine])[1]))

    def both_ways(self) -> bool:
        """Whether most pairs were measured in either direction."""
        _, ordered = _grouped(self.first, self.second)
        return len(ordered) > 1.5 * len(_grouped(self.pair)[1])


def _grouped(*columns: Ints) -> tuple[Ints, Ints]:
    """Return for each entry the number of its group of equal ones, and an entry of each group."""
    order = np.lexsort(columns[::-1])
    new = np.zeros(len(order), dtype=bool)
    for column in columns:
        new[1:] |= np.diff(column[order].astype(np.int64)) != 0
    of = np.empty(len(order), dtype=np.int64)
    of[order] = np.cumsum(new)
    new[:1] = True
    return of, order[new]


def _which(of: Ints) -> Ints:
    """Return how many of its group stand before each entry."""
    order = np.argsort(of, kind="stable")
    begins = np.flatnonzero(np.diff(of[order], prepend=-1))
    which = np.empty(len(of), dtype=np.int64)
    which[order] = np.arange(len(of)) - np.repeat(begins, np.diff(begins, append=len(of)))
    return which


def _text(numbers: Ints) -> str:
    return " ".join(map(str, numbers.tolist()))


def _times_text(ns: Floats) -> str:
    text = _text(np.rint(ns).astype(np.int64))
    return text if ns.all() else " ".join("-" if one == "0" else one for one in text.split())


def _unknown(
    plan: ImportedPlan, met: Meetings, when: str | None, *, is_repeated: bool
) -> Iterator[str]:
    """Yield what a map of b_pairs holds beside this one."""
    if plan.small_bytes is None:
        yield "short messages"
    if plan.large_bytes is None:
        yield "long messages"
    if met.round is None:
        yield "which pairs were measured at the same time"
    if plan.ways == "one":
        yield "the other direction of pairs"
    if not is_repeated:
        yield "how far repeated measurements of a pair differ"
    if when is None:
        yield "when it was measured"
    yield from _NEVER_KNOWN


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
    return [_document_of(printed, found)]


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
