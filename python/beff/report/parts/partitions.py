"""Which partitions of a run are shown in detail."""

from beff.result.b_eff_io_result import BEffIoFigures

_MOST = 4
"""Partitions in detail; more would be read by nobody, and are in the result file."""


def deciding(result: BEffIoFigures) -> int | None:
    """Return the index of the partition whose value is that of the run; None without a value."""
    value = result.summary.b_eff_io_MBps
    values = [partition.values[result.definition] for partition in result.partitions]
    return values.index(value) if value is not None and value in values else None


def in_detail(result: BEffIoFigures) -> list[int]:
    """Return the indices of all partitions; of many, the deciding one and the largest ones."""
    best = deciding(result)
    count = len(result.partitions)
    last = range(max(0, count - _MOST), count)
    if best is None or best in last:
        return list(last)
    return [best, *last[1:]]
