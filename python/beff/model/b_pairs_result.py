"""The result of b_pairs; field names and units are those of the result file."""
# ruff: noqa: N815 - the field names are the contract

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beff.model.b_eff_result import Digest
from beff.model.bounds import (
    Column,
    Few,
    Figure,
    Index,
    LongText,
    Many,
    Name,
    Nanoseconds,
    Positive,
    Processes,
    Seconds,
    Text,
)
from beff.model.result_parts import Columns, MeasuredHead, Record, require_length

Times = Annotated[str, Field(pattern=r"^((\d{1,15}|-)( (\d{1,15}|-))*)?$", max_length=10**8)]
"""Whole ns of the pairs of a round in their order, with blanks between them; - : not measured."""


class PairsPlan(Record):
    """Who meets, in the order of the times; docs/reference/definitions-b_pairs.md."""

    unit: Literal["host", "process"]
    units: Annotated[Processes, Field(ge=2)]
    per_host: Literal["all", "one"] = Field(description="processes of a host that take part")
    rounds: Positive = Field(description="of a pass")
    small_bytes: Literal[1]
    large_bytes: Positive
    duration_s: Seconds
    most_passes: Positive


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
    """Medians over all pairs."""

    pair_MBps: Figure = Field(description="large messages of one process, each way")
    latency_us: Figure = Field(description="an exchange of short messages")


class BPairsResult(MeasuredHead):
    """A result of b_pairs."""

    benchmark: Literal["b_pairs"]
    definition: Literal["1"] = Field(description="of what is measured and who meets")
    summary: PairsSummary
    plan: PairsPlan
    passes: Passes
    retests: Retests
    no_answer: NoAnswer | None
    roofs: Roofs | None = Field(default=None, description="null where nothing is known")
    took_s: Seconds
    digest: Digest
