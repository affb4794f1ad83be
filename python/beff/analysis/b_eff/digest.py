"""Digest of the samples: FNV-1a, 64 bits. It finds careless changes; it is no signature."""

import struct

from beff.model.b_eff_result import Samples

_OFFSET = 0xCBF29CE484222325
_PRIME = 0x100000001B3
_MASK = 2**64 - 1


def fnv1a64(data: bytes) -> int:
    """FNV-1a over bytes."""
    state = _OFFSET
    for byte in data:
        state = ((state ^ byte) * _PRIME) & _MASK
    return state


def samples_digest(samples: Samples) -> str:
    """Sixteen hexadecimal digits over all columns in the order of the file.

    Of each column the name, then its entries with 8 byte each, little-endian: whole numbers in
    two's complement, times by their IEEE 754 bits.
    """
    data = bytearray()
    for name in samples.columns():
        column = getattr(samples, name)
        data += name.encode("ascii")
        data += struct.pack(f"<{len(column)}{'d' if name.startswith('time_') else 'q'}", *column)
    return f"{fnv1a64(bytes(data)):016x}"
