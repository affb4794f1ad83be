"""What recomputing a result finds: what is not as it should be, and how much was looked at.

The digest of raw columns is FNV-1a, 64 bits. It finds careless changes; it is no signature.
"""

import math
import struct
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from beff.result.contract import json_path

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
_SHAPE = 256, 128
_BLOCK = 256 * 128
"""Bytes that are hashed at once, as lines of a table whose columns are added up side by side."""

Column = Sequence[int] | Sequence[float] | Sequence[str]


def fnv1a64(data: bytes) -> int:
    """FNV-1a over bytes, as state = (state ^ byte) * prime mod 2^64, many bytes at once.

    state ^ byte is state + change, where the change follows from the lowest byte of the state
    alone; so the state divided by prime^n is a sum. Of that byte, each bit follows from those below
    it by the same sum.
    """
    import numpy as np  # noqa: PLC0415 - which takes longer to load than all else here

    powers, inverse = _powers()
    low_powers, low_inverse = powers.astype(np.uint8), inverse.astype(np.uint8)
    state, block = _OFFSET, np.zeros(_BLOCK, np.uint8)
    for begin in range(0, len(data), _BLOCK):
        count = min(_BLOCK, len(data) - begin)
        block[:count] = np.frombuffer(data, np.uint8, count, begin)
        part = np.ascontiguousarray(block.reshape(_SHAPE).T)
        low, first = np.zeros_like(part), np.uint8(state & 0xFF)
        for _ in range(8):
            terms = ((low ^ part) - low) * low_inverse
            moved = np.add.accumulate(terms, axis=0, dtype=np.uint8)
            before = moved[-1].cumsum(dtype=np.uint8) - moved[-1]
            low = low_powers * (moved - terms + (before + first))
        changes = (low ^ part).astype(np.uint64) - low.astype(np.uint64)
        moved_by = int((changes * inverse).T.ravel()[:count].sum(dtype=np.uint64))
        state = (state + moved_by) * pow(_PRIME, count, 2**64) & _MASK
    return state


@cache
def _powers() -> "tuple[NDArray[np.uint64], NDArray[np.uint64]]":
    """Return the powers of the prime from 0 on, and their inverses, as a block lies."""
    import numpy as np  # noqa: PLC0415 - as above

    def powers_of(base: int) -> "NDArray[np.uint64]":
        powers = np.full(_BLOCK, base, np.uint64)
        powers[0] = 1
        return np.ascontiguousarray(powers.cumprod().reshape(_SHAPE).T)

    return powers_of(_PRIME), powers_of(pow(_PRIME, -1, 2**64))


def columns_digest(columns: Iterable[tuple[str, Column]]) -> str:
    """Sixteen hexadecimal digits over the columns in the given order, which is the file's.

    Of each column the name, then its entries: numbers with 8 byte each, little-endian, whole ones
    in two's complement, others by their IEEE 754 bits; text as it is.
    """
    parts = (part for name, column in columns for part in (name.encode(), _bytes_of(column)))
    return f"{fnv1a64(b''.join(parts)):016x}"


def _bytes_of(column: Column) -> bytes:
    kinds = set(map(type, column))
    with suppress(struct.error):  # of what needs 64 bits without a sign
        if kinds in ({float}, {int}):
            return struct.pack(f"<{len(column)}{'d' if float in kinds else 'q'}", *column)
    return b"".join(map(_bytes_of_cell, column))


def _bytes_of_cell(cell: float | str) -> bytes:
    if isinstance(cell, str):
        return cell.encode()
    if isinstance(cell, int):
        return (cell & _MASK).to_bytes(8, "little")
    return struct.pack("<d", cell)
