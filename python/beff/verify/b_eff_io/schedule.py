"""What a run was planned to measure, and its raw rows, looked up by what they belong to."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import floor, fsum, log2

from beff.result.b_eff_io_result import BEffIoFigures, BEffIoResult
from beff.result.b_eff_io_samples import ACCESSES, Access, Sample, SampleKey, TypeKey, TypeRow
from beff.result.bounds import OFFICIAL_TYPES
from beff.verify.b_eff_io.definition import (
    IN_SEGMENTS,
    SCATTER,
    SHARED,
    TIMED_TYPES,
    IoPatternFacts,
    patterns_of,
)


@dataclass(frozen=True)
class IoPlan:
    """The plan; `partitions` are numbers of processes."""

    release: str
    time_s: float
    partitions: tuple[int, ...]
    types: tuple[int, ...]
    rewrites_all: bool
    table: dict[int, IoPatternFacts]

    def runs(self, access: Access, kind: int) -> bool:
        """Whether an access method goes through a type: a rewrite may be of scatter only."""
        return access != "rewrite" or self.rewrites_all or kind == SCATTER

    def _units(self, official_only: bool) -> int:
        """ΣU of a partition in all access methods."""
        return sum(
            facts.units
            for access in ACCESSES
            for facts in self.table.values()
            if self.runs(access, facts.type)
            and not (official_only and facts.type not in OFFICIAL_TYPES)
        )

    @property
    def partition_s(self) -> float:
        """T of one partition."""
        return self.time_s / len(self.partitions)

    @cached_property
    def unit_s(self) -> float:
        """Seconds per time unit: T of a partition is for types 0 to 4 in all access methods."""
        return self.partition_s / self._units(official_only=True)

    @property
    def planned_s(self) -> float:
        """T and, on top of it, the time of the random types."""
        return self.unit_s * self._units(official_only=False) * len(self.partitions)

    def ideal_s(self, key: SampleKey) -> float:
        """Time that its U gives a pattern in each access method."""
        return self.unit_s * self.table[key.pattern].units

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


def schedule_of(result: BEffIoResult) -> IoPlan:
    """Return the plan of a result."""
    recorded = result.schedule
    types = tuple(entry.type for entry in result.type_names)
    return IoPlan(
        release=result.definition,
        time_s=recorded.time_s,
        partitions=tuple(partition.processes for partition in result.partitions),
        types=types,
        rewrites_all=recorded.rewrite == "all",
        table=patterns_of(types, recorded.m_part_bytes),
    )


_EXCEPTIONS = {3: [1, 2, 3], 4: [2, 3, 4]}
"""Default partitions of release 2.1 that its rule does not give."""


def default_partitions(processes: int) -> list[int]:
    """2^round(0.35·log2 N), 2^round(0.70·log2 N) and N, without repeats, rising; two exceptions."""
    if processes in _EXCEPTIONS:
        return _EXCEPTIONS[processes]
    exponents = [floor(share * log2(processes) + 0.5) for share in (0.35, 0.70)]
    return sorted({*(2**exponent for exponent in exponents), processes})


def shortest_valid_time_s(release: str, partitions: int) -> int:
    """T that a result comparable with others needs at least, for all partitions together."""
    minutes = {"0.5": 10 * partitions, "1": 15 * partitions, "2.1": 30}
    return 60 * minutes[release]


@dataclass(frozen=True)
class CountedPlan:
    """`calls` and byte per call (`chunk`) by pattern; `segment` is L_SEG in byte."""

    calls: dict[int, int]
    chunk: dict[int, int]
    segment: int


def repetitions_of(
    table: Mapping[int, IoPatternFacts], written: Mapping[int, int], chunk: int
) -> int:
    """min(rep0·L0/l, 10·rep1, rep2) over the measured patterns of this chunk size; 0 for none.

    `written` are the calls of the initial write by pattern, of the measured ones alone.
    """
    bounds = []
    for number, calls in written.items():
        facts = table[number]
        alike = facts.type in TIMED_TYPES and facts.in_table and facts.chunk == chunk
        if alike and calls > 0:
            factor = {SCATTER: facts.chunks_per_call, SHARED: 10}.get(facts.type, 1)
            bounds.append(factor * calls)
    return min(bounds, default=0)


def plan_counted(
    table: Mapping[int, IoPatternFacts], written: Mapping[int, int], scale: float, unit: int
) -> CountedPlan:
    """Plan of all patterns that are not timed.

    Where `scale` < 1 all repetitions are multiplied by it and rounded down, but to at least 1. The
    segment is the longest of the types' sums, rounded up to `unit` byte; a fill-up is what is left.
    """
    calls: dict[int, int] = {}
    chunk: dict[int, int] = {}
    sums: dict[int, int] = {}
    for number, facts in table.items():
        if facts.type in TIMED_TYPES or facts.chunk is None:
            continue
        wanted = 1
        if facts.kind == "timed":
            wanted = repetitions_of(table, written, facts.chunk)
            if scale < 1 and wanted > 0:
                wanted = max(1, floor(wanted * scale))
        calls[number], chunk[number] = wanted, facts.chunk
        sums[facts.type] = sums.get(facts.type, 0) + wanted * facts.chunk
    segments = [-(-sums.get(kind, 0) // unit) * unit for kind in IN_SEGMENTS]
    segment = max(segments)
    for number, facts in table.items():
        if facts.kind == "fill-up":
            chunk[number] = segment - sums[facts.type]
            calls[number] = 1 if chunk[number] > 0 else 0
    return CountedPlan(calls, chunk, segment)


@dataclass(frozen=True)
class IoMeasured:
    """What everything else is derived from. Of rows given twice the first counts."""

    result: BEffIoResult
    schedule: IoPlan
    samples: dict[SampleKey, Sample]
    types: dict[TypeKey, TypeRow]
    by_type: dict[TypeKey, list[Sample]]
    by_partition: dict[int, list[Sample]]
    counted: dict[int, CountedPlan]
    """By partition; those alone that came as far as a type that is not timed."""

    def sample(self, partition: int, pattern: int, access: Access) -> Sample | None:
        """Return the sample of a pattern, if it came that far."""
        return self.samples.get(SampleKey(partition, pattern, access))

    def samples_of(self, key: TypeKey) -> list[Sample]:
        """Return the samples of a type in an access method."""
        return self.by_type.get(key, [])

    def open_to_close_s(self, row: TypeRow) -> float:
        """Time of a type: open, the times of its patterns, close."""
        times = (sample.time_s for sample in self.samples_of(row.key))
        return fsum((row.open_s, *times, row.close_s))

    def all_patterns_measured(self, key: TypeKey) -> bool:
        """Whether no pattern of a type is missing, failed or left out."""
        planned = sum(facts.type == key.type for facts in self.schedule.table.values())
        done = [sample.status == "measured" for sample in self.samples_of(key)]
        return len(done) == planned and all(done)


def measured_of(result: BEffIoResult) -> IoMeasured:
    """Sort the rows of a result, which must have a sound structure."""
    schedule = schedule_of(result)
    samples: dict[SampleKey, Sample] = {}
    for sample in result.samples.rows:
        samples.setdefault(sample.key, sample)
    by_type: dict[TypeKey, list[Sample]] = {}
    by_partition: dict[int, list[Sample]] = {}
    for key, sample in samples.items():
        by_type.setdefault(schedule.type_of(key), []).append(sample)
        by_partition.setdefault(key.partition, []).append(sample)
    types: dict[TypeKey, TypeRow] = {}
    for row in result.types.rows:
        types.setdefault(row.key, row)
    counted = {
        key.partition: _counted(
            result, schedule, by_partition.get(key.partition, []), key.partition
        )
        for key in types
        if key.access == "write" and key.type not in TIMED_TYPES
    }
    return IoMeasured(result, schedule, samples, types, by_type, by_partition, counted)


def _counted(
    result: BEffIoResult, schedule: IoPlan, samples: list[Sample], partition: int
) -> CountedPlan:
    written = {
        sample.key.pattern: sample.repetitions
        for sample in samples
        if sample.key.access == "write" and sample.status == "measured"
    }
    scale = result.partitions[partition].segment_scale
    return plan_counted(schedule.table, written, scale, result.schedule.segment_unit_bytes)


_MOST = 4
"""Partitions in detail; more would be read by nobody, and are in the result file."""


def deciding(result: BEffIoFigures) -> int | None:
    """Return the index of the partition whose value is that of the run; None without a value."""
    value = result.summary.b_eff_io_MBps
    values = [partition.values[result.definition] for partition in result.partitions]
    return values.index(value) if value is not None and value in values else None


def in_detail(result: BEffIoFigures) -> list[int]:
    """Return the indices of all partitions; of many, the deciding one and the largest ones."""
    best = deciding(result)
    count = len(result.partitions)
    last = range(max(0, count - _MOST), count)
    if best is None or best in last:
        return list(last)
    return [best, *last[1:]]
