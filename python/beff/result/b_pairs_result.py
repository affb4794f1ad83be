"""The result of b_pairs; field names and units are those of the result file."""
# ruff: noqa: N815 - the field names are the contract

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beff.result.b_eff_result import Digest
from beff.result.bounds import (
    Column,
    Count,
    Few,
    Figure,
    Index,
    LongText,
    Many,
    Name,
    Nanoseconds,
    Positive,
    PositiveNumber,
    Processes,
    Seconds,
    SomeFew,
    Text,
)
from beff.result.record import Columns, Record, Shown, require_length
from beff.result.result_parts import MeasuredHead

Times = Annotated[str, Field(pattern=r"^((\d{1,15}|-)( (\d{1,15}|-))*)?$", max_length=10**8)]
"""Whole ns of the pairs of a round in their order, with blanks between them; - : not measured."""


PerHostTimes = Annotated[str, Field(pattern=r"^[1-9]\d{0,14}( [1-9]\d{0,14})*$", max_length=10**8)]
"""Whole ns of pairs of hosts, all of them measured."""
TrafficName = Literal["one way", "both ways", "messages"]
MeasuredNanoseconds = Annotated[int, Field(ge=1, le=10**15)]


class PlannedBisection(Record):
    """What crosses halves of the units: docs/reference/definitions-b_pairs.md."""

    message_bytes: Positive = Field(description="of each way")
    processes: Positive = Field(description="of each unit")
    steps: Positive = Field(description="of the first halves")
    random_halves: Count = Field(description="pairs of halves drawn by the seed")
    first_half: list[Index] | None = Field(
        description="units, given or by what the launcher says of switches; null: the first half"
        " by number"
    )
    longest_s: Seconds = Field(description="how long it takes at most")
    at_10_GBps_s: Seconds = Field(description="where each process has 10 GB/s each way")


class PlannedPerHost(Record):
    """What pairs of hosts exchange by few and many processes of each."""

    message_bytes: Positive = Field(description="of the long messages")
    short_bytes: Literal[8] = Field(description="of the short ones")
    window: Literal[64] = Field(description="short messages under way")
    processes: SomeFew[Positive] = Field(description="of each host, one after the other")


class PairsPlan(Record):
    """Who meets, in the order of the times; docs/reference/definitions-b_pairs.md."""

    unit: Literal["host", "process"] = Field(
        description="host where there are several, by its place in environment.hosts, else"
        " process, by rank"
    )
    units: Annotated[Processes, Field(ge=2)] = Field(description="how many")
    per_host: Literal["all", "one"] = Field(
        description="processes of a host that take part in the map"
    )
    rounds: Positive = Field(description="of a pass")
    small_bytes: Literal[1] = Field(description="of a short message")
    large_bytes: Positive = Field(description="of a long one")
    duration_s: Seconds = Field(description="of the map")
    most_passes: Positive = Field(description="through all rounds")
    bisection: PlannedBisection | None = Field(default=None, description="null where not asked for")
    processes_per_host: PlannedPerHost | None = Field(
        default=None, description="null where not asked for"
    )


class Passes(Record):
    """Time of an exchange of a message each way on the slower side, by pass, round and pair."""

    small_ns: list[list[Times]] = Field(
        description="for each pass and round a text with the times of its pairs, in the order of"
        " their first units; - : not measured"
    )
    large_ns: list[list[Times]] = Field(description="likewise")

    @model_validator(mode="after")
    def _lists_agree(self) -> "Passes":
        require_length("large_ns", len(self.large_ns), "small_ns", len(self.small_ns))
        for small, large in zip(self.small_ns, self.large_ns, strict=True):
            require_length("a pass of large_ns", len(large), "that of small_ns", len(small))
        return self


class Retests(Columns):
    """Pairs measured again with nothing else under way, some for comparison; null: not measured."""

    first: Column[Index] = Field(description="unit")
    second: Column[Index] = Field(description="unit")
    small_ns: Column[Nanoseconds | None] = Field(description="an exchange of short messages")
    large_ns: Column[Nanoseconds | None] = Field(description="an exchange of long ones")
    there_ns: Column[Nanoseconds | None] = Field(
        description="a long message from first to second, and a short answer"
    )
    back_ns: Column[Nanoseconds | None] = Field(description="the other way")


class PairsAlone(Columns):
    """Pairs of the first step with nothing else under way; ns of a message each way."""

    first: Column[Index] = Field(description="unit")
    second: Column[Index] = Field(description="unit")
    ns: Column[MeasuredNanoseconds] = Field(description="of a message each way")


class HalvesMeasured(Columns):
    """The steps of two halves in the order in which they were measured."""

    sum_MBps: Column[PositiveNumber] = Field(description="of all pairs, both ways")
    slowest_ns: Column[MeasuredNanoseconds] = Field(
        description="of the slowest pair, for a message each way"
    )
    first: Column[Index] = Field(description="unit of the slowest pair")
    second: Column[Index] = Field(description="unit of the slowest pair")


class Halves(Record):
    """Two halves, and how they were made."""

    kind: Literal["order", "switches", "given", "random"] = Field(
        description="by number, by switches, given, or drawn"
    )
    steps: HalvesMeasured
    mean_ns: list[MeasuredNanoseconds] | None = Field(
        default=None, description="of the pairs of each step, their mean; null in older results"
    )


class LeastStep(Record):
    """The step with the smallest sum."""

    halves: Index = Field(description="index into halves")
    step: Index = Field(description="index into their steps")
    first: Index = Field(description="unit of its slowest pair")
    second: Index = Field(description="unit of its slowest pair")
    pair_MBps: Figure = Field(description="of the slowest pair, both ways")
    full_MBps: Figure = Field(description="of its pairs if each had what pairs have alone")


class Bisection(Record):
    """What crosses halves of the units, all pairs of a step at the same time."""

    alone: PairsAlone
    halves: Many[Halves] = Field(description="in the order of measuring")
    minimum: LeastStep | None = Field(description="null where no step was measured")
    took_s: Seconds = Field(description="all of it")


class PerHost(Columns):
    """What pairs of hosts reach by so many processes of each: some alone, and all at once."""

    processes: Column[Positive] = Field(description="of each host")
    traffic: Column[TrafficName] = Field(
        description="one way, both ways, or short messages one way"
    )
    pairs: Column[Positive] = Field(description="of hosts at once; one stands for some in turn")
    ns: Column[PerHostTimes] = Field(description="of the pairs, for an exchange")
    rate: Column[PositiveNumber] = Field(
        description="of the pair in the middle: MB/s one way or of both ways together, or messages"
        " per second"
    )


class NoAnswer(Record):
    """A meeting that did not end within the limit, counted from 0."""

    pass_: Index = Field(
        alias="pass",
        description="from 0; behind those of rounds one of retests, for the bisection, for"
        " processes per host",
    )
    round: Index = Field(description="from 0")
    silent: list[Index] = Field(description="units that gave no sign")
    waiting: list[Annotated[list[Index], Field(min_length=2, max_length=2)]] = Field(
        description="pairs that did not end, where all units gave a sign"
    )


class Port(Record):
    """A physical port of a host's network."""

    name: Name = Field(description="of the port")
    kind: Literal["infiniband", "ethernet"] = Field(description="of network")
    rate_MBps: Figure = Field(description="of one direction; null where not active or not known")
    state: Name = Field(description="in the words of the system")


class HostHardware(Record):
    """What the system of each of some equal hosts says of its network."""

    hosts: LongText = Field(description="folded as in host_list")
    network: Few[Port] = Field(description="physical ports")
    pcie_below_maximum: Many[Text] = Field(
        description="PCIe links below the lesser of their two ends: address, kind, lanes or GT/s"
    )


class Roofs(Record):
    """What the hardware allows, as far as the run found out."""

    copy_MBps_per_process: Figure = Field(
        description="bytes copied memory to memory, all processes at the same time"
    )
    hosts: list[HostHardware] = Field(description="groups of hosts with the same hardware")
    took_s: Seconds = Field(description="to find out")


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
    bisection_mean_MBps: Annotated[Figure, Shown("bisection, mean of steps", weighed=True)] = Field(
        default=None, description="mean of the steps"
    )
    bisection_maximum_MBps: Annotated[Figure, Shown("bisection, best step", weighed=True)] = Field(
        default=None, description="best step"
    )
    bisection_by_mean_time_MBps: Annotated[
        Figure, Shown("bisection, least step by the mean time of its pairs", weighed=True)
    ] = Field(default=None, description="least step, all bytes / mean time of its pairs (LinkTest)")
    bisection_percent: Annotated[
        Figure, Shown("bisection, of what pairs have alone", weighed=True)
    ] = Field(default=None, description="of what its pairs have alone")
    host_MBps: Annotated[Figure, Shown("a host alone, one way", weighed=True, decides=True)] = (
        Field(
            default=None,
            description="pairs of hosts alone, the one in the middle, one way, at best",
        )
    )
    host_both_ways_MBps: Annotated[Figure, Shown("a host alone, both ways", weighed=True)] = Field(
        default=None, description="both ways together, at best"
    )
    host_processes: Annotated[
        Positive | None, Shown("processes of a host that reach it one way", weighed=True)
    ] = Field(default=None, description="the fewest that reach 95 % of host_MBps")
    host_messages_per_s: Annotated[
        Figure, Shown("messages of a host alone", weighed=True, decides=True)
    ] = Field(default=None, description="of 8 byte, one way, at best")
    host_messages_processes: Annotated[
        Positive | None, Shown("processes of a host that reach it", weighed=True)
    ] = Field(default=None, description="the fewest that reach 95 % of it")


class BPairsResult(MeasuredHead):
    """A result of b_pairs."""

    benchmark: Literal["b_pairs"] = Field(description="the program")
    definition: Literal["1"] = Field(description="of what is measured and who meets")
    summary: PairsSummary
    plan: PairsPlan
    passes: Passes
    retests: Retests
    bisection: Bisection | None = Field(default=None, description="null where not asked for")
    per_host: PerHost | None = Field(default=None, description="null where not asked for")
    no_answer: NoAnswer | None = Field(description="null, or where the run hung")
    roofs: Roofs | None = Field(default=None, description="null where nothing is known")
    took_s: Seconds = Field(
        description="from the start of the measurement to the end of the last meeting of the map"
        " and its retests"
    )
    digest: Digest
