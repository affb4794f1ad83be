"""The rules of validity, judged again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from beff.analysis.b_eff_io.definition import SHARED, TIMED_TYPES
from beff.analysis.b_eff_io.derive import DerivedPartition
from beff.analysis.b_eff_io.schedule import IoMeasured, shortest_valid_time_s
from beff.analysis.b_eff_io.stamps import NEARLY_ALL, disk_share
from beff.analysis.common.criteria import (
    Judgement,
    build_verdict,
    compare_verdicts,
    device_verdicts,
    exactly,
    machine_verdict,
    stated,
)
from beff.analysis.common.verification import Recheck
from beff.model.b_eff_io_result import BEffIoResult
from beff.model.b_eff_io_samples import ACCESSES, TypeKey
from beff.model.bounds import OFFICIAL_TYPES
from beff.model.result_parts import CriterionNumber

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
    missing = _planned(measured) - _measured(measured)
    check.require(
        not (result.complete and missing),
        ["complete"],
        result.complete,
        f"false: {missing} patterns were not measured",
    )


def verdicts_of(measured: IoMeasured, figures: Sequence[DerivedPartition]) -> dict[str, Judgement]:
    """Judge by the raw fields, by names of the criteria."""
    run = _Run(measured, figures)
    judged = {name: judge(run) for name, judge in _JUDGES.items()}
    return judged | device_verdicts(measured.result.environment)


def _planned(measured: IoMeasured) -> int:
    return len(measured.schedule.sample_keys())


def _measured(measured: IoMeasured) -> int:
    return sum(sample.status == "measured" for sample in measured.samples.values())


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
    number = CriterionNumber(
        kind="at least", required=shortest, found=schedule.time_s, unit="s", what=""
    )
    return Judgement(schedule.time_s >= shortest, (number,))


def _pointers(run: _Run) -> Judgement:
    if SHARED not in run.measured.schedule.types:
        return Judgement(False, remark="type 1 not run")
    shared = run.measured.result.pointer == "shared"
    return Judgement(shared, remark="used" if shared else "individual pointers used")


def _errors(run: _Run) -> Judgement:
    """Count failed patterns, and files that failed without one."""
    measured = run.measured
    failed = [key for key, sample in measured.samples.items() if sample.status == "failed"]
    with_failed = {
        TypeKey(key.partition, measured.schedule.table[key.pattern].type, key.access)
        for key in failed
    }
    files = {key for key, row in measured.types.items() if row.status == "failed"} - with_failed
    count = len(failed) + len(files)
    return Judgement(count == 0, (exactly(0, count, "failed patterns or files"),))


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
    """Judge where the read came from, as measured; else whether every access overran all caches.

    Older results could overrun what was measured.
    """
    result = run.measured.result
    file_system = result.environment.filesystem
    share = disk_share(result)
    remark = "a file system in memory" if file_system.in_memory else ""
    from_disk = CriterionNumber(
        kind="at least",
        required=100 * NEARLY_ALL,
        found=None if share is None else 100 * share,
        unit="percent",
        what="read from beyond the page caches",
    )
    is_measured = share is not None and share >= NEARLY_ALL
    if share is not None and file_system.reads_seen_by is not None:
        return Judgement(is_measured, (from_disk,), remark)
    needed, moved = more_than_caches(result), least_moved(run.measured, run.figures)
    beyond_caches = CriterionNumber(
        kind="or at least",
        required=needed,
        found=moved,
        unit="bytes",
        what="moved in each access method",
    )
    met = not file_system.in_memory and (is_measured or moved >= needed)
    return Judgement(met, (from_disk, beyond_caches), remark)


def _in_full(run: _Run) -> Judgement:
    measured = run.measured
    full, planned = measured_in_full(measured), _planned(measured)
    has_value = any(figures.values[measured.schedule.release] for figures in run.figures)
    met = measured.result.complete and has_value and full == planned
    return Judgement(met, (exactly(planned, full, "patterns"),))


def _data(run: _Run) -> Judgement:
    data = run.measured.result.data_check
    met = data.chunks_checked > 0 and data.wrong_chunks == 0
    wrong = exactly(0, None if data.mode == "none" else data.wrong_chunks, "wrong chunks")
    return Judgement(met, (wrong, stated(data.chunks_checked, "chunks compared")))


def _schedule(run: _Run) -> Judgement:
    """Judge by the release's own schedule: types 0 to 4, its rewrite, nothing bounded."""
    schedule, recorded = run.measured.schedule, run.measured.result.schedule
    bounds = {
        "of data at most": recorded.max_data_bytes,
        "a segment at most": recorded.max_segment_bytes,
    }
    met = (
        set(OFFICIAL_TYPES) <= set(schedule.types)
        and (schedule.rewrites_all or schedule.release == "2.1")
        and set(bounds.values()) == {None}
    )
    official = sum(kind in OFFICIAL_TYPES for kind in schedule.types)
    numbers = (
        exactly(len(OFFICIAL_TYPES), official, "official types"),
        *(stated(bound, what, "bytes") for what, bound in bounds.items() if bound is not None),
    )
    types = " ".join(map(str, schedule.types))
    return Judgement(met, numbers, f"types {types}, rewrite {recorded.rewrite}")


_JUDGES: dict[str, Callable[[_Run], Judgement]] = {
    "scheduled time": _time,
    "shared file pointers": _pointers,
    "no error": _errors,
    "read from the file system": _origin,
    "measured in full": _in_full,
    "data": _data,
    "schedule": _schedule,
    "build": lambda run: build_verdict(run.measured.result.environment),
    "machine": lambda run: machine_verdict(run.measured.result.environment),
}
