"""The patterns of b_eff (IPDPS paper, section 4): 6 rings, 30 random rings, 13 others.

Who sends to whom, and how many messages all processes send in one iteration.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from math import prod
from types import MappingProxyType
from typing import Any, Literal

from beff.result.b_eff_result import RULES

OFFICIAL_METHODS = ("sendrecv", "alltoallv", "nonblocking")
PING_PONG_METHOD = "sendrecv"
RING_PATTERNS = 6
RANDOM_PATTERNS = range(6, 36)
ONE_RING = 5
"""The pattern with all processes in one ring, in the order of their ranks."""
_WORST_CYCLE, _BEST_BISECTION, _WORST_BISECTION = 36, 37, 38
PING_PONG = 39
_CYCLIC_CARTESIAN = range(42, 49)


# --- rings -------------------------------------------------------------------------------


def standard_ring_sizes(n: int) -> list[int]:
    """Return the standard size m of the rings of patterns 0 to 5, for n processes."""
    return [min(m, n) for m in (2, 4, 8, max(16, n // 4), max(32, n // 2), n)]


def ring_sizes(n: int, m: int) -> list[int]:
    """Sizes of the rings of n processes in their order, those of even size first.

    There are ⌊n/m + 0.4⌋ rings, at least one and at most ⌊n/2⌋; for m = 4 and n ≤ 7 one.
    """
    wanted = (5 * n + 2 * m) // (5 * m)
    count = 1 if m == 4 and n <= 7 else max(1, min(wanted, n // 2))
    size, larger = divmod(n, count)
    sizes = [size] * (count - larger) + [size + 1] * larger
    return sorted(sizes, key=lambda ring: ring % 2)


def ring_messages(sizes: Sequence[int]) -> int:
    """Messages of one iteration: two per process, but one per process in a ring of two."""
    return sum(2 if size == 2 else 2 * size for size in sizes)


# --- random rings ------------------------------------------------------------------------

_MASK = 2**64 - 1
LARGEST_SEED = 2**53 - 1
ROUNDS = 192
_RAND48 = 2**48


def splitmix64(state: int) -> int:
    """Return the output of the splitmix64 generator that follows `state`; 64-bit arithmetic."""
    z = (state + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def pattern_seed(run_seed: int, pattern: int) -> int:
    """Seed of one random pattern, at most 2^53 - 1 so that every JSON reader keeps it exactly."""
    return splitmix64(splitmix64(run_seed) ^ pattern) & LARGEST_SEED


def random_order(seed: int, n: int) -> list[int]:
    """Return the process at each place of a random ring: the swap-or-not shuffle by its seed."""
    key_of_run = splitmix64(seed)
    keys = [splitmix64(key_of_run ^ number) for number in range(ROUNDS)]
    return [_process_at(place, keys, n) for place in range(n)]


def _process_at(x: int, keys: list[int], n: int) -> int:
    for key in keys:
        partner = (key - x) % n
        if splitmix64(key ^ splitmix64(max(x, partner))) & 1:
            x = partner
    return x


@dataclass(frozen=True)
class Draw:
    """How a run draws its random rings.

    `order` is the option --random-order: `uniform`, or `3.6` as release 3.6 does, by one stream of
    drand48 for all rings, whose state at the begin of each ring is the ring's seed.
    """

    run_seed: int
    order: str = "uniform"

    def seed(self, pattern: int, n: int) -> int:
        """Seed of the random ring with this id."""
        if self.order == "uniform":
            return pattern_seed(self.run_seed, pattern)
        state = (self.run_seed % 2**32) * 2**16 + 0x330E
        for _ in range((pattern - RANDOM_PATTERNS.start) * n):
            state = _rand48(state)
        return state

    def ring(self, pattern: int, n: int) -> list[int]:
        """Return the process at each place of the random ring with this id."""
        seed = self.seed(pattern, n)
        return random_order(seed, n) if self.order == "uniform" else _probed_order(seed, n)


def is_seed(value: Any) -> bool:
    """Whether it can be the seed of a run."""
    return type(value) is int and 0 <= value <= LARGEST_SEED


def draw_of(options: Mapping[str, Any]) -> Draw:
    """Return how the run with these options drew."""
    return Draw(options["seed"], options.get("random_order", "uniform"))


def _rand48(state: int) -> int:
    """Return the state behind `state` of the generator of drand48."""
    return (state * 0x5DEECE66D + 0xB) % _RAND48


def _probed_order(state: int, n: int) -> list[int]:
    """Each rank in turn takes the place that is drawn, or the next free one behind it."""
    following = list(range(n + 1))  # of each place the next free one, as far as known

    def free(place: int) -> int:
        while following[place] != place:
            following[place] = following[following[place]]
            place = following[place]
        return place

    order = [0] * n
    for rank in range(n):
        state = _rand48(state)
        place = free(int(state / _RAND48 * n))
        place = free(0) if place == n else place
        order[place] = rank
        following[place] = place + 1
    return order


# --- Cartesian grids ---------------------------------------------------------------------

# id: (name, number of dimensions, directions, cyclic)
_CARTESIAN: dict[int, tuple[str, int, tuple[int, ...], bool]] = {
    40: ("2-D acyclic, all directions", 2, (0, 1), False),
    41: ("3-D acyclic, all directions", 3, (0, 1, 2), False),
    42: ("2-D cyclic, x", 2, (0,), True),
    43: ("2-D cyclic, y", 2, (1,), True),
    44: ("2-D cyclic, x+y", 2, (0, 1), True),
    45: ("3-D cyclic, x", 3, (0,), True),
    46: ("3-D cyclic, y", 3, (1,), True),
    47: ("3-D cyclic, z", 3, (2,), True),
    48: ("3-D cyclic, x+y+z", 3, (0, 1, 2), True),
}


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


def pattern_grid(n: int, dimensions: int) -> tuple[int, ...]:
    """Grid used for n processes, some of which may be left out.

    The number used is reduced until the last extent exceeds 1; for fewer than 8 processes until it
    is even; below 4 it is taken as it is.
    """
    used = n
    while n >= 8 and balanced_extents(used, dimensions)[-1] == 1:
        used -= 1
    return balanced_extents(used - used % 2 if 4 <= n < 8 else used, dimensions)


def cartesian_messages(grid: tuple[int, ...], directions: tuple[int, ...], cyclic: bool) -> int:
    """Messages of one iteration along the given directions; one of extent 1 has none.

    Two processes that are neighbours on both sides (cyclic, extent 2) exchange one message.
    """

    def neighbourhoods(extent: int) -> int:
        return extent if cyclic and extent > 2 else extent - 1

    return sum(2 * neighbourhoods(grid[d]) * (prod(grid) // grid[d]) for d in directions)


def cartesian_directions(pattern: int) -> tuple[int, tuple[int, ...], bool]:
    """Dimensions of the grid, directions of the messages, and whether the grid is cyclic."""
    _, dimensions, directions, cyclic = _CARTESIAN[pattern]
    return dimensions, directions, cyclic


# --- all patterns ------------------------------------------------------------------------

Group = Literal["ring", "random", "additional"]


@dataclass(frozen=True)
class PatternFacts:
    """What a pattern is for a given number of processes, before anything is measured."""

    id: int
    name: str
    group: Group
    processes: int
    """Processes that take part."""
    messages: int
    """Messages of all processes in one iteration."""
    senders: float
    """Processes that send at the same time, as a mean over the steps."""
    ring_sizes: tuple[int, ...] = ()

    def methods(self, methods: Sequence[str]) -> Sequence[str]:
        """Those of the methods by which this pattern is measured."""
        if self.id == PING_PONG:
            return [method for method in methods if method == PING_PONG_METHOD]
        return methods

    def seed(self, draw: Draw) -> int | None:
        """Seed of a random ring; None for every other pattern."""
        return draw.seed(self.id, self.processes) if self.group == "random" else None


def in_first_group(definition: str, pattern: int) -> bool:
    """Rings 0-5, in definition 3.1 the cyclic Cartesian patterns 5 and 42-48."""
    if RULES[definition].rings_first:
        return pattern <= ONE_RING
    return pattern == ONE_RING or pattern in _CYCLIC_CARTESIAN


_RING_NAMES = (
    *("rings of 2", "rings of 4", "rings of 8"),
    *("rings of max(16, n/4)", "rings of max(32, n/2)", "one ring"),
)


def _ring(pattern: int, name: str, group: Group, sizes: Sequence[int]) -> PatternFacts:
    n = sum(sizes)
    return PatternFacts(pattern, name, group, n, ring_messages(sizes), n, tuple(sizes))


def _pairs(pattern: int, name: str, n: int) -> PatternFacts:
    even = n - n % 2
    return PatternFacts(pattern, name, "additional", even, even, even // 2)


def _grids(n: int) -> Iterator[PatternFacts]:
    for pattern, (name, dimensions, directions, cyclic) in _CARTESIAN.items():
        grid = pattern_grid(n, dimensions)
        used, messages = prod(grid), cartesian_messages(grid, directions, cyclic)
        if messages > 0:
            steps = 2 * sum(grid[direction] > 1 for direction in directions)
            senders = used if cyclic else messages / steps
            yield PatternFacts(pattern, name, "additional", used, messages, senders)


@lru_cache(maxsize=64)
def patterns_for(n: int) -> Mapping[int, PatternFacts]:
    """All patterns that exist for n ≥ 2 processes, by id and in its order."""
    sizes = enumerate(standard_ring_sizes(n))
    facts = [
        *(_ring(p, _RING_NAMES[p], "ring", ring_sizes(n, m)) for p, m in sizes),
        *(_ring(p, f"random {i}", "random", [n]) for i, p in enumerate(RANDOM_PATTERNS, 1)),
        _ring(_WORST_CYCLE, "worst cycle", "additional", [n]),
        _pairs(_BEST_BISECTION, "best bisection", n),
        _pairs(_WORST_BISECTION, "worst bisection", n),
        _pairs(PING_PONG, "ping-pong", 2),
        *_grids(n),
    ]
    return MappingProxyType({fact.id: fact for fact in facts})


def rings_in(pattern: int, n: int, draw: Draw) -> list[list[int]]:
    """Rings as lists of ranks; a pair is a ring of two."""
    if pattern < RING_PATTERNS:
        ends = accumulate(ring_sizes(n, standard_ring_sizes(n)[pattern]), initial=0)
        return [list(range(first, behind)) for first, behind in pairwise(ends)]
    if pattern in RANDOM_PATTERNS:
        return [draw.ring(pattern, n)]
    even = n - n % 2
    others = {
        _WORST_CYCLE: [[i // 2 if i % 2 == 0 else n - 1 - i // 2 for i in range(n)]],
        _BEST_BISECTION: [[rank, rank + 1] for rank in range(0, even, 2)],
        _WORST_BISECTION: [[rank, even - 1 - rank] for rank in range(even // 2)],
        PING_PONG: [[0, 1]],
    }
    return others[pattern]
