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


class CoffeeCupRow(Record):
    """A published time to write the whole memory of a system, 1 MByte = 2^20 byte."""

    system: str
    processes: int
    total_memory_MBytes: int
    b_eff_io_MBps: float
    total_memory_write_min: float


class CoffeeCup(Record):
    """The published times and where they stand."""

    source: str
    rows: list[CoffeeCupRow]


class _Both(Record):
    b_eff_io: PublishedIo
    coffee_cup: CoffeeCup


@cache
def _both() -> _Both:
    text = Path(__file__).with_name("published.json").read_text(encoding="utf-8")
    return _Both.model_validate_json(text)


def published_io_results() -> PublishedIo:
    """Return the values of the paper and the talk that show b_eff_io."""
    return _both().b_eff_io


def published_coffee_cup() -> CoffeeCup:
    """Return the published times to write the whole memory."""
    return _both().coffee_cup
