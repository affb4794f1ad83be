"""Sizes and durations as people read them; the same forms as the measuring programs print."""

BYTES_PER_MB = 1.0e6
"""MB/s is 10^6 byte per second everywhere."""
MIB = 1 << 20


def format_size(size_bytes: int) -> str:
    """Write a size with a binary unit: `94.25 MiB`, `512 B`."""
    units = ("B", "KiB", "MiB", "GiB", "TiB")
    value, unit = float(size_bytes), 0
    while value >= 1024 and unit + 1 < len(units):
        value, unit = value / 1024, unit + 1
    if value == int(value):
        return f"{value:.0f} {units[unit]}"
    return f"{value:.{2 if value < 100 else 1}f} {units[unit]}"


def format_duration(seconds: float) -> str:
    """Write a duration: `2.50 ms`, `42 s`, `3 min 20 s`, `1 h 05 min`."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.2f} us"
    if seconds < 1:
        return f"{seconds * 1e3:.2f} ms"
    if seconds < 60:
        decimals = 1 if seconds < 10 and seconds != int(seconds) else 0
        return f"{seconds:.{decimals}f} s"
    whole = round(seconds)
    if whole < 3600:
        rest = f" {whole % 60:02} s" if whole % 60 else ""
        return f"{whole // 60} min{rest}"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
