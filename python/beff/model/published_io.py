"""The published values of b_eff_io that a new result is shown beside."""
# ruff: noqa: N815 - the field names are the contract

from functools import cache
from pathlib import Path
from typing import Literal

from beff.model.result_parts import Record


class PublishedIoRow(Record):
    """One published value; `time_min` is the scheduled time T in minutes."""

    system: str
    count: int
    unit: Literal["PEs", "nodes"]
    time_min: int
    b_eff_io_MBps: float


class PublishedIo(Record):
    """The published values and where they stand."""

    source: str
    remark: str
    rows: list[PublishedIoRow]


class _Both(Record):
    b_eff_io: PublishedIo


@cache
def published_io_results() -> PublishedIo:
    """Return the values of the paper and the talk that show b_eff_io."""
    text = Path(__file__).with_name("published.json").read_text(encoding="utf-8")
    return _Both.model_validate_json(text).b_eff_io
