"""Rings, random rings, Cartesian grids and the other patterns, by both implementations."""

from __future__ import annotations

import ctypes
import itertools
from collections import Counter
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beff.definition.b_eff_patterns import (
    PING_PONG,
    Draw,
    cartesian_directions,
    in_first_group,
    pattern_grid,
    pattern_seed,
    patterns_for,
    ring_sizes,
    rings_in,
    splitmix64,
    standard_ring_sizes,
)
from program_core import core

PROCESSES = st.integers(min_value=2, max_value=5000)
NOBODY = -1


@pytest.mark.parametrize(
    ("processes", "standard", "sizes"),
    [
        (7, 2, [2, 2, 3]),
        (11, 4, [4, 4, 3]),
        (29, 8, [8, 7, 7, 7]),
        (28, 8, [10, 9, 9]),
        (7, 4, [7]),
        (8, 4, [4, 4]),
        (5, 4, [5]),
        (5, 2, [2, 3]),
        (2, 2, [2]),
        (3, 2, [3]),
        (512, 128, [128, 128, 128, 128]),
    ],
)
def test_ring_sizes_by_hand(processes: int, standard: int, sizes: list[int]) -> None:
    assert core.ring_sizes(processes, standard) == ring_sizes(processes, standard) == sizes


@pytest.mark.parametrize(
    ("processes", "sizes"),
    [(256, [2, 4, 8, 64, 128, 256]), (24, [2, 4, 8, 16, 24, 24]), (3, [2, 3, 3, 3, 3, 3])],
)
def test_standard_ring_sizes_by_hand(processes: int, sizes: list[int]) -> None:
    assert [core.standard_ring_size(i, processes) for i in range(6)] == sizes
    assert standard_ring_sizes(processes) == sizes


@given(PROCESSES, st.integers(0, 5))
def test_ring_sizes_add_up_with_even_rings_first(processes: int, pattern: int) -> None:
    standard = core.standard_ring_size(pattern, processes)
    assert standard == standard_ring_sizes(processes)[pattern]
    sizes = core.ring_sizes(processes, standard)
    assert sizes == ring_sizes(processes, standard)
    assert sum(sizes) == processes
    assert min(sizes) >= 2
    assert max(sizes) - min(sizes) <= 1
    parities = [size % 2 for size in sizes]
    assert parities == sorted(parities)


@given(PROCESSES, st.integers(0, 5))
def test_position_finds_its_ring(processes: int, pattern: int) -> None:
    standard = core.standard_ring_size(pattern, processes)
    position = 0
    for size in core.ring_sizes(processes, standard):
        for place in {0, size // 2, size - 1}:
            assert core.ring_of(processes, standard, position + place) == [position, size]
        position += size


@given(st.integers(0, 2**53 - 1), st.integers(2, 5000))
def test_permutation_and_its_inverse(seed: int, n: int) -> None:
    order, places = core.permutation(seed, n)
    assert sorted(order) == list(range(n))
    assert [places[element] for element in order] == list(range(n))


@pytest.mark.parametrize("n", [3, 4, 5])
def test_all_small_permutations_are_equally_likely(n: int) -> None:
    seeds = 12_000
    counts: Counter[tuple[int, ...]] = Counter()
    for seed in range(seeds):
        order, _ = core.permutation(seed, n)
        counts[tuple(order)] += 1
    kinds = list(itertools.permutations(range(n)))
    expected = seeds / len(kinds)
    chi_square = sum((counts[kind] - expected) ** 2 / expected for kind in kinds)
    degrees = len(kinds) - 1
    # five standard deviations of chi-square; the seeds are fixed, and so is the verdict
    assert chi_square < degrees + 5 * (2 * degrees) ** 0.5


def test_neighbours_at_random_places_are_uniform() -> None:
    n, seeds = 64, 2000
    distances: Counter[int] = Counter()
    for seed in range(seeds):
        order, _ = core.permutation(core.pattern_seed(seed, 6), n)
        distances[(order[1] - order[0]) % n] += 1
    expected = seeds / (n - 1)
    chi_square = sum((distances[d] - expected) ** 2 / expected for d in range(1, n))
    assert chi_square < (n - 2) + 5 * (2 * (n - 2)) ** 0.5


@pytest.mark.parametrize(
    ("n", "plane", "space"),
    [
        (2, (2, 1), (2, 1, 1)),
        (3, (3, 1), (3, 1, 1)),
        (5, (2, 2), (2, 2, 1)),
        (6, (3, 2), (3, 2, 1)),
        (7, (3, 2), (3, 2, 1)),
        (8, (4, 2), (2, 2, 2)),
        (11, (5, 2), (2, 2, 2)),
        (12, (4, 3), (3, 2, 2)),
        (24, (6, 4), (4, 3, 2)),
        (64, (8, 8), (4, 4, 4)),
        (512, (32, 16), (8, 8, 8)),
    ],
)
def test_grids_by_hand(n: int, plane: tuple[int, int], space: tuple[int, int, int]) -> None:
    assert tuple(core.pattern_grid(n, 2)) == (*pattern_grid(n, 2), 1) == (*plane, 1)
    assert tuple(core.pattern_grid(n, 3)) == pattern_grid(n, 3) == space


@given(PROCESSES, st.sampled_from([2, 3]))
def test_grids_never_increase_and_fit(n: int, dimensions: int) -> None:
    extents = core.pattern_grid(n, dimensions)
    assert tuple(extents[:dimensions]) == pattern_grid(n, dimensions)
    assert list(extents) == sorted(extents, reverse=True)
    assert 1 <= prod(extents) <= n
    if n >= 8:
        assert extents[dimensions - 1] > 1


def test_table_has_49_patterns() -> None:
    patterns = core.make_patterns(64, 1)
    assert [p.id for p in patterns] == list(range(49))
    assert Counter(p.group for p in patterns) == {"ring": 6, "random": 30, "additional": 13}
    assert len({p.seed for p in patterns if p.group == "random"}) == 30
    assert [p for p in range(49) if in_first_group("3.5", p)] == list(range(6))
    assert [p for p in range(49) if in_first_group("3.1", p)] == [5, *range(42, 49)]


def test_patterns_without_a_direction_are_left_out() -> None:
    assert set(range(49)) - {p.id for p in core.make_patterns(2, 1)} == {43, 46, 47}


@given(st.integers(2, 300), st.integers(0, 2**53 - 1))
@settings(max_examples=30)
def test_second_implementation_has_the_same_patterns(processes: int, seed: int) -> None:
    found = [
        (p.id, p.group, p.processes, p.messages, p.seed)
        for p in core.make_patterns(processes, seed)
    ]
    assert found == [
        (p.id, p.group, p.processes, p.messages, p.seed(Draw(seed)))
        for p in patterns_for(processes).values()
    ]


def test_seeds_come_from_splitmix64() -> None:
    assert splitmix64(0) == 0xE220A8397B1DCDAF  # by its authors
    assert splitmix64(1234567) == 6457827717110365317
    assert core.pattern_seed(7, 6) == pattern_seed(7, 6) < 2**53


def but_most_random(patterns: list[Any]) -> list[Any]:
    """All patterns but those random rings that differ from the first and the last by seed alone."""
    return [p for p in patterns if p.group != "random" or p.id in {6, 35}]


@given(st.integers(2, 300), st.integers(0, 1000))
@settings(max_examples=25)
def test_every_message_sent_is_received_in_the_same_step(processes: int, seed: int) -> None:
    for pattern in but_most_random(core.make_patterns(processes, seed)):
        peers = pattern.peers
        taking_part = [steps for steps in peers if steps]
        messages = 0
        for me, steps in enumerate(peers):
            targets = [to for to, _ in steps if to != NOBODY]
            sources = [source for _, source in steps if source != NOBODY]
            assert len(set(targets)) == len(targets)
            assert len(set(sources)) == len(sources)
            for step, (to, source) in enumerate(steps):
                assert me not in (to, source)
                if to != NOBODY:
                    messages += 1
                    assert peers[to][step][1] == me
                    assert len(peers[to]) == len(steps)
                if source != NOBODY:
                    assert peers[source][step][0] == me
        assert messages == pattern.messages
        assert len(taking_part) == pattern.processes


def test_worst_cycle_order() -> None:
    cycle = next(p for p in core.make_patterns(7, 1) if p.id == 36)
    # order 0, 6, 1, 5, 2, 4, 3: left and right neighbour of process 5 are 1 and 2
    assert cycle.peers[5] == [[1, 2], [2, 1]]
    assert cycle.peers[0] == [[3, 6], [6, 3]]


def test_ping_pong_has_one_sender_at_a_time() -> None:
    ping_pong = next(p for p in core.make_patterns(5, 1) if p.id == 39)
    assert (ping_pong.processes, ping_pong.messages, ping_pong.concurrent_senders) == (2, 2, 1)
    assert ping_pong.peers[0] == [[1, NOBODY], [NOBODY, 1]]
    assert ping_pong.peers[1] == [[NOBODY, 0], [0, NOBODY]]
    assert ping_pong.peers[2] == []


@given(st.integers(2, 70))
@settings(max_examples=25)
def test_senders_are_those_that_send_in_a_step(processes: int) -> None:
    for pattern in core.make_patterns(processes, 1):
        if pattern.id == 0 and processes % 2:
            continue  # the ring of three has two steps, the pairs have one
        peers = pattern.peers
        steps = max(map(len, peers))
        sending = sum(to != NOBODY for rank in peers for to, _ in rank)
        assert pattern.concurrent_senders == pytest.approx(sending / steps), pattern.name
        assert patterns_for(processes)[pattern.id].senders == pattern.concurrent_senders


Partners = list[set[int]]
"""By rank; empty for a process that the pattern leaves out."""


def partners_in(pattern: int, n: int, draw: Draw) -> Partners:
    """Return the partners of each of n processes in one of the patterns that exist for n."""
    if pattern > PING_PONG:
        return _grid(n, *cartesian_directions(pattern))
    return _rings(rings_in(pattern, n, draw), n)


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


@given(st.integers(2, 70), st.integers(0, 2**53 - 1))
@settings(max_examples=25)
def test_second_implementation_has_the_same_neighbours(processes: int, seed: int) -> None:
    for pattern in but_most_random(core.make_patterns(processes, seed)):
        partners = [
            {peer for step in pattern.peers[rank] for peer in step if peer != NOBODY}
            for rank in range(processes)
        ]
        assert partners_in(pattern.id, processes, Draw(seed)) == partners, pattern.name


def drawn_by_libc(seed: int, n: int) -> list[list[int]]:
    """Orders of the random rings as the source of release 3.6 draws them, by the C library."""
    libc = ctypes.CDLL(None)
    libc.drand48.restype = ctypes.c_double
    libc.srand48(ctypes.c_long(seed))
    orders = []
    for _ in range(30):
        order = [-1] * n
        for rank in range(n):
            place = int(libc.drand48() * n)
            while order[place] != -1:
                place = (place + 1) % n
            order[place] = rank
        orders.append(order)
    return orders


@given(st.integers(2, 150), st.integers(0, 2**53 - 1))
@settings(max_examples=25)
def test_rings_of_release_3_6_are_those_of_its_generator(processes: int, seed: int) -> None:
    draw = Draw(seed, "3.6")
    patterns = core.make_patterns(processes, seed, True)
    for pattern, order in zip(patterns[6:36], drawn_by_libc(seed, processes), strict=True):
        assert draw.ring(pattern.id, processes) == order
        assert draw.seed(pattern.id, processes) == pattern.seed
        for place, rank in enumerate(order):
            left, right = order[place - 1], order[(place + 1) % processes]
            around = [[left, right], [right, left]] if processes > 2 else [[left, right]]
            assert pattern.peers[rank] == around


@pytest.mark.parametrize(("order", "expected"), [("uniform", 0.111), ("3.6", 0.205)])
def test_neighbours_on_one_host_of_eight(order: str, expected: float) -> None:
    """Of 64 ranks: 7 of 63 others are on the same host; probing leaves more beside each other."""
    rings = [Draw(seed, order).ring(6, 64) for seed in range(200)]
    pairs = [(ring[i - 1] // 8, ring[i] // 8) for ring in rings for i in range(64)]
    assert sum(a == b for a, b in pairs) / len(pairs) == pytest.approx(expected, abs=0.01)
