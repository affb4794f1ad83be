"""The rules of validity, judged again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from beff.definition.compare import Recheck
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_io_samples import ACCESSES, TypeKey
from beff.result.bounds import OFFICIAL_TYPES
from beff.verify.b_eff_io.definition import SHARED, TIMED_TYPES
from beff.verify.b_eff_io.derive import DerivedPartition
from beff.verify.b_eff_io.schedule import IoMeasured, shortest_valid_time_s
from beff.verify.b_eff_io.stamps import NEARLY_ALL, disk_share
from beff.verify.common.criteria import (
    Judgement,
    compare_verdicts,
    exactly,
    judged,
)

_CACHE_FACTOR = 20
"""So many times the file system's cache each access method must move, where its length is known."""


@dataclass(frozen=True)
class _Run:
    """What a criterion is judged by."""

    measured: IoMeasured
    figures: Sequence[DerivedPartition]


def check_criteria(
    measured: IoMeasured, figures: Sequence[DerivedPartition], check: Recheck
) -> None:
    """Compare every criterion with the verdict that the raw fields give.

    A run that was stopped just when it ended is not complete, though all was measured.
    """
    result = measured.result
    compare_verdicts(result.criteria, verdicts_of(measured, figures), check)
    missing = _planned(measured) - sum(
        sample.status == "measured" for sample in measured.samples.values()
    )
    check.require(
        not (result.complete and missing),
        ["complete"],
        result.complete,
        f"false: {missing} patterns were not measured",
    )


def verdicts_of(measured: IoMeasured, figures: Sequence[DerivedPartition]) -> dict[str, Judgement]:
    """Judge by the raw fields, by codes of the criteria."""
    return judged(_JUDGES, _Run(measured, figures), measured.result.environment)


def _planned(measured: IoMeasured) -> int:
    return len(measured.schedule.sample_keys())


def measured_in_full(measured: IoMeasured) -> int:
    """Count the patterns that neither space nor a bound of the user made shorter."""
    partitions = measured.result.partitions
    return sum(
        sample.status == "measured"
        and sample.stop not in ("space", "max-data")
        and (
            partitions[key.partition].segment_cut == "none"
            or measured.schedule.table[key.pattern].type in TIMED_TYPES
        )
        for key, sample in measured.samples.items()
    )


def _time(run: _Run) -> Judgement:
    schedule = run.measured.schedule
    shortest = shortest_valid_time_s(schedule.release, len(schedule.partitions))
    return Judgement(schedule.time_s >= shortest, shortest, schedule.time_s, "s")


def _pointers(run: _Run) -> Judgement:
    measured = run.measured
    return Judgement(SHARED in measured.schedule.types and measured.result.pointer == "shared")


def _errors(run: _Run) -> Judgement:
    """Count failed patterns, and files that failed without one."""
    measured = run.measured
    failed = [key for key, sample in measured.samples.items() if sample.status == "failed"]
    with_failed = {
        TypeKey(key.partition, measured.schedule.table[key.pattern].type, key.access)
        for key in failed
    }
    files = {key for key, row in measured.types.items() if row.status == "failed"} - with_failed
    return exactly(0, len(failed) + len(files))


def more_than_caches(result: BEffIoResult) -> int:
    """Bytes that an access method must move so that no cache can hold them."""
    cache = result.environment.filesystem.cache_bytes
    return result.environment.total_memory_bytes if cache is None else _CACHE_FACTOR * cache


def least_moved(measured: IoMeasured, figures: Sequence[DerivedPartition]) -> int:
    """Return the least bytes that an access method of the plan has moved."""
    schedule = measured.schedule
    return min(
        sum(of_partition.bytes[access] for of_partition in figures)
        for access in ACCESSES
        if any(schedule.runs(access, kind) for kind in schedule.types)
    )


def _origin(run: _Run) -> Judgement:
    """Judge where the read came from; where that is not known, whether it overran all caches."""
    result = run.measured.result
    share = disk_share(result)
    if share is not None:
        return Judgement(share >= NEARLY_ALL, 100 * NEARLY_ALL, 100 * share, "percent")
    needed, moved = more_than_caches(result), least_moved(run.measured, run.figures)
    return Judgement(moved >= needed, needed, moved, "bytes")


def _in_full(run: _Run) -> Judgement:
    measured = run.measured
    full = exactly(_planned(measured), measured_in_full(measured))
    has_value = any(figures.values[measured.schedule.release] for figures in run.figures)
    return replace(full, met=full.met and measured.result.complete and has_value)


def _data(run: _Run) -> Judgement:
    data = run.measured.result.data_check
    wrong = exactly(0, None if data.mode == "none" else data.wrong_chunks)
    return replace(wrong, met=data.chunks_checked > 0 and data.wrong_chunks == 0)


def _schedule(run: _Run) -> Judgement:
    """Judge by the release's own schedule: types 0 to 4, its rewrite, nothing bounded."""
    schedule, recorded = run.measured.schedule, run.measured.result.schedule
    types = exactly(len(OFFICIAL_TYPES), sum(kind in OFFICIAL_TYPES for kind in schedule.types))
    as_released = schedule.rewrites_all or schedule.release == "2.1"
    bounds = {recorded.max_data_bytes, recorded.max_segment_bytes}
    return replace(types, met=types.met and as_released and bounds == {None})


_JUDGES: dict[str, Callable[[_Run], Judgement]] = {
    "scheduled time": _time,
    "shared file pointers": _pointers,
    "no error": _errors,
    "read from the file system": _origin,
    "measured in full": _in_full,
    "data": _data,
    "schedule": _schedule,
}
