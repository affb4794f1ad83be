"""The result of b_eff; field names and units are those of the result file."""
# ruff: noqa: N815 - the field names are the contract

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from beff.result import bounds as t
from beff.result.environment import Machine
from beff.result.numbers import BYTES_PER_MB, MIB
from beff.result.result_parts import ImportedHead, MeasuredHead


@dataclass(frozen=True)
class Rules:
    """What a definition of the value has of its own (docs/reference/definitions.md).

    `value` is what the value is called. The first group are rings, else cyclic grids. Loop lengths
    follow from measured times, else from the sizes. L_max is of `memory_bytes`, whatever there is,
    or of the memory of a process where it is None. Valid are REPETITIONS, or any number of whole
    ones. Only a published definition gives values for lists, beside those of papers and of R_max.
    """

    value: str = "b_eff"
    is_published: bool = True
    rings_first: bool = True
    timed_lengths: bool = True
    shortest_loop_s: float = 2.5e-3
    memory_bytes: int | None = None
    any_repetitions: bool = False


RULES: Mapping[str, Rules] = MappingProxyType(
    {
        "3.5": Rules(),
        "3.1": Rules(rings_first=False, timed_lengths=False),
        "short-1": Rules(
            value="b_eff short",
            is_published=False,
            shortest_loop_s=1e-3,
            memory_bytes=8 * MIB,
            any_repetitions=True,
        ),
    }
)
PUBLISHED = tuple(name for name, rules in RULES.items() if rules.is_published)


def why_alone(definition: str) -> str:
    """Say why a value stands in no list, beside no paper and no R_max; nothing where it may."""
    if RULES[definition].is_published:
        return ""
    return f"is of definition {definition}, which compares with its own kind only"


Method = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,39}$")]
"""The name of a method: of the official ones or of any other, which enters no value."""
Definition = Annotated[
    Literal["3.5", "3.1", "short-1"],
    Field(description="of the value: docs/reference/definitions.md"),
]
MessageSizes = Annotated[t.BySize[t.Positive], Field(description="in ascending order")]


class Pattern(t.Record):
    """A communication pattern and its figures."""

    id: t.Index
    """samples refer to patterns by it"""
    name: t.Name
    """in words"""
    group: Literal["ring", "random", "additional"]
    """of patterns"""
    averaged: bool
    """enters the value by this definition"""
    processes: Annotated[t.Processes, Field(ge=2)]
    """processes that take part"""
    messages: t.Positive
    """messages of all processes in one iteration"""
    ring_sizes: t.Runs[Annotated[t.Processes, Field(ge=2)]]
    """in order, equal neighbours counted: 4x15 3; empty for what is no set of rings"""
    seed: t.Seed | None
    """of a random ring"""
    bandwidth_MBps: t.Figure
    """average over the sizes of the best official sample"""
    bandwidth_by_size_MBps: t.BySize[t.Figure]
    """that best, size by size"""
    bandwidth_by_method_MBps: Annotated[
        dict[Method, t.Figure], Field(json_schema_extra={"additionalProperties": False})
    ]
    """by name, extra methods included: average over the sizes of the best repetition"""
    latency_us: t.Figure
    """time of one message at 1 byte"""
    repetitions: t.Count
    """that have all their loops; fewer than planned where the run was ended early, 0 where no
    method measures the pattern"""
    leaving_messages: t.Count | None = None
    """messages of an iteration that leave the host which sends most to others; null where not
    measured"""
    release_3_6_MBps: t.Figure = None
    """of pattern 0 with an odd number of processes: the average as release 3.6 has it; null where
    not measured or not known (of a journal)"""
    release_3_6_by_size_MBps: t.BySize[t.Figure] | None = None
    """its figures by size, likewise"""


class Samples(t.Columns):
    """The timed loops in the order of measuring: an entry for each in lists of equal length.

    MB/s are `message_sizes_bytes[size]` · `messages` · `loop_length` / `time_max_s` / 10^6.
    """

    pattern: Annotated[t.Ints, t.Numbers(t.Index)]
    """its id"""
    size: Annotated[t.Ints, t.Numbers(t.SizeIndex)]
    """index into message_sizes_bytes"""
    method: Annotated[t.Ints, t.Numbers(t.Index)]
    """index into methods"""
    repetition: Annotated[t.Ints, t.Numbers(t.Index)]
    """counted from 0"""
    loop_length: Annotated[t.Ints, t.Numbers(t.Positive)]
    """iterations"""
    time_max_s: Annotated[t.Floats, t.Numbers(t.PositiveSeconds)]
    """whole loop, slowest process"""
    time_avg_s: Annotated[t.Floats, t.Numbers(t.Seconds)]
    """whole loop, mean over the processes that take part"""
    time_min_s: Annotated[t.Floats, t.Numbers(t.Seconds)]
    """whole loop, fastest process"""
    slowest_rank: Annotated[t.Ints, t.Numbers(t.Index)]
    """rank in MPI_COMM_WORLD that took time_max_s"""


class DataCheck(t.Record):
    """Outcome of checking the first and last byte of received messages."""

    enabled: bool
    """false with --no-check, and in a recovered result"""
    messages_checked: t.Count
    """received by all processes, warm-up included"""
    wrong_messages: t.Count
    """of these"""
    first_error: t.Text | None
    """the first wrong message on the lowest rank that saw one, in words"""


class Accounting(t.Record):
    """Where the elapsed time went."""

    elapsed_s: t.Seconds
    """from before the first loop to behind the last, rank 0"""
    loops_s: t.Seconds
    """sum of time_max_s"""
    latency_s: t.Seconds
    """the quick latency measurements"""
    warm_up_s: t.Seconds
    """unmeasured iterations"""
    preparation_and_checks_s: t.Seconds
    """preparing loops, checking data"""
    unaccounted_s: Annotated[float, Field(ge=-t.LONGEST_S, le=t.LONGEST_S)]
    """the rest: barriers, agreement, waiting for slower processes, interruptions; rounding can make
    it slightly negative"""


class Summary(t.Record):
    """The figures of Table 1 and those reported with them."""

    b_eff_MBps: Annotated[t.Figure, t.weighed("b_eff", decides=True)]
    """the value"""
    b_eff_per_process_MBps: Annotated[t.Figure, t.weighed("b_eff per process")]
    """the value / processes"""
    rings_MBps: Annotated[t.Figure, t.weighed("rings", decides=True)]
    """one half of the value; in definition 3.1 of the Cartesian patterns"""
    random_MBps: Annotated[t.Figure, t.weighed("random rings", decides=True)]
    """the other half"""
    at_lmax_MBps: Annotated[t.Figure, t.weighed("b_eff at L_max", decides=True)]
    """rings and random at L_max"""
    at_lmax_per_process_MBps: Annotated[t.Figure, t.weighed("b_eff at L_max per process")]
    """that / processes"""
    rings_at_lmax_per_process_MBps: Annotated[t.Figure, t.weighed("rings at L_max per process")]
    """rings alone, at L_max, / processes"""
    pingpong_MBps: Annotated[t.Figure, t.weighed("ping-pong at L_max")]
    """of the ping-pong at L_max"""
    latency_us: Annotated[t.Figure, t.weighed("latency", decides=True)]
    """of a message of 1 byte while all processes send, rings and random"""
    rings_latency_us: Annotated[t.Figure, t.weighed("latency in rings")]
    """likewise, rings alone"""
    pingpong_latency_us: Annotated[t.Figure, t.weighed("latency of ping-pong")]
    """of the ping-pong at 1 byte"""
    rings_at_lmax_MBps: Annotated[t.Figure, t.Shown("rings at L_max")]
    """rings alone, at L_max"""
    lmax_bytes: Annotated[Annotated[int, Field(ge=4097, le=2**40)], t.Shown("L_max")]
    """L_max, the longest message"""
    total_memory_exchange_s: Annotated[t.Figure, t.Shown("total memory / b_eff")]
    """total memory / b_eff; null in the short class"""
    rmax_gflops: Annotated[t.Figure, t.Shown("R_max")]
    """R_max in 10^9 flop/s, by --rmax, of the program or of beff show"""
    balance_bytes_per_flop: Annotated[t.Figure, t.Shown("b_eff / R_max")]
    """b_eff / R_max"""


class Digest(t.Record):
    """Hash of the samples."""

    algorithm: t.Name
    """crc32; hashes of others, of earlier versions, are not checked"""
    samples: t.Hash
    """hash of all samples, or of the raw columns of a map"""


class BEffResult(MeasuredHead):
    """A result of b_eff."""

    benchmark: Literal["b_eff"]
    """the program"""
    definition: Definition
    summary: Summary
    message_sizes_bytes: MessageSizes
    methods: t.SomeFew[Method]
    """names of the methods measured; samples refer to them by index, from 0"""
    patterns: t.SomeFew[Pattern]
    """those measured, in the order of their ids"""
    data_check: DataCheck
    accounting: Accounting
    digest: Digest
    samples: Samples


class ImportedBEff(ImportedHead):
    """Figures of b_eff that another program printed, taken over by beff import.

    What was not printed is null or missing.
    """

    benchmark: Literal["b_eff"]
    """the program"""
    definition: Definition
    environment: Machine
    summary: Summary
    message_sizes_bytes: MessageSizes


BEffFigures = BEffResult | ImportedBEff
"""Figures of b_eff, whoever measured them."""


def loop_samples(result: BEffResult) -> Iterator[t.Row]:
    """Yield the loops of b_eff in the order of measuring; the host is None where unknown."""
    patterns = {pattern.id: pattern for pattern in result.patterns}
    environment, sizes = result.environment, result.message_sizes_bytes
    names = [host.name for host in environment.hosts]
    hosts = dict(enumerate(names[node] for node in environment.placement))
    for sample in result.samples.rows():
        pattern, row = patterns[sample.pattern], sample._asdict()
        size_bytes = sizes[row.pop("size")]
        moved = size_bytes * pattern.messages * sample.loop_length
        yield {
            "processes": environment.processes,
            "pattern": pattern.id,
            "pattern_name": pattern.name,
            "group": pattern.group,
            "messages": pattern.messages,
            "message_size_bytes": size_bytes,
            **row,
            "method": result.methods[sample.method],
            "slowest_host": hosts.get(sample.slowest_rank),
            "bandwidth_MBps": moved / sample.time_max_s / BYTES_PER_MB,
        }
