"""Comparison of printed figures, which carry the rounding of their decimals."""

from beff.analysis.finding import Comparison
from beff.model.result_parts import Figure

_THREE_DECIMALS = 0.5e-3
_NO_DECIMALS = 0.5


def half_digit(value: float) -> float:
    """Half of the last printed digit: the prints have three decimals or none."""
    return _NO_DECIMALS if value == int(value) else _THREE_DECIMALS


def compare_printed(
    path: list[str | int], stored: Figure, expected: Figure, error: float, check: Comparison
) -> None:
    """Compare a printed figure with what printed figures give; `error` is their rounding."""
    if stored is None or expected is None:
        return
    check.figures += 1
    most = error + half_digit(stored)
    check.require(abs(stored - expected) <= most, path, stored, f"{expected:.6g} +- {most:.2g}")
