"""Grids of the Cartesian patterns and their message counts."""

from collections.abc import Iterator
from math import prod


def _factorisations(n: int, dimensions: int, largest: int) -> Iterator[tuple[int, ...]]:
    """All ways to write n as a product of extents that never increase and start at `largest`."""
    if dimensions == 1:
        if n <= largest:
            yield (n,)
        return
    divisors = {d for low in range(1, int(n**0.5) + 1) if n % low == 0 for d in (low, n // low)}
    for first in divisors:
        if first <= largest:
            for rest in _factorisations(n // first, dimensions - 1, first):
                yield (first, *rest)


def balanced_extents(n: int, dimensions: int) -> tuple[int, ...]:
    """Return the most even grid of n processes: smallest first extent, then smallest second."""
    return min(_factorisations(n, dimensions, n))


def pattern_grid(processes: int, dimensions: int) -> tuple[int, ...]:
    """Grid used for a number of processes, some of which may be left out.

    The number used is reduced until the last extent exceeds 1; for fewer than 8 processes until it
    is even; below 4 it is taken as it is.
    """
    used = processes
    while used >= 4:
        if processes < 8:
            if used % 2 == 0:
                break
        elif balanced_extents(used, dimensions)[-1] > 1:
            break
        used -= 1
    return balanced_extents(used, dimensions)


def cartesian_messages(grid: tuple[int, ...], directions: tuple[int, ...], cyclic: bool) -> int:
    """Messages of one iteration along the given directions; one of extent 1 has none.

    Two processes that are neighbours on both sides (cyclic, extent 2) exchange one message.
    """
    total = 0
    for direction in directions:
        extent = grid[direction]
        lines = prod(grid) // extent
        neighbourhoods = extent if cyclic and extent > 2 else extent - 1
        total += 2 * neighbourhoods * lines
    return total
