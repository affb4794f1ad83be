"""The result of b_eff; field names and units are those of the result file."""
# ruff: noqa: N815 - the field names are the contract

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from beff.result.bounds import (
    LONGEST_S,
    BySize,
    Column,
    Count,
    Figure,
    Hash64,
    Index,
    LoopSeconds,
    MessageBytes,
    Name,
    PatternId,
    Positive,
    Processes,
    Rank,
    Runs,
    Seconds,
    Seed,
    SizeIndex,
    SomeFew,
    Text,
    Unique,
)
from beff.result.environment import Machine
from beff.result.numbers import MIB
from beff.result.record import Columns, Record, Shown
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
MessageSizes = Annotated[BySize[Positive], Field(description="in ascending order")]


class Pattern(Record):
    """A communication pattern and its figures."""

    id: PatternId = Field(description="samples refer to patterns by it")
    name: Name = Field(description="in words")
    group: Literal["ring", "random", "additional"] = Field(description="of patterns")
    averaged: bool = Field(description="enters the value by this definition")
    processes: Annotated[Processes, Field(ge=2)] = Field(description="processes that take part")
    messages: Positive = Field(description="messages of all processes in one iteration")
    ring_sizes: Runs[Annotated[Processes, Field(ge=2)]] = Field(
        description="in order, equal neighbours counted: 4x15 3; empty for what is no set of rings"
    )
    seed: Seed | None = Field(description="of a random ring")
    bandwidth_MBps: Figure = Field(description="average over the sizes of the best official sample")
    bandwidth_by_size_MBps: BySize[Figure] = Field(description="that best, size by size")
    bandwidth_by_method_MBps: Annotated[
        dict[Method, Figure], Field(json_schema_extra={"additionalProperties": False})
    ] = Field(
        description="by name, extra methods included: average over the sizes of the best repetition"
    )
    latency_us: Figure = Field(description="time of one message at 1 byte")
    repetitions: Count = Field(
        description="that have all their loops; fewer than planned where the run was ended early, 0"
        " where no method measures the pattern"
    )
    leaving_messages: Count | None = Field(
        default=None,
        description="messages of an iteration that leave the host which sends most to others; null"
        " where not measured",
    )
    release_3_6_MBps: Figure = Field(
        default=None,
        description="of pattern 0 with an odd number of processes: the average as release 3.6 has"
        " it; null where not measured or not known (of a journal)",
    )
    release_3_6_by_size_MBps: BySize[Figure] | None = Field(
        default=None, description="its figures by size, likewise"
    )


class Samples(Columns):
    """The timed loops in the order of measuring: an entry for each in lists of equal length.

    MB/s are `message_sizes_bytes[size]` · `messages` · `loop_length` / `time_max_s` / 10^6.
    """

    pattern: Column[PatternId] = Field(description="its id")
    size: Column[SizeIndex] = Field(description="index into message_sizes_bytes")
    method: Column[Index] = Field(description="index into methods")
    repetition: Column[Index] = Field(description="counted from 0")
    loop_length: Column[Positive] = Field(description="iterations")
    time_max_s: Column[LoopSeconds] = Field(description="whole loop, slowest process")
    time_avg_s: Column[Seconds] = Field(
        description="whole loop, mean over the processes that take part"
    )
    time_min_s: Column[Seconds] = Field(description="whole loop, fastest process")
    slowest_rank: Column[Rank] = Field(description="rank in MPI_COMM_WORLD that took time_max_s")

    def __len__(self) -> int:
        return len(self.pattern)

    def chosen(self, rows: Sequence[int]) -> "Samples":
        """Return some of the loops."""
        columns = {name: getattr(self, name) for name in self.columns()}
        return self.model_copy(
            update={name: [column[row] for row in rows] for name, column in columns.items()}
        )


class DataCheck(Record):
    """Outcome of checking the first and last byte of received messages."""

    enabled: bool = Field(description="false with --no-check, and in a recovered result")
    messages_checked: Count = Field(description="received by all processes, warm-up included")
    wrong_messages: Count = Field(description="of these")
    first_error: Text | None = Field(
        description="the first wrong message on the lowest rank that saw one, in words"
    )


class Accounting(Record):
    """Where the elapsed time went."""

    elapsed_s: Seconds = Field(description="from before the first loop to behind the last, rank 0")
    loops_s: Seconds = Field(description="sum of time_max_s")
    latency_s: Seconds = Field(description="the quick latency measurements")
    warm_up_s: Seconds = Field(description="unmeasured iterations")
    preparation_and_checks_s: Seconds = Field(description="preparing loops, checking data")
    unaccounted_s: Annotated[float, Field(ge=-LONGEST_S, le=LONGEST_S)] = Field(
        description="the rest: barriers, agreement, waiting for slower processes, interruptions;"
        " rounding can make it slightly negative"
    )


class Summary(Record):
    """The figures of Table 1 and those reported with them."""

    b_eff_MBps: Annotated[Figure, Shown("b_eff", weighed=True, decides=True)] = Field(
        description="the value"
    )
    b_eff_per_process_MBps: Annotated[Figure, Shown("b_eff per process", weighed=True)] = Field(
        description="the value / processes"
    )
    rings_MBps: Annotated[Figure, Shown("rings", weighed=True, decides=True)] = Field(
        description="one half of the value; in definition 3.1 of the Cartesian patterns"
    )
    random_MBps: Annotated[Figure, Shown("random rings", weighed=True, decides=True)] = Field(
        description="the other half"
    )
    at_lmax_MBps: Annotated[Figure, Shown("b_eff at L_max", weighed=True, decides=True)] = Field(
        description="rings and random at L_max"
    )
    at_lmax_per_process_MBps: Annotated[
        Figure, Shown("b_eff at L_max per process", weighed=True)
    ] = Field(description="that / processes")
    rings_at_lmax_per_process_MBps: Annotated[
        Figure, Shown("rings at L_max per process", weighed=True)
    ] = Field(description="rings alone, at L_max, / processes")
    pingpong_MBps: Annotated[Figure, Shown("ping-pong at L_max", weighed=True)] = Field(
        description="of the ping-pong at L_max"
    )
    latency_us: Annotated[Figure, Shown("latency", weighed=True, decides=True)] = Field(
        description="of a message of 1 byte while all processes send, rings and random"
    )
    rings_latency_us: Annotated[Figure, Shown("latency in rings", weighed=True)] = Field(
        description="likewise, rings alone"
    )
    pingpong_latency_us: Annotated[Figure, Shown("latency of ping-pong", weighed=True)] = Field(
        description="of the ping-pong at 1 byte"
    )
    rings_at_lmax_MBps: Annotated[Figure, Shown("rings at L_max")] = Field(
        description="rings alone, at L_max"
    )
    lmax_bytes: Annotated[MessageBytes, Shown("L_max")] = Field(
        description="L_max, the longest message"
    )
    total_memory_exchange_s: Annotated[Figure, Shown("total memory / b_eff")] = Field(
        description="total memory / b_eff; null in the short class"
    )
    rmax_gflops: Annotated[Figure, Shown("R_max")] = Field(
        description="R_max in 10^9 flop/s, by --rmax, of the program or of beff show"
    )
    balance_bytes_per_flop: Annotated[Figure, Shown("b_eff / R_max")] = Field(
        description="b_eff / R_max"
    )


class Digest(Record):
    """Hash of the samples."""

    algorithm: Literal["fnv1a64"] = Field(description="64-bit FNV-1a")
    samples: Hash64 = Field(description="hash of all samples, or of the raw columns of a map")


class BEffResult(MeasuredHead):
    """A result of b_eff."""

    benchmark: Literal["b_eff"] = Field(description="the program")
    definition: Definition
    summary: Summary
    message_sizes_bytes: MessageSizes
    methods: Annotated[Unique[Method], Field(max_length=20)] = Field(
        description="names of the methods measured; samples refer to them by index, from 0"
    )
    patterns: SomeFew[Pattern] = Field(description="those measured, in the order of their ids")
    data_check: DataCheck
    accounting: Accounting
    digest: Digest
    samples: Samples


class ImportedBEff(ImportedHead):
    """Figures of b_eff that another program printed, taken over by beff import.

    What was not printed is null or missing.
    """

    benchmark: Literal["b_eff"] = Field(description="the program")
    definition: Definition
    environment: Machine
    summary: Summary
    message_sizes_bytes: MessageSizes


BEffFigures = BEffResult | ImportedBEff
"""Figures of b_eff, whoever measured them."""
