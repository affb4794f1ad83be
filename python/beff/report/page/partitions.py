"""Which partitions of a result of b_eff_io the page shows in detail."""

from collections.abc import Sequence

from beff.model.b_eff_io_figures import PartitionFigures
from beff.model.b_eff_io_result import BEffIoResult

_MOST = 8
"""Partitions in detail; more would be read by nobody, and are in the result file."""


def deciding(figures: Sequence[PartitionFigures], result: BEffIoResult) -> int | None:
    """Return the index of the partition whose value is that of the run; None without a value."""
    value = result.summary.b_eff_io_MBps
    values = [entry.values.get(result.definition) for entry in figures]
    return values.index(value) if value is not None and value in values else None


def in_detail(figures: Sequence[PartitionFigures], result: BEffIoResult) -> list[int]:
    """Return the indices of all partitions; of many, the deciding one and the largest ones."""
    best = deciding(figures, result)
    last = range(max(0, len(figures) - _MOST), len(figures))
    if best is None or best in last:
        return list(last)
    return [best, *last[1:]]
