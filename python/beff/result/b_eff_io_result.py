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
from beff.result.environment import Environment, Machine
from beff.result.record import Record, Shown
from beff.result.result_parts import ImportedHead, MeasuredHead, Statement

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

    stripe_size_bytes: Positive | None = Field(description="bytes in a row on a server")
    stripe_count: Annotated[int, Field(ge=-1, le=2**15 - 1)] | None = Field(
        description="-1 is over all servers"
    )
    components: Count | None = Field(description="of a layout that differs along the file")
    pool: Name = Field(description="its name")


class FileSystem(Record):
    """Where the files lay."""

    paths: Many[LongText] = Field(
        description="the folders of the run, one for each different --path"
    )
    kind: Name = Field(description="such as ext4")
    mount: LongText = Field(description="mount point and options")
    source: LongText | None = Field(
        default=None, description="what is mounted: device, server, file set"
    )
    options: LongText | None = Field(
        default=None,
        description="of the file system itself, as NFS, Spectrum Scale and BeeGFS report them",
    )
    striping: Striping | None = Field(
        default=None, description="of new files in the folder, as Lustre reports it; else null"
    )
    total_bytes: Bytes = Field(description="its size")
    free_at_start_bytes: Bytes = Field(description="what an ordinary user could write")
    block_size_bytes: Bytes = Field(description="preferred block")
    striping_unit_bytes: Positive | None = Field(description="as MPI reports it for an open file")
    cache_bytes: Bytes | None = Field(description="--fs-cache")
    in_memory: bool = Field(
        description="tmpfs, ramfs or hugetlbfs, also below an overlay or a loop device"
    )
    below: Many[LongText] = Field(
        default=[],
        description="what it lies on, the uppermost first, as far as rank 0 sees it: loop0, tmpfs"
        " at /dev/shm",
    )
    reads_seen_by: Literal["devices", "page caches", "nothing"] | None = Field(
        default=None,
        description="what shows whether a read came from memory: devices (what those below count,"
        " and the page caches), page caches alone, or nothing, as caches that are not counted lie"
        " between; null in early results",
    )
    note: Annotated[Text, Field(max_length=500)] | None = Field(
        default=None,
        description="--filesystem-note: what the user says of servers, devices and settings",
    )


class IoEnvironment(Environment):
    """Where and how the measurement ran."""

    filesystem: FileSystem = Field(description="that of the first folder")


class PrintedSchedule(Record):
    """What a print says of the plan."""

    time_s: PositiveSeconds = Field(description="T, for types 0 to 4 of all partitions")
    rewrite: Rewritten = Field(description="which types were rewritten")
    m_part_bytes: Positive | None = Field(description="M_PART")


class Schedule(PrintedSchedule):
    """What was planned; null for a bound that was not set."""

    planned_s: PositiveSeconds = Field(description="T and, on top, the random types")
    unit_s: PositiveSeconds = Field(description="seconds per time unit U")
    m_part_bytes: Annotated[Positive, Field(ge=2 << 20)] = Field(description="M_PART")
    segment_unit_bytes: Positive = Field(description="segments are multiples of it")
    reserve_bytes: Bytes = Field(description="free space that was not to be touched")
    max_data_bytes: Positive | None = Field(description="the bound of --max-data")
    max_segment_bytes: Positive | None = Field(description="the bound of --max-segment")
    seed: Seed = Field(description="of the random types")


class PrintedType(Record):
    """A pattern type."""

    type: TypeNumber = Field(description="its number")
    name: Name = Field(description="in words")
    official: bool = Field(description="enters the value")


class TypeName(PrintedType):
    """A pattern type of the run."""

    method: Name = Field(description="calls, in words")


class PrintedPattern(Record):
    """A line of the pattern table as far as it was printed."""

    number: PrintedPatternNumber = Field(
        description="samples refer to patterns by it; of imported results 1000 + 100 · type + row,"
        " but of pattern 2"
    )
    type: TypeNumber = Field(description="number of its type")
    l_bytes: Positive | None = Field(
        description="chunk on disk; null for a fill-up, which the run decides"
    )
    L_bytes: Positive | None = Field(description="memory moved by one call")
    wellformed: bool = Field(description="false of chunks with 8 byte more")
    position: PrintedPatternNumber | None = Field(description="row of the printed table")
    reported: bool = Field(description="has a row and a weight: U > 0")


class Pattern(PrintedPattern):
    """A line of the pattern table."""

    number: IoPatternNumber = Field(description="samples refer to patterns by it")
    U: Count = Field(description="time units")
    position: Annotated[int, Field(ge=1, le=7)] | None = Field(
        description="row of the printed table"
    )


class PartitionFigures(Record):
    """The figures of a number of processes."""

    processes: Processes = Field(description="n")
    types: PerAccess[PerType[Figure]] = Field(
        description="MB/s of types 0 to 4, bytes over open to close"
    )
    access: PerAccess[Figure] = Field(description="MB/s: mean over the types, type 0 counted twice")
    values: PerRelease[Figure] = Field(
        description="b_eff_io in MB/s by release; null where the data do not allow it"
    )
    b_eff_io_MBps: Figure = Field(description="the value by definition")


class PrintedPartition(PartitionFigures):
    """What a print says of a number of processes."""

    bytes: PerAccess[Bytes | None] = Field(description="of types 0 to 4; null where not known")


class PartitionNotes(Record):
    """What the schedule of a number of processes found out on the way."""

    decision_cost_s: Seconds = Field(description="mean time of one agreement of all processes")
    segment_bytes: Bytes = Field(description="L_SEG of types 3 and 4")
    segment_cut: Literal["none", "max-segment", "space", "max-data"] = Field(
        description="what made the segments smaller"
    )
    segment_scale: Share = Field(
        description="factor of the repetitions of types 3 and 4 because of segment_cut"
    )


class Partition(PartitionFigures, PartitionNotes):
    """A number of processes: what its schedule found out on the way, and its figures."""

    scheduled_s: PositiveSeconds = Field(description="its part of T")
    decisions: Count = Field(description="agreements on when to stop")
    decisions_share: NotNegative | None = Field(description="decisions x cost / time of all loops")
    samples: Count = Field(description="how many entries of the samples are its own")
    bytes: PerAccess[Bytes] = Field(description="of types 0 to 4")
    weighted_MBps: PerAccess[PerType[Figure]] = Field(
        description="of types 0 to 4, averages of the patterns' bandwidths weighted by U"
    )
    wellformed_factor: PerAccess[Figure] = Field(
        description="geometric mean of the bandwidth ratios of +8 to wellformed chunks"
    )


class CacheState(Record):
    """How much of a partition's files was in memory when an access began."""

    partition: Index = Field(description="index into partitions")
    access: Access = Field(description="rewrite or read")
    file_bytes: Bytes = Field(description="size of the files looked at")
    resident_before_bytes: Bytes | None = Field(
        description="of them in page caches before the access, all nodes; null where the system"
        " does not report it"
    )
    read_from_disk_bytes: Bytes | None = Field(
        description="the kernel's count during the read, all processes; null for a rewrite"
    )
    read_by_devices_bytes: Bytes | None = Field(
        default=None,
        description="what the block devices below the files read meanwhile, for whomever, all"
        " nodes; null for a rewrite, and where there are none or they do not say",
    )
    dropped: bool = Field(
        description="all page caches were asked to drop the files, and none refused"
    )


class Hints(Record):
    """What MPI-IO was asked for, and what it accepted."""

    partition: Index = Field(description="index into partitions")
    access: Access = Field(description="of the file")
    type: TypeNumber = Field(description="number of the type")
    pattern: IoPatternNumber | None = Field(
        description="number of a pattern with hints of its own; null: when the file was opened"
    )
    requested: dict[Name, Text] = Field(description="by --info and the program")
    accepted: dict[Name, Text] = Field(
        description="what MPI_File_get_info then returned on rank 0: of a file everything, of a"
        " pattern the hints asked for"
    )


class DataCheck(Record):
    """Outcome of comparing what was read with what was written."""

    mode: Literal["sample", "full", "none"] = Field(description="--verify")
    chunks_checked: Count = Field(description="by all processes")
    wrong_chunks: Count = Field(description="of these")
    first_error: Text | None = Field(description="file, offset, expected and found byte")


class Summary(Record):
    """The figures of the run."""

    b_eff_io_MBps: Annotated[Figure, Shown("b_eff_io", decides=True)] = Field(
        description="maximum over the partitions by the release in definition"
    )
    values: Annotated[PerRelease[Figure], Shown("by release {}", parts=RELEASES)] = Field(
        description="by release; null where the data do not allow it"
    )
    processes: Processes | None = Field(description="of the partition with the maximum")
    write_MBps: Annotated[Figure, Shown("initial write")] = Field(
        description="initial write: mean over the types, type 0 counted twice"
    )
    rewrite_MBps: Annotated[Figure, Shown("rewrite")] = Field(description="likewise")
    read_MBps: Annotated[Figure, Shown("read")] = Field(description="likewise")
    bytes_per_access: Annotated[PerAccess[Bytes | None], Shown("moved by {}", parts=ACCESSES)] = (
        Field(description="types 0 to 4 of all partitions; null where not known")
    )
    percent_of_memory: Annotated[NotNegative | None, Shown("written, of the total memory")] = Field(
        description="what the initial writes of all partitions moved, in percent of the memory of"
        " the system"
    )
    total_memory_write_min: Annotated[Figure, Shown("total memory / b_eff_io")] = Field(
        description="total memory / value, in minutes"
    )
    rmax_gflops: Annotated[Figure, Shown("R_max")] = Field(
        default=None, description="R_max in 10^9 flop/s, only where beff show --rmax added it"
    )
    balance_bytes_per_flop: Annotated[Figure, Shown("b_eff_io / R_max")] = Field(
        default=None, description="value / R_max, likewise"
    )


class IoDigest(Record):
    """Hashes of the samples and of the types."""

    algorithm: Literal["fnv1a64"] = Field(description="64-bit FNV-1a")
    samples: Hash64 = Field(description="hash of the samples")
    types: Hash64 = Field(description="hash of the types")


class BEffIoResult(MeasuredHead):
    """A result of b_eff_io."""

    benchmark: Literal["b_eff_io"] = Field(description="the program")
    definition: Release = Field(description="the release whose value is the headline")
    procedure: Procedure
    medium: Statement = Field(
        description="whether the read bandwidth is that of a disk or of memory"
    )
    environment: IoEnvironment
    summary: Summary
    schedule: Schedule
    type_names: SomeFew[TypeName] = Field(description="the pattern types of the run")
    patterns: SomeFew[Pattern]
    partitions: SomeFew[Partition]
    pointer: Pointer
    reader_shifted: bool = Field(
        description="processes read what another node wrote (--shift-readers, and several nodes)"
    )
    hints: Many[Hints] = Field(
        description="for each partition and access an entry per file, and per pattern with hints"
        " of --info"
    )
    cache: Many[CacheState] = Field(description="an entry for each partition, and access but write")
    data_check: DataCheck
    elapsed_s: Seconds = Field(
        description="from the first to the last step, rank 0, preparations and checks included"
    )
    digest: IoDigest
    samples: Samples
    types: Types


class ImportedBEffIo(ImportedHead):
    """Figures of b_eff_io that another program printed, taken over by beff import.

    What was not printed is null or missing.
    """

    benchmark: Literal["b_eff_io"] = Field(description="the program")
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
