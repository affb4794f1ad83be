"""What b_pairs measured of a matrix, from the raw part of its result: second implementation."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from beff.maps.matrix import (
    MOST_ROWS,
    MessageMatrix,
    is_preset,
    of_rows,
    preset_matrix,
)
from beff.result.b_pairs_result import MOST_RANKS, BPairsResult, MatrixMeasured, PlannedMatrix
from beff.result.errors import WrongUsageError
from beff.verify.common.checks import check_counts
from beff.verify.common.verification import Column, Recheck

LONG_WAIT = 0.25
"""Who waits longer than this share of an iteration for one partner alone is counted."""


def matrix_in(result: BPairsResult) -> MessageMatrix | None:
    """Return the matrix that was measured; None where the result does not hold it.

    Raises WrongUsageError for a preset that there is not.
    """
    asked, found = result.plan.matrix, result.matrix
    if asked is None or found is None:
        return None
    processes = result.environment.processes
    if is_preset(asked.source):
        size = asked.message_bytes or 1
        return preset_matrix(asked.source, processes, size, result.options["seed"])
    if found.rows is None:
        return None
    rows = found.rows
    columns = (rows.from_, rows.to, rows.bytes_, rows.count)
    return of_rows(processes, *(np.array(one.split(" "), dtype=np.int64) for one in columns))


def traffic_summary(result: BPairsResult) -> dict[str, Any]:
    """Return what the summary has of a matrix; without one nothing."""
    asked, found = result.plan.matrix, result.matrix
    if asked is None or found is None:
        return {}
    loops = found.loops
    iterations = [ns / length for ns, length in zip(loops.ns, loops.length, strict=True)]
    if not iterations:
        return {"matrix_us": None, "matrix_MBps": None}
    best = min(iterations)
    return {"matrix_us": best / 1e3, "matrix_MBps": asked.bytes_ * 1e3 / best}


def traffic_digest(result: BPairsResult) -> Iterator[tuple[str, Column]]:
    """Yield the raw columns that the digest takes, in its order."""
    if result.plan.matrix is None or result.matrix is None:
        return
    yield "matrix", result.matrix.loops.ns
    yield "single_ns", result.matrix.ranks.single_ns


def waited_for(result: BPairsResult) -> list[tuple[int, int]]:
    """Return units, and how many processes wait long for each alone; the most waited for first."""
    found = result.matrix
    if found is None:
        return []
    ranks = found.ranks
    units: dict[int, int] = {}
    columns = (ranks.single_ns, ranks.last_ns, ranks.others_ns, ranks.last_from)
    for single, last, others, sender in zip(*columns, strict=True):
        if last is None or others is None or sender is None:
            continue
        if last - others > LONG_WAIT * single:
            unit = unit_of(result, sender)
            units[unit] = units.get(unit, 0) + 1
    return sorted(units.items(), key=lambda one: (-one[1], one[0]))


def unit_of(result: BPairsResult, rank: int) -> int:
    """Return the host of a rank, or the rank itself where all are on one."""
    return rank if result.plan.unit == "process" else result.environment.placement[rank]


def check_traffic(result: BPairsResult, check: Recheck) -> None:
    """Check that what was measured is what was planned, and can be true."""
    asked, found = result.plan.matrix, result.matrix
    check.compare(["matrix"], found is not None, asked is not None)
    if asked is None or found is None:
        return
    loops = len(found.loops.ns)
    check.require(loops <= asked.loops, ["matrix", "loops"], loops, f"at most {asked.loops}")
    processes = result.environment.processes
    kept = len(found.ranks.rank)
    wanted = min(processes, MOST_RANKS)
    check.require(kept in {0, wanted}, ["matrix", "ranks"], kept, f"none or {wanted}")
    if result.complete:
        check.compare(["matrix", "loops", "ns"], [loops, kept], [asked.loops, wanted])
    for rank in found.loops.slowest_rank:
        check.require(rank < processes, ["matrix", "loops", "slowest_rank"], rank, "a rank")
    data = found.data_check
    counts = data.messages_checked, data.wrong_messages
    within = ("matrix",)
    check_counts("messages", *counts, data.first_error, check, is_on=data.enabled, within=within)
    ranks = found.ranks
    path: list[str | int] = ["matrix", "ranks"]
    is_ordered = ranks.rank == sorted(set(ranks.rank)) and max(ranks.rank, default=0) < processes
    check.require(is_ordered, [*path, "rank"], ranks.rank, "ranks in their order")
    columns = (ranks.single_ns, ranks.last_ns, ranks.others_ns, ranks.last_from)
    for number, (single, last, others, sender) in enumerate(zip(*columns, strict=True)):
        is_whole = (last is None) == (sender is None) and (others is None or last is not None)
        in_order = is_whole and (others or 1) <= (last or single) <= single
        check.require(in_order, [*path, "last_ns", number], last, f"from {others} to {single}")
        known = sender is None or sender < processes
        check.require(known, [*path, "last_from", number], sender, "a rank")
    _check_matrix(result, asked, found, check)


def _check_matrix(
    result: BPairsResult, asked: PlannedMatrix, found: MatrixMeasured, check: Recheck
) -> None:
    """Compare what is stored of the matrix with the rows, where these are known."""
    check.compare(["matrix", "rows"], found.rows is not None and is_preset(asked.source), False)
    if asked.rows > MOST_ROWS:
        return
    try:
        matrix = matrix_in(result)
    except WrongUsageError as problem:
        check.report(["plan", "matrix", "source"], asked.source, str(problem))
        return
    if matrix is None:
        return
    ends = np.concatenate([matrix.sender, matrix.receiver])
    if ends.size == 0 or ends.max() >= matrix.processes:
        check.report(["matrix", "rows"], int(ends.max(initial=0)), "ranks of the run")
        return
    sent, received = (
        [np.bincount(end, of_row, matrix.processes).astype(np.int64) for of_row in sums]
        for end, sums in (
            (matrix.sender, (matrix.volume(), matrix.count)),
            (matrix.receiver, (matrix.volume(), matrix.count)),
        )
    )
    totals = {
        "rows": len(matrix.sender),
        "messages": int(matrix.count.sum()),
        "bytes": int(matrix.volume().sum()),
        "most_messages": int(max(sent[1].max(), received[1].max())),
        "digest": matrix.digest(),
    }
    stored = asked.model_dump(by_alias=True)
    check.compare(["plan", "matrix"], stored, totals)
    known = [rank for rank in found.ranks.rank if rank < matrix.processes]
    for name, of_ranks in (("sent_bytes", sent[0]), ("received_bytes", received[0])):
        column = getattr(found.ranks, name)
        check.compare(["matrix", "ranks", name], column, [int(of_ranks[rank]) for rank in known])


def source_name(source: str) -> str:
    """Return how a matrix is called: a preset as it is, a file by its name."""
    return source if is_preset(source) else Path(source).name
