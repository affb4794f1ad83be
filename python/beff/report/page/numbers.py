"""Numbers as the page writes them."""

from collections.abc import Sequence

from beff.model.result_parts import Figure

MISSING = "\N{EN DASH}"
_GROUP = "\N{NARROW NO-BREAK SPACE}"
_MINUS = "\N{MINUS SIGN}"


def bandwidth(value: Figure) -> str:
    """Write MB/s (or any figure) with four digits or more; a dash for none."""
    if value is None:
        return MISSING
    if value >= 1e4:
        return grouped(round(value)) if value < 1e12 else f"{value:.4g}"
    decimals = 1 if value >= 1000 else 2 if value >= 100 else 3
    return f"{value:.{decimals}f}" if value >= 0.1 else f"{value:.3g}"


def rounded(value: Figure, digits: int = 4) -> str:
    """Write any other figure with so many significant digits."""
    if value is None:
        return MISSING
    return grouped(round(value)) if 1e4 <= abs(value) < 1e12 else f"{value:.{digits}g}"


def grouped(value: int) -> str:
    """Write a whole number; from five digits on in groups of three."""
    return f"{value:,}".replace(",", _GROUP) if abs(value) >= 10_000 else str(value)


def percent(share: Figure) -> str:
    """Write a signed change, given as a share: 0.031 is `+3.1 %`."""
    if share is None:
        return MISSING
    text = f"{100 * abs(share):.1f}" if abs(share) < 10 else f"{100 * abs(share):.0f}"
    sign = "" if float(text) == 0 else "+" if share > 0 else _MINUS
    return f"{sign}{text} %"


def count(number: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun: `1 node`, `2 nodes`."""
    return f"{grouped(number)} {one if number == 1 else many or one + 's'}"


def ranges(numbers: Sequence[int]) -> str:
    """Write rising whole numbers as ranges: `0-3, 8, 10-11`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
