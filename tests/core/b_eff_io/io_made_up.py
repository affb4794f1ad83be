"""Measurements made up from bandwidths, for tests of what is derived from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from beff_core_testing import b_eff_io as io

TYPES = 5


def measurement(
    plan: Any,
    of_pattern: Callable[[int, Any, Any], float],
    of_type: Callable[[int, Any, Any], float],
    pattern_bytes: int = 10**9,
) -> Any:
    """Every pattern and type of the plan with the given bandwidths.

    The functions take partition, pattern (or type) and access method.
    """
    result = io.Measurement()
    samples = []
    types = []
    for access in io.Access:
        for partition in range(len(plan.partitions)):
            for kind in plan.types:
                if not plan.has(access, kind):
                    continue
                patterns = [p for p in plan.patterns if p.type == kind]
                for pattern in patterns:
                    time = pattern_bytes / 1e6 / of_pattern(partition, pattern, access)
                    samples.append(
                        io.Sample(partition, pattern.number, access, 1, pattern_bytes, time, time)
                    )
                total = pattern_bytes * len(patterns)
                seconds = total / 1e6 / of_type(partition, kind, access)
                types.append(io.TypeSample(partition, kind, access, total, patterns=seconds))
    result.samples = samples
    result.types = types
    result.set_partitions(len(plan.partitions))
    result.complete = True
    result.set_file_system()
    result.data_check = io.DataCheck(chunks_checked=100)
    return result
