"""The 21 message sizes (IPDPS paper, section 4)."""

from beff.model.numbers import MIB

FIXED_SIZES = 13
"""1, 2, 4 … 4096 byte."""
GROWING_SIZES = 8
"""4096·a^k for k = 1…8, the last being L_max."""
MESSAGE_SIZES = FIXED_SIZES + GROWING_SIZES
LARGEST_FIXED_SIZE = 4096
LMAX_BOUND = 128 * MIB
"""Where int has 32 bits."""


def largest_message(memory_per_process: int) -> int:
    """L_max in bytes for the memory per process in bytes."""
    return min(memory_per_process // 128, LMAX_BOUND)


def message_sizes(lmax: int) -> list[int]:
    """All sizes in bytes, ascending, for an L_max of more than 4096 byte."""
    a = (lmax / LARGEST_FIXED_SIZE) ** (1 / GROWING_SIZES)
    growing = [LARGEST_FIXED_SIZE * a**k for k in range(1, GROWING_SIZES)]
    rounded = [int(size + 0.5) for size in growing]
    return [2**i for i in range(FIXED_SIZES)] + rounded + [lmax]
