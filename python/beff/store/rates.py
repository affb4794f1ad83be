"""Whether two results are copies of one measurement, whatever factor lies between them.

Some of the rates of a result, at even distances among its samples, are kept. Two runs of a machine
differ in each of them by noise of their own, so that hardly two ratios of their rates agree to four
digits; between a measurement and its copy most ratios are one number.
"""

from collections.abc import Sequence
from typing import Any

from beff.model.load import Document

_RATES = 32
_AGREES = 1e-4
"""Relative difference below which two ratios are one."""
_FEWEST = 4
"""Rates from which on agreement is no accident."""


def rates_of(document: Document) -> tuple[float, ...]:
    """Return the number of samples, and how much was moved in a second in some of them."""
    samples: dict[str, Sequence[Any]] = document.fields["samples"]
    is_b_eff = document.benchmark == "b_eff"
    times = samples["time_max_s" if is_b_eff else "time_s"]
    moved = samples["loop_length" if is_b_eff else "bytes"]
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
