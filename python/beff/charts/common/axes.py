"""Axes that several diagrams share."""

import json
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, isfinite, log10

from beff.charts.common.vega_lite import Chart, channel
from beff.model.numbers import format_size, rate_unit
from beff.model.result_parts import Figure

RATE = "MBps"
"""The field of rates, whose ticks have the unit that suits them."""
_MOST_TICKS = 8
_SMALLEST, _LARGEST = 1e-300, 1e300
"""Beyond these no machine is; there are no round ticks then."""


def positive(value: Figure) -> Figure:
    """Return a value that a logarithmic axis can show; None for any other."""
    return value if value is not None and isfinite(value) and value > 0 else None


def size_axis(sizes_bytes: Sequence[int], title: str = "message size") -> Chart:
    """Return a logarithmic axis over sizes in byte, for the field `size_bytes`."""
    smallest, largest = min(sizes_bytes), max(sizes_bytes)
    ticks = size_ticks(smallest, largest)
    domain = [smallest, largest] if largest > smallest else [smallest / 2, largest * 2]
    return channel(
        "size_bytes:Q",
        title=title,
        scale={"type": "log", "base": 2, "domain": domain, "nice": False},
        axis={"values": ticks, "labelExpr": labels({size: format_size(size) for size in ticks})},
    )


def size_ticks(smallest: int, largest: int) -> list[int]:
    """Return powers of two within the bounds, evenly spaced and not too many.

    Where there is none, the smallest size itself is the only tick.
    """
    exponents = [k for k in range(largest.bit_length()) if smallest <= 1 << k <= largest]
    step = -(-len(exponents) // _MOST_TICKS)
    if step > 2:
        step = 5 * -(-step // 5)  # 1 B, 32 B, 1 KiB, 32 KiB, 1 MiB
    return [1 << k for k in exponents if k % max(step, 1) == 0] or [smallest]


def log_axis(values: Iterable[Figure], title: str, field: str = RATE) -> Chart:
    """Return a logarithmic axis that holds all positive values, at least one.

    Ticks of rates have their unit, others leave it to `title`.
    """
    known = [value for value in values if value is not None and value > 0]
    smallest, largest = min(known), max(known)
    ticks = log_ticks(smallest, largest)
    return channel(
        f"{field}:Q",
        title=title,
        scale={"type": "log", "domain": [smallest / 1.1, largest * 1.1], "nice": False},
        axis=_marked(ticks, field),
    )


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


def linear_axis(values: Iterable[Figure], title: str, field: str = RATE) -> Chart:
    """Return an axis from zero for values that are compared by their length; else as `log_axis`."""
    ticks = linear_ticks(max(value for value in values if value is not None))
    scale = {"domain": [0, ticks[-1]], "nice": False}
    return channel(f"{field}:Q", title=title, scale=scale, axis=_marked(ticks, field))


def linear_ticks(largest: float) -> list[float]:
    """Return few ticks from zero to the largest value or just beyond it."""
    if not _SMALLEST < largest < _LARGEST:
        return [0.0, max(largest, 1.0)]
    decade = 10.0 ** floor(log10(largest / _MOST_TICKS))
    step = next(n * decade for n in (1, 2, 5, 10, 20) if n * decade * _MOST_TICKS >= largest)
    return [step * place for place in range(ceil(largest / step * (1 - 1e-12)) + 1)]


def _marked(ticks: Sequence[float], field: str) -> Chart:
    write = rate_tick if field == RATE else "{:.6g}".format
    texts = labels({tick: write(tick) for tick in ticks})
    # fonts of a browser may be wider than those that the labels were measured with
    return {"values": ticks, "labelExpr": texts, "titlePadding": 12}


def rate_tick(value_MBps: float) -> str:  # noqa: N803 - the unit of the field
    """Write a tick of an axis of rates: 1500 is `1.5 GB/s`, and zero needs no unit."""
    length, unit = rate_unit(value_MBps)
    return f"{value_MBps / length:.3g} {unit}" if value_MBps else "0"


def process_axis(processes: Sequence[int]) -> Chart:
    """Return a logarithmic axis over numbers of processes."""
    smallest, largest = min(processes), max(processes)
    domain = [smallest / 1.25, largest * 1.25]
    return channel(
        "processes:Q",
        title="number of processes",
        scale={"type": "log", "base": 2, "domain": domain, "nice": False},
        axis={"values": process_ticks(processes), "labelOverlap": "greedy", "format": "d"},
    )


def process_ticks(processes: Sequence[int]) -> list[int]:
    """Return the numbers that occur, of many the powers of two within their range."""
    distinct = sorted(set(processes))
    if len(distinct) <= _MOST_TICKS:
        return distinct
    powers = [1 << k for k in range(distinct[-1].bit_length()) if 1 << k >= distinct[0]]
    return powers or [distinct[0], distinct[-1]]


def labels(texts: Mapping[int, str] | Mapping[float, str]) -> str:
    """Return the Vega expression that gives each tick its text.

    Two lists and no object: its keys could not be negative.
    """
    values = json.dumps(list(texts), allow_nan=False)
    return f"{json.dumps(list(texts.values()))}[indexof({values}, datum.value)]"
