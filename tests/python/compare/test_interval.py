"""The interval of a change: quantiles against published tables, and what must always hold."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.analysis.compare.interval import change_interval, scatter
from beff.analysis.compare.student import (
    central_probability,
    normal_quantile,
    two_sided_quantile,
)
from beff.analysis.compare.verdict import Verdict, judge

LOGS = st.floats(-20, 20)
SIDE = st.lists(LOGS, min_size=1, max_size=8)
CONFIDENCE = st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.9999])
NOISE = st.floats(0, 1)


@pytest.mark.parametrize(
    ("degrees", "at_95", "at_99"),
    [
        (1, 12.706, 63.657),
        (2, 4.303, 9.925),
        (3, 3.182, 5.841),
        (4, 2.776, 4.604),
        (5, 2.571, 4.032),
        (10, 2.228, 3.169),
        (30, 2.042, 2.750),
        (120, 1.980, 2.617),
    ],
)
def test_published_quantiles(degrees: int, at_95: float, at_99: float) -> None:
    assert two_sided_quantile(0.95, degrees) == pytest.approx(at_95, abs=5.1e-4)
    assert two_sided_quantile(0.99, degrees) == pytest.approx(at_99, abs=5.1e-4)


def test_many_degrees_of_freedom_are_normal() -> None:
    assert normal_quantile(0.95) == pytest.approx(1.959964, abs=1e-6)
    assert two_sided_quantile(0.95, 9_999) == pytest.approx(1.959964, abs=3e-4)
    assert two_sided_quantile(0.95, 10_000) == normal_quantile(0.95)


@given(st.floats(0.01, 0.99999), st.integers(1, 60))
def test_quantile_inverts_the_probability(probability: float, degrees: int) -> None:
    t = two_sided_quantile(probability, degrees)
    assert central_probability(t, degrees) == pytest.approx(probability, abs=1e-12)


def test_interval_by_hand() -> None:
    """Means 2 and 4, squares 2 and 2, so s = 1 with 4 degrees of freedom."""
    interval = change_interval([1, 2, 3], [3, 4, 5], 0.95, assumed_noise=9.0)
    half = 2.776445 * math.sqrt(2 / 3)
    assert interval.estimate == 2
    assert (interval.low, interval.high) == pytest.approx((2 - half, 2 + half), abs=1e-6)


def test_single_runs_have_the_assumed_noise() -> None:
    interval = change_interval([1.0], [1.5], 0.95, assumed_noise=0.1)
    half = 1.959964 * 0.1 * math.sqrt(2)
    assert (interval.low, interval.high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)


def test_few_runs_take_the_larger_noise() -> None:
    quiet = change_interval([1.0, 1.0], [1.0, 1.0], 0.95, assumed_noise=0.1)
    loud = change_interval([0.0, 1.0], [0.0, 1.0], 0.95, assumed_noise=0.1)
    assert quiet.high == pytest.approx(1.959964 * 0.1, abs=1e-6)
    assert loud.high == pytest.approx(1.959964 * math.sqrt(0.5), abs=1e-6)


def test_five_runs_tell_their_noise() -> None:
    assert change_interval([1.0] * 4, [1.0], 0.95, assumed_noise=0.1).high == 0.0
    assert change_interval([1.0] * 3, [1.0], 0.95, assumed_noise=0.1).high > 0.1


@given(SIDE, SIDE, CONFIDENCE, NOISE)
def test_interval_contains_the_estimate(
    a: list[float], b: list[float], confidence: float, noise: float
) -> None:
    interval = change_interval(a, b, confidence, noise)
    assert interval.low <= interval.estimate <= interval.high
    low, high = min(b) - max(a), max(b) - min(a)
    assert low - 1e-9 <= interval.estimate <= high + 1e-9


@given(SIDE, SIDE, CONFIDENCE, NOISE)
def test_swapping_the_sides_flips_the_sign(
    a: list[float], b: list[float], confidence: float, noise: float
) -> None:
    assert (
        change_interval(b, a, confidence, noise)
        == change_interval(a, b, confidence, noise).reversed()
    )


@given(SIDE, SIDE, CONFIDENCE, NOISE, st.randoms(use_true_random=False))
def test_order_of_the_runs_is_irrelevant(
    a: list[float], b: list[float], confidence: float, noise: float, chance: random.Random
) -> None:
    before = change_interval(a, b, confidence, noise)
    chance.shuffle(a)
    chance.shuffle(b)
    assert change_interval(a, b, confidence, noise) == before


@given(SIDE, CONFIDENCE, NOISE, st.floats(0, 1))
def test_a_side_against_itself_never_changed(
    a: list[float], confidence: float, noise: float, threshold: float
) -> None:
    interval = change_interval(a, a, confidence, noise)
    assert interval.estimate == 0.0
    assert judge(interval, threshold, True) in {Verdict.NO_CHANGE, Verdict.NOT_CLEAR}


@given(SIDE, SIDE, st.floats(0, 1), CONFIDENCE)
def test_swapping_the_sides_turns_the_words(
    a: list[float], b: list[float], threshold: float, confidence: float
) -> None:
    opposite = {
        Verdict.SLOWER: Verdict.FASTER,
        Verdict.SLIGHTLY_SLOWER: Verdict.SLIGHTLY_FASTER,
        Verdict.NOT_CLEAR: Verdict.NOT_CLEAR,
        Verdict.NO_CHANGE: Verdict.NO_CHANGE,
        Verdict.SLIGHTLY_FASTER: Verdict.SLIGHTLY_SLOWER,
        Verdict.FASTER: Verdict.SLOWER,
    }
    there = judge(change_interval(a, b, confidence, 0.1), threshold, True)
    back = judge(change_interval(b, a, confidence, 0.1), threshold, True)
    assert back == opposite[there]
    assert judge(change_interval(a, b, confidence, 0.1), threshold, False) == opposite[there]


@pytest.mark.parametrize(
    ("b", "verdict"),
    [
        ([0.80, 0.81, 0.79], Verdict.SLOWER),
        ([0.97, 0.97, 0.97], Verdict.SLIGHTLY_SLOWER),
        ([1.00, 1.01, 0.99], Verdict.NO_CHANGE),
        ([1.10, 0.70, 0.90], Verdict.NOT_CLEAR),
        ([1.03, 1.03, 1.03], Verdict.SLIGHTLY_FASTER),
        ([1.20, 1.21, 1.19], Verdict.FASTER),
    ],
)
def test_words(b: list[float], verdict: Verdict) -> None:
    a = [math.log(figure) for figure in (1.0, 1.01, 0.99)]
    interval = change_interval(a, [math.log(figure) for figure in b], 0.95, 0.1)
    assert judge(interval, 0.05, True) == verdict


def test_threshold_counts_from_the_worse_figure() -> None:
    """More than 5 % more time: with 5 % the verdict is still within the threshold."""
    for factor, verdict in ((1.049, Verdict.SLIGHTLY_SLOWER), (1.051, Verdict.SLOWER)):
        interval = change_interval([0.0] * 3, [-math.log(factor)] * 3, 0.95, 0.1)
        assert judge(interval, 0.05, True) == verdict


@pytest.mark.parametrize("runs", [3, 5])
def test_interval_covers_as_often_as_it_says(runs: int) -> None:
    """Of 2000 pairs of normal runs the interval of 95 % misses the true change in 5 %."""
    chance = random.Random(42)
    missed = 0
    for _ in range(2000):
        a = [chance.gauss(1.0, 0.3) for _ in range(runs)]
        b = [chance.gauss(1.5, 0.3) for _ in range(runs)]
        interval = change_interval(a, b, 0.95, 0.0)
        missed += not interval.low <= 0.5 <= interval.high
    assert 70 <= missed <= 130


def test_scatter_is_around_each_side() -> None:
    assert scatter([1.0, 1.0], [7.0, 7.0]) == 0.0
    assert scatter([1.0], [7.0]) == 0.0
    assert scatter([1.0, 3.0], [7.0]) == pytest.approx(math.sqrt(2))
