"""Axes that several charts share, and where their ticks lie."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil, floor, isfinite, log10

from beff.charts.chart import Axis, Row
from beff.result.bounds import Figure
from beff.result.numbers import format_size, rate_unit

PER_PROCESS = "bandwidth per process"
_MOST_TICKS = 8
_SMALLEST, _LARGEST = 1e-300, 1e300
"""Beyond these no machine is; there are no round ticks then."""


def positive(value: Figure) -> Figure:
    """Return a value that a logarithmic axis can show; None for any other."""
    return value if value is not None and isfinite(value) and value > 0 else None


def rate_tick(value_MBps: float) -> str:  # noqa: N803 - the unit of the field
    """Write a tick of an axis of rates: 1500 is `1.5 GB/s`, and zero needs no unit."""
    length, unit = rate_unit(value_MBps)
    return f"{value_MBps / length:.3g} {unit}" if value_MBps else "0"


plain_tick = "{:.6g}".format
"""Writes a tick whose unit the title of the axis has."""


def size_axis(sizes_bytes: Sequence[int]) -> Axis:
    """Return a logarithmic axis over message sizes in byte."""
    smallest, largest = min(sizes_bytes), max(sizes_bytes)
    ticks = {float(size): format_size(size) for size in size_ticks(smallest, largest)}
    ends = (smallest, largest) if largest > smallest else (smallest / 2, largest * 2)
    return Axis("message size", ends, ticks, is_log=True)


def size_ticks(smallest: int, largest: int) -> list[int]:
    """Return powers of two within the bounds, evenly spaced and not too many.

    Where there is none, the smallest size itself is the only tick.
    """
    exponents = [k for k in range(largest.bit_length()) if smallest <= 1 << k <= largest]
    step = -(-len(exponents) // _MOST_TICKS)
    if step > 2:
        step = 5 * -(-step // 5)  # 1 B, 32 B, 1 KiB, 32 KiB, 1 MiB
    return [1 << k for k in exponents if k % max(step, 1) == 0] or [smallest]


def log_axis(rows: Iterable[Row], title: str, write: Callable[[float], str] = rate_tick) -> Axis:
    """Return a logarithmic axis that holds all positive values, at least one, and their ranges."""
    known = [value for value in _values(rows) if value > 0]
    smallest, largest = min(known), max(known)
    ticks = {tick: write(tick) for tick in log_ticks(smallest, largest)}
    return Axis(title, (smallest / 1.1, largest * 1.1), ticks, is_log=True)


def log_ticks(smallest: float, largest: float) -> list[float]:
    """Return ticks within positive bounds: powers of ten, over few decades also their 2 and 5.

    Bounds that hold none of them are ticks themselves.
    """
    lowest, highest = floor(log10(smallest)) - 1, ceil(log10(largest)) + 1
    decades = range(lowest, highest, max(1, (highest - lowest) // _MOST_TICKS))
    factors = (1, 2, 5) if largest / smallest < 2e3 else (1,)
    ticks = [factor * 10.0**decade for decade in decades for factor in factors]
    return [tick for tick in ticks if smallest / 1.1 <= tick <= largest * 1.1] or [
        float(f"{bound:.3g}") for bound in (smallest, largest)
    ]


def linear_axis(rows: Iterable[Row], title: str, write: Callable[[float], str] = rate_tick) -> Axis:
    """Return an axis from zero for values that are compared by their length."""
    ticks = linear_ticks(max(_values(rows)))
    return Axis(title, (0, ticks[-1]), {tick: write(tick) for tick in ticks})


def share_axis(rows: Iterable[Row], title: str) -> Axis:
    """Return an axis of per cent up to 100, from a round value below the lowest."""
    lowest = min(_values(rows), default=0.0)
    step = 20 if lowest < 50 else 10 if lowest < 80 else 5
    ticks = range(int(lowest // step) * step, 101, step)
    return Axis(title, (ticks[0], 100), {tick: str(tick) for tick in ticks})


def linear_ticks(largest: float) -> list[float]:
    """Return few ticks from zero to the largest value or just beyond it."""
    if not _SMALLEST < largest < _LARGEST:
        return [0.0, max(largest, 1.0)]
    decade = 10.0 ** floor(log10(largest / _MOST_TICKS))
    step = next(n * decade for n in (1, 2, 5, 10, 20) if n * decade * _MOST_TICKS >= largest)
    return [step * place for place in range(ceil(largest / step * (1 - 1e-12)) + 1)]


def _values(rows: Iterable[Row]) -> Iterator[float]:
    for row in rows:
        for value in (row.y, row.low, row.high):
            if isinstance(value, float | int):
                yield value


def process_axis(processes: Iterable[float]) -> Axis:
    """Return a logarithmic axis over numbers of processes.

    Its ticks are those that occur, of many the powers of two within their range.
    """
    ticks = sorted({int(count) for count in processes})
    ends = (ticks[0] / 1.25, ticks[-1] * 1.25)
    if len(ticks) > _MOST_TICKS:
        powers = [1 << k for k in range(ticks[-1].bit_length()) if 1 << k >= ticks[0]]
        ticks = powers or [ticks[0], ticks[-1]]
    return Axis("number of processes", ends, {tick: str(tick) for tick in ticks}, is_log=True)
