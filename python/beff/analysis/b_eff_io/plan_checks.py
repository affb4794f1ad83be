"""Whether the schedule is the one that the options and the machine ask for."""

from typing import Any

from beff.analysis.b_eff_io.pattern_table import LARGEST_M_PART, m_part_of
from beff.analysis.b_eff_io.schedule import default_partitions
from beff.analysis.verification import Recheck
from beff.model.b_eff_io_result import BEffIoResult


def check_plan(result: BEffIoResult, check: Recheck) -> None:
    """Check M_PART against the memory of a process, and the schedule against the options."""
    _check_m_part(result, check)
    _check_options(result, check)


def _check_m_part(result: BEffIoResult, check: Recheck) -> None:
    """Recompute M_PART = max(2 MB, memory of a process / 128) within its bound."""
    asked = result.options.get("max_chunk_bytes")
    bound = asked if isinstance(asked, int) else LARGEST_M_PART
    expected = m_part_of(result.environment.memory_per_process_bytes, bound)
    check.compare(["schedule", "m_part_bytes"], result.schedule.m_part_bytes, expected)


def _check_options(result: BEffIoResult, check: Recheck) -> None:
    """Check that the result shows what was asked for; null or absent stands for a default."""
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
    for name, value in shown.items():
        asked = result.options.get(name)
        if asked is not None:
            check.compare(["options", name], asked, value)
    if "partitions" in result.options:
        asked = result.options["partitions"]
        if not asked:
            asked = default_partitions(result.environment.processes)
        stored = [partition.processes for partition in result.partitions]
        check.compare(["partitions"], stored, sorted(set(asked)))
