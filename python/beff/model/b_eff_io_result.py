"""The result of b_eff_io as typed records; field names and units are those of the result file."""
# ruff: noqa: N815 - the field names are the contract

from functools import cached_property
from typing import Any, Literal, NamedTuple

from beff.model.result_parts import Criterion, Environment, Figure, Imported, Program, Record, RMax

Access = Literal["write", "rewrite", "read"]
Status = Literal["measured", "failed", "skipped"]
Stop = Literal["once", "time", "count", "space", "max-data", "error", "stopped"]
Release = Literal["0.5", "1", "2.1"]

ACCESSES: tuple[Access, ...] = ("write", "rewrite", "read")
"""In the order in which a run goes through them."""


class FileSystem(Record):
    """Where the files lay."""

    cache_bytes: int | None
    in_memory: bool
    note: str | None = None


class IoEnvironment(Environment):
    """Where and how the measurement ran."""

    filesystem: FileSystem


class Schedule(Record):
    """What was planned: times in seconds, sizes in byte; None for a bound that was not set."""

    time_s: float
    planned_s: float
    unit_s: float
    rewrite: Literal["all", "scatter"]
    m_part_bytes: int
    segment_unit_bytes: int
    max_data_bytes: int | None
    max_segment_bytes: int | None
    seed: int


class TypeName(Record):
    """A pattern type of the run."""

    type: int
    name: str
    official: bool


class Pattern(Record):
    """A line of the pattern table; sizes are None for a fill-up."""

    number: int
    type: int
    l_bytes: int | None
    L_bytes: int | None
    U: int
    wellformed: bool
    position: int | None
    reported: bool


class Partition(Record):
    """What is raw of a partition: its size and what its schedule found out on the way."""

    processes: int
    decision_cost_s: float
    segment_bytes: int
    segment_cut: Literal["none", "max-segment", "space", "max-data"]
    segment_scale: float


class SampleKey(NamedTuple):
    """What a sample belongs to: index of the partition, number of the pattern, access method."""

    partition: int
    pattern: int
    access: Access


class Sample(NamedTuple):
    """One pattern of one partition in one access method."""

    key: SampleKey
    repetitions: int
    bytes: int
    time_s: float
    loop_s: float
    decisions: int
    status: Status
    stop: Stop | None
    error: str | None


class Columns(Record):
    """A table as columns of equal length."""

    def lengths(self) -> dict[str, int]:
        """Entries of each column."""
        return {name: len(getattr(self, name)) for name in type(self).model_fields}

    def digested(self) -> list[tuple[str, list[Any]]]:
        """Name and cells of the columns that the digest takes: those up to status."""
        names = tuple(type(self).model_fields)
        return [(name, getattr(self, name)) for name in names[: names.index("status") + 1]]


class Samples(Columns):
    """All patterns that were tried or left out, as columns; the digest takes them up to status."""

    partition: list[int]
    pattern: list[int]
    access: list[Access]
    repetitions: list[int]
    bytes: list[int]
    time_s: list[float]
    loop_s: list[float]
    decisions: list[int]
    status: list[Status]
    ideal_s: list[float]
    stop: list[Stop | None]
    error: list[str | None]
    bandwidth_MBps: list[Figure]

    def __len__(self) -> int:
        return len(self.pattern)

    def rows(self) -> list[Sample]:
        """Return the samples one by one. Needs columns of equal length."""
        return self._rows

    @cached_property
    def _rows(self) -> list[Sample]:
        keys = map(SampleKey, self.partition, self.pattern, self.access)
        cells = (getattr(self, name) for name in Sample._fields[1:])
        return list(map(Sample, keys, *cells))

    @cached_property
    def bandwidth_of(self) -> dict[SampleKey, Figure]:
        """Bandwidth of each sample in MB/s. Needs columns of equal length."""
        return dict(zip((row.key for row in self.rows()), self.bandwidth_MBps, strict=True))


class TypeKey(NamedTuple):
    """What a type's row belongs to: index of the partition, number of the type, access method."""

    partition: int
    type: int
    access: Access


class TypeRow(NamedTuple):
    """One type of one partition in one access method, from opening to closing its file."""

    key: TypeKey
    bytes: int
    open_s: float
    close_s: float
    open_to_close_s: float
    status: Status
    error: str | None


class Types(Columns):
    """All types whose file was opened or left out; the digest takes the columns up to status."""

    partition: list[int]
    type: list[int]
    access: list[Access]
    bytes: list[int]
    open_s: list[float]
    close_s: list[float]
    open_to_close_s: list[float]
    status: list[Status]
    error: list[str | None]
    bandwidth_MBps: list[Figure]

    def rows(self) -> list[TypeRow]:
        """Return the types one by one. Needs columns of equal length."""
        return self._rows

    @cached_property
    def _rows(self) -> list[TypeRow]:
        keys = map(TypeKey, self.partition, self.type, self.access)
        cells = (getattr(self, name) for name in TypeRow._fields[1:])
        return list(map(TypeRow, keys, *cells))

    @cached_property
    def bandwidth_of(self) -> dict[TypeKey, Figure]:
        """Bandwidth of each type in MB/s. Needs columns of equal length."""
        return dict(zip((row.key for row in self.rows()), self.bandwidth_MBps, strict=True))


class CacheState(Record):
    """How much of a partition's files was in memory when an access began."""

    partition: int
    access: Access
    file_bytes: int
    resident_before_bytes: int | None
    read_from_disk_bytes: int | None
    dropped: bool


class DataCheck(Record):
    """Outcome of comparing what was read with what was written."""

    mode: Literal["sample", "full", "none"]
    chunks_checked: int
    wrong_chunks: int
    first_error: str | None


class Summary(Record):
    """The figures of the run."""

    b_eff_io_MBps: Figure
    values: dict[str, Figure]
    processes: int | None
    write_MBps: Figure
    rewrite_MBps: Figure
    read_MBps: Figure
    bytes_per_access: dict[str, int]
    percent_of_memory: Figure
    total_memory_write_min: Figure
    rmax_gflops: Figure = None
    balance_bytes_per_flop: Figure = None


class BEffIoResult(Record):
    """A whole result file of b_eff_io."""

    definition: Release
    program: Program
    valid: bool
    complete: bool
    criteria: list[Criterion]
    cautions: list[str]
    medium: str
    environment: IoEnvironment
    options: dict[str, Any]
    summary: Summary
    schedule: Schedule
    type_names: list[TypeName]
    patterns: list[Pattern]
    partitions: list[Partition]
    pointer: Literal["shared", "individual"]
    cache: list[CacheState]
    data_check: DataCheck
    elapsed_s: float
    samples: Samples
    types: Types
    imported: Imported | None = None
    rmax: RMax | None = None
