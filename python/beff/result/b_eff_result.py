"""The result of b_eff; field names and units are those of the result file."""
# ruff: noqa: N815 - the field names are the contract

from collections.abc import Sequence
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
from beff.result.result_parts import (
    Columns,
    ImportedHead,
    Machine,
    MeasuredHead,
    Record,
    Shown,
)

Method = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,39}$")]
"""The name of a method: of the official ones or of any other, which enters no value."""
Definition = Literal["3.5", "3.1", "short-1"]


class Pattern(Record):
    """A communication pattern and its figures."""

    id: PatternId
    name: Name
    group: Literal["ring", "random", "additional"]
    averaged: bool = Field(description="enters the value by this definition")
    processes: Annotated[Processes, Field(ge=2)] = Field(description="processes that take part")
    messages: Positive = Field(description="messages of all processes in one iteration")
    ring_sizes: Runs[Annotated[Processes, Field(ge=2)]]
    seed: Seed | None
    bandwidth_MBps: Figure
    bandwidth_by_size_MBps: BySize[Figure]
    bandwidth_by_method_MBps: Annotated[
        dict[Method, Figure], Field(json_schema_extra={"additionalProperties": False})
    ]
    latency_us: Figure = Field(description="time of one message at 1 byte")
    repetitions: Count = Field(description="repetitions that have all their loops")
    leaving_messages: Count | None = Field(
        default=None,
        description="messages of an iteration that leave the host which sends most to others",
    )
    release_3_6_MBps: Figure = Field(
        default=None, description="pattern 0 with odd n: the average as release 3.6 has it"
    )
    release_3_6_by_size_MBps: BySize[Figure] | None = None


class Samples(Columns):
    """The timed loops, one entry per loop."""

    pattern: Column[PatternId]
    size: Column[SizeIndex] = Field(description="index into message_sizes_bytes")
    method: Column[Index] = Field(description="index into methods")
    repetition: Column[Index] = Field(description="counted from 0")
    loop_length: Column[Positive]
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

    enabled: bool
    messages_checked: Count
    wrong_messages: Count
    first_error: Text | None


class Accounting(Record):
    """Where the elapsed time went."""

    elapsed_s: Seconds
    loops_s: Seconds
    latency_s: Seconds
    warm_up_s: Seconds
    preparation_and_checks_s: Seconds
    unaccounted_s: Annotated[float, Field(ge=-LONGEST_S, le=LONGEST_S)]


class Summary(Record):
    """The figures of Table 1 and those reported with them."""

    b_eff_MBps: Annotated[Figure, Shown("b_eff", weighed=True, decides=True)]
    b_eff_per_process_MBps: Annotated[Figure, Shown("b_eff per process", weighed=True)]
    rings_MBps: Annotated[Figure, Shown("rings", weighed=True, decides=True)]
    random_MBps: Annotated[Figure, Shown("random rings", weighed=True, decides=True)]
    at_lmax_MBps: Annotated[Figure, Shown("b_eff at L_max", weighed=True, decides=True)]
    at_lmax_per_process_MBps: Annotated[Figure, Shown("b_eff at L_max per process", weighed=True)]
    rings_at_lmax_per_process_MBps: Annotated[
        Figure, Shown("rings at L_max per process", weighed=True)
    ]
    pingpong_MBps: Annotated[Figure, Shown("ping-pong at L_max", weighed=True)]
    latency_us: Annotated[Figure, Shown("latency", weighed=True, decides=True)]
    rings_latency_us: Annotated[Figure, Shown("latency in rings", weighed=True)]
    pingpong_latency_us: Annotated[Figure, Shown("latency of ping-pong", weighed=True)]
    rings_at_lmax_MBps: Annotated[Figure, Shown("rings at L_max")]
    lmax_bytes: Annotated[MessageBytes, Shown("L_max")]
    total_memory_exchange_s: Annotated[Figure, Shown("total memory / b_eff")]
    rmax_gflops: Annotated[Figure, Shown("R_max")]
    balance_bytes_per_flop: Annotated[Figure, Shown("b_eff / R_max")]


class Digest(Record):
    """Hash of the samples."""

    algorithm: Literal["fnv1a64"]
    samples: Hash64


class BEffResult(MeasuredHead):
    """A result of b_eff."""

    benchmark: Literal["b_eff"]
    definition: Definition
    summary: Summary
    message_sizes_bytes: BySize[Positive]
    methods: Annotated[Unique[Method], Field(max_length=20)]
    patterns: SomeFew[Pattern]
    data_check: DataCheck
    accounting: Accounting
    digest: Digest
    samples: Samples


class ImportedBEff(ImportedHead):
    """Figures of b_eff that another program printed, taken over by beff import.

    What was not printed is null or missing.
    """

    benchmark: Literal["b_eff"]
    definition: Definition
    environment: Machine
    summary: Summary
    message_sizes_bytes: BySize[Positive]


BEffFigures = BEffResult | ImportedBEff
"""Figures of b_eff, whoever measured them."""
