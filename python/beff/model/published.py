"""The published results of b_eff that a new result is shown beside."""
# ruff: noqa: N815 - the field names are the contract

from functools import cache
from pathlib import Path
from typing import Literal

from beff.model.result_parts import Figure, Record


class PublishedRow(Record):
    """One row of the paper's Table 1, figures as printed; None where the paper leaves a cell empty.

    `note` tells where the printed figures of a row contradict each other.
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


class Published(Record):
    """A published table and where it stands."""

    source: str
    remark: str
    rows: list[PublishedRow]


@cache
def published_results() -> Published:
    """Table 1 of the paper that defines b_eff."""
    text = Path(__file__).with_name("published.json").read_text(encoding="utf-8")
    return Published.model_validate_json(text)
