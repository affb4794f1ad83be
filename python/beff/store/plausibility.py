"""What no machine does: figures beyond any, and copies of a measurement, whatever factor they have.

Verification finds figures that do not follow from the samples. A careful forger avoids all of it,
so nothing found here proves a result genuine.
"""

import math
from collections.abc import Sequence
from typing import Any

from beff.result.b_eff_io_result import BEffIoResult
from beff.result.b_eff_result import BEffResult, Samples
from beff.result.load import Document

_BOUNDS: dict[str, tuple[float, float]] = {
    "_MBps": (1e-9, 1e13),
    "_us": (1e-4, 1e12),  # light goes 3 cm in the shortest
    "rmax_gflops": (1e-9, 1e12),
    "power_kW": (1e-6, 1e7),
    "io_time_s": (1e-9, 1e9),
    "io_partition_time_s": (1e-9, 1e9),
    "nodes": (1, 1e8),
    "cores": (1, 1e10),
    "processes": (1, 1e10),
}
"""These leave three powers of ten and more to any machine that there is.

They are no judgement of a result, but keep a slip of the pen, or a joke, from taking part in a
ranking or breaking a page.
"""


def bounds_of(name: str) -> tuple[float, float]:
    """Return the least and the largest that a column of the store may hold."""
    return next(bounds for ending, bounds in _BOUNDS.items() if name.endswith(ending))


def is_possible(name: str, value: Any) -> bool:
    """Whether a value may stand in a column; what is unknown, or zero, may stand in any."""
    if value is None or not name.endswith(tuple(_BOUNDS)):
        return True
    low, high = bounds_of(name)
    return value == 0 or (math.isfinite(value) and low <= value <= high)


_RATES = 32
_AGREES = 1e-4
"""Relative difference below which two ratios are one."""
_FEWEST = 4
"""Rates from which on agreement is no accident."""


def rates_of(document: Document) -> tuple[float, ...]:
    """Return the number of samples, and how much was moved in a second in some of them.

    Two runs of a machine differ in each rate by noise of their own, so that hardly two ratios of
    their rates agree to four digits; between a measurement and its copy most ratios are one number.
    """
    result = document.result
    assert isinstance(result, BEffResult | BEffIoResult)
    samples = result.samples
    if isinstance(samples, Samples):
        times, moved = samples.time_max_s, samples.loop_length
    else:
        times, moved = samples.time_s, samples.bytes
    places = [place for place, amount in enumerate(moved) if amount and times[place] > 0]
    last = len(places) - 1
    chosen = {round(index * last / (_RATES - 1)) for index in range(_RATES)} if places else set()
    rates = [moved[places[index]] / times[places[index]] for index in sorted(chosen)]
    return (float(len(times)), *(float(f"{rate:.8g}") for rate in rates))


def copy_factor(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return how many times as fast a result is as another of the benchmark whose copy it is.

    Of both, what `rates_of` returns; None where it is no copy.
    """
    if len(one) != len(other) or len(one) < _FEWEST or one[0] != other[0]:
        return None
    ratios = sorted(a / b for a, b in zip(one[1:], other[1:], strict=True))
    half = len(ratios) // 2
    for low, high in zip(ratios, ratios[half:], strict=False):
        if high - low <= 2 * _AGREES * low:
            return (low + high) / 2
    return None
