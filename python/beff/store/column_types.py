"""Types of columns that read whatever stands in the database: SQLite keeps any value in any column.

What cannot be read becomes a value that the pages show as such, so that one bad row hides no other.
"""

import math
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

from sqlalchemy import BigInteger, DateTime, Double, Integer, String, TypeDecorator
from sqlalchemy.engine import Dialect


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC; SQLite knows no time zones, so it is kept without one.

    One that cannot be read is `unreadable`.
    """

    impl = DateTime
    cache_ok = True
    python_type = datetime

    def __init__(self, unreadable: datetime | None = None) -> None:
        super().__init__()
        self.unreadable = unreadable

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Write a time; it must have a time zone."""
        return None if value is None else value.astimezone(timezone.utc).replace(tzinfo=None)

    def result_processor(self, dialect: Dialect, coltype: Any) -> Callable[[Any], datetime | None]:
        """Read a time."""
        read = self.impl_instance.result_processor(dialect, coltype)

        def process(value: Any) -> datetime | None:
            try:
                found: datetime | None = value if read is None else read(value)
            except (TypeError, ValueError):
                return self.unreadable
            return None if found is None else found.replace(tzinfo=timezone.utc)

        return process


class Real(TypeDecorator[float]):
    """A figure; one that cannot be read is NaN, which is beyond any machine."""

    impl = Double
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> float | None:
        """Read a figure."""
        return value if value is None or isinstance(value, (int, float)) else math.nan


class Whole(TypeDecorator[int]):
    """A number of things; one that cannot be read is 0."""

    impl = Integer
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> int | None:
        """Read a number."""
        return value if value is None or isinstance(value, int) else 0


class BigWhole(Whole):
    """The same, of 64 bits."""

    impl = BigInteger
    cache_ok = True


class Words(TypeDecorator[str]):
    """A text; one of bytes is read as UTF-8."""

    impl = String
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        """Read a text."""
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
