"""Who crosses which halves in a bisection of b_pairs: it follows from plan and seed.

docs/reference/definitions-b_pairs.md has the rules.
"""

from math import gcd

import numpy as np

from beff.analysis.b_pairs.schedule import Ints, permutations, seeds_of
from beff.model.b_pairs_result import PairsPlan, PlannedBisection

_SEED_NUMBER = 1000
_GOLDEN = 0.618
MOST_ALONE = 16


def parts_of(plan: PairsPlan, asked: PlannedBisection, seed: int, halves: int) -> tuple[Ints, Ints]:
    """Return the smaller and the larger part of some halves, 0 for the first ones."""
    units = np.arange(plan.units)
    if halves == 0 and asked.first_half is not None:
        given = np.array(asked.first_half, dtype=np.int64)
        parts = given, np.setdiff1d(units, given)
        return parts if len(parts[0]) <= len(parts[1]) else (parts[1], parts[0])
    if halves > 0:
        number = np.array([_SEED_NUMBER + halves])
        units = permutations(seeds_of(np.array([seed], dtype=np.uint64), number), plan.units)[0]
    middle = plan.units // 2
    return units[:middle], units[middle:]


def pairs_of_step(parts: tuple[Ints, Ints], step: int) -> list[tuple[int, int]]:
    """Return who meets, the smaller unit first, in the order of the smaller part."""
    smaller, larger = parts
    met = larger[(np.arange(len(smaller)) + step) % len(larger)]
    both = np.sort(np.stack([smaller, met]), axis=0)
    return [(one, other) for one, other in both.T.tolist()]


def spread_steps(steps: int) -> list[int]:
    """Return all steps in the order in which they are measured: far ones follow each other."""
    stride = max(1, int(_GOLDEN * steps))
    while gcd(stride, steps) > 1:
        stride -= 1
    return [place * stride % steps for place in range(steps)]


def pairs_alone(parts: tuple[Ints, Ints]) -> list[tuple[int, int]]:
    """Return the pairs of the first step that meet with nothing else under way."""
    every = pairs_of_step(parts, 0)
    count = min(len(every), MOST_ALONE)
    return [every[i * len(every) // count] for i in range(count)]
