"""What a run of b_eff_io measures, and for how long (IPDPS paper, sections 5.1 and 6)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import floor, log2
from typing import Any

from beff.definition.b_eff_io_patterns import (
    IN_SEGMENTS,
    LARGEST_M_PART,
    SCATTER,
    SHARED,
    TIMED_TYPES,
    TYPE_NAMES,
    IoPatternFacts,
    m_part_of,
    patterns_of,
)
from beff.definition.compare import UnsoundError, options_as
from beff.result.b_eff_io_result import BEffIoResult, Procedure, Release, Rewritten
from beff.result.b_eff_io_samples import ACCESSES, Access, SampleKey, TypeKey
from beff.result.bounds import OFFICIAL_TYPES, Positive, PositiveSeconds, Processes, Seed
from beff.result.environment import Machine
from beff.result.record import Record

_EXCEPTIONS = {3: [1, 2, 3], 4: [2, 3, 4]}
"""Default partitions of release 2.1 that its rule does not give."""
SETTINGS = ("time_s", "rewrite", "seed", "max_data_bytes", "max_segment_bytes")
"""What the schedule of a result has of the options."""
_SHORTEST_S = 1e-12
"""No clock resolves less; figures from such times stay finite."""


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

    asked: Options
    partitions: tuple[int, ...]
    types: tuple[int, ...]
    m_part: int

    @cached_property
    def table(self) -> dict[int, IoPatternFacts]:
        """Return the patterns by number, in order."""
        return patterns_of(self.types, self.m_part)

    def runs(self, access: Access, kind: int) -> bool:
        """Whether an access method goes through a type: a rewrite may be of scatter only."""
        return access != "rewrite" or self.asked.rewrite == "all" or kind == SCATTER

    def units(self, types: Collection[int]) -> int:
        """ΣU of a partition in all access methods."""
        facts_of = self.table.values()
        measured = [f for access in ACCESSES for f in facts_of if self.runs(access, f.type)]
        return sum(facts.units for facts in measured if facts.type in types)

    @property
    def partition_s(self) -> float:
        """T of one partition."""
        return self.asked.time_s / len(self.partitions)

    @cached_property
    def unit_s(self) -> float:
        """Seconds per time unit: T of a partition is for types 0 to 4 in all access methods."""
        return self.partition_s / self.units(OFFICIAL_TYPES)

    @property
    def planned_s(self) -> float:
        """T and, on top of it, the time of the random types."""
        return self.unit_s * self.units(self.types) * len(self.partitions)

    def sample_keys(self) -> list[SampleKey]:
        """All patterns in the order of a run: write all partitions, rewrite all, read all."""
        return [
            SampleKey(partition, facts.number, access)
            for access in ACCESSES
            for partition in range(len(self.partitions))
            for facts in self.table.values()
            if self.runs(access, facts.type)
        ]

    def type_keys(self) -> list[TypeKey]:
        """All types in the order of a run."""
        return [
            TypeKey(partition, kind, access)
            for access in ACCESSES
            for partition in range(len(self.partitions))
            for kind in self.types
            if self.runs(access, kind)
        ]

    def type_of(self, key: SampleKey) -> TypeKey:
        """Return the type that a pattern's sample belongs to."""
        return TypeKey(key.partition, self.table[key.pattern].type, key.access)


def plan(options: Mapping[str, Any], environment: Machine, types: Iterable[int]) -> Plan:
    """Return what the options ask for. Raises UnsoundError where they make no sense."""
    asked = options_as(Options, options)
    n, memory = environment.processes, environment.memory_per_process_bytes
    if memory != (asked.memory_per_process_bytes or memory):
        path = ["environment", "memory_per_process_bytes"]
        raise UnsoundError([*path], memory, asked.memory_per_process_bytes)
    partitions = sorted({*(asked.partitions or default_partitions(n))})
    if partitions[-1] > n:
        raise UnsoundError(["options", "partitions"], partitions, f"at most {n} processes")
    rising = tuple(sorted({*types} & {*range(len(TYPE_NAMES))}))
    if not {*rising} & {*TIMED_TYPES}:
        raise UnsoundError(["type_names"], "without types 0, 1 and 2", "with one of them")
    m_part = m_part_of(memory, asked.max_chunk_bytes or LARGEST_M_PART)
    return Plan(asked, tuple(partitions), rising, m_part)


@lru_cache(maxsize=8)
def plan_of(result: BEffIoResult) -> Plan:
    """Return the plan of a result, of which samples and types must be a beginning.

    An option that is not given is what the result shows, but for the partitions. Raises
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
    listed = [f"pattern {one.number} of type {one.type}" for one in result.patterns]
    numbers = [f"pattern {one.number} of type {one.type}" for one in planned.table.values()]
    _compare_rows(["type_names"], types, planned.types)
    _compare_rows(["partitions"], shown["partitions"], planned.partitions)
    _compare_rows(["patterns"], listed, numbers)
    s, t, whole = result.samples, result.types, result.complete
    _compare_rows(["samples", "pattern"], s.keys, planned.sample_keys(), whole=whole)
    _compare_rows(["types", "type"], t.keys, planned.type_keys(), whole=whole)
    for table, name, times in (
        *(("samples", name, getattr(s, name)) for name in ("time_s", "loop_s")),
        *(("types", name, getattr(t, name)) for name in ("open_s", "close_s")),
    ):
        for row, seconds in enumerate(times):
            if 0 < seconds < _SHORTEST_S:
                expected = "a time that a clock can measure"
                raise UnsoundError([table, name, row], seconds, expected)
    return planned


def _compare_rows(
    path: list[str | int], stored: Sequence[Any], planned: Sequence[Any], *, whole: bool = True
) -> None:
    """Raise UnsoundError unless rows are those of the plan, or a beginning of them."""
    for row, key in enumerate(stored):
        expected = planned[row] if row < len(planned) else "no more of them"
        if key != expected:
            raise UnsoundError([*path, row], _words(key), _words(expected))
    if whole and len(stored) < len(planned):
        raise UnsoundError(path, f"{len(stored)} of them", f"{len(planned)} of them")


def _words(key: Any) -> str:
    """Name what a row belongs to."""
    named = isinstance(key, SampleKey | TypeKey)
    return ", ".join(f"{n} {v}" for n, v in key._asdict().items()) if named else str(key)


def repetitions_of(
    table: Mapping[int, IoPatternFacts], written: Mapping[int, int], chunk: int
) -> int:
    """min(rep0·L0/l, 10·rep1, rep2) over the measured patterns of this chunk size; 0 for none.

    `written` are the calls of the initial write by pattern, of the measured ones alone.
    """
    alike = {
        f.number: {SCATTER: f.chunks_per_call, SHARED: 10}.get(f.type, 1)
        for f in table.values()
        if f.type in TIMED_TYPES and f.in_table and f.chunk == chunk
    }
    return min(
        (alike[p] * calls for p, calls in written.items() if p in alike and calls), default=0
    )


def segment_bytes(
    table: Mapping[int, IoPatternFacts], written: Mapping[int, int], scale: float, unit: int
) -> int:
    """Return L_SEG: Σ l · repetitions of the longer one of types 3 and 4, rounded up to `unit`.

    Where `scale` < 1 all repetitions are multiplied by it and rounded down, but to at least 1.
    """
    sums = dict.fromkeys(IN_SEGMENTS, 0)
    for facts in table.values():
        if facts.type in sums and facts.chunk is not None:
            calls = 1
            if facts.kind == "timed":
                calls = repetitions_of(table, written, facts.chunk)
                calls = max(1, floor(calls * scale)) if scale < 1 and calls > 0 else calls
            sums[facts.type] += calls * facts.chunk
    return -(-max(sums.values()) // unit) * unit
