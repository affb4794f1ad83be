"""The core of b_eff_io: its words as numbers, and its computations by name."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from program_core import Fields, Part

MB = 1 << 20
UNLIMITED = (1 << 63) - 1

Type = IntEnum(
    "Type", "SCATTER SHARED SEPARATE SEGMENTED SEG_COLL RANDOM_SHARED RANDOM_SEPARATE", start=0
)
Access = IntEnum("Access", "WRITE REWRITE READ", start=0)
Kind = IntEnum("Kind", "ONCE TIMED FILL_UP", start=0)
Release = IntEnum("Release", "R0_5 R1 R2_1", start=0)
Pointer = IntEnum("Pointer", "SHARED INDIVIDUAL", start=0)
Procedure = IntEnum("Procedure", "COLD ORIGINAL", start=0)
RewriteSet = IntEnum("RewriteSet", "ALL SCATTER_ONLY", start=0)
StopReason = IntEnum("StopReason", "ONCE TIME COUNT SPACE MAX_DATA ERROR STOPPED", start=0)
TimeRule = IntEnum("TimeRule", "WHILE_SHORTER WHILE_ONE_FITS", start=0)
Status = IntEnum("Status", "MEASURED FAILED SKIPPED", start=0)
Ending = IntEnum("Ending", "DONE STOPPED ABORT", start=0)
SeenBy = IntEnum("SeenBy", "DEVICES PAGE_CACHES NOTHING", start=0)

_IO = Part("b_eff_io.")


def __getattr__(name: str) -> Any:
    return getattr(_IO, name)


def make_plan(processes: int, **request: Any) -> Any:
    """Return a plan; what is not asked for is as by default, on a machine with little memory."""
    usual = {"time": 1800.0, "memory_per_process": 256 * MB, "segment_unit": MB, "seed": 1}
    return _IO.plan({"processes": processes, **usual, **request})


def counted_types(plan: Any, calls: dict[int, int], **limits: Any) -> tuple[Any, ...]:
    """Return L_SEG, cut, scale and {pattern: [chunk, calls]} from {pattern: calls}."""
    bounds = {"per_process": UNLIMITED, **limits}
    *common, patterns = _IO.counted_types(plan, list(calls.items()), bounds)
    return *common, dict(patterns)


def place(*given: int, **more: int) -> Fields:
    """Return a placement: type, processes, chunk, chunks_per_call, base, segment, slots, seed."""
    names = ("type", "processes", "chunk", "chunks_per_call", "base", "segment", "slots", "seed")
    return Fields(zip(names, given), **more)  # noqa: B905 - the rest is as by default


def sample(partition: int, pattern: int, access: int, **more: Any) -> Fields:
    """Return what a pattern of one call took, in no time."""
    usual = {"repetitions": 1, "bytes": 0, "time": 0.0, "loop_time": 0.0, "decisions": 1}
    usual |= {"status": Status.MEASURED, "stop": StopReason.TIME, "error": None}
    return Fields(usual | more, partition=partition, pattern=pattern, access=access)


def cache(resident: int | None = None, **more: Any) -> Fields:
    """Return how much of 100 byte was resident before the read of a partition, by default 0."""
    usual = {"partition": 0, "access": Access.READ, "file_bytes": 100, "resident_before": resident}
    names = ("read_from_disk", "read_by_devices")
    return Fields(usual | dict.fromkeys(names) | {"dropped": False} | more)


def hint(*given: Any) -> Fields:
    """Return a note: partition, access, type, pattern or None, what was asked for and accepted."""
    names = ("partition", "access", "type", "pattern", "requested", "accepted")
    return Fields(zip(names, given, strict=True))


def file_system(**more: Any) -> Fields:
    """Return where files lie."""
    usual = {"paths": ["/scratch"], "kind": "ext4", "reads_seen_by": SeenBy.PAGE_CACHES}
    return Fields(usual | more)


def make_result(plan: Any, measurement: Any, **made_up: Any) -> Any:
    """Return the result as it is recorded (`json`) and printed."""
    return _IO.result(plan, measurement, made_up)
