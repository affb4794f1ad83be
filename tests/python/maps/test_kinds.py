"""Which units are nearer to each other than to the rest."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.levels import Floats, adding, constant, in_groups, waiting
from support.machines.leaves import leaves
from support.machines.machine import Machine
from support.machines.measure import map_of
from support.machines.noise import Noise
from support.machines.ways import Flat

from beff.maps.groups import groups_of
from beff.maps.kinds import kinds_of
from beff.maps.levels import links_of

SCATTER = 0.03


def groups(factors: Floats, scatter: float = SCATTER, passes: int = 20) -> set[frozenset[int]]:
    pairs = constant(factors, passes=passes)
    links = links_of(pairs)
    levels = np.log(factors[links.first, links.second])
    return parts(groups_of(len(factors), links, levels, scatter))


def parts(labels: NDArray[np.int64]) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == one).tolist()) for one in np.unique(labels)}


def runs(*sizes: int) -> set[frozenset[int]]:
    """The sets of units that are numbered group by group."""
    ends = np.cumsum(sizes).tolist()
    return {frozenset(range(end - size, end)) for size, end in zip(sizes, ends, strict=True)}


@pytest.mark.parametrize("apart", [1.08, 1.25, 1.5, 4.0])
@pytest.mark.parametrize(
    "sizes", [(2, 2), (4, 4), (8, 8), (11, 5), (6, 2), (14, 2), (4, 4, 4, 4), (6, 5, 3, 2)]
)
def test_groups_of_any_size_are_found(sizes: tuple[int, ...], apart: float) -> None:
    assert groups(in_groups(*sizes, apart=apart)) == runs(*sizes)


def test_less_apart_than_any_fault_is_none() -> None:
    assert groups(in_groups(8, 8, apart=1.04)) == runs(16)


def test_apart_by_less_than_chance_is_none() -> None:
    """Standard error of a pair met three times at 30 %: 0.24; of a cut into 4 and 4, 0.47."""
    assert groups(in_groups(4, 4, apart=1.25), scatter=0.3, passes=3) == runs(8)
    assert groups(in_groups(4, 4, apart=1.8), scatter=0.3, passes=3) == runs(4, 4)


@pytest.mark.parametrize("model", [waiting, adding])
@pytest.mark.parametrize(
    "own",
    [
        [1.0] * 7 + [1.5],
        [1.0] * 6 + [1.5] * 2,
        [1.0] * 4 + [2.0] * 4,
        [1.0] * 2 + [1.3] * 6,
        [1 + 0.05 * unit for unit in range(16)],
        [1.0, 1.2, 1.5, 2.0, 4.0, 8.0],
    ],
)
def test_slow_units_are_no_group(own: list[float], model: object) -> None:
    """Whether a pair waits for the slower one of its units or adds what both take."""
    assert callable(model)
    assert groups(model(own)) == runs(len(own))


def test_who_is_apart_from_everybody_is_no_group() -> None:
    assert groups(in_groups(7, 1, apart=1.4)) == runs(8)
    assert groups(in_groups(6, 1, 1, apart=1.4)) == runs(8)


def test_who_is_apart_from_everybody_is_with_the_nearest() -> None:
    """Beyond both groups, but nearer to the second one."""
    factors = in_groups(4, 4, 1, apart=1.3)
    factors[8, :4] = factors[:4, 8] = 1.6
    assert groups(factors) == {frozenset(range(4)), frozenset(range(4, 9))}


def test_groups_of_groups_are_the_smaller_ones() -> None:
    factors = in_groups(4, 4, 4, 4, apart=1.12) * in_groups(8, 8, apart=1.35)
    assert groups(factors) == runs(4, 4, 4, 4)


def test_pairs_that_did_not_meet_count_for_nothing() -> None:
    factors = in_groups(8, 8, apart=1.25)
    factors[1, 2] = factors[4, 12] = factors[0, 9] = np.nan
    assert groups(factors) == runs(8, 8)
    assert groups(np.full((8, 8), np.nan)) == runs(8)


@pytest.mark.parametrize("units", [1, 2, 3])
def test_of_fewer_than_four_there_is_one(units: int) -> None:
    assert groups(in_groups(1, units - 1, apart=2.0)) == runs(units)


@given(st.permutations(range(10)), st.sampled_from([(5, 5), (7, 3), (4, 4, 2)]))
@settings(max_examples=20)
def test_numbers_do_not_matter(order: list[int], sizes: tuple[int, ...]) -> None:
    factors = in_groups(*sizes, apart=1.3)
    moved = {frozenset(order.index(unit) for unit in part) for part in runs(*sizes)}
    assert groups(factors[np.ix_(order, order)]) == moved


@pytest.mark.parametrize("noise", [0.03, 0.1])
@pytest.mark.parametrize("spread", [0.02, 0.05, 0.1])
def test_hosts_that_differ_are_no_groups(spread: float, noise: float) -> None:
    for seed in range(3):
        machine = Machine(Flat(12), spread=spread, noise=Noise(noise), passes=20)
        for kind in kinds_of(map_of(machine, seed)):
            assert parts(kind.labels) == runs(12)


@pytest.mark.parametrize("hop", [1.1, 1.25, 1.4])
def test_leaves_of_a_made_up_machine(hop: float) -> None:
    small, _ = kinds_of(map_of(Machine(leaves(11, 5, hop=hop), passes=60), 1))
    assert parts(small.labels) == runs(11, 5)


def test_leaves_that_only_share_an_uplink_are_seen_by_long_messages() -> None:
    small, large = kinds_of(map_of(Machine(leaves(4, 4, 4, 4, taper=2), passes=60), 1))
    assert parts(small.labels) == runs(16)
    assert parts(large.labels) == runs(4, 4, 4, 4)


def test_of_many_units_neighbours_are_taken_together() -> None:
    """2400 units are 800 bundles of three."""
    pairs = map_of(Machine(leaves(1200, 1200, hop=1.3), passes=3), 1)
    begin = time.process_time()
    small, _ = kinds_of(pairs)
    assert time.process_time() - begin < 30
    assert parts(small.labels) == runs(1200, 1200)
