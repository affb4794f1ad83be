"""Whether samples, types, partitions and plan can be what they claim to be."""

from collections.abc import Callable
from typing import Any

from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_io_samples import Sample, SampleKey, Stop, TypeRow
from beff.verify.b_eff_io.definition import LARGEST_M_PART, TIMED_TYPES, m_part_of
from beff.verify.b_eff_io.schedule import IoMeasured, default_partitions
from beff.verify.common.checks import check_asked
from beff.verify.common.verification import RELATIVE_TOLERANCE, Recheck

Report = Callable[[str, object, object], None]
"""Notes a finding in a column of the sample at hand: column, stored, expected."""

_SLACK = 1 + RELATIVE_TOLERANCE


def check_samples(measured: IoMeasured, check: Recheck) -> None:
    """Check each sample alone, and against the initial write of the same pattern."""
    _check_order(measured, check)
    for index, sample in enumerate(measured.result.samples.rows):

        def report(column: str, stored: object, expected: object, index: int = index) -> None:
            check.report(["samples", column, index], stored, expected)

        if not sample.loop_s <= sample.time_s * _SLACK:
            report("loop_s", sample.loop_s, f"at most time_s = {sample.time_s}")
        if sample.status != "skipped":
            _check_bytes(measured, sample, report)
            possible = _possible_stops(measured, sample)
            if sample.status == "failed":
                possible |= {"error", "stopped"}
            if sample.stop not in possible:
                report("stop", sample.stop, f"one of {', '.join(sorted(filter(None, possible)))}")
            _check_repetitions(measured, sample, report)
        _check_earlier_accesses(measured, sample, report)
    bound = measured.result.schedule.max_data_bytes
    written = sum(s.bytes for key, s in measured.samples.items() if key.access == "write")
    if bound is not None:
        path: list[str | int] = ["schedule", "max_data_bytes"]
        check.require(written <= bound, path, bound, f"at least {written}, the bytes written")


def _check_order(measured: IoMeasured, check: Recheck) -> None:
    """Check that samples and types follow each other as planned, without a gap, from the first."""
    planned = measured.schedule.sample_keys()
    for index, sample in enumerate(measured.result.samples.rows):
        expected = planned[index] if index < len(planned) else None
        if sample.key != expected:
            should = "no sample" if expected is None else _named(expected)
            check.report(["samples", "pattern", index], _named(sample.key), should)
            return
    types = measured.schedule.type_keys()
    for index, row in enumerate(measured.result.types.rows):
        if index >= len(types) or row.key != types[index]:
            should = "no type" if index >= len(types) else f"type {types[index].type}"
            check.report(["types", "type", index], f"type {row.key.type}", should)
            return


def _named(key: SampleKey) -> str:
    return f"pattern {key.pattern} in the {key.access} of partition {key.partition}"


def _check_bytes(measured: IoMeasured, sample: Sample, report: Report) -> None:
    """Bytes = repetitions · L · processes; the call of a fill-up moves what the segment leaves."""
    key = sample.key
    memory = measured.schedule.table[key.pattern].memory
    if memory is None:
        counted = measured.counted.get(key.partition)
        memory = 0 if counted is None else counted.chunk[key.pattern]
    moved = sample.repetitions * memory * measured.schedule.partitions[key.partition]
    if sample.bytes != moved:
        report("bytes", sample.bytes, moved)


def _possible_stops(measured: IoMeasured, sample: Sample) -> set[Stop | None]:
    facts = measured.schedule.table[sample.key.pattern]
    if facts.kind != "timed":
        return {"once"}
    if sample.key.access != "write":
        return {"count"}
    stops: set[Stop | None] = {"space"}
    if measured.result.schedule.max_data_bytes is not None:
        stops.add("max-data")
    return stops | ({"time"} if facts.type in TIMED_TYPES else {"count"})


def _planned_calls(measured: IoMeasured, key: SampleKey) -> int | None:
    """Return the calls that a pattern should make; None where time decides or it is not known."""
    facts = measured.schedule.table[key.pattern]
    if key.access != "write":
        written = measured.sample(key.partition, key.pattern, "write")
        return None if written is None else written.repetitions
    if facts.type in TIMED_TYPES:
        return 1 if facts.kind == "once" else None
    counted = measured.counted.get(key.partition)
    return None if counted is None else counted.calls[key.pattern]


def _check_repetitions(measured: IoMeasured, sample: Sample, report: Report) -> None:
    """Rewrite and read move what was written; types 3 and 4 what types 0 to 2 ask for.

    A loop that was cut off or failed moves less, but something unless it failed.
    """
    planned = _planned_calls(measured, sample.key)
    whole = sample.status == "measured" and sample.stop in ("once", "count")
    if planned is None:
        if sample.status == "measured" and sample.repetitions < 1:
            report("repetitions", sample.repetitions, "at least 1")
    elif whole:
        if sample.repetitions != planned:
            report("repetitions", sample.repetitions, planned)
    elif sample.status == "measured":
        if not 1 <= sample.repetitions < planned:
            report("repetitions", sample.repetitions, f"1 to {planned - 1}, as it was cut")
    elif sample.repetitions > planned:
        report("repetitions", sample.repetitions, f"at most {planned}")


def _check_earlier_accesses(measured: IoMeasured, sample: Sample, report: Report) -> None:
    """Check that nothing is tried on what was not written, and nothing left out without reason."""
    key = sample.key
    if key.access == "write":
        return
    earlier = [measured.sample(key.partition, key.pattern, "write")]
    type_key = measured.schedule.type_of(key)
    files = [measured.types.get(type_key._replace(access="write"))]
    if key.access == "read" and measured.schedule.runs("rewrite", type_key.type):
        earlier.append(measured.sample(key.partition, key.pattern, "rewrite"))
        files.append(measured.types.get(type_key._replace(access="rewrite")))
    files.append(measured.types.get(type_key))
    usable = all(before is not None and before.status == "measured" for before in earlier)
    if not usable and sample.status != "skipped":
        report("status", sample.status, "skipped, as what it would access was not written")
    file_failed = any(row is not None and row.status == "failed" for row in files)
    stopped_in_it = not measured.result.complete and sample == measured.result.samples.rows[-1]
    if usable and sample.status == "skipped" and not (file_failed or stopped_in_it):
        report("status", sample.status, "measured or failed")


_Path = list[str | int]


def check_types(measured: IoMeasured, check: Recheck) -> None:
    """Check the status of each type against its patterns, and that each sample has its type.

    A run that was cut off leaves at most the type that it was in without a row.
    """
    for index, row in enumerate(measured.result.types.rows):
        possible = _possible_statuses(measured, row)
        path: _Path = ["types", "status", index]
        check.require(row.status in possible, path, row.status, " or ".join(sorted(possible)))
        has_error = row.error is not None
        path = ["types", "error", index]
        should = None if row.status == "measured" else "the reason"
        check.require(has_error == (row.status != "measured"), path, row.error, should)
    seen = {measured.schedule.type_of(key) for key in measured.samples}
    without = seen - set(measured.types)
    allowed = 0 if measured.result.complete else 1
    check.require(
        len(without) <= allowed,
        ["types", "type"],
        f"{len(measured.types)} types",
        f"{len(seen)} types, as many as there are samples of",
    )


def _possible_statuses(measured: IoMeasured, row: TypeRow) -> set[str]:
    """Return what is possible: as good as the worst of its patterns, and failed with its file."""
    statuses = {sample.status for sample in measured.samples_of(row.key)}
    if "failed" in statuses:
        return {"failed"}
    if measured.all_patterns_measured(row.key):
        return {"measured", "failed"}
    return {"skipped", "failed"}


def check_plan(result: BEffIoResult, check: Recheck) -> None:
    """Check M_PART against the memory of a process, and the schedule against the options."""
    asked = result.options.get("max_chunk_bytes")
    bound = asked if isinstance(asked, int) else LARGEST_M_PART
    expected = m_part_of(result.environment.memory_per_process_bytes, bound)
    check.compare(["schedule", "m_part_bytes"], result.schedule.m_part_bytes, expected)
    _check_options(result, check)


def _check_options(result: BEffIoResult, check: Recheck) -> None:
    schedule = result.schedule
    shown: dict[str, Any] = {
        "release": result.definition,
        "procedure": result.procedure,
        "time_s": schedule.time_s,
        "rewrite": schedule.rewrite,
        "max_data_bytes": schedule.max_data_bytes,
        "max_segment_bytes": schedule.max_segment_bytes,
        "seed": schedule.seed,
        "memory_per_process_bytes": result.environment.memory_per_process_bytes,
    }
    check_asked(result.options, shown, check)
    if "partitions" in result.options:
        asked = result.options["partitions"]
        if not asked:
            asked = default_partitions(result.environment.processes)
        elif not isinstance(asked, list) or any(type(one) is not int for one in asked):
            check.report(["options", "partitions"], asked, "a list of numbers of processes")
            return
        stored = [partition.processes for partition in result.partitions]
        check.compare(["partitions"], stored, sorted(set(asked)))
