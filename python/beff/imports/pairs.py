"""A plain table of measurements of pairs, pairs.csv, and the map that they make.

    from,to,bytes,seconds,when,round
    n1,n2,8,1.9e-06,2026-11-01T10:00:00Z,1
    n1,n2,1048576,9.1e-05,2026-11-01T10:00:00Z,2

Instead of `seconds`, what a message took, there may be `MBps`, 10^6 byte/s (docs/how-to/import.md).
"""

from array import array
from typing import Any

import numpy as np

from beff.definition.b_pairs import figures_of
from beff.imports.plain_table import PAIR_COLUMNS, PAIRS, PlainTable, headings_of
from beff.imports.printed import Printed, head, origin_of
from beff.result.b_pairs_result import ImportedPlan, Meetings
from beff.result.bounds import Floats, Ints
from beff.result.host_list import fold_host_list
from beff.result.numbers import BYTES_PER_MB

_PROGRAM = "pairs.csv"
_TIME, _RATE = "seconds", "MBps"
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


def read(printed: Printed) -> list[dict[str, Any]]:
    """Return the map that a table makes, as a result has it.

    Of short and of long messages the length counts that the most pairs have. Raises ResultError
    naming the first line that is wrong, or where measurements are no map.
    """
    measured = [name for name in (_TIME, _RATE) if name.lower() in headings_of(printed.text)]
    if len(measured) != 1:
        raise printed.problem(f"needs a column {_TIME} or {_RATE}, and not both")
    table = PlainTable(printed, (*PAIR_COLUMNS, *measured), ("when", "round"))
    if is_rate := measured == [_RATE]:
        written = table.written[_RATE]
        if "b" in written:
            printed.remarks.append(f"'{written}' is taken for MBps, 10^6 byte/s, no bits")
    hosts: dict[str, int] = {}
    moment: str | None = None
    rows: array[float] = array("d")
    for row in table.rows:
        first, second = (hosts.setdefault(row[end], len(hosts)) for end in ("from", "to"))
        size = row["bytes"]
        ns = size * 1e9 / (row[_RATE] * BYTES_PER_MB) if is_rate else row[_TIME] * 1e9
        if not 1 <= ns <= _LONGEST_NS:
            raise table.problem(f"a time of {ns / 1e9:.3g} s from {row['from']} to {row['to']}")
        moment = min(filter(None, (moment, row.get("when"))), default=None)
        rows.extend((first, second, size, ns, row.get("round", -1)))
    names, when = list(hosts), moment or printed.date
    if len(names) > _MOST_HOSTS:
        raise printed.problem(f"names {len(names)} hosts; at most {_MOST_HOSTS} can be judged")
    if len(names) < 2:
        raise printed.problem("holds no measurement between two hosts")
    readings = _Readings(rows, len(names))
    small, large = None if is_rate else readings.best(short=True), readings.best(short=False)
    if small is None and large is None:
        raise printed.problem("holds no time of short messages, and no long messages")
    met = readings.meetings(small, large)
    plan = ImportedPlan(
        unit="host",
        units=len(names),
        measured_by=f"{_PROGRAM} {'rate' if is_rate else 'time'}",
        small_bytes=small,
        large_bytes=large,
        ways="each" if readings.are_both_ways else "one",
    )
    mine = readings.pair[readings.size == (large if small is None else small)]
    are_few = len(mine) < _REPEATED * len(np.unique(mine))
    unknown = {
        "short messages": small is None,
        "long messages": large is None,
        "which pairs were measured at the same time": met.round is None,
        "the other direction of pairs": not readings.are_both_ways,
        "how far repeated measurements of a pair differ": are_few,
        "when it was measured": when is None,
        **dict.fromkeys(_NEVER_KNOWN, True),
    }
    origin = origin_of(PAIRS, None, when, [what for what, lacks in unknown.items() if lacks])
    described = [{"name": name, "processes": 1} for name in names]
    environment = {"host_list": fold_host_list(names), "hosts": described, "nodes": len(names)}
    environment |= {"processes": len(names), "started_at": when}
    fields = {"environment": environment, "summary": figures_of(plan, met)}
    fields |= {"plan": plan.model_dump(), "meetings": met.model_dump()}
    return [head(printed, "b_pairs", "none", origin, program=_PROGRAM) | fields]


class _Readings:
    """Measurements between two hosts: byte, ns, and rounds, -1 where these are not known.

    `pair` is a number for two hosts, whichever was named first.
    """

    def __init__(self, rows: "array[float]", units: int) -> None:
        table = np.array(rows).reshape(-1, 5)
        table = table[table[:, 0] != table[:, 1]]
        first, second, self.size, _, self.rounds = table.T.astype(np.int64)
        self.ns: Floats = table[:, 3]
        self.units, self.from_lower = units, (first < second).astype(np.int64)
        self.pair: Ints = np.minimum(first, second) * units + np.maximum(first, second)
        ways = len(_grouped(self.pair, self.from_lower)[1])
        self.are_both_ways = ways > 1.5 * len(np.unique(self.pair))

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
        of_way, _ = _grouped(kinds, pair, rounds, self.from_lower[mine])
        of, first_of = _grouped(pair, _which(of_way), rounds)
        slower = np.zeros((len(chosen), len(first_of)))
        np.maximum.at(slower, (kinds, of), self.ns[mine])
        pair, rounds = pair[first_of], rounds[first_of]
        small, large = (
            None if size is None else _text(np.rint(ns).astype(np.int64), "-")
            for ns, size in zip(slower, chosen, strict=True)
        )
        return Meetings(
            first=_text(pair // self.units),
            second=_text(pair % self.units),
            round=_text(rounds) if (rounds >= 0).all() else None,
            small_ns=small,
            large_ns=large,
        )


def _grouped(*columns: Ints) -> tuple[Ints, Ints]:
    """Return for each entry the number of its group of equal ones, and an entry of each group."""
    of = np.zeros(len(columns[0]), dtype=np.int64)
    entry = of[:1]
    for column in columns:
        values, codes = np.unique(column, return_inverse=True)
        _, entry, of = np.unique(of * len(values) + codes, return_index=True, return_inverse=True)
    return of, entry


def _which(of: Ints) -> Ints:
    """Return how many of its group stand before each entry."""
    order = np.argsort(of, kind="stable")
    begins = np.flatnonzero(np.diff(of[order], prepend=-1))
    which = np.empty(len(of), dtype=np.int64)
    which[order] = np.arange(len(of)) - np.repeat(begins, np.diff(begins, append=len(of)))
    return which


def _text(numbers: Ints, zero: str = "0") -> str:
    return " ".join(str(number) if number else zero for number in numbers.tolist())
