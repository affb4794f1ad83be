"""Measured values as the descriptions of points and pictures write them."""

from math import isfinite

from beff.model.result_parts import Figure
from beff.model.units import format_duration


def positive(value: Figure) -> Figure:
    """Return a value that a logarithmic axis can show; None for any other."""
    return value if value is not None and isfinite(value) and value > 0 else None


def digits(value: float) -> str:
    """Write a number to four significant digits, without an exponent down to a millionth."""
    if abs(value) >= 1000:
        return f"{value:.0f}"
    text = f"{value:.4g}"
    return text if "e" not in text else f"{value:.3g}"


def duration(seconds: float) -> str:
    """Write a duration: `1.15 µs`, `2.50 ms`."""
    return format_duration(seconds).replace(" us", " µs")


def counted(count: int, thing: str) -> str:
    """Write a count with its noun: `1 pattern`, `6 patterns`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
