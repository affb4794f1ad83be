"""The raw samples of b_eff_io, and its types from opening to closing, as in the result file."""
# ruff: noqa: N815 - the field names are the contract

from functools import cached_property
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import Field

from beff.result.bounds import (
    MOST_PRINTED_PATTERN,
    Bytes,
    Column,
    Count,
    Figure,
    Index,
    IoPatternNumber,
    Seconds,
    Text,
    TypeNumber,
)
from beff.result.record import Columns

Access = Literal["write", "rewrite", "read"]
Status = Literal["measured", "failed", "skipped"]
Stop = Literal["once", "time", "count", "space", "max-data", "error", "stopped"]
PrintedPatternNumber = Annotated[int, Field(ge=0, le=MOST_PRINTED_PATTERN)]

ACCESSES: tuple[Access, ...] = ("write", "rewrite", "read")
"""In the order in which a run goes through them."""


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


class PrintedSamples(Columns):
    """The bandwidth of each pattern in each access method."""

    partition: Column[Index] = Field(description="index into partitions")
    pattern: Column[PrintedPatternNumber] = Field(description="its number")
    access: Column[Access] = Field(description="in which it was measured")
    bandwidth_MBps: Column[Figure] = Field(
        description="bytes / time_s, or as printed; null without a measurement"
    )

    def __len__(self) -> int:
        return len(self.pattern)

    @cached_property
    def keys(self) -> list[SampleKey]:
        """What each sample belongs to."""
        return list(map(SampleKey, self.partition, self.pattern, self.access))

    @cached_property
    def bandwidth_of(self) -> dict[SampleKey, Figure]:
        """Bandwidth of each sample in MB/s."""
        return dict(zip(self.keys, self.bandwidth_MBps, strict=True))


class Samples(PrintedSamples):
    """All patterns that were tried or left out."""

    pattern: Column[IoPatternNumber] = Field(description="its number")
    repetitions: Column[Count] = Field(description="calls of each process without an error")
    bytes: Column[Bytes] = Field(description="of all processes")
    time_s: Column[Seconds] = Field(description="view, calls, sync and barrier, slowest process")
    loop_s: Column[Seconds] = Field(description="without sync and last barrier")
    decisions: Column[Count] = Field(description="agreements inside the time")
    status: Column[Status] = Field(description="of the measurement")
    ideal_s: Column[Seconds] = Field(description="its U in seconds, for this access")
    stop: Column[Stop | None] = Field(
        description="what ended the calls; null for a skipped pattern"
    )
    error: Column[Text | None] = Field(description="the library's text, or why it was skipped")

    DIGESTED: ClassVar = (
        *("partition", "pattern", "access", "repetitions", "bytes", "time_s", "loop_s"),
        *("decisions", "status"),
    )

    @cached_property
    def rows(self) -> list[Sample]:
        """The samples one by one."""
        cells = (getattr(self, name) for name in Sample._fields[1:])
        return list(map(Sample, self.keys, *cells))


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


class PrintedTypes(Columns):
    """The bandwidth of each type in each access method."""

    partition: Column[Index] = Field(description="index into partitions")
    type: Column[TypeNumber] = Field(description="its number")
    access: Column[Access] = Field(description="in which it was measured")
    bandwidth_MBps: Column[Figure] = Field(
        description="bytes / open_to_close_s, or as printed; null without a measurement"
    )

    @cached_property
    def keys(self) -> list[TypeKey]:
        """What each row belongs to."""
        return list(map(TypeKey, self.partition, self.type, self.access))

    @cached_property
    def bandwidth_of(self) -> dict[TypeKey, Figure]:
        """Bandwidth of each type in MB/s."""
        return dict(zip(self.keys, self.bandwidth_MBps, strict=True))


class Types(PrintedTypes):
    """All types whose file was opened or left out."""

    bytes: Column[Bytes] = Field(description="of all its patterns, once-call and fill-up included")
    open_s: Column[Seconds] = Field(description="of the slowest process")
    close_s: Column[Seconds] = Field(description="of the slowest process")
    open_to_close_s: Column[Seconds] = Field(description="open, times of the patterns, close")
    status: Column[Status] = Field(description="measured when all its patterns are")
    error: Column[Text | None] = Field(description="the library's text, or why it was skipped")

    DIGESTED: ClassVar = (
        *("partition", "type", "access", "bytes", "open_s", "close_s", "open_to_close_s"),
        "status",
    )

    @cached_property
    def rows(self) -> list[TypeRow]:
        """The types one by one."""
        cells = (getattr(self, name) for name in TypeRow._fields[1:])
        return list(map(TypeRow, self.keys, *cells))
