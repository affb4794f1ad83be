"""The published results that are shown beside one's own."""
# ruff: noqa: N815 - the field names are the contract

from functools import cache
from pathlib import Path
from typing import Literal

from beff.result.bounds import Figure
from beff.result.record import Record


class PublishedRow(Record):
    """One row of the paper's Table 1, figures as printed; None where the paper leaves a cell empty.

    `note` says where the printed figures of a row contradict each other.
    """

    system: str
    memory: Literal["distributed", "shared"]
    processes: int
    b_eff_MBps: float
    b_eff_per_process_MBps: float
    lmax_bytes: int
    pingpong_MBps: Figure
    at_lmax_MBps: float
    at_lmax_per_process_MBps: float
    rings_at_lmax_per_process_MBps: float
    note: str | None


class PublishedLine(Record):
    """The last line of one run, figures as printed, by a definition before that of Table 1."""

    system: str
    definition: Literal["3.1"]
    processes: int
    memory_per_process_bytes: int
    b_eff_MBps: float
    b_eff_per_process_MBps: float
    source: str


class Published(Record):
    """A published table and where it stands, and what was published before it.

    `machines` has what the papers' text says of systems beside their figures.
    """

    source: str
    remark: str
    rows: list[PublishedRow]
    machines: dict[str, dict[str, str | int]]
    earlier: PublishedLine


def as_printed(value_MBps: Figure) -> str | None:  # noqa: N803 - the unit of the field
    """Write a published rate as its source prints it: whole, or with three digits behind the point.

    None where the source has none.
    """
    if value_MBps is None:
        return None
    return f"{value_MBps:.0f}" if value_MBps == int(value_MBps) else f"{value_MBps:.3f}"


@cache
def published_results() -> Published:
    """Table 1 of the paper that defines b_eff, and a value by definition 3.1."""
    text = Path(__file__).with_name("published.json").read_text(encoding="utf-8")
    return Published.model_validate_json(text)


class PublishedIoRow(Record):
    """One published value; None where the source prints no such figure.

    `time_min` is the scheduled time T in minutes; `total_memory_write_min` the printed time to
    write the whole memory, 1 MByte = 2^20 byte. `source` is a key of `PublishedIo.sources`.
    """

    system: str
    release: Literal["0.5", "1"]
    count: int
    unit: Literal["PEs", "nodes"]
    time_min: int
    write_MBps: float | None = None
    rewrite_MBps: float | None = None
    read_MBps: float | None = None
    b_eff_io_MBps: float
    total_memory_MBytes: int | None = None
    total_memory_write_min: float | None = None
    source: str


class PublishedIoSource(Record):
    """Where values stand, and the year of it."""

    text: str
    year: int


class PublishedIo(Record):
    """The published values and where they stand."""

    sources: dict[str, PublishedIoSource]
    remark: str
    rows: list[PublishedIoRow]

    @property
    def source(self) -> str:
        """Return all sources in one sentence part."""
        return "; ".join(source.text for source in self.sources.values())


class _File(Record):
    b_eff_io: PublishedIo


@cache
def published_io_results() -> PublishedIo:
    """Return the values of the papers and the talk that show b_eff_io."""
    text = Path(__file__).with_name("published.json").read_text(encoding="utf-8")
    return _File.model_validate_json(text).b_eff_io
