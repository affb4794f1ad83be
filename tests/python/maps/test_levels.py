"""Levels and deviations against numbers computed by hand."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.levels import constant, in_groups

from beff.maps.levels import (
    links_of,
    lowest_but_one,
    most_of,
    quantiles,
    quick_level,
    scatter,
)


@given(
    st.lists(st.tuples(st.integers(0, 4), st.floats(-9, 9)), max_size=40),
    st.sampled_from([0.0, 0.05, 0.25, 0.5]),
)
def test_quantiles_of_groups(entries: list[tuple[int, float]], share: float) -> None:
    groups = np.array([group for group, _ in entries], dtype=np.int64)
    values = np.array([value for _, value in entries], dtype=np.float64)
    found = quantiles(groups, values, 5, share)
    for group in range(5):
        own = values[groups == group]
        if own.size:
            assert found[group] == np.quantile(own, share, method="lower")
        else:
            assert np.isnan(found[group])


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([], nan),
        ([5.0], 5.0),
        ([7.0, 5.0, 6.0], 5.0),  # of three one may be a slow link, and one wait for another
        ([8.0, 5.0, 7.0, 6.0], 6.0),
        ([8.0, 5.0, 5.0, 5.0], 5.0),
        ([nan, 8.0, 5.0, 7.0, 6.0], 6.0),
        ([*map(float, range(30))], 2.0),  # the quickest tenth
    ],
)
def test_the_quickest_but_one(values: list[float], found: float) -> None:
    one = lowest_but_one(np.zeros(len(values), dtype=np.int64), np.array(values), 1)
    assert one == pytest.approx(found, nan_ok=True)


@given(
    st.lists(st.floats(-1, 1), min_size=2, max_size=12),
    st.lists(st.floats(1e3, 1e6), max_size=8),
    st.floats(0.1, 10),
)
def test_a_minority_far_off_moves_nothing(
    most: list[float], few: list[float], factor: float
) -> None:
    few = few[: (len(most) - 1) // 2]
    found = most_of(np.array([*most, *few, np.nan]))
    assert -1 <= found.middle <= 1
    assert found.sigma <= 2.75 * 2
    scaled = most_of(factor * np.array([*most, *few]))
    assert scaled.sigma == pytest.approx(factor * found.sigma, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("values", [[], [3.0], [np.nan, 3.0], [3.0] * 5 + [9.0]])
def test_no_spread(values: list[float]) -> None:
    assert most_of(np.array(values)).sigma == 0


def test_the_deviation_of_many_is_theirs() -> None:
    values = np.random.default_rng(1).normal(0, 0.02, 4000)
    assert most_of(values).sigma == pytest.approx(0.02, rel=0.05)


def test_a_meeting_scatters_around_its_pair() -> None:
    """Neither drift nor levels count; of meetings by turns 0.1 apart the deviation is 0.105."""
    pairs = constant(in_groups(2, 2, apart=3.0), passes=10)
    links = links_of(pairs)
    by_turns = pairs.times["small"] + 0.1 * (pairs.passes % 2) + 0.001 * pairs.passes
    assert scatter(links, by_turns) == pytest.approx(1.4826 * 0.1 / np.sqrt(2), rel=0.02)
    assert scatter(links, pairs.times["small"]) == 0


def test_levels_of_links_by_the_numbers_of_their_ends() -> None:
    links = links_of(constant(np.ones((4, 4)), passes=3))
    assert (links.first.tolist(), links.second.tolist()) == ([0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3])
    assert links.counts.tolist() == [3] * 6
    found = links.find(np.arange(6.0), np.array([2, 0, 1]), np.array([3, 3, 9]))
    assert found == pytest.approx([5, 2, nan], nan_ok=True)


def test_the_level_of_the_quick_pairs() -> None:
    assert quick_level(np.array([*range(11), np.nan])) == 1
    assert quick_level(np.zeros(0)) == 0
