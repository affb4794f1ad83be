"""The result of b_pairs; field names and units are those of the result file."""
# ruff: noqa: N815 - the field names are the contract

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beff.result import bounds as t
from beff.result.b_eff_result import Digest
from beff.result.environment import Host
from beff.result.result_parts import ImportedHead, MeasuredHead

Times = Annotated[str, Field(pattern=r"^((\d{1,15}|-)( (\d{1,15}|-))*)?$", max_length=10**8)]
"""Whole ns of the pairs of a round in their order, with blanks between them; - : not measured."""


PerHostTimes = Annotated[str, Field(pattern=r"^[1-9]\d{0,14}( [1-9]\d{0,14})*$", max_length=10**8)]
"""Whole ns of pairs of hosts, all of them measured."""
TrafficName = Literal["one way", "both ways", "messages"]


class PlannedBisection(t.Record):
    """What crosses halves of the units: docs/reference/definitions-b_pairs.md."""

    message_bytes: t.Positive
    """of each way"""
    processes: t.Positive
    """of each unit"""
    steps: t.Positive
    """of the first halves"""
    random_halves: t.Count
    """pairs of halves drawn by the seed"""
    first_half: list[t.Index] | None
    """units, given or by what the launcher says of switches; null: the first half by number"""
    longest_s: t.Seconds
    """how long it takes at most"""
    at_10_GBps_s: t.Seconds
    """where each process has 10 GB/s each way"""


class PlannedPerHost(t.Record):
    """What pairs of hosts exchange by few and many processes of each."""

    message_bytes: t.Positive
    """of the long messages"""
    short_bytes: Literal[8]
    """of the short ones"""
    window: Literal[64]
    """short messages under way"""
    processes: t.SomeFew[t.Positive]
    """of each host, one after the other"""


class PairsPlan(t.Record):
    """Who meets, in the order of the times; docs/reference/definitions-b_pairs.md."""

    unit: Literal["host", "process"]
    """host where there are several, by its place in environment.hosts, else process, by rank"""
    units: Annotated[t.Processes, Field(ge=2)]
    """how many"""
    per_host: Literal["all", "one"]
    """processes of a host that take part in the map"""
    rounds: t.Positive
    """of a pass"""
    small_bytes: Literal[1]
    """of a short message"""
    large_bytes: t.Positive
    """of a long one"""
    duration_s: t.Seconds
    """of the map"""
    most_passes: t.Positive
    """through all rounds"""
    bisection: PlannedBisection | None = None
    """null where not asked for"""
    processes_per_host: PlannedPerHost | None = None
    """null where not asked for"""


class Passes(t.Record):
    """Time of an exchange of a message each way on the slower side, by pass, round and pair."""

    small_ns: list[list[Times]]
    """for each pass and round a text with the times of its pairs, in the order of their first
    units; - : not measured"""
    large_ns: list[list[Times]]
    """likewise"""

    @model_validator(mode="after")
    def _lists_agree(self) -> "Passes":
        t.require_length("large_ns", len(self.large_ns), "small_ns", len(self.small_ns))
        for small, large in zip(self.small_ns, self.large_ns, strict=True):
            t.require_length("a pass of large_ns", len(large), "that of small_ns", len(small))
        return self


class Retests(t.Columns):
    """Pairs measured again with nothing else under way, some for comparison; null: not measured."""

    first: t.Column[t.Index]
    """unit"""
    second: t.Column[t.Index]
    """unit"""
    small_ns: t.Column[t.Nanoseconds | None]
    """an exchange of short messages"""
    large_ns: t.Column[t.Nanoseconds | None]
    """an exchange of long ones"""
    there_ns: t.Column[t.Nanoseconds | None]
    """a long message from first to second, and a short answer"""
    back_ns: t.Column[t.Nanoseconds | None]
    """the other way"""


class PairsAlone(t.Columns):
    """Pairs of the first step with nothing else under way; ns of a message each way."""

    first: t.Column[t.Index]
    """unit"""
    second: t.Column[t.Index]
    """unit"""
    ns: t.Column[t.Nanoseconds]
    """of a message each way"""


class HalvesMeasured(t.Columns):
    """The steps of two halves in the order in which they were measured."""

    sum_MBps: t.Column[t.PositiveNumber]
    """of all pairs, both ways"""
    slowest_ns: t.Column[t.Nanoseconds]
    """of the slowest pair, for a message each way"""
    first: t.Column[t.Index]
    """unit of the slowest pair"""
    second: t.Column[t.Index]
    """unit of the slowest pair"""


class Halves(t.Record):
    """Two halves, and how they were made."""

    kind: Literal["order", "switches", "given", "random"]
    """by number, by switches, given, or drawn"""
    steps: HalvesMeasured
    mean_ns: list[t.Nanoseconds] | None = None
    """of the pairs of each step, their mean; null in older results"""


class LeastStep(t.Record):
    """The step with the smallest sum."""

    halves: t.Index
    """index into halves"""
    step: t.Index
    """index into their steps"""
    first: t.Index
    """unit of its slowest pair"""
    second: t.Index
    """unit of its slowest pair"""
    pair_MBps: t.Figure
    """of the slowest pair, both ways"""
    full_MBps: t.Figure
    """of its pairs if each had what pairs have alone"""


class Bisection(t.Record):
    """What crosses halves of the units, all pairs of a step at the same time."""

    alone: PairsAlone
    halves: t.Many[Halves]
    """in the order of measuring"""
    minimum: LeastStep | None
    """null where no step was measured"""
    took_s: t.Seconds
    """all of it"""


class PerHost(t.Columns):
    """What pairs of hosts reach by so many processes of each: some alone, and all at once."""

    processes: t.Column[t.Positive]
    """of each host"""
    traffic: t.Column[TrafficName]
    """one way, both ways, or short messages one way"""
    pairs: t.Column[t.Positive]
    """of hosts at once; one stands for some in turn"""
    ns: t.Column[PerHostTimes]
    """of the pairs, for an exchange"""
    rate: t.Column[t.PositiveNumber]
    """of the pair in the middle: MB/s one way or of both ways together, or messages per second"""


class NoAnswer(t.Record):
    """A meeting that did not end within the limit, counted from 0."""

    pass_: t.Index = Field(alias="pass")
    """from 0; behind those of rounds one of retests, for the bisection, for processes per host"""
    round: t.Index
    """from 0"""
    silent: list[t.Index]
    """units that gave no sign"""
    waiting: list[Annotated[list[t.Index], Field(min_length=2, max_length=2)]]
    """pairs that did not end, where all units gave a sign"""


class Port(t.Record):
    """A physical port of a host's network."""

    name: t.Name
    """of the port"""
    kind: Literal["infiniband", "ethernet"]
    """of network"""
    rate_MBps: t.Figure
    """of one direction; null where not active or not known"""
    state: t.Name
    """in the words of the system"""


class HostHardware(t.Record):
    """What the system of each of some equal hosts says of its network."""

    hosts: t.LongText
    """folded as in host_list"""
    network: t.Many[Port]
    """physical ports"""
    pcie_below_maximum: t.Many[t.Text]
    """PCIe links below the lesser of their two ends: address, kind, lanes or GT/s"""


class Roofs(t.Record):
    """What the hardware allows, as far as the run found out."""

    copy_MBps_per_process: t.Figure
    """bytes copied memory to memory, all processes at the same time"""
    hosts: list[HostHardware]
    """groups of hosts with the same hardware"""
    took_s: t.Seconds
    """to find out"""


class PairsSummary(t.Record):
    """Medians over all pairs, and what the network as a whole gave."""

    pair_MBps: Annotated[t.Figure, t.Shown("a pair of processes, each way")]
    """large messages of one process, each way"""
    latency_us: Annotated[t.Figure, t.Shown("exchange of 1 byte")]
    """an exchange of short messages"""
    bisection_MBps: Annotated[t.Figure, t.weighed("bisection, least step", decides=True)] = None
    """least step, both ways"""
    bisection_mean_MBps: Annotated[t.Figure, t.weighed("bisection, mean of steps")] = None
    """mean of the steps"""
    bisection_maximum_MBps: Annotated[t.Figure, t.weighed("bisection, best step")] = None
    """best step"""
    bisection_by_mean_time_MBps: Annotated[
        t.Figure, t.weighed("bisection, least step by the mean time of its pairs")
    ] = None
    """least step, all bytes / mean time of its pairs (LinkTest)"""
    bisection_percent: Annotated[t.Figure, t.weighed("bisection, of what pairs have alone")] = None
    """of what its pairs have alone"""
    host_MBps: Annotated[t.Figure, t.weighed("a host alone, one way", decides=True)] = None
    """pairs of hosts alone, the one in the middle, one way, at best"""
    host_both_ways_MBps: Annotated[t.Figure, t.weighed("a host alone, both ways")] = None
    """both ways together, at best"""
    host_processes: Annotated[
        t.Positive | None, t.weighed("processes of a host that reach it one way")
    ] = None
    """the fewest that reach 95 % of host_MBps"""
    host_messages_per_s: Annotated[
        t.Figure, t.weighed("messages of a host alone", decides=True)
    ] = None
    """of 8 byte, one way, at best"""
    host_messages_processes: Annotated[
        t.Positive | None, t.weighed("processes of a host that reach it")
    ] = None
    """the fewest that reach 95 % of it"""


class BPairsResult(MeasuredHead):
    """A result of b_pairs."""

    benchmark: Literal["b_pairs"]
    """the program"""
    definition: Literal["1"]
    """of what is measured and who meets"""
    summary: PairsSummary
    plan: PairsPlan
    passes: Passes
    retests: Retests
    bisection: Bisection | None = None
    """null where not asked for"""
    per_host: PerHost | None = None
    """null where not asked for"""
    no_answer: NoAnswer | None
    """null, or where the run hung"""
    roofs: Roofs | None = None
    """null where nothing is known"""
    took_s: t.Seconds
    """from the start of the measurement to the end of the last meeting of the map and its retests
    """
    digest: Digest


_MOST = 10**8
Units = Annotated[str, Field(pattern=r"^\d{1,7}( \d{1,7})*$", max_length=_MOST)]
"""Numbers of units with blanks between them."""
PairTimes = Annotated[
    str, Field(pattern=r"^([1-9]\d{0,14}|-)( ([1-9]\d{0,14}|-))*$", max_length=_MOST)
]
"""Whole ns with blanks between them; - : not measured."""


class MapMachine(t.Record):
    """The hosts of the map, in the order of its units."""

    host_list: t.LongText
    """names of the hosts, folded"""
    hosts: t.NotEmpty[Host]
    """with one process each: how many is not known"""
    nodes: t.Processes
    """how many hosts"""
    processes: t.Processes
    """as many as hosts"""
    started_at: t.Moment | None
    """the first time that is stated; null: none is"""

    @model_validator(mode="after")
    def _lists_agree(self) -> "MapMachine":
        t.require_length("hosts", len(self.hosts), "nodes", self.nodes)
        return self


class ImportedPlan(t.Record):
    """What was measured between two hosts."""

    unit: Literal["host"]
    """pairs are of hosts"""
    units: Annotated[t.Processes, Field(ge=2)]
    """how many"""
    measured_by: t.Name
    """program and test; maps of others are not comparable"""
    small_bytes: t.Count | None
    """null where no short messages were measured"""
    large_bytes: t.Positive | None
    """null where no long messages were measured"""
    ways: Literal["each", "one"]
    """whether messages went each way of a pair, or one way"""


class Meetings(t.Record):
    """Each measurement of a pair: its two units, the lower number first, and what it took."""

    first: Units
    """unit, the lower number"""
    second: Units
    """unit, the higher one"""
    round: Units | None
    """equal where pairs were measured at the same time"""
    small_ns: PairTimes | None
    """of a short message, of two directions the slower one; - : not measured"""
    large_ns: PairTimes | None
    """of a long one, likewise"""

    @model_validator(mode="after")
    def _columns_agree(self) -> "Meetings":
        length = self.first.count(" ")
        for name in ("second", "round", "small_ns", "large_ns"):
            column = getattr(self, name)
            if column is not None:
                t.require_length(name, column.count(" ") + 1, "first", length + 1)
        return self


class ImportedPairs(ImportedHead):
    """A map of pairs from figures that another program printed."""

    benchmark: Literal["b_pairs"]
    """the program whose maps it is like"""
    definition: Literal["none"]
    """that of b_pairs was not followed"""
    environment: MapMachine
    summary: PairsSummary
    plan: ImportedPlan
    meetings: Meetings


MapResult = BPairsResult | ImportedPairs
"""A map of pairs, whoever measured it."""
