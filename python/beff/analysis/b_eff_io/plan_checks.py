"""Whether the schedule is the one that the options and the machine ask for."""

from typing import Any

from beff.analysis.b_eff_io.pattern_table import LARGEST_M_PART, SMALLEST_M_PART, m_part_of
from beff.analysis.b_eff_io.schedule import default_partitions
from beff.analysis.finding import Comparison
from beff.model.b_eff_io_result import BEffIoResult, Schedule

_SHARE_OF_MEMORY = 8
"""M_PART leaves most of a process's memory free: its buffer has that size."""

_SHORTEST_PROBE_S = 0.1

_LARGEST_PART = 0.25
"""Of what is left of T, for preparing or for removing files."""


def check_plan(result: BEffIoResult, check: Comparison) -> None:
    """Check M_PART against the memory of a node, and the schedule against the options."""
    _check_m_part(result, check)
    _check_options(result, check)


def _check_m_part(result: BEffIoResult, check: Comparison) -> None:
    """Recompute M_PART = max(2 MB, memory of one node / 128), bounded by the buffer it needs.

    The result tells the memory per process, which is that of the node with the least per process,
    divided and rounded down: so the memory of the smallest node lies between two numbers.
    """
    environment = result.environment
    per_process = environment.memory_per_process_bytes
    on_nodes = [host.processes for host in environment.hosts]
    asked = result.options.get("max_chunk_bytes")
    bound = max(SMALLEST_M_PART, min(LARGEST_M_PART, per_process // _SHARE_OF_MEMORY))
    if isinstance(asked, int):
        bound = asked
    least = m_part_of(per_process * min(on_nodes), bound)
    most = m_part_of((per_process + 1) * max(on_nodes) - 1, bound)
    stored = result.schedule.m_part_bytes
    check.figures += 1
    expected = f"{least}" if least == most else f"{least} to {most}"
    check.require(least <= stored <= most, ["schedule", "m_part_bytes"], stored, expected)


def _check_aside(schedule: Schedule, check: Comparison) -> None:
    """Only a probe foresees what lies outside the patterns, and it leaves time for them."""
    left = schedule.time_s - schedule.probe_s if schedule.probe_s > 0 else 0.0
    for name in ("preparing_s", "removing_s"):
        seconds, most = getattr(schedule, name), _LARGEST_PART * left
        check.require(seconds <= most, ["schedule", name], seconds, f"at most {most}")
        left -= seconds


def _check_options(result: BEffIoResult, check: Comparison) -> None:
    """Check that the result shows what was asked for; null or absent stands for a default."""
    schedule = result.schedule
    probed = schedule.probe_s == 0 or _SHORTEST_PROBE_S <= schedule.probe_s <= schedule.time_s / 2
    path: list[str | int] = ["schedule", "probe_s"]
    check.require(probed, path, schedule.probe_s, f"0, or {_SHORTEST_PROBE_S} s to half of T")
    _check_aside(schedule, check)
    shown: dict[str, Any] = {
        "release": result.definition,
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
