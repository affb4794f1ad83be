"""The size of a Linpack run: order of the matrix, block size, grid of processes."""

from dataclasses import dataclass
from math import isqrt

_BYTES_PER_ELEMENT = 8
_SHARE_OF_MEMORY = 0.8
"""The rest is for the system and for Linpack's own buffers."""
_SHORT_S = 10.0
_SHORT_FLOPS_PER_PROCESS = 0.5e9
"""A core without an optimised BLAS reaches about that."""
_BLOCK, _LARGE_BLOCK = 128, 192
_LARGE_ORDER = 20_000


@dataclass(frozen=True)
class LinpackSize:
    """What is solved: n equations in blocks of nb on p x q processes."""

    n: int
    nb: int
    p: int
    q: int


def linpack_size(processes: int, total_memory_bytes: int, *, short: bool) -> LinpackSize:
    """Return a size for so many processes and so much memory of all of them.

    A run that shall give R_max fills 80 % of the memory. A short one takes some ten seconds on
    cores of modest speed, and its rate is below R_max.
    """
    p = next(p for p in range(isqrt(processes), 0, -1) if processes % p == 0)
    q = processes // p
    largest = isqrt(int(_SHARE_OF_MEMORY * total_memory_bytes / _BYTES_PER_ELEMENT))
    n = min(largest, _short_order(processes)) if short else largest
    nb = _LARGE_BLOCK if n >= _LARGE_ORDER else _BLOCK
    return LinpackSize(max(nb, n // nb * nb), nb, p, q)


def _short_order(processes: int) -> int:
    flops = _SHORT_S * _SHORT_FLOPS_PER_PROCESS * processes
    return int((1.5 * flops) ** (1 / 3))
