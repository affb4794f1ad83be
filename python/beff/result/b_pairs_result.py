"""The result of b_pairs; field names and units are those of the result file."""
# ruff: noqa: N815 - the field names are the contract

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beff.result.b_eff_result import DataCheck, Digest
from beff.result.bounds import (
    Column,
    Count,
    Few,
    Figure,
    Hash64,
    Index,
    LongText,
    Many,
    Name,
    Nanoseconds,
    Positive,
    PositiveNumber,
    Processes,
    Rank,
    Seconds,
    SomeFew,
    Text,
)
from beff.result.result_parts import Columns, MeasuredHead, Record, Shown, require_length

MatrixNanoseconds = Annotated[int, Field(ge=1, le=10**15)]
Numbers = Annotated[str, Field(pattern=r"^\d{1,18}( \d{1,18})*$", max_length=10**7)]
"""Whole numbers with blanks between them."""
MOST_RANKS = 4096


class PlannedMatrix(Record):
    """The messages of an iteration in sum: docs/reference/definitions-b_pairs.md."""

    source: LongText = Field(description="a file, or a preset")
    method: Literal["nonblocking", "alltoallv"]
    message_bytes: Positive | None = Field(description="of a preset; null of a file")
    rows: Positive = Field(description="of sender, receiver and size, each once")
    messages: Positive
    bytes_: Positive = Field(alias="bytes")
    most_messages: Positive = Field(description="that a process sends or receives")
    loops: Positive
    digest: Hash64 | None = Field(
        description="of all rows; null in a plan of a preset that a seed of the run draws"
    )


class MatrixLoops(Columns):
    """Timed loops; `ns` is that of all iterations of a loop on its slowest process."""

    length: Column[Positive]
    ns: Column[MatrixNanoseconds]
    slowest_rank: Column[Rank]


class MatrixRanks(Columns):
    """Processes, the slowest ones by `single_ns` where there are more than 4096.

    `ns` is that of an iteration of the best loop. The others are of an iteration behind a barrier,
    the one in the middle: `single_ns` until all is sent and received, `last_ns` until the last
    message came, from rank `last_from`, `others_ns` until all had come but for that rank's.
    """

    rank: Column[Rank]
    sent_bytes: Column[Count]
    received_bytes: Column[Count]
    ns: Column[MatrixNanoseconds]
    single_ns: Column[MatrixNanoseconds]
    last_ns: Column[MatrixNanoseconds | None]
    others_ns: Column[MatrixNanoseconds | None]
    last_from: Column[Rank | None]


class MatrixRows(Record):
    """`count` messages of `bytes` each, row by row, as a file gave them in sum."""

    from_: Numbers = Field(alias="from")
    to: Numbers
    bytes_: Numbers = Field(alias="bytes")
    count: Numbers

    @model_validator(mode="after")
    def _columns_agree(self) -> "MatrixRows":
        length = self.from_.count(" ")
        for name, column in (("to", self.to), ("bytes", self.bytes_), ("count", self.count)):
            require_length(name, column.count(" ") + 1, "from", length + 1)
        return self


class MatrixMeasured(Record):
    """Loops over a matrix, and what single iterations showed."""

    loops: MatrixLoops
    ranks: MatrixRanks
    rows: MatrixRows | None = Field(
        description="null of a preset, and of a file with more than 100000"
    )
    data_check: DataCheck


class MatrixEnd(Record):
    """What a journal has behind the loops."""

    ranks: MatrixRanks
    data_check: DataCheck


Times = Annotated[str, Field(pattern=r"^((\d{1,15}|-)( (\d{1,15}|-))*)?$", max_length=10**8)]
"""Whole ns of the pairs of a round in their order, with blanks between them; - : not measured."""


PerHostTimes = Annotated[str, Field(pattern=r"^[1-9]\d{0,14}( [1-9]\d{0,14})*$", max_length=10**8)]
"""Whole ns of pairs of hosts, all of them measured."""
TrafficName = Literal["one way", "both ways", "messages"]
MeasuredNanoseconds = Annotated[int, Field(ge=1, le=10**15)]


class PlannedBisection(Record):
    """What crosses halves of the units: docs/reference/definitions-b_pairs.md."""

    message_bytes: Positive
    processes: Positive = Field(description="of each unit")
    steps: Positive = Field(description="of the first halves")
    random_halves: Count
    first_half: list[Index] | None = Field(
        description="units, given or by what the launcher says of switches; null: the first half"
        " by number"
    )
    longest_s: Seconds
    at_10_GBps_s: Seconds = Field(description="where each process has 10 GB/s each way")


class PlannedPerHost(Record):
    """What pairs of hosts exchange by few and many processes of each."""

    message_bytes: Positive
    short_bytes: Literal[8]
    window: Literal[64] = Field(description="short messages under way")
    processes: SomeFew[Positive]


class PairsPlan(Record):
    """Who meets, in the order of the times; docs/reference/definitions-b_pairs.md."""

    unit: Literal["host", "process"]
    units: Annotated[Processes, Field(ge=2)]
    per_host: Literal["all", "one"] = Field(
        description="processes of a host that take part in the map"
    )
    rounds: Positive = Field(description="of a pass")
    small_bytes: Literal[1]
    large_bytes: Positive
    duration_s: Seconds
    most_passes: Positive
    bisection: PlannedBisection | None = None
    processes_per_host: PlannedPerHost | None = None
    matrix: PlannedMatrix | None = None


class Passes(Record):
    """Time of an exchange of a message each way on the slower side, by pass, round and pair."""

    small_ns: list[list[Times]]
    large_ns: list[list[Times]]

    @model_validator(mode="after")
    def _lists_agree(self) -> "Passes":
        require_length("large_ns", len(self.large_ns), "small_ns", len(self.small_ns))
        for small, large in zip(self.small_ns, self.large_ns, strict=True):
            require_length("a pass of large_ns", len(large), "that of small_ns", len(small))
        return self


class Retests(Columns):
    """Pairs that were measured again with nothing else under way; some of them for comparison.

    Times are in ns; null where not measured. `there_ns` and `back_ns`: a large message in one
    direction and a short answer, from first to second and from second to first.
    """

    first: Column[Index]
    second: Column[Index]
    small_ns: Column[Nanoseconds | None]
    large_ns: Column[Nanoseconds | None]
    there_ns: Column[Nanoseconds | None]
    back_ns: Column[Nanoseconds | None]


class PairsAlone(Columns):
    """Pairs of the first step with nothing else under way; ns of a message each way."""

    first: Column[Index]
    second: Column[Index]
    ns: Column[MeasuredNanoseconds]


class HalvesMeasured(Columns):
    """The steps of two halves in the order in which they were measured.

    `first` and `second` are the units of the slowest pair, `slowest_ns` its time for a message each
    way; `sum_MBps` is the bandwidth of all pairs, both ways.
    """

    sum_MBps: Column[PositiveNumber]
    slowest_ns: Column[MeasuredNanoseconds]
    first: Column[Index]
    second: Column[Index]


class Halves(Record):
    """Two halves, and how they were made."""

    kind: Literal["order", "switches", "given", "random"]
    steps: HalvesMeasured


class LeastStep(Record):
    """The step with the smallest sum."""

    halves: Index
    step: Index
    first: Index = Field(description="unit of its slowest pair")
    second: Index
    pair_MBps: Figure = Field(description="of the slowest pair, both ways")
    full_MBps: Figure = Field(description="of its pairs if each had what pairs have alone")


class Bisection(Record):
    """What crosses halves of the units, all pairs of a step at the same time."""

    alone: PairsAlone
    halves: Many[Halves]
    minimum: LeastStep | None
    took_s: Seconds


class PerHost(Columns):
    """What pairs of hosts reach by so many processes of each: one pair alone, and all at once.

    `ns` are the times of the pairs for an exchange; `rate` is that of the pair in the middle: MB/s
    one way or of both ways together, or messages per second.
    """

    processes: Column[Positive]
    traffic: Column[TrafficName]
    pairs: Column[Positive]
    ns: Column[PerHostTimes]
    rate: Column[PositiveNumber]


class NoAnswer(Record):
    """A meeting that did not end within the limit, counted from 0."""

    pass_: Index = Field(alias="pass", description="of rounds, or behind them of retests")
    round: Index
    silent: list[Index] = Field(description="units that gave no sign")
    waiting: list[Annotated[list[Index], Field(min_length=2, max_length=2)]] = Field(
        description="pairs that did not end, where all units gave a sign"
    )


class Port(Record):
    """A physical port of a host's network."""

    name: Name
    kind: Literal["infiniband", "ethernet"]
    rate_MBps: Figure = Field(description="of one direction; null where not active or not known")
    state: Name


class HostHardware(Record):
    """What the system of each of some equal hosts says of its network."""

    hosts: LongText = Field(description="compressed list")
    network: Few[Port]
    pcie_below_maximum: Many[Text] = Field(description="devices with fewer lanes than possible")


class Roofs(Record):
    """What the hardware allows, as far as the run found out."""

    copy_MBps_per_process: Figure = Field(
        description="bytes copied memory to memory, all processes at the same time"
    )
    hosts: list[HostHardware]
    took_s: Seconds


class PairsSummary(Record):
    """Medians over all pairs, and what the network as a whole gave."""

    pair_MBps: Annotated[Figure, Shown("a pair of processes, each way")] = Field(
        description="large messages of one process, each way"
    )
    latency_us: Annotated[Figure, Shown("exchange of 1 byte")] = Field(
        description="an exchange of short messages"
    )
    bisection_MBps: Annotated[
        Figure, Shown("bisection, least step", weighed=True, decides=True)
    ] = Field(default=None, description="least step, both ways")
    bisection_mean_MBps: Annotated[Figure, Shown("bisection, mean of steps", weighed=True)] = None
    bisection_maximum_MBps: Annotated[Figure, Shown("bisection, best step", weighed=True)] = None
    bisection_percent: Annotated[
        Figure, Shown("bisection, of what pairs have alone", weighed=True)
    ] = Field(default=None, description="of what its pairs have alone")
    host_MBps: Annotated[Figure, Shown("a host alone, one way", weighed=True, decides=True)] = (
        Field(default=None, description="a pair of hosts alone, one way, at best")
    )
    host_both_ways_MBps: Annotated[Figure, Shown("a host alone, both ways", weighed=True)] = None
    host_processes: Annotated[
        Positive | None, Shown("processes of a host that reach it one way", weighed=True)
    ] = Field(default=None, description="the fewest that reach 95 % of it")
    host_messages_per_s: Annotated[
        Figure, Shown("messages of a host alone", weighed=True, decides=True)
    ] = Field(default=None, description="of 8 byte, one way, at best")
    host_messages_processes: Annotated[
        Positive | None, Shown("processes of a host that reach it", weighed=True)
    ] = Field(default=None, description="the fewest that reach 95 % of it")
    matrix_MBps: Annotated[Figure, Shown("matrix", weighed=True, decides=True)] = Field(
        default=None, description="all its bytes in that time"
    )
    matrix_us: Annotated[Figure, Shown("an iteration of the matrix", weighed=True)] = Field(
        default=None, description="an iteration of the matrix, slowest process, best loop"
    )


class BPairsResult(MeasuredHead):
    """A result of b_pairs."""

    benchmark: Literal["b_pairs"]
    definition: Literal["1"] = Field(description="of what is measured and who meets")
    summary: PairsSummary
    plan: PairsPlan
    passes: Passes
    retests: Retests
    bisection: Bisection | None = None
    per_host: PerHost | None = None
    matrix: MatrixMeasured | None = None
    no_answer: NoAnswer | None
    roofs: Roofs | None = Field(default=None, description="null where nothing is known")
    took_s: Seconds
    digest: Digest
