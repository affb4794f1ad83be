"""Measurements of pairs of hosts by other programs, and the map of pairs that they make."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from beff.importers.printed import Origin, Printed, head
from beff.maps.pair_map import Floats
from beff.maps.schedule import Ints
from beff.maps.verify_imported_pairs import figures_of
from beff.result.imported_pairs import ImportedPlan, Meetings, Ways
from beff.verify.common.checks import fold_host_list

_REPEATED = 3
LARGEST_SHORT = 4096
"""In byte: of messages up to here the time counts, of longer ones the bandwidth."""
_LONGEST_NS, _MOST_HOSTS = 10**15, 10**5
_NEVER_KNOWN = "processes of a host", "pairs measured again alone", "what the hardware allows"


@dataclass(frozen=True)
class Test:
    """What a program measures: `name`, whether it is a bandwidth, and which ways messages go.

    `ways` is None where what was measured shows it: each way, or one of each pair.
    """

    name: str
    is_rate: bool
    ways: Ways | None


Size = tuple[Test, int]
"""A test and the length of its messages in byte."""


@dataclass
class Readings:
    """Measurements in the order in which they were printed; units are numbers of `hosts`.

    `rounds` is -1 where it is not known which pairs were measured at the same time.
    """

    hosts: dict[str, int] = field(default_factory=dict)
    sizes: dict[Size, int] = field(default_factory=dict)
    first: "array[int]" = field(default_factory=lambda: array("q"))
    second: "array[int]" = field(default_factory=lambda: array("q"))
    size: "array[int]" = field(default_factory=lambda: array("q"))
    ns: "array[float]" = field(default_factory=lambda: array("d"))
    rounds: "array[int]" = field(default_factory=lambda: array("q"))
    when: str | None = None

    def add(self, ends: tuple[str, str], size: Size, value: float, round_: int = -1) -> None:
        """Note what a message from one host to another took in ns, or a rate in byte/s.

        Raises ValueError for what is neither.
        """
        if size[0].is_rate and not value > 0:
            raise ValueError(f"a rate of {value:g} byte/s from {ends[0]} to {ends[1]}")
        ns = size[1] * 1e9 / value if size[0].is_rate else value
        if not 1 <= ns <= _LONGEST_NS:
            raise ValueError(f"a time of {ns / 1e9:.3g} s from {ends[0]} to {ends[1]}")
        hosts = self.hosts
        self.first.append(hosts.setdefault(ends[0], len(hosts)))
        self.second.append(hosts.setdefault(ends[1], len(hosts)))
        self.size.append(self.sizes.setdefault(size, len(self.sizes)))
        self.ns.append(ns)
        self.rounds.append(round_)

    def extend(self, first: Ints, second: Ints, size: Ints, ns: Floats, rounds: Ints) -> None:
        """Note many measurements by the numbers of hosts and sizes. Raises ValueError as `add`."""
        odd = ns[~((ns >= 1) & (ns <= _LONGEST_NS))]
        if odd.size:
            raise ValueError(f"a time of {odd[0] / 1e9:.3g} s")
        for column, more in (
            (self.first, first),
            (self.second, second),
            (self.size, size),
            (self.ns, ns),
            (self.rounds, rounds),
        ):
            column.frombytes(more.tobytes())

    def take(self, others: "Readings") -> None:
        """Add what was read apart, so that nothing of a broken file is left behind."""
        hosts = [self.hosts.setdefault(name, len(self.hosts)) for name in others.hosts]
        sizes = [self.sizes.setdefault(size, len(self.sizes)) for size in others.sizes]
        self.first.extend(hosts[one] for one in others.first)
        self.second.extend(hosts[one] for one in others.second)
        self.size.extend(sizes[one] for one in others.size)
        self.ns.extend(others.ns)
        self.rounds.extend(others.rounds)
        self.seen_at(others.when)

    def seen_at(self, when: str | None) -> None:
        """Note when something was measured; the first time counts."""
        if when is not None and (self.when is None or when < self.when):
            self.when = when


def document_of(
    printed: Printed, program: str, layout: str, found: Readings, also_unknown: Sequence[str]
) -> dict[str, Any]:
    """Return the map that readings make, as a result has it.

    Of each length, short and long, the test and size counts that the most pairs have. Raises
    ResultError where these are no map.
    """
    if len(found.hosts) > _MOST_HOSTS:
        raise printed.problem(
            f"names {len(found.hosts)} hosts; at most {_MOST_HOSTS} can be judged"
        )
    if len(found.hosts) < 2:
        raise printed.problem("holds no measurement between two hosts")
    columns = _Columns.of(found)
    chosen = {"small": columns.best(short=True), "large": columns.best(short=False)}
    if not any(chosen.values()):
        raise printed.problem("holds no time of short messages, and no long messages")
    met = columns.meetings(chosen)
    tests = [size[0] for size in chosen.values() if size is not None]
    ways = _ways(tests, columns)
    sizes = {f"{kind}_bytes": None if size is None else size[1] for kind, size in chosen.items()}
    plan = ImportedPlan(
        unit="host",
        units=len(found.hosts),
        measured_by=" and ".join(dict.fromkeys(f"{program} {test.name}".strip() for test in tests)),
        small_bytes=sizes["small_bytes"],
        large_bytes=sizes["large_bytes"],
        ways=ways,
    )
    names = list(found.hosts)
    unknown = tuple(
        _unknown(
            met, sizes, ways, found.when, also_unknown, is_repeated=columns.are_repeated(chosen)
        )
    )
    origin = Origin(layout, program, None, found.when, unknown)
    return {
        **head(printed, "b_pairs", "none", origin, []),
        "environment": {
            "host_list": fold_host_list(names),
            "hosts": [{"name": name, "processes": 1} for name in names],
            "nodes": len(names),
            "processes": len(names),
            "started_at": found.when,
        },
        "summary": figures_of(plan, met),
        "plan": plan.model_dump(),
        "meetings": met.model_dump(),
    }


@dataclass(frozen=True)
class _Columns:
    sizes: list[Size]
    first: Ints
    second: Ints
    size: Ints
    ns: Floats
    rounds: Ints
    units: int

    @classmethod
    def of(cls, found: Readings) -> "_Columns":
        first, second, size, rounds = (
            np.array(column, dtype=np.int64)
            for column in (found.first, found.second, found.size, found.rounds)
        )
        kept = first != second
        columns = first[kept], second[kept], size[kept], np.array(found.ns)[kept], rounds[kept]
        return cls(list(found.sizes), *columns, len(found.hosts))

    @cached_property
    def pair(self) -> Ints:
        """A number for each two hosts, whichever sent."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        pairs: Ints = low * self.units + high
        return pairs

    def best(self, *, short: bool) -> Size | None:
        """Return what the most pairs have; of long messages rather a bandwidth than a time.

        The rate of many short messages under way is not what one takes.
        """
        _, one_of = _grouped(self.size, self.pair)
        often = np.bincount(self.size[one_of], minlength=len(self.sizes)).tolist()
        fit = [
            (count, test.is_rate, -size if short else size, place)
            for place, (count, (test, size)) in enumerate(zip(often, self.sizes, strict=True))
            if (size <= LARGEST_SHORT) is short and count and not (short and test.is_rate)
        ]
        return self.sizes[max(fit)[3]] if fit else None

    def meetings(self, chosen: dict[str, Size | None]) -> Meetings:
        """Return each meeting: of two ways at the same time the slower one counts."""
        kind = np.full(len(self.sizes), -1)
        for number, size in enumerate(chosen.values()):
            if size is not None:
                kind[self.sizes.index(size)] = number
        kinds = kind[self.size]
        mine = kinds >= 0
        kinds, pair, rounds = kinds[mine], self.pair[mine], self.rounds[mine]
        from_lower = (self.first < self.second)[mine].astype(np.int64)
        of_way, _ = _grouped(kinds, pair, rounds, from_lower)
        of, first_of = _grouped(pair, _which(of_way), rounds)
        slower = np.zeros((len(chosen), len(first_of)))
        np.maximum.at(slower, (kinds, of), self.ns[mine])
        pair, rounds = pair[first_of], rounds[first_of]
        small, large = (
            None if size is None else _times_text(slower[number])
            for number, size in enumerate(chosen.values())
        )
        return Meetings(
            first=_text(pair // self.units),
            second=_text(pair % self.units),
            round=_text(rounds) if (rounds >= 0).all() else None,
            small_ns=small,
            large_ns=large,
        )

    def are_repeated(self, chosen: dict[str, Size | None]) -> bool:
        """Whether pairs have a test often enough to show how far repetitions differ."""
        size = chosen["small"] or chosen["large"]
        mine = self.size == (-1 if size is None else self.sizes.index(size))
        return bool(mine.sum() >= _REPEATED * len(_grouped(self.pair[mine])[1]))

    def both_ways(self, test: Test) -> bool:
        """Whether most pairs have a test in either direction."""
        of_test = [place for place, (other, _) in enumerate(self.sizes) if other == test]
        mine = np.isin(self.size, of_test)
        _, ordered = _grouped(self.first[mine], self.second[mine])
        return len(ordered) > 1.5 * len(_grouped(self.pair[mine])[1])


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


def _ways(tests: Sequence[Test], columns: _Columns) -> Ways:
    """Return which ways messages went, the least of what the tests show."""
    found: set[Ways] = {
        test.ways or ("each" if columns.both_ways(test) else "one") for test in tests
    }
    order: tuple[Ways, ...] = ("one", "not known", "each", "both at once")
    return next(way for way in order if way in found)


def _unknown(
    met: Meetings,
    sizes: dict[str, int | None],
    ways: Ways,
    when: str | None,
    also: Sequence[str],
    *,
    is_repeated: bool,
) -> Iterator[str]:
    """Yield what a map of b_pairs holds beside this one."""
    yield from (
        f"{words} messages"
        for words, size in zip(("short", "long"), sizes.values(), strict=True)
        if size is None
    )
    if met.round is None:
        yield "which pairs were measured at the same time"
    if ways in {"one", "not known"}:
        yield "the other direction of pairs" if ways == "one" else "in which direction"
    if not is_repeated:
        yield "how far repeated measurements of a pair differ"
    if when is None:
        yield "when it was measured"
    yield from (*_NEVER_KNOWN, *also)
