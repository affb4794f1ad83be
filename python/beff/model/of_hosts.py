"""A whole number for each host, as a text, in which equal neighbours are counted."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

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
