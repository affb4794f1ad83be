"""What recomputing a result finds: what is not as it should be, and how much was looked at.

The digest of raw columns is FNV-1a, 64 bits. It finds careless changes; it is no signature.
"""

import math
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from beff.model.contract import json_path

RELATIVE_TOLERANCE = 1e-9
"""Floats agree when they differ by at most this share of the larger one.

Two correct implementations differ by the order of summation and by their libraries' exp, log and
pow: some 1e-14 here. A change in any digit that a reader sees is far larger than 1e-9.
"""
_MOST_OF_A_LIST = 80
_MOST_OF_A_TEXT = 500
"""Characters that a finding shows of what is longer."""


@dataclass(frozen=True)
class Disagreement:
    """One disagreement: where it is, what stands there and what should stand there."""

    path: str
    stored: Any
    expected: Any

    def __str__(self) -> str:
        return f"{self.path} is {_shown(self.stored)}, but should be {_shown(self.expected)}"


def _shown(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    most = _MOST_OF_A_LIST if isinstance(value, dict | list | tuple) else _MOST_OF_A_TEXT
    text = str(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def agree(stored: Any, expected: Any) -> bool:
    """Floats by RELATIVE_TOLERANCE; integers, booleans, text and null exactly."""
    if isinstance(stored, bool) or isinstance(expected, bool):
        return stored is expected
    if isinstance(expected, float) and isinstance(stored, int | float):
        return math.isclose(stored, expected, rel_tol=RELATIVE_TOLERANCE)
    return bool(stored == expected)


@dataclass
class Recheck:
    """Compares parts of a document with what they should be, and counts the values compared."""

    findings: list[Disagreement]
    figures: int = 0

    def compare(self, path: list[str | int], stored: Any, expected: Any) -> None:
        """Compare value by value; of objects only the fields that `expected` names."""
        if isinstance(expected, dict) and isinstance(stored, dict):
            for key, value in expected.items():
                self.compare([*path, key], stored.get(key), value)
        elif isinstance(expected, list) and isinstance(stored, list):
            if len(stored) != len(expected):
                self.report(path, f"{len(stored)} entries", f"{len(expected)} entries")
                return
            for index, value in enumerate(expected):
                self.compare([*path, index], stored[index], value)
        else:
            self.figures += 1
            if not agree(stored, expected):
                self.report(path, stored, expected)

    def require(self, holds: bool, path: list[str | int], stored: Any, expected: Any) -> None:
        """Note a finding unless the condition holds."""
        if not holds:
            self.report(path, stored, expected)

    def report(self, path: list[str | int], stored: Any, expected: Any) -> None:
        """Note a finding."""
        self.findings.append(Disagreement(json_path(path), stored, expected))


@dataclass(frozen=True)
class Verification:
    """Findings in the order of the checks; empty for a good file.

    `figures` derived values were compared, `samples` raw samples were checked; `not_checked` names
    what an imported result does not hold.
    """

    findings: tuple[Disagreement, ...]
    figures: int
    samples: int
    not_checked: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """True when nothing was found."""
        return not self.findings


_OFFSET = 0xCBF29CE484222325
_PRIME = 0x100000001B3
_MASK = 2**64 - 1

Column = Sequence[int] | Sequence[float] | Sequence[str]


def fnv1a64(data: bytes) -> int:
    """FNV-1a over bytes."""
    state = _OFFSET
    for byte in data:
        state = ((state ^ byte) * _PRIME) & _MASK
    return state


def columns_digest(columns: Iterable[tuple[str, Column]]) -> str:
    """Sixteen hexadecimal digits over the columns in the given order, which is the file's.

    Of each column the name, then its entries: numbers with 8 byte each, little-endian, whole ones
    in two's complement, others by their IEEE 754 bits; text as it is.
    """
    data = bytearray()
    for name, column in columns:
        data += name.encode()
        for cell in column:
            data += _bytes_of(cell)
    return f"{fnv1a64(bytes(data)):016x}"


def _bytes_of(cell: float | str) -> bytes:
    if isinstance(cell, str):
        return cell.encode()
    if isinstance(cell, int):
        return (cell & _MASK).to_bytes(8, "little")
    return struct.pack("<d", cell)
