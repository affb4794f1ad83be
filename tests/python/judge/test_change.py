"""The interval of a change: quantiles against published tables, and what must always hold."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.judge.change import (
    Change,
    change_by_runs,
    change_by_sides,
    fenced,
)

LOGS = st.floats(-20, 20)
SIDE = st.lists(LOGS, min_size=1, max_size=8)
CONFIDENCE = st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.9999])
NOISE = st.floats(0, 1)


def ends(found: Change, confidence: float) -> tuple[float, float]:
    half = found.half_width(confidence)
    return found.estimate - half, found.estimate + half


def interval(
    a: list[float], b: list[float], confidence: float, noise: float
) -> tuple[float, float]:
    return ends(change_by_sides(a, b, assumed=noise), confidence)


@pytest.mark.parametrize(
    ("degrees", "at_95", "at_99"),
    [(1, 12.706, 63.657), (3, 3.182, 5.841), (10, 2.228, 3.169), (120, 1.980, 2.617)],
)
def test_published_quantiles(degrees: int, at_95: float, at_99: float) -> None:
    found = Change(0.0, 0.0, 1.0, 1.0, degrees)
    assert found.half_width(0.95) == pytest.approx(at_95, abs=5.1e-4)
    assert found.half_width(0.99) == pytest.approx(at_99, abs=5.1e-4)


def test_interval_by_hand() -> None:
    """Means 2 and 4, squares 2 and 2, so s = 1 with 4 degrees of freedom."""
    both = change_by_sides([1, 2, 3], [3, 4, 5], assumed=9.0)
    half = 2.776445 * math.sqrt(2 / 3)
    assert (both.a, both.b, both.estimate, both.noise) == (2, 4, 2, 1)
    assert ends(both, 0.95) == pytest.approx((2 - half, 2 + half), abs=1e-6)


def test_unequal_spread_by_hand() -> None:
    """Welch: s^2/n is 1/3 and 9/3, so 10/3 with (10/3)^2 / ((1/9 + 9) / 2) = 2.44 degrees."""
    found = change_by_sides([1, 2, 3], [1, 4, 7])
    assert found.error == pytest.approx(math.sqrt(10 / 3))
    assert found.degrees == pytest.approx(200 / 82)


def test_a_single_run_has_the_spread_of_the_other_side() -> None:
    """Five runs with s^2 = 2.5; one more is s * sqrt(1 + 1/5) away."""
    found = change_by_sides([1, 2, 3, 4, 5], [9], assumed=7.0)
    assert found.error == pytest.approx(math.sqrt(2.5 * 1.2))
    assert (found.degrees, found.assumed_error) == (4, 0.0)


def test_single_runs_have_the_assumed_noise() -> None:
    found = interval([1.0], [1.5], 0.95, 0.1)
    half = 1.959964 * 0.1 * math.sqrt(2)
    assert found == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)


def test_few_runs_take_the_wider_interval() -> None:
    quiet = interval([1.0, 1.0], [1.0, 1.0], 0.95, 0.1)
    loud = interval([0.0, 1.0], [0.0, 1.0], 0.95, 0.1)
    assert quiet[1] == pytest.approx(1.959964 * 0.1, abs=1e-6)
    assert loud[1] == pytest.approx(4.302653 * math.sqrt(0.5), abs=1e-5)


def test_five_runs_tell_their_noise() -> None:
    assert interval([1.0] * 4, [1.0], 0.95, 0.1)[1] == 0.0
    assert interval([1.0] * 3, [1.0], 0.95, 0.1)[1] > 0.1


def test_sides_of_one_session_that_follow_each_other() -> None:
    usual = change_by_sides([1, 2, 3], [3, 4, 6])
    wider = change_by_sides([1, 2, 3], [3, 4, 6], side_by_side=True)
    assert wider.error == pytest.approx(1.8 * usual.error)


def test_sessions_of_both_sides_cancel() -> None:
    """One run of each side a day: the interval is that of the differences 1, 2 and 3."""
    days = (0, 1, 2)
    a, b = [10.0, 20.0, 30.0], [11.0, 22.0, 33.0]
    paired = change_by_runs(a, b, days, days, assumed=0.0, alternated=True)
    assert (paired.estimate, paired.degrees) == pytest.approx((2, 2))
    assert paired.error == pytest.approx(1 / math.sqrt(3))
    assert (paired.a, paired.b) == pytest.approx((20, 22))
    in_turn = change_by_runs(a, b, days, days, assumed=0.0, alternated=False)
    assert in_turn.error == pytest.approx(1.8 * paired.error)


def test_fences_by_hand() -> None:
    """Quartiles 1 and 3, and 10 and 12: fences at -5 and 9, and at 4 and 18."""
    sides = [0.0, 1.0, 2.0, 3.0, 40.0], [10.0, 11.0, 12.0, 13.0, -30.0]
    assert fenced(sides) == [[0, 1, 2, 3, 9], [10, 11, 12, 13, 4]]
    assert fenced([side[1:] for side in sides]) == [[1, 2, 3, 40], [11, 12, 13, -30]]
    # squares 50 and 50, and of 8 degrees of freedom two are lost
    assert change_by_sides(*sides).noise == pytest.approx(math.sqrt(100 / 6))


def test_what_lies_where_the_other_side_does_is_not_drawn_in() -> None:
    """A machine in one of two states: one run of each side is in the state of the other."""
    sides = [[0.0, 0.01, -0.01, 0.0, -0.22], [-0.22, -0.21, -0.23, -0.22, 0.0]]
    assert fenced(sides) == sides
    assert ends(change_by_sides(*sides), 0.99)[1] > 0


def test_a_run_far_off_hides_no_loss() -> None:
    a = [0.0, 0.01, -0.01, 0.005, -0.5]
    b = [-0.22, -0.21, -0.23, -0.225, -0.215]
    assert ends(change_by_sides(a, b), 0.99)[1] < -0.1
    assert ends(change_by_sides(a[1:], b), 0.99)[1] > 0  # of four it is not known which is off


@given(SIDE, SIDE, CONFIDENCE, NOISE)
def test_interval_contains_the_estimate(
    a: list[float], b: list[float], confidence: float, noise: float
) -> None:
    both = change_by_sides(a, b, assumed=noise)
    low, high = ends(both, confidence)
    assert low <= both.estimate <= high
    assert min(a) - 1e-9 <= both.a <= max(a) + 1e-9
    assert min(b) - 1e-9 <= both.b <= max(b) + 1e-9


@given(SIDE, SIDE, CONFIDENCE, NOISE)
def test_swapping_the_sides_flips_the_sign(
    a: list[float], b: list[float], confidence: float, noise: float
) -> None:
    low, high = interval(a, b, confidence, noise)
    assert interval(b, a, confidence, noise) == (-high, -low)


@given(SIDE, SIDE, CONFIDENCE, NOISE, st.randoms(use_true_random=False))
def test_order_of_the_runs_is_irrelevant(
    a: list[float], b: list[float], confidence: float, noise: float, chance: random.Random
) -> None:
    before = interval(a, b, confidence, noise)
    chance.shuffle(a)
    chance.shuffle(b)
    assert interval(a, b, confidence, noise) == before


@given(SIDE, SIDE, st.floats(-5, 5), CONFIDENCE, NOISE)
def test_a_unit_moves_no_interval(
    a: list[float], b: list[float], unit: float, confidence: float, noise: float
) -> None:
    there = interval([one + unit for one in a], [one + unit for one in b], confidence, noise)
    here = interval(a, b, confidence, noise)
    assert there == pytest.approx(here, rel=1e-6, abs=1e-6)


@given(st.lists(st.lists(LOGS, min_size=1, max_size=9), min_size=2, max_size=3))
def test_fences_only_draw_in(sides: list[list[float]]) -> None:
    for side, kept in zip(sides, fenced(sides), strict=True):
        middle = sorted(side)[len(side) // 4 : -(-3 * len(side) // 4)]
        assert all(
            own == within or abs(within) <= abs(own) or min(middle) <= within <= max(side)
            for own, within in zip(side, kept, strict=True)
        )
        assert min(side) <= min(kept)
        assert max(kept) <= max(side)
        assert all(one in kept for one in middle)


@pytest.mark.parametrize(("runs", "spread"), [(3, 1), (5, 1), (5, 5), (10, 5)])
def test_interval_covers_as_often_as_it_says(runs: int, spread: float) -> None:
    """Of 2000 pairs of normal runs the interval of 95 % misses the change in about 5 %.

    A little more often where few runs of one side scatter much: some pass for far off.
    """
    chance = random.Random(42)
    missed = 0
    for _ in range(2000):
        a = [chance.gauss(1.0, 0.3) for _ in range(runs)]
        b = [chance.gauss(1.5, 0.3 * spread) for _ in range(runs)]
        low, high = interval(a, b, 0.95, 0.0)
        missed += not low <= 0.5 <= high
    assert 40 <= missed <= 140


def test_a_machine_in_two_states_is_rarely_two_machines() -> None:
    """Five runs a side, half of them 20 % slower by chance: 99.85 % is wrong in 1 % at most."""
    chance = random.Random(7)
    wrong = 0
    for _ in range(3000):
        a, b = (
            [chance.gauss(0, 0.01) - 0.22 * (chance.random() < 0.5) for _ in range(5)]
            for _ in range(2)
        )
        wrong += ends(change_by_sides(a, b), 1 - 0.04 / 26)[1] < -0.05
    assert wrong <= 30


def test_scatter_is_around_each_side() -> None:
    assert change_by_sides([1.0, 1.0], [7.0, 7.0]).noise == 0.0
    assert change_by_sides([1.0], [7.0]).noise == 0.0
    assert change_by_sides([1.0, 3.0], [7.0]).noise == pytest.approx(math.sqrt(2))
