"""The digest of raw columns: FNV-1a, 64 bits. It finds careless changes; it is no signature."""

import struct
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
