"""What a run of b_eff measures (IPDPS paper, section 4): patterns, sizes, methods, repetitions.

There are 6 rings, 30 random rings and 13 other patterns: who takes part, and how many messages all
processes send in one iteration.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from beff.definition.common import Path, UnsoundError, options_as, require_same
from beff.result.b_eff_result import RULES, BEffResult, Definition, Method
from beff.result.bounds import Figure, Index, Positive, PositiveSeconds, Record, Seed, SizeIndex
from beff.result.environment import Machine
from beff.result.numbers import MIB

OFFICIAL_METHODS = ("sendrecv", "alltoallv", "nonblocking")
PING_PONG_METHOD = "sendrecv"
RANDOM_PATTERNS = range(6, 36)
ONE_RING = 5
"""The pattern with all processes in one ring, in the order of their ranks."""
_WORST_CYCLE, _BEST_BISECTION, _WORST_BISECTION = 36, 37, 38
PING_PONG = 39
_CYCLIC_CARTESIAN = range(42, 49)
LARGEST_PATTERN = _CYCLIC_CARTESIAN[-1]


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


# --- random rings ------------------------------------------------------------------------

_MASK = 2**64 - 1
LARGEST_SEED = 2**53 - 1


Word = Any
"""A whole number below 2^64, or a NumPy array of such."""


def splitmix64(state: Word) -> Word:
    """Return the output of the splitmix64 generator that follows `state`; 64-bit arithmetic."""
    z = (state + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def pattern_seed(run_seed: Word, pattern: Word) -> Word:
    """Seed of one random pattern, at most 2^53 - 1 so that every JSON reader keeps it exactly."""
    return splitmix64(splitmix64(run_seed) ^ pattern) & LARGEST_SEED


def ring_seed(run_seed: int, order: str, pattern: int, n: int) -> int:
    """Seed of a random ring of n processes.

    `order` is the option --random-order: `uniform`, or `3.6` as release 3.6 draws, by one stream of
    drand48 for all rings, whose state at the beginning of each ring is the ring's seed.
    """
    if order == "uniform":
        return int(pattern_seed(run_seed, pattern))
    state = (run_seed % 2**32) * 2**16 + 0x330E
    for _ in range((pattern - RANDOM_PATTERNS.start) * n):
        state = (state * 0x5DEECE66D + 0xB) % 2**48
    return state


# --- Cartesian grids ---------------------------------------------------------------------

# id: (name, number of dimensions, directions, cyclic)
CARTESIAN: dict[int, tuple[str, int, tuple[int, ...], bool]] = {
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
    neighbourhoods = [extent if cyclic and extent > 2 else extent - 1 for extent in grid]
    return sum(2 * neighbourhoods[d] * (prod(grid) // grid[d]) for d in directions)


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


def first_group(definition: str) -> Sequence[int]:
    """Patterns of the first logavg: rings 0-5, in definition 3.1 the cyclic Cartesian 5 and 42-48.

    Not all of them exist for every number of processes.
    """
    return range(ONE_RING + 1) if RULES[definition].rings_first else (ONE_RING, *_CYCLIC_CARTESIAN)


_RING_NAMES = (
    *("rings of 2", "rings of 4", "rings of 8"),
    *("rings of max(16, n/4)", "rings of max(32, n/2)", "one ring"),
)


def _ring(pattern: int, name: str, group: Group, sizes: Sequence[int]) -> PatternFacts:
    # two messages per process, but one per process in a ring of two
    n, messages = sum(sizes), sum(2 if size == 2 else 2 * size for size in sizes)
    return PatternFacts(pattern, name, group, n, messages, n, tuple(sizes))


def _pairs(pattern: int, name: str, n: int) -> PatternFacts:
    even = n - n % 2
    return PatternFacts(pattern, name, "additional", even, even, even // 2)


def _grids(n: int) -> Iterator[PatternFacts]:
    for pattern, (name, dimensions, directions, cyclic) in CARTESIAN.items():
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


FIXED_SIZES, GROWING_SIZES = 13, 8
MESSAGE_SIZES = FIXED_SIZES + GROWING_SIZES
LARGEST_FIXED_SIZE = 4096
MEMORY_PER_LMAX = 128
LMAX_BOUND = 128 * MIB
"""Where int has 32 bits."""
NOT_MEASURED = "method not measured"
"""The caution that names a method beside the value by which messages do not get through."""


def largest_message(memory_per_process: int) -> int:
    """L_max = memory per process / 128, in byte."""
    return min(memory_per_process // MEMORY_PER_LMAX, LMAX_BOUND)


def message_sizes(lmax: int) -> list[int]:
    """L = 1, 2, 4 … 4096, 4096·a^1 … 4096·a^8 = L_max, in byte."""
    a = (lmax / LARGEST_FIXED_SIZE) ** (1 / GROWING_SIZES)
    growing = [int(LARGEST_FIXED_SIZE * a**k + 0.5) for k in range(1, GROWING_SIZES)]
    return [2**i for i in range(FIXED_SIZES)] + growing + [lmax]


class Options(Record):
    """The options that decide what is measured; null stands for all that the definition has."""

    definition: Definition = "3.5"
    methods: list[Method] | None = None
    patterns: list[Index] | None = None
    sizes: list[SizeIndex] | None
    repetitions: Positive
    loop_time_s: PositiveSeconds
    seed: Seed
    random_order: Literal["uniform", "3.6"] = "uniform"
    rmax_gflops: Figure = None
    memory_per_process_bytes: Positive | None = None


@dataclass(frozen=True)
class Plan:
    """Every pattern by its methods, with all sizes, in each repetition, by n processes.

    `L` are all 21 sizes in byte, `sizes` the indices of those that were asked for; `failed` are
    methods beside the value that were tried in vain before the first measurement.
    """

    options: Options
    n: int
    L: Sequence[int]
    sizes: Sequence[int]
    patterns: Mapping[int, PatternFacts]
    methods: Sequence[str]
    failed: Sequence[str]

    @cached_property
    def ring_patterns(self) -> list[int]:
        """Those of the first logavg that exist for n processes."""
        return [p for p in first_group(self.options.definition) if p in patterns_for(self.n)]

    @cached_property
    def cells(self) -> NDArray[np.bool_]:
        """Whether each repetition has a loop of a pattern, size and method, by their indices."""
        cells = np.zeros((LARGEST_PATTERN + 1, MESSAGE_SIZES, len(self.methods)), dtype=bool)
        for name in self.methods:
            if name in OFFICIAL_METHODS or name not in self.failed:
                of = [p for p, facts in self.patterns.items() if name in facts.methods([name])]
                cells[np.ix_(of, self.sizes, [self.methods.index(name)])] = True
        return cells

    @property
    def loops(self) -> int:
        """Count all loops."""
        return self.options.repetitions * int(self.cells.sum())


def plan(options: Mapping[str, Any], environment: Machine, failed: Sequence[str] = ()) -> Plan:
    """Return what the options ask for. Raises UnsoundError where they make no sense."""
    chosen = options_as(Options, options)
    n, memory = environment.processes, environment.memory_per_process_bytes
    required = RULES[chosen.definition].memory_bytes or chosen.memory_per_process_bytes or memory
    if n < 2:
        raise UnsoundError(["environment", "processes"], n, "at least 2")
    path: Path = ["environment", "memory_per_process_bytes"]
    if memory != required:
        raise UnsoundError(path, memory, f"{required}, by options and {chosen.definition}")
    if largest_message(memory) <= LARGEST_FIXED_SIZE:
        raise UnsoundError(path, memory, "more than 512 KiB")
    existing = patterns_for(n)
    patterns = existing if chosen.patterns is None else chosen.patterns
    if not existing.keys() >= {*patterns}:
        raise UnsoundError(["options", "patterns"], patterns, "patterns of this many processes")
    return Plan(
        options=chosen,
        n=n,
        L=message_sizes(largest_message(memory)),
        sizes=range(MESSAGE_SIZES) if chosen.sizes is None else sorted({*chosen.sizes}),
        patterns={p: existing[p] for p in sorted(patterns)},
        methods=OFFICIAL_METHODS if chosen.methods is None else chosen.methods,
        failed=failed,
    )


@lru_cache(maxsize=8)
def plan_of(result: BEffResult) -> Plan:
    """Return the plan of a result.

    An option that early results lack is taken from the result itself. Raises UnsoundError where the
    result follows another plan, or has a loop that is not in it, or one twice.
    """
    shown = {
        "definition": result.definition,
        "methods": result.methods,
        "patterns": [pattern.id for pattern in result.patterns],
    }
    in_vain = (caution for caution in result.cautions if caution.code == NOT_MEASURED)
    failed = [str(caution.facts.get("method")) for caution in in_vain]
    planned, s = plan(shown | result.options, result.environment, failed), result.samples
    require_same(["definition"], result.definition, planned.options.definition)
    require_same(["methods"], result.methods, [*planned.methods])
    require_same(["patterns"], shown["patterns"], [*planned.patterns])
    cells, loop = planned.cells, (s.pattern, s.size, s.method)
    inside = np.all([of < most for of, most in zip(loop, cells.shape, strict=True)], axis=0)
    cell, once = np.ravel_multi_index(loop, cells.shape, mode="clip"), np.zeros(len(s), dtype=bool)
    once[np.unique(cell << 31 | s.repetition, return_index=True)[1]] = True
    are_planned = inside & cells.flat[cell] & (s.repetition < planned.options.repetitions)
    for row in np.flatnonzero(~(are_planned & once))[:1].tolist():
        wrong = tuple(int(of[row]) for of in (*loop, s.repetition))
        raise UnsoundError(["samples", "pattern", row], wrong, "a loop of the plan, once")
    return planned
