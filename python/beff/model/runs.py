"""Lists of numbers that are stored with equal neighbours counted: 0x16 1x16 2."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, WithJsonSchema

Item = TypeVar("Item")

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
