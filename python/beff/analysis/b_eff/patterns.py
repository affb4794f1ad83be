"""The 49 patterns: rings 0-5, random rings 6-35, additional 36-48."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from beff.analysis.b_eff.cartesian import cartesian_messages, pattern_grid
from beff.analysis.b_eff.methods import PING_PONG_METHOD
from beff.analysis.b_eff.rings import ring_messages, ring_sizes, standard_ring_sizes
from beff.analysis.b_eff.seeds import pattern_seed

Group = Literal["ring", "random", "additional"]

RANDOM_PATTERNS = range(6, 36)
PING_PONG = 39
_ONE_RING = 5
_CYCLIC_CARTESIAN = range(42, 49)

_RING_NAMES = (
    "rings of 2",
    "rings of 4",
    "rings of 8",
    "rings of max(16, n/4)",
    "rings of max(32, n/2)",
    "one ring",
)
# id: (name, directions, cyclic); the number of dimensions stands in the name
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
    by_rank: bool = True
    """Position in the pattern = rank; False where MPI may reorder the processes."""

    def methods(self, methods: Sequence[str]) -> Sequence[str]:
        """Those of the methods by which this pattern is measured."""
        if self.id == PING_PONG:
            return [method for method in methods if method == PING_PONG_METHOD]
        return methods

    def seed(self, run_seed: int) -> int | None:
        """Seed of a random ring; None for every other pattern."""
        return pattern_seed(run_seed, self.id) if self.group == "random" else None


def is_averaged(definition: str, pattern: int) -> bool:
    """Whether a pattern enters the value: the random rings and the definition's first group."""
    return pattern in RANDOM_PATTERNS or in_first_group(definition, pattern)


def in_first_group(definition: str, pattern: int) -> bool:
    """Rings 0-5 in definition 3.5; the cyclic Cartesian patterns 5 and 42-48 in 3.1."""
    if definition == "3.1":
        return pattern == _ONE_RING or pattern in _CYCLIC_CARTESIAN
    return pattern <= _ONE_RING


def cartesian_directions(pattern: int) -> tuple[int, tuple[int, ...], bool]:
    """Dimensions of the grid, directions of the messages, and whether the grid is cyclic."""
    _, dimensions, directions, cyclic = _CARTESIAN[pattern]
    return dimensions, directions, cyclic


def _ring_patterns(n: int) -> list[PatternFacts]:
    facts = []
    for pattern, (name, m) in enumerate(zip(_RING_NAMES, standard_ring_sizes(n), strict=True)):
        sizes = ring_sizes(n, m)
        facts.append(
            PatternFacts(
                pattern, name, "ring", n, ring_messages(sizes), n, tuple(sizes), by_rank=False
            )
        )
    return facts


def _through_all(pattern: int, name: str, group: Group, n: int) -> PatternFacts:
    return PatternFacts(pattern, name, group, n, ring_messages([n]), n, (n,))


def _pairs(pattern: int, name: str, n: int) -> PatternFacts:
    even = n - n % 2
    return PatternFacts(pattern, name, "additional", even, even, even // 2)


def _cartesian_patterns(n: int) -> list[PatternFacts]:
    facts = []
    for pattern, (name, dimensions, directions, cyclic) in _CARTESIAN.items():
        grid = pattern_grid(n, dimensions)
        messages = cartesian_messages(grid, directions, cyclic)
        if messages > 0:
            used = prod(grid)
            steps = 2 * sum(1 for direction in directions if grid[direction] > 1)
            senders = used if cyclic else messages / steps
            facts.append(
                PatternFacts(pattern, name, "additional", used, messages, senders, by_rank=False)
            )
    return facts


def patterns_for(processes: int) -> dict[int, PatternFacts]:
    """All patterns that exist for a number of processes of at least 2, by id and in its order."""
    n = processes
    facts = _ring_patterns(n)
    facts += [_through_all(p, f"random {i}", "random", n) for i, p in enumerate(RANDOM_PATTERNS, 1)]
    facts.append(_through_all(36, "worst cycle", "additional", n))
    facts += [_pairs(37, "best bisection", n), _pairs(38, "worst bisection", n)]
    facts.append(_pairs(PING_PONG, "ping-pong", 2))
    facts += _cartesian_patterns(n)
    return {fact.id: fact for fact in facts}
