"""The rules of validity, judged again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from beff.analysis.b_eff_io.derive import PartitionFigures
from beff.analysis.b_eff_io.measured import Measured
from beff.analysis.b_eff_io.pattern_table import OFFICIAL_TYPES, SHARED
from beff.analysis.b_eff_io.schedule import shortest_valid_time_s
from beff.analysis.common.criteria import (
    Verdict,
    build_verdict,
    compare_verdicts,
    machine_verdict,
    numbers_in,
)
from beff.analysis.finding import Comparison
from beff.model.units import format_duration, format_size

_CACHE_FACTOR = 20
"""So many times the file system's cache must be written, where its length is known."""


@dataclass(frozen=True)
class _Run:
    """What a criterion is judged by."""

    measured: Measured
    figures: Sequence[PartitionFigures]


def check_criteria(
    measured: Measured, figures: Sequence[PartitionFigures], check: Comparison
) -> None:
    """Compare every criterion with the verdict that the raw fields give.

    A run that was stopped just when it ended is not complete, though all was measured.
    """
    result = measured.result
    run = _Run(measured, figures)
    compare_verdicts(result.criteria, {name: judge(run) for name, judge in _JUDGES.items()}, check)
    missing = _planned(measured) - _measured(measured)
    check.require(
        not (result.complete and missing),
        ["complete"],
        result.complete,
        f"false: {missing} patterns were not measured",
    )


def _planned(measured: Measured) -> int:
    return len(measured.schedule.sample_keys())


def _measured(measured: Measured) -> int:
    return sum(sample.status == "measured" for sample in measured.samples.values())


def _time(run: _Run) -> Verdict:
    schedule = run.measured.schedule
    shortest = shortest_valid_time_s(schedule.release, len(schedule.partitions))
    return Verdict(
        schedule.time_s >= shortest,
        required_numbers=numbers_in(format_duration(shortest)),
        found_numbers=numbers_in(format_duration(schedule.time_s)),
    )


def _pointers(run: _Run) -> Verdict:
    has_type = SHARED in run.measured.schedule.types
    shared = run.measured.result.pointer == "shared"
    return Verdict(has_type and shared, (SHARED,), () if has_type else (SHARED,))


def _errors(run: _Run) -> Verdict:
    """Judge failed patterns and failed files; how they are counted together is the text's."""
    statuses = (*run.measured.result.samples.status, *run.measured.result.types.status)
    none_failed = "failed" not in statuses
    return Verdict(none_failed, (0,), (0,) if none_failed else None)


def _amount(run: _Run) -> Verdict:
    """Judge the bytes of the initial write by the memory of the system, or by the known cache."""
    written = sum(figures.bytes["write"] for figures in run.figures)
    environment = run.measured.result.environment
    cache = environment.filesystem.cache_bytes
    needed = environment.total_memory_bytes if cache is None else _CACHE_FACTOR * cache
    required = numbers_in(format_size(needed))
    if cache is not None:
        required += (_CACHE_FACTOR, *numbers_in(format_size(cache)))
    return Verdict(written >= needed, required, numbers_in(format_size(written)))


def _complete(run: _Run) -> Verdict:
    done, planned = _measured(run.measured), _planned(run.measured)
    has_value = any(figures.values[run.measured.schedule.release] for figures in run.figures)
    met = run.measured.result.complete and has_value and done == planned
    return Verdict(met, found_numbers=(done, planned))


def _data(run: _Run) -> Verdict:
    data = run.measured.result.data_check
    met = data.chunks_checked > 0 and data.wrong_chunks == 0
    numbers = () if data.mode == "none" else (data.wrong_chunks, data.chunks_checked)
    return Verdict(met, found_numbers=numbers)


def _schedule(run: _Run) -> Verdict:
    """Judge by the release's own schedule: types 0 to 4, its rewrite, nothing bounded."""
    schedule, recorded = run.measured.schedule, run.measured.result.schedule
    bounds = (recorded.max_data_bytes, recorded.max_segment_bytes)
    met = (
        set(OFFICIAL_TYPES) <= set(schedule.types)
        and (schedule.rewrites_all or schedule.release == "2.1")
        and bounds == (None, None)
    )
    found = schedule.types
    for bound in bounds:
        found += () if bound is None else numbers_in(format_size(bound))
    return Verdict(met, (0, 4, *numbers_in(schedule.release)), found)


_JUDGES: dict[str, Callable[[_Run], Verdict]] = {
    "scheduled time": _time,
    "shared file pointers": _pointers,
    "no error": _errors,
    "amount of data": _amount,
    "complete": _complete,
    "data": _data,
    "schedule": _schedule,
    "build": lambda run: build_verdict(run.measured.result.environment),
    "machine": lambda run: machine_verdict(run.measured.result.environment),
}
