"""The rings and pairs of a pattern, position = rank."""

from itertools import pairwise

from beff.analysis.b_eff.patterns import PING_PONG, RANDOM_PATTERNS
from beff.analysis.b_eff.permutation import random_order
from beff.analysis.b_eff.rings import RING_PATTERNS, ring_sizes, standard_ring_sizes
from beff.analysis.b_eff.seeds import pattern_seed

_WORST_CYCLE, _BEST_BISECTION, _WORST_BISECTION = 36, 37, 38


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
