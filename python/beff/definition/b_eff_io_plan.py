"""What a run of b_eff_io measures, and for how long (IPDPS paper, sections 5.1 and 6, table 2).

kB and MB are 2^10, 2^20 byte.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import floor, log2
from typing import Any

from beff.definition.common import Path, UnsoundError, options_as, require_rows
from beff.result.b_eff_io_result import BEffIoResult, Pattern, Procedure, Release, Rewritten
from beff.result.b_eff_io_samples import ACCESSES, Access, Key
from beff.result.bounds import OFFICIAL_TYPES, Positive, PositiveSeconds, Processes, Record, Seed
from beff.result.environment import Machine
from beff.result.numbers import MIB

KIB = 1 << 10
TYPE_NAMES = (
    "scatter",
    "shared",
    "separate",
    "segmented",
    "seg-coll",
    "random-shared",
    "random-separate",
)
"""Of the pattern types, by number; the random ones never enter a value."""
SCATTER, SHARED, SEPARATE, SEGMENTED, SEG_COLL = OFFICIAL_TYPES
TIMED_TYPES = (SCATTER, SHARED, SEPARATE)
"""The clock ends their loops; all others repeat numbers of calls that are taken from these."""
IN_SEGMENTS = (SEGMENTED, SEG_COLL)
"""Each process owns a segment of one file."""
SMALLEST_M_PART = 2 * MIB
LARGEST_M_PART = 1024 * MIB
_PLUS_8 = (KIB + 8, 32 * KIB + 8, MIB + 8)
_BESIDE_THE_TABLE = 2
"""Pattern 2, whose chunks have 1 MB as those of 3: it has no row, and no part in repetitions."""


_Line = tuple[int | None, int | None, int]
"""l and L in byte, None for a fill-up, and U: 0 is a single call."""


def _lines(kind: int, m_part: int) -> list[_Line]:
    if kind == SCATTER:
        return [
            (MIB, MIB, 0),
            (m_part, m_part, 4),
            (MIB, 2 * MIB, 4),
            (MIB, MIB, 4),
            (32 * KIB, MIB, 2),
            (KIB, MIB, 2),
            (32 * KIB + 8, MIB + 256, 2),
            (KIB + 8, MIB + 8 * KIB, 2),
            (MIB + 8, MIB + 8, 2),
        ]
    small = [(size, size, 1) for size in (32 * KIB, KIB, 32 * KIB + 8, KIB + 8)]
    repeated: list[_Line] = [(MIB, MIB, 2), *small, (MIB + 8, MIB + 8, 2)]
    if kind not in OFFICIAL_TYPES:
        return repeated
    large: _Line = (m_part, m_part, 4 if kind == SHARED else 2)
    fill_up: list[_Line] = [(None, None, 0)] if kind in IN_SEGMENTS else []
    return [(MIB, MIB, 0), large, *repeated, *fill_up]


def all_patterns(m_part: int) -> list[Pattern]:
    """Return the 43 patterns and, behind them, the random ones; a pattern's index is its number."""
    sizes = (KIB, KIB + 8, 32 * KIB, 32 * KIB + 8, *sorted({MIB, MIB + 8, m_part}))
    row_of: dict[int | None, int] = {size: row for row, size in enumerate(sizes, start=1)}
    lines = [(kind, line) for kind in range(len(TYPE_NAMES)) for line in _lines(kind, m_part)]
    return [
        Pattern(
            number=number,
            type=kind,
            l_bytes=chunk,
            L_bytes=memory,
            U=units,
            wellformed=chunk not in _PLUS_8,
            position=row_of[chunk] if units and number != _BESIDE_THE_TABLE else None,
            reported=units > 0,
        )
        for number, (kind, (chunk, memory, units)) in enumerate(lines)
    ]


def patterns_of(types: Collection[int], m_part: int) -> dict[int, Pattern]:
    """Patterns of these types by number, in order."""
    return {pattern.number: pattern for pattern in all_patterns(m_part) if pattern.type in types}


def m_part_of(process_memory_bytes: int, bound_bytes: int) -> int:
    """M_PART = max(2 MB, memory of one process / 128), a multiple of 1 MB within the bound."""
    wanted = min(process_memory_bytes // 128, bound_bytes)
    return max(SMALLEST_M_PART, wanted - wanted % MIB)


def wellformed_pairs(table: Mapping[int, Pattern]) -> dict[int, int]:
    """Numbers of the official +8 patterns, each with that of its wellformed counterpart."""
    wellformed = {
        (pattern.type, pattern.l_bytes): pattern.number
        for pattern in table.values()
        if pattern.position is not None
    }
    return {
        pattern.number: wellformed[pattern.type, pattern.l_bytes - 8]
        for pattern in table.values()
        if not pattern.wellformed and pattern.l_bytes is not None and pattern.type in OFFICIAL_TYPES
    }


_EXCEPTIONS = {3: [1, 2, 3], 4: [2, 3, 4]}
"""Default partitions of release 2.1 that its rule does not give."""
SETTINGS = ("time_s", "rewrite", "seed", "max_data_bytes", "max_segment_bytes")
"""The options that the schedule of a result repeats."""


def default_partitions(n: int) -> list[int]:
    """2^round(0.35·log2 n), 2^round(0.70·log2 n) and n, without repeats, rising; two exceptions."""
    if n in _EXCEPTIONS:
        return _EXCEPTIONS[n]
    exponents = [floor(share * log2(n) + 0.5) for share in (0.35, 0.70)]
    return sorted({*(2**exponent for exponent in exponents), n})


def shortest_valid_time_s(release: str, partitions: int) -> int:
    """T that a result comparable with others needs at least, for all partitions together."""
    minutes = {"0.5": 10 * partitions, "1": 15 * partitions, "2.1": 30}
    return 60 * minutes[release]


class Options(Record):
    """The options that decide what is measured; null stands for what the release has."""

    release: Release
    procedure: Procedure
    time_s: PositiveSeconds
    partitions: list[Processes] | None
    rewrite: Rewritten
    seed: Seed
    max_data_bytes: Positive | None = None
    max_segment_bytes: Positive | None = None
    max_chunk_bytes: Positive | None = None
    memory_per_process_bytes: Positive | None = None


@dataclass(frozen=True)
class Plan:
    """All patterns of some types by all access methods, in partitions of so many processes."""

    options: Options
    partitions: tuple[int, ...]
    types: tuple[int, ...]
    m_part: int

    @cached_property
    def table(self) -> dict[int, Pattern]:
        """Return the patterns by number, in order."""
        return patterns_of(self.types, self.m_part)

    def runs(self, access: Access, kind: int) -> bool:
        """Whether an access method goes through a type: a rewrite may be of scatter only."""
        return access != "rewrite" or self.options.rewrite == "all" or kind == SCATTER

    def units(self, types: Collection[int]) -> int:
        """ΣU of a partition in all access methods."""
        facts_of = self.table.values()
        measured = [f for access in ACCESSES for f in facts_of if self.runs(access, f.type)]
        return sum(facts.U for facts in measured if facts.type in types)

    @property
    def partition_s(self) -> float:
        """T of one partition."""
        return self.options.time_s / len(self.partitions)

    @cached_property
    def unit_s(self) -> float:
        """Seconds per time unit: T of a partition is for types 0 to 4 in all access methods."""
        return self.partition_s / self.units(OFFICIAL_TYPES)

    @property
    def planned_s(self) -> float:
        """T and, on top of it, the time of the random types."""
        return self.unit_s * self.units(self.types) * len(self.partitions)

    def _keys(self, numbers: Iterable[tuple[int, int]]) -> list[Key]:
        """Return the keys of numbers with their types: write all partitions, rewrite, read all."""
        of_access = product(ACCESSES, range(len(self.partitions)), list(numbers))
        return [
            (partition, number, access)
            for access, partition, (number, kind) in of_access
            if self.runs(access, kind)
        ]

    def sample_keys(self) -> list[Key]:
        """All patterns in the order of a run."""
        return self._keys((facts.number, facts.type) for facts in self.table.values())

    def type_keys(self) -> list[Key]:
        """All types in the order of a run."""
        return self._keys((kind, kind) for kind in self.types)

    def type_of(self, key: Key) -> Key:
        """Return the type that a pattern's sample belongs to."""
        return key[0], self.table[key[1]].type, key[2]


def plan(options: Mapping[str, Any], environment: Machine, types: Iterable[int]) -> Plan:
    """Return what the options ask for. Raises UnsoundError where they make no sense."""
    chosen = options_as(Options, options)
    n, memory = environment.processes, environment.memory_per_process_bytes
    if memory != (chosen.memory_per_process_bytes or memory):
        path: Path = ["environment", "memory_per_process_bytes"]
        raise UnsoundError(path, memory, chosen.memory_per_process_bytes)
    partitions = sorted({*(chosen.partitions or default_partitions(n))})
    if partitions[-1] > n:
        raise UnsoundError(["options", "partitions"], partitions, f"at most {n} processes")
    rising = tuple(sorted({*types} & {*range(len(TYPE_NAMES))}))
    if not {*rising} & {*TIMED_TYPES}:
        raise UnsoundError(["type_names"], "without types 0, 1 and 2", "with one of them")
    m_part = m_part_of(memory, chosen.max_chunk_bytes or LARGEST_M_PART)
    return Plan(chosen, tuple(partitions), rising, m_part)


@lru_cache(maxsize=8)
def plan_of(result: BEffIoResult) -> Plan:
    """Return the plan of a result, whose samples and types must be the first ones of it.

    An option that is missing is taken from the result itself, except for the partitions. Raises
    UnsoundError.
    """
    shown = {
        "release": result.definition,
        "procedure": result.procedure,
        "partitions": [partition.processes for partition in result.partitions],
        **{name: getattr(result.schedule, name) for name in SETTINGS},
    }
    given = {k: v for k, v in result.options.items() if v is not None or k == "partitions"}
    types = [entry.type for entry in result.type_names]
    planned = plan(shown | given, result.environment, types)
    listed = [f"pattern {pattern.number} of type {pattern.type}" for pattern in result.patterns]
    numbers = [
        f"pattern {pattern.number} of type {pattern.type}" for pattern in planned.table.values()
    ]
    require_rows(["type_names"], types, planned.types)
    require_rows(["partitions"], shown["partitions"], planned.partitions)
    require_rows(["patterns"], listed, numbers)
    s, t, whole = result.samples, result.types, result.complete
    require_rows(["samples", "pattern"], s.keys, planned.sample_keys(), whole=whole)
    require_rows(["types", "type"], t.keys, planned.type_keys(), whole=whole)
    return planned


def repetitions_of(table: Mapping[int, Pattern], written: Mapping[int, int], chunk: int) -> int:
    """min(rep0·L0/l, 10·rep1, rep2) over the measured patterns of this chunk size; 0 for none.

    `written` are the calls of the initial write by pattern, of the measured ones alone.
    """
    alike = {
        f.number: {SCATTER: (f.L_bytes or chunk) // chunk, SHARED: 10}.get(f.type, 1)
        for f in table.values()
        if f.type in TIMED_TYPES and f.position is not None and f.l_bytes == chunk
    }
    return min(
        (alike[p] * calls for p, calls in written.items() if p in alike and calls), default=0
    )


def segment_bytes(
    table: Mapping[int, Pattern], written: Mapping[int, int], scale: float, unit: int
) -> int:
    """Return L_SEG: Σ l · repetitions of the longer one of types 3 and 4, rounded up to `unit`.

    Where `scale` < 1 all repetitions are multiplied by it and rounded down, but to at least 1.
    """
    sums = dict.fromkeys(IN_SEGMENTS, 0)
    for facts in table.values():
        if facts.type in sums and facts.l_bytes is not None:
            calls = 1
            if facts.U > 0:
                calls = repetitions_of(table, written, facts.l_bytes)
                calls = max(1, floor(calls * scale)) if scale < 1 and calls > 0 else calls
            sums[facts.type] += calls * facts.l_bytes
    return -(-max(sums.values()) // unit) * unit
