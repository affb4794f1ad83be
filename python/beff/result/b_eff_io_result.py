"""The result of b_eff_io; field names and units are those of the result file."""
# ruff: noqa: N815 - the field names are the contract

from collections.abc import Iterator
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from beff.result import bounds as t
from beff.result.b_eff_io_samples import (
    ACCESSES,
    Access,
    PrintedSamples,
    PrintedTypes,
    Samples,
    Types,
)
from beff.result.b_eff_result import Digest
from beff.result.environment import Environment, Machine
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
_TYPES = len(t.OFFICIAL_TYPES)
PerType = Annotated[list[Value], Field(min_length=_TYPES, max_length=_TYPES)]


class Striping(t.Record):
    """How a parallel file system distributes new files; null what it does not report."""

    stripe_size_bytes: t.Positive | None
    """bytes in a row on a server"""
    stripe_count: Annotated[int, Field(ge=-1, le=2**15 - 1)] | None
    """-1 is over all servers"""
    components: t.Count | None
    """of a layout that differs along the file"""
    pool: t.Name
    """its name"""


class FileSystem(t.Record):
    """Where the files lay."""

    paths: t.Many[t.LongText]
    """the folders of the run, one for each different --path"""
    kind: t.Name
    """such as ext4"""
    mount: t.LongText
    """mount point and options"""
    source: t.LongText | None = None
    """what is mounted: device, server, file set"""
    options: t.LongText | None = None
    """of the file system itself, as NFS, Spectrum Scale and BeeGFS report them"""
    striping: Striping | None = None
    """of new files in the folder, as Lustre reports it; else null"""
    total_bytes: t.Count
    """its size"""
    free_at_start_bytes: t.Count
    """what an ordinary user could write"""
    block_size_bytes: t.Count
    """preferred block"""
    striping_unit_bytes: t.Positive | None
    """as MPI reports it for an open file"""
    cache_bytes: t.Count | None
    """--fs-cache"""
    in_memory: bool
    """tmpfs, ramfs or hugetlbfs, also below an overlay or a loop device"""
    below: t.Many[t.LongText] = Field(default=[])
    """what it lies on, the uppermost first, as far as rank 0 sees it: loop0, tmpfs at /dev/shm"""
    reads_seen_by: Literal["devices", "page caches", "nothing"] | None = None
    """what shows whether a read came from memory: devices (what those below count, and the page
    caches), page caches alone, or nothing, as caches that are not counted lie between; null in
    early results"""
    note: Annotated[t.Text, Field(max_length=500)] | None = None
    """--filesystem-note: what the user says of servers, devices and settings"""
    peak_MBps: t.Figure = None
    """--io-peak: what its hardware promises"""


class IoEnvironment(Environment):
    """Where and how the measurement ran."""

    filesystem: FileSystem
    """that of the first folder"""


class PrintedSchedule(t.Record):
    """What a print says of the plan."""

    time_s: t.PositiveSeconds
    """T, for types 0 to 4 of all partitions"""
    rewrite: Rewritten
    """which types were rewritten"""
    m_part_bytes: t.Positive | None
    """M_PART"""


class Schedule(PrintedSchedule):
    """What was planned; null for a bound that was not set."""

    planned_s: t.PositiveSeconds
    """T and, on top, the random types"""
    unit_s: t.PositiveSeconds
    """seconds per time unit U"""
    m_part_bytes: Annotated[t.Positive, Field(ge=2 << 20)]
    """M_PART"""
    segment_unit_bytes: t.Positive
    """segments are multiples of it"""
    reserve_bytes: t.Count
    """free space that was not to be touched"""
    max_data_bytes: t.Positive | None
    """the bound of --max-data"""
    max_segment_bytes: t.Positive | None
    """the bound of --max-segment"""
    seed: t.Seed
    """of the random types"""


class PrintedType(t.Record):
    """A pattern type."""

    type: t.Index
    """its number"""
    name: t.Name
    """in words"""
    official: bool
    """enters the value"""


class TypeName(PrintedType):
    """A pattern type of the run."""

    method: t.Name
    """calls, in words"""


class PrintedPattern(t.Record):
    """A line of the pattern table as far as it was printed."""

    number: t.Index
    """samples refer to patterns by it; of imported results 1000 + 100 · type + row, but of pattern
    2"""
    type: t.Index
    """number of its type"""
    l_bytes: t.Positive | None
    """chunk on disk; null for a fill-up, which the run decides"""
    L_bytes: t.Positive | None
    """memory moved by one call"""
    wellformed: bool
    """false of chunks with 8 byte more"""
    position: t.Index | None
    """row of the printed table"""
    reported: bool
    """has a row and a weight: U > 0"""


class Pattern(PrintedPattern):
    """A line of the pattern table."""

    number: t.Index
    """samples refer to patterns by it"""
    U: t.Count
    """time units"""
    position: Annotated[int, Field(ge=1, le=7)] | None
    """row of the printed table"""


class PartitionFigures(t.Record):
    """The figures of a number of processes."""

    processes: t.Processes
    """n"""
    types: PerAccess[PerType[t.Figure]]
    """MB/s of types 0 to 4, bytes over open to close"""
    access: PerAccess[t.Figure]
    """MB/s: mean over the types, type 0 counted twice"""
    values: PerRelease[t.Figure]
    """b_eff_io in MB/s by release; null where the data do not allow it"""
    b_eff_io_MBps: t.Figure
    """the value by definition"""


class PrintedPartition(PartitionFigures):
    """What a print says of a number of processes."""

    bytes: PerAccess[t.Count | None]
    """of types 0 to 4; null where not known"""


class PartitionNotes(t.Record):
    """What the schedule of a number of processes found out on the way."""

    decision_cost_s: t.Seconds
    """mean time of one agreement of all processes"""
    segment_bytes: t.Count
    """L_SEG of types 3 and 4"""
    segment_cut: Literal["none", "max-segment", "space", "max-data"]
    """what made the segments smaller"""
    segment_scale: Annotated[float, Field(ge=0, le=1)]
    """factor of the repetitions of types 3 and 4 because of segment_cut"""


class Partition(PartitionFigures, PartitionNotes):
    """A number of processes: what its schedule found out on the way, and its figures."""

    scheduled_s: t.PositiveSeconds
    """its part of T"""
    decisions: t.Count
    """agreements on when to stop"""
    decisions_share: t.NotNegative | None
    """decisions x cost / time of all loops"""
    samples: t.Count
    """how many entries of the samples are its own"""
    bytes: PerAccess[t.Count]
    """of types 0 to 4"""
    weighted_MBps: PerAccess[PerType[t.Figure]]
    """of types 0 to 4, averages of the patterns' bandwidths weighted by U"""
    wellformed_factor: PerAccess[t.Figure]
    """geometric mean of the bandwidth ratios of +8 to wellformed chunks"""


class CacheState(t.Record):
    """How much of a partition's files was in memory when an access began."""

    partition: t.Index
    """index into partitions"""
    access: Access
    """rewrite or read"""
    file_bytes: t.Count
    """size of the files looked at"""
    resident_before_bytes: t.Count | None
    """of them in page caches before the access, all nodes; null where the system does not report it
    """
    read_from_disk_bytes: t.Count | None
    """the kernel's count during the read, all processes; null for a rewrite"""
    read_by_devices_bytes: t.Count | None = None
    """what the block devices below the files read meanwhile, for whomever, all nodes; null for a
    rewrite, and where there are none or they do not say"""
    dropped: bool
    """all page caches were asked to drop the files, and none refused"""


class Hints(t.Record):
    """What MPI-IO was asked for, and what it accepted."""

    partition: t.Index
    """index into partitions"""
    access: Access
    """of the file"""
    type: t.Index
    """number of the type"""
    pattern: t.Index | None
    """number of a pattern with hints of its own; null: when the file was opened"""
    requested: dict[t.Name, t.Text]
    """by --info and the program"""
    accepted: dict[t.Name, t.Text]
    """what MPI_File_get_info then returned on rank 0: of a file everything, of a pattern the hints
    asked for"""


class DataCheck(t.Record):
    """Outcome of comparing what was read with what was written."""

    mode: Literal["sample", "full", "none"]
    """--verify"""
    chunks_checked: t.Count
    """by all processes"""
    wrong_chunks: t.Count
    """of these"""
    first_error: t.Text | None
    """file, offset, expected and found byte"""


class Summary(t.Record):
    """The figures of the run."""

    b_eff_io_MBps: Annotated[t.Figure, t.Shown("b_eff_io", decides=True)]
    """maximum over the partitions by the release in definition"""
    values: Annotated[PerRelease[t.Figure], t.Shown("by release {}", parts=RELEASES)]
    """by release; null where the data do not allow it"""
    processes: t.Processes | None
    """of the partition with the maximum"""
    write_MBps: Annotated[t.Figure, t.Shown("initial write")]
    """initial write: mean over the types, type 0 counted twice"""
    rewrite_MBps: Annotated[t.Figure, t.Shown("rewrite")]
    """likewise"""
    read_MBps: Annotated[t.Figure, t.Shown("read")]
    """likewise"""
    bytes_per_access: Annotated[PerAccess[t.Count | None], t.Shown("moved by {}", parts=ACCESSES)]
    """types 0 to 4 of all partitions; null where not known"""
    percent_of_memory: Annotated[t.NotNegative | None, t.Shown("written, of the total memory")]
    """what the initial writes of all partitions moved, in percent of the memory of the system"""
    total_memory_write_min: Annotated[t.Figure, t.Shown("total memory / b_eff_io")]
    """total memory / value, in minutes"""
    percent_of_peak: Annotated[t.Figure, t.Shown("share of the peak")] = None
    """value / what the hardware promises, by --io-peak, in percent"""
    rmax_gflops: Annotated[t.Figure, t.Shown("R_max")] = None
    """R_max in 10^9 flop/s, only where beff show --rmax added it"""
    balance_bytes_per_flop: Annotated[t.Figure, t.Shown("b_eff_io / R_max")] = None
    """value / R_max, likewise"""


class IoDigest(Digest):
    """Hashes of the samples and of the types."""

    types: t.Hash
    """hash of the types"""


class BEffIoResult(MeasuredHead):
    """A result of b_eff_io."""

    benchmark: Literal["b_eff_io"]
    """the program"""
    definition: Release
    """the release whose value is the headline"""
    procedure: Procedure
    medium: Statement
    """whether the read bandwidth is that of a disk or of memory"""
    environment: IoEnvironment
    summary: Summary
    schedule: Schedule
    type_names: t.SomeFew[TypeName]
    """the pattern types of the run"""
    patterns: t.SomeFew[Pattern]
    partitions: t.SomeFew[Partition]
    pointer: Pointer
    reader_shifted: bool
    """processes read what another node wrote (--shift-readers, and several nodes)"""
    hints: t.Many[Hints]
    """for each partition and access an entry per file, and per pattern with hints of --info"""
    cache: t.Many[CacheState]
    """an entry for each partition, and access but write"""
    data_check: DataCheck
    elapsed_s: t.Seconds
    """from the first to the last step, rank 0, preparations and checks included"""
    digest: IoDigest
    samples: Samples
    types: Types


class ImportedBEffIo(ImportedHead):
    """Figures of b_eff_io that another program printed, taken over by beff import.

    What was not printed is null or missing.
    """

    benchmark: Literal["b_eff_io"]
    """the program"""
    definition: Release
    """the release whose value is the headline"""
    procedure: Procedure
    environment: Machine
    summary: Summary
    schedule: PrintedSchedule
    type_names: t.SomeFew[PrintedType]
    patterns: t.SomeFew[PrintedPattern]
    partitions: t.SomeFew[PrintedPartition]
    pointer: Pointer
    samples: PrintedSamples
    types: PrintedTypes


BEffIoFigures = BEffIoResult | ImportedBEffIo
"""Figures of b_eff_io, whoever measured them."""


def file_samples(result: BEffIoFigures) -> Iterator[t.Row]:
    """Yield the patterns of b_eff_io by partition and access method, in the order of measuring.

    What another program did not print is None.
    """
    patterns = {pattern.number: pattern for pattern in result.patterns}
    names = {entry.type: entry.name for entry in result.type_names}
    for sample in result.samples.rows():
        pattern = patterns[sample.pattern]
        yield {
            "processes": result.partitions[sample.partition].processes,
            "pattern": pattern.number,
            "pattern_name": names[pattern.type],
            "partition": sample.partition,
            "type": pattern.type,
            "access": sample.access,
            "chunk_size_bytes": pattern.l_bytes,
            "memory_size_bytes": pattern.L_bytes,
            "time_units": pattern.U if isinstance(pattern, Pattern) else None,
            "wellformed": "true" if pattern.wellformed else "false",
            **{_NAMES.get(name, name): getattr(sample, name, None) for name in _COUNTED},
            "bandwidth_MBps": sample.bandwidth_MBps,
        }


_COUNTED = ("repetitions", "bytes", "time_s", "loop_s", "decisions", "status", "stop", "error")
_NAMES = {"bytes": "transferred_bytes"}
