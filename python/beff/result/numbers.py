"""Figures as people read them and as they write them.

They read three significant digits, and rates in the unit that suits them. Data, such as results,
CSV and JSON, keep all digits and MB/s. Sizes and durations have the forms that the measuring
programs print.
"""

import math
import re
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

BYTES_PER_MB = 1.0e6
"""MB/s is 10^6 byte per second everywhere."""
MIB = 1 << 20
MISSING = "-"
"""Stands where a figure does not exist."""
NOT_MEASURED = "not measured"

_RATES = ((1e9, "PB/s"), (1e6, "TB/s"), (1e3, "GB/s"), (1.0, "MB/s"), (1e-3, "kB/s"))
"""Units of a rate and their length in MB/s, the largest first."""
_THREE_DIGITS = Context(prec=3, rounding=ROUND_HALF_UP)
"""Rounds as JavaScript does, so that a figure looks the same whoever wrote it."""
_SECONDS = {"s": 1, "min": 60}
_SMALLEST, _LARGEST = 1e-6, 1e15
"""Beyond these a number needs an exponent."""


def as_list(column: Any) -> Any:
    """Return a list in place of a NumPy array, and anything else as it is."""
    return column.tolist() if hasattr(column, "tolist") else column


_UNITS = {
    "_MBps": "MB/s",
    "_us": "us",
    "_per_s": "1/s",
    "_s": "s",
    "_min": "min",
    "_bytes": "byte",
    "_per_access": "byte",
    "_per_flop": "byte/flop",
    "_gflops": "GFLOP/s",
    "_percent": "%",
    "percent_of_memory": "%",
    "percent_of_peak": "%",
    "values": "MB/s",
}
"""The unit that the end of a figure's name gives, the first one that fits."""


def unit_of(name: str) -> str:
    """Return the unit that a figure's name gives; nothing where it gives none."""
    return next((unit for ending, unit in _UNITS.items() if name.endswith(ending)), "")


def number(value: float | None) -> str:
    """Write a number with three significant digits, whole ones and those from 100 on whole.

    What has fewer digits, as a figure of a paper or a tolerance, gets no zeros that nobody knew.
    """
    if value is None:
        return MISSING
    exact = Decimal(repr(float(value)))
    three = _THREE_DIGITS.create_decimal(exact)
    if value and not _SMALLEST <= abs(value) < _LARGEST:
        return f"{three:.2e}"
    if abs(value) >= 100 or value == int(value):
        return str(Decimal(value).quantize(Decimal(1), ROUND_HALF_UP))
    return f"{exact if exact == three else three:f}"


def rate_unit(value_MBps: float) -> tuple[float, str]:  # noqa: N803 - the unit of the field
    """Return the unit that suits a rate, with its length in MB/s; below 1 kB/s still kB/s."""
    fitting = (unit for unit in _RATES if float(f"{abs(value_MBps) / unit[0]:.3g}") >= 1)
    return next(fitting, _RATES[-1])


def scaled(value_MBps: float | None) -> tuple[str, str]:  # noqa: N803 - the unit of the field
    """Return a rate as number and unit: 1268.97 is `1.27`, `GB/s`."""
    if value_MBps is None:
        return MISSING, "MB/s"
    length, unit = rate_unit(value_MBps)
    return number(value_MBps / length), unit


def rate(value_MBps: float | None) -> str:  # noqa: N803 - the unit of the field
    """Write a rate with its unit: `1.27 GB/s`."""
    return NOT_MEASURED if value_MBps is None else " ".join(scaled(value_MBps))


def measured(value: float | None, unit: str) -> str:
    """Write a figure of a result with its unit, scaled where that is one of rates or sizes."""
    if value is None:
        return MISSING
    if unit == "MB/s":
        return rate(value)
    if unit == "byte":
        return format_size(int(value))
    if unit in _SECONDS:
        return duration(value * _SECONDS[unit])
    return f"{number(value)} {'µs' if unit == 'us' else unit}".rstrip()


def percent(share: float, decimals: int = 0) -> str:
    """Write a share: 0.31 is `31 %`."""
    return f"{100 * share:.{decimals}f} %"


def times(factor: float) -> str:
    """Write how many times as much something is: `1.60 times`, `12 times`."""
    if factor > _MOST_TIMES:
        return f"more than {_MOST_TIMES} times"
    return f"{factor:.{2 if factor < _WHOLE_TIMES else 0}f} times"


_WHOLE_TIMES, _MOST_TIMES = 9.995, 1000
"""From here on factors are written whole, and beyond this no more."""


def change(share: float | None) -> str:
    """Write a signed change, given as a share: 0.031 is `+3.1 %`; no sign where it is zero."""
    if share is None:
        return MISSING
    text = f"{100 * share:+.1f}"
    return f"{'0.0' if text in ('+0.0', '-0.0') else text} %"


def bound(share: float) -> str:
    """Write an end of the interval of a change; one without information is not known."""
    text = change(share)
    return "not known" if share > 1 or text == "-100.0 %" else text


def change_from(first: float | None, other: float | None) -> str:
    """Write the change from a first figure to another one."""
    return change(None if first is None or other is None or first == 0 else other / first - 1)


def counted(count: int, noun: str) -> str:
    """Write a count with its noun: `1 node`, `2 processes`."""
    ending = "" if count == 1 else "es" if noun.endswith("s") else "s"
    return f"{count} {noun}{ending}"


def of_one(text: str) -> str:
    """Write the nouns behind counts of one in a text made of plurals: `1 pair`, `11 pairs`."""
    return _ONE.sub(r"1 \1", text)


_NOUNS = (
    "process|pair|round|repetition|pattern|error|host|node|day|step|run|session|message|loop|map"
    "|result|disagreement"
)
_ONE = re.compile(rf"(?<![\d.,-])1 ((?:earlier |more )?(?:{_NOUNS}))(?:s|es)\b")


def ranges(numbers: Sequence[int]) -> str:
    """Write rising whole numbers as ranges: `0-3, 8, 10-11`."""
    parts: list[list[int]] = []
    for each in numbers:
        if parts and each == parts[-1][1] + 1:
            parts[-1][1] = each
        else:
            parts.append([each, each])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def format_size(size_bytes: int) -> str:
    """Write a size with a binary unit: `94.25 MiB`, `512 B`."""
    units = ("B", "KiB", "MiB", "GiB", "TiB")
    value, unit = float(size_bytes), 0
    # 1023.95 is what one decimal would round up to 1024
    while value >= (1023.95 if unit else 1024) and unit + 1 < len(units):
        value, unit = value / 1024, unit + 1
    if value == int(value):
        return f"{value:.0f} {units[unit]}"
    return f"{value:.{2 if value < 100 else 1}f} {units[unit]}"


def format_chunk(size_bytes: float) -> str:
    """Write a size on disk as the papers do: `32 KiB`, `32 KiB + 8`."""
    size, odd = int(size_bytes), int(size_bytes) % 1024
    if size < 1024 or odd == 0 or odd % 8 != 0:
        return format_size(size)
    return f"{format_size(size - odd)} + {odd}"


def format_duration(seconds: float) -> str:
    """Write a duration: `2.50 ms`, `42 s`, `3 min 20 s`, `1 h 05 min`."""
    if seconds == 0:
        return "0 s"
    # Each unit ends where its digits would round up to the next one.
    if seconds < 0.000_999_995:
        return f"{seconds * 1e6:{'.2f' if seconds >= 0.000_000_005 else '.1g'}} us"
    if seconds < 0.999_995:
        return f"{seconds * 1e3:.2f} ms"
    if seconds < 59.5:
        rounded = seconds >= 9.95 or seconds == int(seconds) or seconds < 1
        return f"{seconds:.{0 if rounded else 1}f} s"
    whole = int(seconds + 0.5)
    if whole < 3600:
        rest = f" {whole % 60:02} s" if whole % 60 else ""
        return f"{whole // 60} min{rest}"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def duration(seconds: float) -> str:
    """Write a duration for pages and pictures: `1.15 µs`, `2.50 ms`."""
    return format_duration(seconds).replace(" us", " µs")


_NUMBER = r"(\d+\.?\d*|\.\d+)"
_BYTES_PER_S = {
    "B/s": 1.0,
    "kB/s": 1e3,
    "MB/s": 1e6,
    "GB/s": 1e9,
    "Mbit/s": 1e6 / 8,
    "Gbit/s": 1e9 / 8,
}
_UNITS_OF_TIME = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
_BYTES = {
    **{"": 1.0, "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15},
    **{f"{prefix}iB": 2.0 ** (10 * power) for power, prefix in enumerate("KMGTP", start=1)},
}


def parse_bandwidth(text: str) -> float:
    """Return byte/s of 12.5GB/s or 100Gbit/s. Raises ValueError saying what it must be.

    k, M and G are powers of 1000.
    """
    words = "a bandwidth above 0, such as 12.5GB/s, 800MB/s or 100Gbit/s"
    return _parse(text, _BYTES_PER_S, words, lambda value: value > 0)


def parse_latency(text: str) -> float:
    """Return the seconds of 500ns or 1.5us. Raises ValueError saying what it must be."""
    return _parse(text, _UNITS_OF_TIME, "a latency, such as 500ns, 1.5us or 0s")


def parse_percent(text: str, least: float = 0.0, most: float = 10.0) -> float:
    """Return 0.05 of 5% or 5, a share from `least` to `most`. Raises ValueError saying that."""
    words = f"a percentage from {least:.0%} to {most:.0%}, such as 15%"
    units = {"": 1.0, "%": 1.0}
    return _parse(text, units, words, lambda value: least <= value / 100 <= most) / 100


def parse_duration(text: str) -> float:
    """Return the seconds of 90s or 15min. Raises ValueError saying what it must be."""
    words = "a duration above 0, such as 90s or 30min"
    return _parse(text, _UNITS_OF_TIME, words, lambda value: value > 0)


def parse_size(text: str) -> int:
    """Return the bytes of 512MiB, 2GB or 4096. Raises ValueError saying what it must be."""
    return int(_parse(text, _BYTES, "a size, such as 512MiB or 2GiB", lambda value: value >= 1))


def _parse(
    text: str, units: dict[str, float], words: str, fits: Callable[[float], bool] = math.isfinite
) -> float:
    parts = re.fullmatch(rf"{_NUMBER} *({'|'.join(units)})", text.strip(), re.ASCII)
    value = float(parts[1]) * units[parts[2]] if parts else math.nan
    if not (math.isfinite(value) and fits(value)):
        raise ValueError(f"must be {words}")
    return value


def format_bandwidth(bytes_per_s: float) -> str:
    """Write a bandwidth: `12.5 GB/s`, `800 MB/s`."""
    return _in_unit(bytes_per_s, ("GB/s", "MB/s", "kB/s", "B/s"), _BYTES_PER_S)


def format_latency(seconds: float) -> str:
    """Write a latency: `500 ns`, `1.5 us`."""
    return _in_unit(seconds, ("s", "ms", "us", "ns"), _UNITS_OF_TIME) if seconds else "0 s"


def _in_unit(value: float, units: Sequence[str], lengths: dict[str, float]) -> str:
    """Write a value in the first unit that is not longer than it."""
    fitting = (unit for unit in units if value >= lengths[unit] * (1 - 1e-12))
    unit = next(fitting, units[-1])
    return f"{value / lengths[unit]:.6g} {unit}"
