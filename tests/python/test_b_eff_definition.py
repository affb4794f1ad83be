"""The definition's building blocks against numbers worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.analysis.b_eff.definition import (
    LARGEST_SEED,
    balanced_extents,
    cartesian_messages,
    is_averaged,
    largest_message,
    message_sizes,
    pattern_grid,
    pattern_seed,
    patterns_for,
    ring_messages,
    ring_sizes,
    splitmix64,
    standard_ring_sizes,
)
from beff.analysis.common.digest import fnv1a64

MIB = 1 << 20


@pytest.mark.parametrize(
    ("n", "m", "sizes"),
    [
        (7, 2, [2, 2, 3]),
        (11, 4, [4, 4, 3]),
        (29, 8, [8, 7, 7, 7]),
        (28, 8, [10, 9, 9]),
        (7, 4, [7]),
        (8, 4, [4, 4]),
        (2, 2, [2]),
        (3, 2, [3]),
        (5, 2, [2, 3]),
    ],
)
def test_ring_sizes_by_hand(n: int, m: int, sizes: list[int]) -> None:
    assert ring_sizes(n, m) == sizes


@given(n=st.integers(2, 5000), pattern=st.integers(0, 5))
def test_rings_use_every_process_once_and_start_with_the_even_ones(n: int, pattern: int) -> None:
    sizes = ring_sizes(n, standard_ring_sizes(n)[pattern])
    assert sum(sizes) == n
    assert min(sizes) >= 2
    assert max(sizes) - min(sizes) <= 1
    odd = [size % 2 for size in sizes]
    assert odd == sorted(odd)


def test_standard_ring_sizes_by_hand() -> None:
    assert standard_ring_sizes(128) == [2, 4, 8, 32, 64, 128]
    assert standard_ring_sizes(20) == [2, 4, 8, 16, 20, 20]
    assert standard_ring_sizes(3) == [2, 3, 3, 3, 3, 3]


def test_ring_messages_by_hand() -> None:
    assert ring_messages([2, 2, 3]) == 2 + 2 + 6
    assert ring_messages([7]) == 14


def test_message_sizes_double_where_lmax_is_one_mebibyte() -> None:
    assert message_sizes(largest_message(128 * MIB)) == [2**i for i in range(21)]


def test_message_sizes_by_hand() -> None:
    # L_max = 4096 · 1.5^8 = 104976, so every step is a factor of 1.5
    assert message_sizes(104976)[12:] == [
        4096,
        6144,
        9216,
        13824,
        20736,
        31104,
        46656,
        69984,
        104976,
    ]


def test_lmax_is_bounded() -> None:
    assert largest_message(128 * 128 * MIB) == 128 * MIB
    assert largest_message(1 << 40) == 128 * MIB
    assert largest_message(128 * 5000 + 127) == 5000


@given(lmax=st.integers(4097, 128 * MIB))
def test_message_sizes_ascend_to_lmax(lmax: int) -> None:
    sizes = message_sizes(lmax)
    assert len(sizes) == 21
    assert sizes == sorted(sizes)
    assert sizes[-1] == lmax


@pytest.mark.parametrize(
    ("n", "plane", "space"),
    [
        (2, (2, 1), (2, 1, 1)),
        (3, (3, 1), (3, 1, 1)),
        (4, (2, 2), (2, 2, 1)),
        (5, (2, 2), (2, 2, 1)),
        (6, (3, 2), (3, 2, 1)),
        (7, (3, 2), (3, 2, 1)),
        (8, (4, 2), (2, 2, 2)),
        (9, (3, 3), (2, 2, 2)),
        (11, (5, 2), (2, 2, 2)),
        (12, (4, 3), (3, 2, 2)),
        (36, (6, 6), (4, 3, 3)),
        (64, (8, 8), (4, 4, 4)),
    ],
)
def test_grids_by_hand(n: int, plane: tuple[int, ...], space: tuple[int, ...]) -> None:
    assert pattern_grid(n, 2) == plane
    assert pattern_grid(n, 3) == space


@given(n=st.integers(2, 3000), dimensions=st.integers(2, 3))
def test_grids_multiply_up(n: int, dimensions: int) -> None:
    extents = balanced_extents(n, dimensions)
    product = 1
    for extent in extents:
        product *= extent
    assert product == n
    assert list(extents) == sorted(extents, reverse=True)


def _count_messages(grid: tuple[int, ...], directions: tuple[int, ...], cyclic: bool) -> int:
    """Count (sender, receiver) pairs per direction by walking over every place of the grid."""
    places: list[tuple[int, ...]] = [()]
    for extent in grid:
        places = [(*place, i) for place in places for i in range(extent)]
    total = 0
    for direction in directions:
        pairs = set()
        for place in places:
            for shift in (-1, 1):
                target = place[direction] + shift
                if cyclic:
                    target %= grid[direction]
                if 0 <= target < grid[direction] and target != place[direction]:
                    pairs.add((place, target))
        total += len(pairs)
    return total


@given(
    grid=st.lists(st.integers(1, 6), min_size=2, max_size=3).map(tuple),
    cyclic=st.booleans(),
    data=st.data(),
)
def test_cartesian_messages_are_those_of_the_grid(
    grid: tuple[int, ...], cyclic: bool, data: st.DataObject
) -> None:
    directions = tuple(
        sorted(data.draw(st.sets(st.integers(0, len(grid) - 1), min_size=1), label="directions"))
    )
    counted = _count_messages(grid, directions, cyclic)
    assert cartesian_messages(grid, directions, cyclic) == counted


def test_patterns_of_two_processes() -> None:
    patterns = patterns_for(2)
    assert len(patterns) == 46
    assert set(range(49)) - set(patterns) == {43, 46, 47}
    assert all(facts.messages == 2 for facts in patterns.values())


def test_patterns_of_seven_processes_by_hand() -> None:
    patterns = patterns_for(7)
    facts = {
        id: (patterns[id].processes, patterns[id].messages, patterns[id].senders)
        for id in (0, 1, 5, 6, 36, 37, 38, 39, 40, 42, 43, 44)
    }
    assert facts == {
        0: (7, 10, 7),
        1: (7, 14, 7),
        5: (7, 14, 7),
        6: (7, 14, 7),
        36: (7, 14, 7),
        37: (6, 6, 3),
        38: (6, 6, 3),
        39: (2, 2, 1),
        40: (6, 14, 3.5),  # 3 x 2: 2 lines of 3 give 8, 3 lines of 2 give 6, in 4 steps
        42: (6, 12, 6),
        43: (6, 6, 6),
        44: (6, 18, 6),
    }
    assert patterns[0].ring_sizes == (2, 2, 3)
    assert 47 not in patterns


@given(n=st.integers(8, 300))
def test_all_patterns_exist_from_eight_processes(n: int) -> None:
    assert list(patterns_for(n)) == list(range(49))


def test_which_patterns_are_averaged() -> None:
    assert [p for p in range(49) if is_averaged("3.5", p)] == list(range(36))
    expected = [5, *range(6, 36), *range(42, 49)]
    assert [p for p in range(49) if is_averaged("3.1", p)] == expected


def test_splitmix64_reference_values() -> None:
    assert splitmix64(0) == 0xE220A8397B1DCDAF
    assert splitmix64(1234567) == 6457827717110365317


@given(seed=st.integers(0, LARGEST_SEED))
def test_pattern_seeds_fit_into_a_double_and_differ(seed: int) -> None:
    seeds = [pattern_seed(seed, pattern) for pattern in range(6, 36)]
    assert len(set(seeds)) == 30
    assert all(0 <= value <= LARGEST_SEED for value in seeds)


@pytest.mark.parametrize(
    ("text", "digest"),
    [
        (b"", 0xCBF29CE484222325),
        (b"a", 0xAF63DC4C8601EC8C),
        (b"foobar", 0x85944171F73967E8),
    ],
)
def test_fnv1a64_reference_values(text: bytes, digest: int) -> None:
    assert fnv1a64(text) == digest
