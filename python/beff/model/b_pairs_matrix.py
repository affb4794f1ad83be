"""What b_pairs measured of a matrix of messages between ranks, as a part of its result."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beff.model.b_eff_result import DataCheck
from beff.model.bounds import Column, Count, Hash64, LongText, Positive, Rank
from beff.model.result_parts import Columns, Record, require_length

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
