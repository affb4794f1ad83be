"""With whom each process exchanges messages in a pattern, position = rank."""

from itertools import pairwise
from math import prod

from beff.analysis.b_eff.cartesian import pattern_grid
from beff.analysis.b_eff.patterns import PING_PONG, RANDOM_PATTERNS, cartesian_directions
from beff.analysis.b_eff.permutation import random_order
from beff.analysis.b_eff.rings import RING_PATTERNS, ring_sizes, standard_ring_sizes
from beff.analysis.b_eff.seeds import pattern_seed

Partners = list[set[int]]
"""By rank; empty for a process that the pattern leaves out."""

_WORST_CYCLE, _BEST_BISECTION, _WORST_BISECTION = 36, 37, 38


def partners_in(pattern: int, n: int, run_seed: int) -> Partners:
    """Return the partners of each of n processes in one of the patterns that exist for n."""
    if pattern > PING_PONG:
        return _grid(n, *cartesian_directions(pattern))
    return _rings(rings_in(pattern, n, run_seed), n)


def rings_in(pattern: int, n: int, run_seed: int) -> list[list[int]]:
    """Rings as lists of ranks; a pair is a ring of two."""
    if pattern < RING_PATTERNS:
        return _cut(list(range(n)), ring_sizes(n, standard_ring_sizes(n)[pattern]))
    if pattern in RANDOM_PATTERNS:
        return [random_order(pattern_seed(run_seed, pattern), n)]
    even = n - n % 2
    others = {
        _WORST_CYCLE: [[i // 2 if i % 2 == 0 else n - 1 - i // 2 for i in range(n)]],
        _BEST_BISECTION: [[rank, rank + 1] for rank in range(0, even, 2)],
        _WORST_BISECTION: [[rank, even - 1 - rank] for rank in range(even // 2)],
        PING_PONG: [[0, 1]],
    }
    return others[pattern]


def _cut(order: list[int], sizes: list[int]) -> list[list[int]]:
    bounds = [0]
    for size in sizes:
        bounds.append(bounds[-1] + size)
    return [order[first:behind] for first, behind in pairwise(bounds)]


def _rings(rings: list[list[int]], n: int) -> Partners:
    partners: Partners = [set() for _ in range(n)]
    for ring in rings:
        for place, rank in enumerate(ring):
            partners[rank] |= {ring[place - 1], ring[(place + 1) % len(ring)]}
    return partners


def _grid(n: int, dimensions: int, directions: tuple[int, ...], cyclic: bool) -> Partners:
    """Positions count row by row, the last dimension fastest, as MPI_Cart_create does."""
    grid = pattern_grid(n, dimensions)
    partners: Partners = [set() for _ in range(n)]
    for direction in directions:
        extent = grid[direction]
        stride = prod(grid[direction + 1 :])
        for rank in range(prod(grid)):
            place = rank // stride % extent
            for target in (place - 1, place + 1):
                if extent > 1 and (cyclic or 0 <= target < extent):
                    partners[rank].add(rank + (target % extent - place) * stride)
    return partners
