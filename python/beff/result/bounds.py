"""The bounds of a result: what a number, a text or a list of a result file may be.

Fields of the models are declared with these types, so a bound stands here and nowhere else.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta, timezone
from itertools import groupby
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, FailFast, Field, WithJsonSchema

Item = TypeVar("Item")

MOST_PROCESSES = 2**31 - 1
"""MPI counts processes in an int."""
MOST_64_BIT = 2**63 - 1
MOST_EXACT = 2**53 - 1
"""Up to here readers that know only doubles read an integer exactly."""
LONGEST_S = 1e10
"""Seconds, some 300 years."""
LARGEST_FIGURE = 1e15
"""Of bandwidths in MB/s (10^21 byte/s), rates in GFLOP/s and times in us: above all there are."""
SIZES = 21
"""Message sizes of b_eff."""
MOST_PATTERN = 99
"""Numbers of patterns and types have room for new ones; verification knows those that there are."""
MOST_TYPE = 19
OFFICIAL_TYPES = range(5)
"""Types of b_eff_io that enter the value."""
MOST_PRINTED_PATTERN = 9999
"""Numbers of patterns of imported results, which are none of this program's own."""

Name = Annotated[str, Field(max_length=1_000)]
Text = Annotated[str, Field(max_length=10_000)]
LONGEST_HOST_NAME = 255
HostName = Annotated[str, Field(max_length=LONGEST_HOST_NAME)]
"""Of a host in the Domain Name System (RFC 1035)."""
LongText = Annotated[str, Field(max_length=1_000_000)]
"""What grows with the number of hosts: lists of them, command lines."""
Hash64 = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


def _on_a_day(moment: str) -> str:
    date.fromisoformat(moment[:10])  # raises ValueError where the month has no such day
    return moment


_DAY = r"(19[7-9]\d|2[0-2]\d\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
_TIME = r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?"
Moment = Annotated[
    str,
    Field(
        max_length=40,
        pattern=rf"^{_DAY}T{_TIME}([Zz]|[+-](0\d|1[0-4]):[0-5]\d)$",
        json_schema_extra={"format": "date-time"},
    ),
    AfterValidator(_on_a_day),
]
"""RFC 3339, from 1970, where clocks begin that were never set, to 2299: they end in 2262."""


def moment_of(text: str) -> datetime:
    """Return a time of a result, a `Moment`, with its time zone."""
    zone = text[19:].lstrip(".0123456789")
    fraction = text[19 : len(text) - len(zone)]
    found = datetime.fromisoformat(f"{text[:19]}{'+00:00' if zone in 'Zz' else zone}")
    return found + timedelta(seconds=float(fraction or 0))


def not_yet(moment: datetime, now: datetime | None = None) -> str | None:
    """Say so of a time that lies more than a day ahead; None of any other."""
    now = now or datetime.now(timezone.utc)
    if moment - now <= timedelta(days=1):
        return None
    return f"measured on {moment:%Y-%m-%d}, which is not yet: a clock was wrong"


Count = Annotated[int, Field(ge=0, le=MOST_64_BIT)]
Positive = Annotated[int, Field(ge=1, le=MOST_64_BIT)]
Processes = Annotated[int, Field(ge=1, le=MOST_PROCESSES)]
Cores = Annotated[int, Field(ge=0, le=10**7)]
"""Of one node."""
Nanoseconds = Annotated[int, Field(ge=0, le=10**15)]
"""Some 11 days."""
LoopSeconds = Annotated[float, Field(ge=1e-9, le=LONGEST_S)]
"""Of a timed loop; no clock is read in less."""
Rank = Annotated[int, Field(ge=0, lt=MOST_PROCESSES)]
Index = Annotated[int, Field(ge=0, lt=MOST_PROCESSES)]
"""Place in another list of the result, from 0."""
Bytes = Annotated[int, Field(ge=0, le=MOST_64_BIT)]
MessageBytes = Annotated[int, Field(ge=4097, le=2**40)]
"""Of the longest message."""
Seed = Annotated[int, Field(ge=0, le=MOST_EXACT)]
Seconds = Annotated[float, Field(ge=0, le=LONGEST_S)]
PositiveSeconds = Annotated[float, Field(gt=0, le=LONGEST_S)]
Share = Annotated[float, Field(ge=0, le=1)]
NotNegative = Annotated[float, Field(ge=0, le=LARGEST_FIGURE)]
PositiveNumber = Annotated[float, Field(gt=0, le=LARGEST_FIGURE)]
Figure = PositiveNumber | None
"""A measured figure, or None where it was not measured."""

PatternId = Annotated[int, Field(ge=0, le=MOST_PATTERN)]
SizeIndex = Annotated[int, Field(ge=0, lt=SIZES)]
TypeNumber = Annotated[int, Field(ge=0, le=MOST_TYPE)]
IoPatternNumber = Annotated[int, Field(ge=0, le=MOST_PATTERN)]

Column = Annotated[list[Item], FailFast()]
"""A column of a table of many rows; of its errors only the first is reported."""
BySize = Annotated[list[Item], Field(min_length=SIZES, max_length=SIZES)]
NotEmpty = Annotated[list[Item], Field(min_length=1)]
Few = Annotated[list[Item], Field(max_length=200)]
"""What there is a handful of on the largest machine, too."""
SomeFew = Annotated[list[Item], Field(min_length=1, max_length=200)]
Many = Annotated[list[Item], Field(max_length=10_000)]


def _unique(items: list[Item]) -> list[Item]:
    if len(set(items)) < len(items):
        raise ValueError("holds something twice")
    return items


Unique = Annotated[
    list[Item],
    Field(min_length=1, json_schema_extra={"uniqueItems": True}),
    AfterValidator(_unique),
]


_MOST = 10**7
"""Numbers in a list: what one of the largest machines has, and memory bears."""
_PATTERN = r"^(\d{1,10}(x\d{1,8})?( \d{1,10}(x\d{1,8})?)*)?$"
_TEXT = re.compile(_PATTERN, re.ASCII)


def runs_text(numbers: Sequence[int]) -> str:
    """Return numbers as they are stored."""
    runs = ((number, sum(1 for _ in equal)) for number, equal in groupby(numbers))
    return " ".join(f"{number}x{count}" if count > 1 else str(number) for number, count in runs)


def expanded(stored: Any) -> Any:
    """Return the numbers of a text. Raises ValueError for anything else."""
    if not isinstance(stored, str) or not _TEXT.fullmatch(stored):
        raise ValueError("must be numbers such as 0x16 1x16 2")
    runs = [
        (number, int(count or 1)) for number, _, count in (p.partition("x") for p in stored.split())
    ]
    if sum(count for _, count in runs) > _MOST:
        raise ValueError(f"stands for more than {_MOST} numbers")
    return [int(number) for number, count in runs for _ in range(count)]


Runs = Annotated[
    list[Item],
    BeforeValidator(expanded),
    WithJsonSchema({"type": "string", "pattern": _PATTERN}),
]
"""Numbers with equal neighbours counted, as a text."""


OfHosts = Annotated[
    str,
    Field(
        pattern=r"^(\d{1,18}|-)(x\d{1,8})?( (\d{1,18}|-)(x\d{1,8})?)*$",
        max_length=10**7,
    ),
]
"""Numbers with blanks between them, `NUMBERxCOUNT` for equal neighbours; - : not known."""


def _runs(column: str) -> Iterator[tuple[str, int]]:
    for run in column.split(" "):
        number, _, count = run.partition("x")
        yield number, int(count or 1)


def hosts_in(column: str) -> int:
    """Return of how many hosts a column is."""
    return sum(count for _, count in _runs(column))


def numbers_of_hosts(column: str) -> list[int | None]:
    """Return a number for each host; None where it is not known."""
    return [
        number
        for text, count in _runs(column)
        for number in [None if text == "-" else int(text)] * count
    ]
