"""What physics allows: a figure beyond is no measurement, and is shown as such.

The bounds leave three powers of ten and more to any machine that there is; they are no judgement of
a result, but keep a slip of the pen, or a joke, from taking part in a ranking or breaking a page.
"""

import math
from typing import Any

_BANDWIDTH = (1e-9, 1e13)
_BOUNDS: dict[str, tuple[float, float]] = {
    "latency_us": (1e-4, 1e12),  # light goes 3 cm in the shortest
    "pingpong_latency_us": (1e-4, 1e12),
    "total_memory_exchange_s": (1e-12, 1e15),
    "balance_bytes_per_flop": (1e-15, 1e9),
    "rmax_gflops": (1e-9, 1e12),
    "power_kW": (1e-6, 1e7),
    "io_time_s": (1e-9, 1e9),
    "io_partition_time_s": (1e-9, 1e9),
    "total_memory_write_min": (1e-12, 1e15),
    "nodes": (1, 1e8),
    "cores": (1, 1e10),
    "processes": (1, 1e10),
    "memory_bytes": (1, 2.0**63 - 1),
}


def bounds_of(name: str) -> tuple[float, float]:
    """Return the least and the largest that a column of the store may hold."""
    return _BANDWIDTH if name.endswith("_MBps") else _BOUNDS[name]


def is_bounded(name: str) -> bool:
    """Whether there are bounds for a column."""
    return name.endswith("_MBps") or name in _BOUNDS


def is_possible(name: str, value: Any) -> bool:
    """Whether a value may stand in a column; what is unknown, or zero, may stand in any."""
    if value is None or not is_bounded(name):
        return True
    low, high = bounds_of(name)
    return value == 0 or (math.isfinite(value) and low <= value <= high)
