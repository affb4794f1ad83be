"""Rings, random rings, Cartesian grids and the other patterns: the core's are the definition's."""

import ctypes
import itertools
from collections import Counter
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.random_rings import random_order

from beff.definition.b_eff_plan import (
    CARTESIAN,
    PING_PONG,
    RANDOM_PATTERNS,
    first_group,
    pattern_grid,
    pattern_seed,
    patterns_for,
    ring_seed,
)
from beff.definition.b_pairs_plan import permutations
from program_core import core

NOBODY = -1
SOME_RANDOM = (6, 7, 35)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_all_small_permutations_are_equally_likely(n: int) -> None:
    seeds = 12_000
    counts = Counter(map(tuple, permutations(np.arange(seeds, dtype=np.uint64), n).tolist()))
    kinds = list(itertools.permutations(range(n)))
    expected = seeds / len(kinds)
    chi_square = sum((counts[kind] - expected) ** 2 / expected for kind in kinds)
    degrees = len(kinds) - 1
    # five standard deviations of chi-square; the seeds are fixed, and so is the verdict
    assert chi_square < degrees + 5 * (2 * degrees) ** 0.5


def test_grids_by_hand() -> None:
    """What MPI_Dims_create gives, but for one process of 7 and of 11, which stays out."""
    grids = {
        2: [(2, 1), (2, 1, 1)],
        7: [(3, 2), (3, 2, 1)],
        11: [(5, 2), (2, 2, 2)],
        24: [(6, 4), (4, 3, 2)],
        512: [(32, 16), (8, 8, 8)],
    }
    assert {n: [tuple(pattern_grid(n, sides)) for sides in (2, 3)] for n in grids} == grids


def test_table_of_patterns() -> None:
    patterns = core.make_patterns(64, 1, False)
    assert [p.id for p in patterns] == list(range(49))
    assert Counter(p.group for p in patterns) == {"ring": 6, "random": 30, "additional": 13}
    assert [*first_group("3.5")] == list(range(6))
    assert [*first_group("3.1")] == [5, *range(42, 49)]
    # those without a direction are left out
    assert set(range(49)) - {p.id for p in core.make_patterns(2, 1, False)} == {43, 46, 47}


def assert_messages_arrive(pattern: Any) -> None:
    """Every message that is sent is received in the same step, and all are counted."""
    peers = pattern.peers
    messages = 0
    for me, steps in enumerate(peers):
        for others in zip(*steps, strict=True):
            met = [other for other in others if other != NOBODY]
            assert len({*met}) == len(met)
            assert me not in met
        for step, (to, source) in enumerate(steps):
            if to != NOBODY:
                messages += 1
                assert peers[to][step][1] == me
                assert len(peers[to]) == len(steps)
            if source != NOBODY:
                assert peers[source][step][0] == me
    assert messages == pattern.messages
    assert sum(map(bool, peers)) == pattern.processes


def drawn_rings(n: int, seed: int, *, as_release_3_6: bool) -> dict[int, list[int]]:
    """Return the orders of random rings; as release 3.6 draws them by the C library."""
    if not as_release_3_6:
        return {p: random_order(pattern_seed(seed, p), n) for p in SOME_RANDOM}
    libc = ctypes.CDLL(None)
    libc.drand48.restype = ctypes.c_double
    libc.srand48(ctypes.c_long(seed))
    rings = {p: [NOBODY] * n for p in RANDOM_PATTERNS}
    for order, rank in itertools.product(rings.values(), range(n)):
        place = int(libc.drand48() * n)
        while order[place] != NOBODY:
            place = (place + 1) % n
        order[place] = rank
    return rings


def rings_in(pattern: int, n: int) -> list[list[int]]:
    """Return the other rings as lists of ranks; a pair is a ring of two."""
    if pattern < RANDOM_PATTERNS.start:
        ends = itertools.accumulate(patterns_for(n)[pattern].ring_sizes, initial=0)
        return [list(range(first, behind)) for first, behind in itertools.pairwise(ends)]
    even = n - n % 2
    others = {
        36: [[i // 2 if i % 2 == 0 else n - 1 - i // 2 for i in range(n)]],
        37: [[rank, rank + 1] for rank in range(0, even, 2)],
        38: [[rank, even - 1 - rank] for rank in range(even // 2)],
        PING_PONG: [[0, 1]],
    }
    return others[pattern]


def partners_in(pattern: int, n: int, drawn: dict[int, list[int]]) -> list[set[int]]:
    """Return the partners of each of n processes; none of one that the pattern leaves out."""
    partners: list[set[int]] = [set() for _ in range(n)]
    if pattern <= PING_PONG:
        for ring in [drawn[pattern]] if pattern in drawn else rings_in(pattern, n):
            for place, rank in enumerate(ring):
                partners[rank] |= {ring[place - 1], ring[(place + 1) % len(ring)]}
        return partners
    # positions count row by row, the last dimension fastest, as MPI_Cart_create does
    _, dimensions, directions, cyclic = CARTESIAN[pattern]
    grid = pattern_grid(n, dimensions)
    for direction in directions:
        extent, stride = grid[direction], prod(grid[direction + 1 :])
        for rank in range(prod(grid)):
            place = rank // stride % extent
            for target in (place - 1, place + 1):
                if extent > 1 and (cyclic or 0 <= target < extent):
                    partners[rank].add(rank + (target % extent - place) * stride)
    return partners


@given(st.integers(2, 100), st.integers(0, 2**53 - 1), st.booleans())
@example(7, 1, False)  # one of which is left out of a grid
@example(11, 1, False)
@settings(max_examples=25)
def test_patterns_are_those_of_the_definition(
    processes: int, seed: int, as_release_3_6: bool
) -> None:
    order = "3.6" if as_release_3_6 else "uniform"
    known = patterns_for(processes)
    drawn = drawn_rings(processes, seed, as_release_3_6=as_release_3_6)
    for pattern in core.make_patterns(processes, seed, as_release_3_6):
        facts = known[pattern.id]
        is_random = pattern.id in RANDOM_PATTERNS
        drawn_seed = ring_seed(seed, order, pattern.id, processes) if is_random else None
        assert pattern.seed == drawn_seed
        if pattern.group == "random" and pattern.id not in SOME_RANDOM:
            continue  # these differ from the others by seed alone
        assert_messages_arrive(pattern)
        partners = [
            {peer for step in steps for peer in step if peer != NOBODY} for steps in pattern.peers
        ]
        assert partners == partners_in(pattern.id, processes, drawn), pattern.name
        assert facts.senders == pattern.concurrent_senders
        if pattern.id or processes % 2 == 0:  # a ring of three has two steps, pairs have one
            sending = sum(to != NOBODY for steps in pattern.peers for to, _ in steps)
            steps = max(map(len, pattern.peers))
            assert pattern.concurrent_senders == pytest.approx(sending / steps), pattern.name
