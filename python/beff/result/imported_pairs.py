"""A map of pairs that another program measured; field names and units are those of the file."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beff.result.b_pairs_result import BPairsResult, PairsSummary
from beff.result.bounds import Count, LongText, Moment, Name, NotEmpty, Positive, Processes
from beff.result.environment import Host
from beff.result.record import Record, require_length
from beff.result.result_parts import ImportedHead

_MOST = 10**8
Units = Annotated[str, Field(pattern=r"^\d{1,7}( \d{1,7})*$", max_length=_MOST)]
"""Numbers of units with blanks between them."""
PairTimes = Annotated[
    str, Field(pattern=r"^([1-9]\d{0,14}|-)( ([1-9]\d{0,14}|-))*$", max_length=_MOST)
]
"""Whole ns with blanks between them; - : not measured."""


class MapMachine(Record):
    """The hosts of the map, in the order of its units."""

    host_list: LongText = Field(description="names of the hosts, folded")
    hosts: NotEmpty[Host] = Field(description="with one process each: how many is not known")
    nodes: Processes = Field(description="how many hosts")
    processes: Processes = Field(description="as many as hosts")
    started_at: Moment | None = Field(description="the first time that is stated; null: none is")

    @model_validator(mode="after")
    def _lists_agree(self) -> "MapMachine":
        require_length("hosts", len(self.hosts), "nodes", self.nodes)
        return self


class ImportedPlan(Record):
    """What was measured between two hosts."""

    unit: Literal["host"] = Field(description="pairs are of hosts")
    units: Annotated[Processes, Field(ge=2)] = Field(description="how many")
    measured_by: Name = Field(description="program and test; maps of others are not comparable")
    small_bytes: Count | None = Field(description="null where no short messages were measured")
    large_bytes: Positive | None = Field(description="null where no long messages were measured")
    ways: Literal["each", "one"] = Field(
        description="whether messages went each way of a pair, or one way"
    )


class Meetings(Record):
    """Each measurement of a pair: its two units, the lower number first, and what it took."""

    first: Units = Field(description="unit, the lower number")
    second: Units = Field(description="unit, the higher one")
    round: Units | None = Field(description="equal where pairs were measured at the same time")
    small_ns: PairTimes | None = Field(
        description="of a short message, of two directions the slower one; - : not measured"
    )
    large_ns: PairTimes | None = Field(description="of a long one, likewise")

    @model_validator(mode="after")
    def _columns_agree(self) -> "Meetings":
        length = self.first.count(" ")
        for name in ("second", "round", "small_ns", "large_ns"):
            column = getattr(self, name)
            if column is not None:
                require_length(name, column.count(" ") + 1, "first", length + 1)
        return self


class ImportedPairs(ImportedHead):
    """A map of pairs from figures that another program printed."""

    benchmark: Literal["b_pairs"] = Field(description="the program whose maps it is like")
    definition: Literal["none"] = Field(description="that of b_pairs was not followed")
    environment: MapMachine
    summary: PairsSummary
    plan: ImportedPlan
    meetings: Meetings


MapResult = BPairsResult | ImportedPairs
"""A map of pairs, whoever measured it."""
