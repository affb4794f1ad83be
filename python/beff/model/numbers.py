"""Figures as people read them: three significant digits, and rates in the unit that suits them.

Data, such as results, CSV and JSON, keep all digits and MB/s.
"""

from beff.model.result_parts import Figure

NOT_MEASURED = "not measured"
_UNITS = ((1e9, "PB/s"), (1e6, "TB/s"), (1e3, "GB/s"), (1.0, "MB/s"), (1e-3, "kB/s"))
"""Units of a rate and their length in MB/s, the largest first."""


def three_digits(value: float) -> str:
    """Write a number with three significant digits; from 100 on as a whole number."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.3g}"


def short(value: Figure, missing: str = "-") -> str:
    """Write a figure of a table with three or four digits; `missing` where there is none."""
    if value is None:
        return missing
    if abs(value) >= 1000 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3g}"


def scaled(value_MBps: float) -> tuple[str, str]:  # noqa: N803 - the unit of the field
    """Return a rate as number and unit: 1268.97 is `1.27`, `GB/s`; below 1 kB/s in kB/s."""
    for length, unit in _UNITS:
        shown = float(f"{value_MBps / length:.3g}")
        if abs(shown) >= 1:
            return three_digits(shown), unit
    return f"{value_MBps / _UNITS[-1][0]:.3g}", _UNITS[-1][1]


def rate(value_MBps: Figure) -> str:  # noqa: N803 - the unit of the field
    """Write a rate with its unit: `1.27 GB/s`."""
    return NOT_MEASURED if value_MBps is None else " ".join(scaled(value_MBps))
