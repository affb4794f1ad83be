"""What the models of a result file are made of: records, tables as columns, and the bounds of both.

Fields of the models are declared with these types, so a bound stands here and nowhere else.
"""

import re
from collections import namedtuple
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import partial
from itertools import groupby
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    GetCoreSchemaHandler,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from beff.result.numbers import as_list

Item = TypeVar("Item")
Table = TypeVar("Table", bound="Columns")
Row = dict[str, Any]
"""A row of data, by names of columns."""


class Record(BaseModel):
    """Part of a result file: never changed after reading; unknown fields are ignored.

    Validators are built when a file is read: a command's --help needs none.
    """

    model_config = ConfigDict(
        frozen=True, extra="ignore", allow_inf_nan=False, strict=True, defer_build=True
    )


@dataclass(frozen=True)
class Shown:
    """What readers call a figure of the summary; `{}` stands for its `parts`, where it has some.

    `weighed` against those of other runs; comparisons rest on those that `decide`.
    """

    label: str
    weighed: bool = False
    decides: bool = False
    parts: tuple[str, ...] = ("",)


def weighed(label: str, *, decides: bool = False) -> Shown:
    """Return how a figure is shown that is weighed against those of other runs."""
    return Shown(label, weighed=True, decides=decides)


class Columns(Record):
    """A table as columns of equal length; the digest takes all, or those of `DIGESTED`."""

    DIGESTED: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Names of the columns in the order of the file."""
        return tuple(cls.model_fields)

    def __len__(self) -> int:
        return len(getattr(self, self.columns()[0]))

    def rows(self) -> list[Any]:
        """Return the rows one by one, as named tuples of the cells."""
        names = self.columns()
        cells = (as_list(getattr(self, name)) for name in names)
        return list(map(namedtuple("Row", names), *cells))

    def chosen(self: Table, rows: Sequence[int]) -> Table:
        """Return some of the rows."""
        kept = {name: [getattr(self, name)[row] for row in rows] for name in self.columns()}
        return self.model_copy(update=kept)

    def digested(self) -> list[tuple[str, Any]]:
        """Name and cells of the columns that the digest takes, in its order."""
        return [(name, getattr(self, name)) for name in self.DIGESTED or self.columns()]

    @model_validator(mode="after")
    def _have_equal_lengths(self) -> "Columns":
        first, *others = self.columns()
        for name in others:
            require_length(name, len(getattr(self, name)), first, len(getattr(self, first)))
        return self


def require_length(name: str, count: int, sibling: str, expected: int) -> None:
    """Refuse a list whose length is not what another field says."""
    if count != expected:
        raise PydanticCustomError(
            "length",
            "{name} has {found} entries, but {sibling} asks for {expected}",
            {"name": name, "found": count, "sibling": sibling, "expected": expected},
        )


MOST_PROCESSES = 2**31 - 1
"""MPI counts processes in an int."""
LONGEST_S = 1e10
"""Seconds, some 300 years."""
LARGEST_FIGURE = 1e15
"""Of bandwidths in MB/s (10^21 byte/s), rates in GFLOP/s and times in us: above all there are."""
SIZES = 21
"""Message sizes of b_eff."""
OFFICIAL_TYPES = range(5)
"""Types of b_eff_io that enter the value."""
LONGEST_HOST_NAME = 255
"""Of a host in the Domain Name System (RFC 1035)."""

Name = Annotated[str, Field(max_length=1_000)]
Text = Annotated[str, Field(max_length=10_000)]
HostName = Annotated[str, Field(max_length=LONGEST_HOST_NAME)]
LongText = Annotated[str, Field(max_length=1_000_000)]
"""What grows with the number of hosts: lists of them, command lines."""
Hash = Annotated[str, Field(pattern="^([0-9a-f]{8}){1,2}$")]

Count = Annotated[int, Field(ge=0, le=2**63 - 1)]
Positive = Annotated[int, Field(ge=1, le=2**63 - 1)]
Processes = Annotated[int, Field(ge=1, le=MOST_PROCESSES)]
Index = Annotated[int, Field(ge=0, lt=MOST_PROCESSES)]
"""A rank, the number of a pattern or type, or a place in another list of the result, from 0."""
Cores = Annotated[int, Field(ge=0, le=10**7)]
"""Of one node."""
SizeIndex = Annotated[int, Field(ge=0, lt=SIZES)]
Seed = Annotated[int, Field(ge=0, le=2**53 - 1)]
"""Up to here readers that know only doubles read an integer exactly."""
Nanoseconds = Annotated[int, Field(ge=1, le=10**15)]
"""Up to some 11 days."""
Seconds = Annotated[float, Field(ge=0, le=LONGEST_S)]
PositiveSeconds = Annotated[float, Field(ge=1e-9, le=LONGEST_S)]
"""No clock is read in less."""
NotNegative = Annotated[float, Field(ge=0, le=LARGEST_FIGURE)]
PositiveNumber = Annotated[float, Field(gt=0, le=LARGEST_FIGURE)]
Figure = PositiveNumber | None
"""A measured figure, or None where it was not measured."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Numbers:
    """Says what each number of a NumPy column is; of an array, both ends show it."""

    each: Any

    def __get_pydantic_core_schema__(self, _: Any, build: GetCoreSchemaHandler) -> CoreSchema:
        """Return how the column is read, of an array or a list."""
        number: Any = build.generate_schema(self.each)

        def column(stored: Any, read: Callable[[Any], list[Any]]) -> NDArray[Any]:
            if isinstance(stored, np.ndarray):
                with suppress(ValueError):
                    read([stored.min().item(), stored.max().item()])
                    return stored.astype(number["type"], copy=False)
            return np.array(read(as_list(stored)), number["type"])

        items = core_schema.list_schema(number, fail_fast=True)
        return core_schema.no_info_wrap_validator_function(column, items)


Column = Annotated[list[Item], FailFast(), BeforeValidator(as_list)]
"""A column of a table of many rows; of its errors only the first is reported."""
BySize = Annotated[list[Item], Field(min_length=SIZES, max_length=SIZES)]
NotEmpty = Annotated[list[Item], Field(min_length=1)]
SomeFew = Annotated[list[Item], Field(min_length=1, max_length=200)]
"""What there is a handful of on the largest machine, too."""
Many = Annotated[list[Item], Field(max_length=10_000)]


def moment_of(text: str) -> datetime:
    """Return a time of a result, a `Moment`, with its time zone. Raises ValueError."""
    zone = text[19:].lstrip(".0123456789")
    fraction = text[19 : len(text) - len(zone)]
    whole = datetime.fromisoformat(f"{text[:19]}{'+00:00' if zone in 'Zz' else zone}")
    return whole + timedelta(seconds=float(fraction or 0))


def of_a_clock(text: str) -> str:
    """Return a time of a result as it is. Raises ValueError where no clock shows it."""
    if not 1970 <= moment_of(text).year < 2300:
        raise ValueError("is no year of a clock")
    return text


Moment = Annotated[
    str,
    Field(
        max_length=40,
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$",
        json_schema_extra={"format": "date-time"},
    ),
    AfterValidator(of_a_clock),
]
"""RFC 3339, from 1970, where clocks begin that were never set, to 2299: they end in 2262."""


def not_yet(moment: datetime, now: datetime | None = None) -> str | None:
    """Say so of a time that lies more than a day ahead; None of any other."""
    now = now or datetime.now(timezone.utc)
    if moment - now <= timedelta(days=1):
        return None
    return f"measured on {moment:%Y-%m-%d}, which is not yet: a clock was wrong"


_MOST = 10**7
"""Numbers in a list: what one of the largest machines has, and memory bears."""
_RUNS = r"^(\d{1,10}(x\d{1,8})?( \d{1,10}(x\d{1,8})?)*)?$"
_OF_HOSTS = r"^(\d{1,18}|-)(x\d{1,8})?( (\d{1,18}|-)(x\d{1,8})?)*$"


def runs_text(numbers: Sequence[int]) -> str:
    """Return numbers as they are stored, with equal neighbours counted."""
    runs = ((number, sum(1 for _ in equal)) for number, equal in groupby(numbers))
    return " ".join(f"{number}x{count}" if count > 1 else str(number) for number, count in runs)


def expanded(stored: Any, pattern: str = _RUNS) -> Any:
    """Return the numbers of a text, None for -. Raises ValueError for anything else."""
    if not isinstance(stored, str) or not re.fullmatch(pattern, stored, re.ASCII):
        raise ValueError("must be numbers such as 0x16 1x16 2")
    parts = (run.partition("x") for run in stored.split())
    runs = [(None if one == "-" else int(one), int(count or 1)) for one, _, count in parts]
    if sum(count for _, count in runs) > _MOST:
        raise ValueError(f"stands for more than {_MOST} numbers")
    return [number for number, count in runs for _ in range(count)]


Runs = Annotated[
    list[Item],
    BeforeValidator(expanded),
    WithJsonSchema({"type": "string", "pattern": _RUNS}),
]
"""Numbers with equal neighbours counted, as a text."""
OfHosts = Annotated[
    list[int | None],
    BeforeValidator(partial(expanded, pattern=_OF_HOSTS)),
    WithJsonSchema({"maxLength": _MOST, "pattern": _OF_HOSTS, "type": "string"}),
]
"""Likewise a number for each host; - : not known."""
