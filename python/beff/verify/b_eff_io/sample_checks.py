"""Whether a result holds what its plan asks for, and the plan is that of the options."""

from typing import Any

from beff.definition.compare import Recheck
from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_io_samples import SampleKey
from beff.verify.b_eff_io.definition import LARGEST_M_PART, m_part_of
from beff.verify.b_eff_io.schedule import IoMeasured, default_partitions
from beff.verify.common.checks import check_asked


def check_keys(measured: IoMeasured, check: Recheck) -> None:
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
    if measured.result.complete:
        lengths = len(measured.types), len(types)
        check.require(lengths[0] == lengths[1], ["types", "type"], *map("{} types".format, lengths))


def _named(key: SampleKey) -> str:
    return f"pattern {key.pattern} in the {key.access} of partition {key.partition}"


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
