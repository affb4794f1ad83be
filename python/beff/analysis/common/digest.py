"""Digest of raw columns: FNV-1a, 64 bits. It finds careless changes; it is no signature."""

import struct
from collections.abc import Iterable, Sequence

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
