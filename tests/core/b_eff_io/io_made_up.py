"""Measurements made up from bandwidths, for tests of what is derived from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import io_core as io

from program_core import Fields


def measurement(
    plan: Any,
    of_pattern: Callable[[int, Any, Any], float],
    of_type: Callable[[int, Any, Any], float],
    pattern_bytes: int = 10**9,
) -> Any:
    """Every pattern and type of the plan with the given bandwidths.

    The functions take partition, pattern (or type) and access method.
    """
    samples = []
    types = []
    for access in io.Access:
        for partition in range(len(plan.partitions)):
            for kind in plan.types:
                if not io.has(plan, access, kind):
                    continue
                patterns = [p for p in plan.patterns if p.type == kind]
                for pattern in patterns:
                    time = pattern_bytes / 1e6 / of_pattern(partition, pattern, access)
                    took = {"bytes": pattern_bytes, "time": time, "loop_time": time}
                    samples.append(io.sample(partition, pattern.number, access, **took))
                total = pattern_bytes * len(patterns)
                seconds = total / 1e6 / of_type(partition, kind, access)
                types.append(type_sample(partition, kind, access, total, seconds))
    counted = {"segment": 0, "cut": 0, "scale": 1.0}
    return Fields(
        samples=samples,
        types=types,
        partitions=[{"decision_cost": 0.0, "counted": counted}] * len(plan.partitions),
        complete=True,
        stopped_by=None,
        shared_pointers=True,
        data_check=Fields(chunks_checked=100),
        cache=[],
        hints=[],
        file_system=io.file_system(),
    )


def type_sample(partition: int, kind: int, access: int, size: int, seconds: float) -> Fields:
    """A type whose files were open for no time but that of the patterns."""
    took = {"open": 0.0, "close": 0.0, "patterns": seconds, "status": io.Status.MEASURED}
    return Fields(took, partition=partition, type=kind, access=access, bytes=size, error=None)
