"""Sizes, durations, rates and percentages as people write them."""

import math
import re

_NUMBER = r"(\d+\.?\d*|\.\d+)"
_BYTES_PER_S = {
    "B/s": 1.0,
    "kB/s": 1e3,
    "MB/s": 1e6,
    "GB/s": 1e9,
    "Mbit/s": 1e6 / 8,
    "Gbit/s": 1e9 / 8,
}
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
_BYTES = {
    **{"": 1.0, "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15},
    **{f"{prefix}iB": 2.0 ** (10 * power) for power, prefix in enumerate("KMGTP", start=1)},
}


def parse_bandwidth(text: str) -> float:
    """Return byte/s of 12.5GB/s or 100Gbit/s. Raises ValueError saying what it must be.

    k, M and G are powers of 1000.
    """
    value = _parse(text, _BYTES_PER_S)
    if value is None or not value > 0:
        raise ValueError("must be a bandwidth above 0, such as 12.5GB/s, 800MB/s or 100Gbit/s")
    return value


def parse_latency(text: str) -> float:
    """Return the seconds of 500ns or 1.5us. Raises ValueError saying what it must be."""
    value = _parse(text, _SECONDS)
    if value is None:
        raise ValueError("must be a latency, such as 500ns, 1.5us or 0s")
    return value


def parse_percent(text: str, least: float = 0.0, most: float = 10.0) -> float:
    """Return 0.05 of 5% or 5, a share from `least` to `most`. Raises ValueError saying that."""
    value = _parse(text, {"": 1.0, "%": 1.0})
    if value is None or not least <= value / 100 <= most:
        raise ValueError(f"must be a percentage from {least:.0%} to {most:.0%}, such as 15%")
    return value / 100


def parse_duration(text: str) -> float:
    """Return the seconds of 90s or 15min. Raises ValueError saying what it must be."""
    value = _parse(text, _SECONDS)
    if value is None or not value > 0:
        raise ValueError("must be a duration above 0, such as 90s or 30min")
    return value


def parse_size(text: str) -> int:
    """Return the bytes of 512MiB, 2GB or 4096. Raises ValueError saying what it must be."""
    value = _parse(text, _BYTES)
    if value is None or value < 1:
        raise ValueError("must be a size, such as 512MiB or 2GiB")
    return int(value)


def _parse(text: str, units: dict[str, float]) -> float | None:
    parts = re.fullmatch(rf"{_NUMBER} *({'|'.join(units)})", text.strip(), re.ASCII)
    if parts is None:
        return None
    value = float(parts[1]) * units[parts[2]]
    return value if math.isfinite(value) else None


def format_bandwidth(bytes_per_s: float) -> str:
    """Write a bandwidth: `12.5 GB/s`, `800 MB/s`."""
    units = ("B/s", "kB/s", "MB/s", "GB/s")
    value, unit = bytes_per_s, 0
    while value >= 1000 and unit + 1 < len(units):
        value, unit = value / 1000, unit + 1
    return f"{value:.6g} {units[unit]}"


def format_latency(seconds: float) -> str:
    """Write a latency: `500 ns`, `1.5 us`."""
    if seconds == 0:
        return "0 s"
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= factor * (1 - 1e-12):
            return f"{seconds / factor:.6g} {unit}"
    return f"{seconds / 1e-9:.6g} ns"
