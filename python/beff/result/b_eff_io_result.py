"""The result of b_eff_io; field names and units are those of the result file."""
# ruff: noqa: N815 - the field names are the contract

from typing import Annotated, Literal, TypeVar

from pydantic import Field

from beff.result.b_eff_io_samples import (
    ACCESSES,
    Access,
    PrintedPatternNumber,
    PrintedSamples,
    PrintedTypes,
    Samples,
    Types,
)
from beff.result.bounds import (
    OFFICIAL_TYPES,
    Bytes,
    Count,
    Figure,
    Hash64,
    Index,
    IoPatternNumber,
    LongText,
    Many,
    Name,
    NotNegative,
    Positive,
    PositiveSeconds,
    Processes,
    Seconds,
    Seed,
    Share,
    SomeFew,
    Text,
    TypeNumber,
)
from beff.result.result_parts import (
    Environment,
    ImportedHead,
    Machine,
    MeasuredHead,
    Record,
    Shown,
    Statement,
)

Release = Literal["0.5", "1", "2.1"]
Rewritten = Literal["all", "scatter"]
Procedure = Annotated[
    Literal["cold", "original"],
    Field(
        description="cold: page caches dropped before the read, files removed after the clock;"
        " original: caches left alone, files removed by the close of the read, as in release 2.1"
    ),
]
Pointer = Annotated[
    Literal["shared", "individual"], Field(description="file pointers that type 1 used")
]

RELEASES: tuple[Release, ...] = ("0.5", "1", "2.1")

Value = TypeVar("Value")
PerAccess = Annotated[dict[Access, Value], Field(min_length=3, max_length=3)]
PerRelease = Annotated[dict[Release, Value], Field(min_length=3, max_length=3)]
_TYPES = len(OFFICIAL_TYPES)
PerType = Annotated[list[Value], Field(min_length=_TYPES, max_length=_TYPES)]


class Striping(Record):
    """How a parallel file system distributes new files; null what it does not report."""

    stripe_size_bytes: Positive | None
    stripe_count: Annotated[int, Field(ge=-1, le=2**15 - 1)] | None = Field(
        description="-1 is over all servers"
    )
    components: Count | None = Field(description="of a layout that differs along the file")
    pool: Name


class FileSystem(Record):
    """Where the files lay."""

    paths: Many[LongText]
    kind: Name
    mount: LongText
    source: LongText | None = Field(default=None, description="what is mounted")
    options: LongText | None = Field(default=None, description="of the file system itself")
    striping: Striping | None = None
    total_bytes: Bytes
    free_at_start_bytes: Bytes
    block_size_bytes: Bytes
    striping_unit_bytes: Positive | None
    cache_bytes: Bytes | None
    in_memory: bool = Field(description="also below an overlay or a loop device")
    below: Many[LongText] = Field(
        default=[], description="what it lies on, the uppermost first, as far as rank 0 sees it"
    )
    reads_seen_by: Literal["devices", "page caches", "nothing"] | None = Field(
        default=None, description="what shows whether a read came from memory; null: older results"
    )
    note: Annotated[Text, Field(max_length=500)] | None = None


class IoEnvironment(Environment):
    """Where and how the measurement ran."""

    filesystem: FileSystem


class PrintedSchedule(Record):
    """What a print says of the plan."""

    time_s: PositiveSeconds = Field(description="T, for types 0 to 4 of all partitions")
    rewrite: Rewritten
    m_part_bytes: Positive | None


class Schedule(PrintedSchedule):
    """What was planned; null for a bound that was not set."""

    planned_s: PositiveSeconds = Field(description="T and, on top, the random types")
    unit_s: PositiveSeconds = Field(description="seconds per time unit U")
    m_part_bytes: Annotated[Positive, Field(ge=2 << 20)]
    segment_unit_bytes: Positive
    reserve_bytes: Bytes
    max_data_bytes: Positive | None
    max_segment_bytes: Positive | None
    seed: Seed


class PrintedType(Record):
    """A pattern type."""

    type: TypeNumber
    name: Name
    official: bool


class TypeName(PrintedType):
    """A pattern type of the run."""

    method: Name


class PrintedPattern(Record):
    """A line of the pattern table as far as it was printed."""

    number: PrintedPatternNumber
    type: TypeNumber
    l_bytes: Positive | None = Field(
        description="chunk on disk; null for a fill-up, which the run decides"
    )
    L_bytes: Positive | None = Field(description="memory moved by one call")
    wellformed: bool
    position: PrintedPatternNumber | None = Field(description="row of the printed table")
    reported: bool = Field(description="has a row and a weight: U > 0")


class Pattern(PrintedPattern):
    """A line of the pattern table."""

    number: IoPatternNumber
    U: Count
    position: Annotated[int, Field(ge=1, le=7)] | None = Field(
        description="row of the printed table"
    )


class PartitionFigures(Record):
    """The figures of a number of processes."""

    processes: Processes
    types: PerAccess[PerType[Figure]] = Field(
        description="MB/s of types 0 to 4, bytes over open to close"
    )
    access: PerAccess[Figure] = Field(description="MB/s: mean over the types, type 0 counted twice")
    values: PerRelease[Figure] = Field(
        description="b_eff_io in MB/s by release; null where the data do not allow it"
    )
    b_eff_io_MBps: Figure


class PrintedPartition(PartitionFigures):
    """What a print says of a number of processes."""

    bytes: PerAccess[Bytes | None] = Field(description="of types 0 to 4; null where not known")


class PartitionNotes(Record):
    """What the schedule of a number of processes found out on the way."""

    decision_cost_s: Seconds = Field(description="mean time of one agreement of all processes")
    segment_bytes: Bytes = Field(description="L_SEG of types 3 and 4")
    segment_cut: Literal["none", "max-segment", "space", "max-data"]
    segment_scale: Share = Field(
        description="factor of the repetitions of types 3 and 4 because of segment_cut"
    )


class Partition(PartitionFigures, PartitionNotes):
    """A number of processes: what its schedule found out on the way, and its figures."""

    scheduled_s: PositiveSeconds
    decisions: Count
    decisions_share: NotNegative | None = Field(description="decisions x cost / time of all loops")
    samples: Count
    bytes: PerAccess[Bytes] = Field(description="of types 0 to 4")
    weighted_MBps: PerAccess[PerType[Figure]] = Field(
        description="of types 0 to 4, averages of the patterns' bandwidths weighted by U"
    )
    wellformed_factor: PerAccess[Figure] = Field(
        description="geometric mean of the bandwidth ratios of +8 to wellformed chunks"
    )


class CacheState(Record):
    """How much of a partition's files was in memory when an access began."""

    partition: Index
    access: Access
    file_bytes: Bytes
    resident_before_bytes: Bytes | None
    read_from_disk_bytes: Bytes | None
    read_by_devices_bytes: Bytes | None = Field(
        default=None, description="by the devices under the files, for whomever, meanwhile"
    )
    dropped: bool


class Hints(Record):
    """What MPI-IO was asked for, and what it accepted."""

    partition: Index
    access: Access
    type: TypeNumber
    pattern: IoPatternNumber | None
    requested: dict[Name, Text]
    accepted: dict[Name, Text]


class DataCheck(Record):
    """Outcome of comparing what was read with what was written."""

    mode: Literal["sample", "full", "none"]
    chunks_checked: Count
    wrong_chunks: Count
    first_error: Text | None


class Summary(Record):
    """The figures of the run."""

    b_eff_io_MBps: Annotated[Figure, Shown("b_eff_io", decides=True)] = Field(
        description="maximum over the partitions by the release in definition"
    )
    values: Annotated[PerRelease[Figure], Shown("by release {}", parts=RELEASES)] = Field(
        description="by release; null where the data do not allow it"
    )
    processes: Processes | None = Field(description="of the partition with the maximum")
    write_MBps: Annotated[Figure, Shown("initial write")]
    rewrite_MBps: Annotated[Figure, Shown("rewrite")]
    read_MBps: Annotated[Figure, Shown("read")]
    bytes_per_access: Annotated[PerAccess[Bytes | None], Shown("moved by {}", parts=ACCESSES)] = (
        Field(description="types 0 to 4 of all partitions; null where not known")
    )
    percent_of_memory: Annotated[NotNegative | None, Shown("written, of the total memory")] = Field(
        description="bytes of the initial write of all partitions"
    )
    total_memory_write_min: Annotated[Figure, Shown("total memory / b_eff_io")]
    rmax_gflops: Annotated[Figure, Shown("R_max")] = None
    balance_bytes_per_flop: Annotated[Figure, Shown("b_eff_io / R_max")] = None


class IoDigest(Record):
    """Hashes of the samples and of the types."""

    algorithm: Literal["fnv1a64"]
    samples: Hash64
    types: Hash64


class BEffIoResult(MeasuredHead):
    """A result of b_eff_io."""

    benchmark: Literal["b_eff_io"]
    definition: Release = Field(description="the release whose value is the headline")
    procedure: Procedure
    medium: Statement = Field(
        description="whether the read bandwidth is that of a disk or of memory"
    )
    environment: IoEnvironment
    summary: Summary
    schedule: Schedule
    type_names: SomeFew[TypeName]
    patterns: SomeFew[Pattern]
    partitions: SomeFew[Partition]
    pointer: Pointer
    reader_shifted: bool
    hints: Many[Hints]
    cache: Many[CacheState]
    data_check: DataCheck
    elapsed_s: Seconds
    digest: IoDigest
    samples: Samples
    types: Types


class ImportedBEffIo(ImportedHead):
    """Figures of b_eff_io that another program printed, taken over by beff import.

    What was not printed is null or missing.
    """

    benchmark: Literal["b_eff_io"]
    definition: Release = Field(description="the release whose value is the headline")
    procedure: Procedure
    environment: Machine
    summary: Summary
    schedule: PrintedSchedule
    type_names: SomeFew[PrintedType]
    patterns: SomeFew[PrintedPattern]
    partitions: SomeFew[PrintedPartition]
    pointer: Pointer
    samples: PrintedSamples
    types: PrintedTypes


BEffIoFigures = BEffIoResult | ImportedBEffIo
"""Figures of b_eff_io, whoever measured them."""
