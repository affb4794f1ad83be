"""The interval of a change: quantiles against published tables, and what must always hold."""

from __future__ import annotations

import math
import random
from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.analysis.compare.compare import EQUIVALENCE, judge
from beff.analysis.compare.report import ChangeVerdict
from beff.analysis.compare.statistics import (
    Change,
    Interval,
    Sessions,
    Units,
    change_between,
    far_off,
    holm_levels,
    scatter,
    sessions_of,
)

LOGS = st.floats(-20, 20)
SIDE = st.lists(LOGS, min_size=1, max_size=8)
CONFIDENCE = st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.9999])
NOISE = st.floats(0, 1)


def units(a: list[float], b: list[float]) -> Units:
    return Units(tuple(a), tuple(b))


def interval(a: list[float], b: list[float], confidence: float, noise: float) -> Interval:
    return change_between(units(a, b), noise).interval(confidence)


@pytest.mark.parametrize(
    ("degrees", "at_95", "at_99"),
    [(1, 12.706, 63.657), (3, 3.182, 5.841), (10, 2.228, 3.169), (120, 1.980, 2.617)],
)
def test_published_quantiles(degrees: int, at_95: float, at_99: float) -> None:
    found = Change(0.0, 0.0, 1.0, degrees, 0.0)
    assert found.interval(0.95).high == pytest.approx(at_95, abs=5.1e-4)
    assert found.interval(0.99).low == pytest.approx(-at_99, abs=5.1e-4)


def test_interval_by_hand() -> None:
    """Means 2 and 4, squares 2 and 2, so s = 1 with 4 degrees of freedom."""
    both = change_between(units([1, 2, 3], [3, 4, 5]), 9.0)
    found = both.interval(0.95)
    half = 2.776445 * math.sqrt(2 / 3)
    assert both.estimate == both.of_medians == 2
    assert (found.low, found.high) == pytest.approx((2 - half, 2 + half), abs=1e-6)


def test_unequal_spread_by_hand() -> None:
    """Welch: s^2/n is 1/3 and 9/3, so 10/3 with (10/3)^2 / ((1/9 + 9) / 2) = 2.44 degrees."""
    found = change_between(units([1, 2, 3], [1, 4, 7]), 0.0)
    assert found.error == pytest.approx(math.sqrt(10 / 3))
    assert found.degrees == pytest.approx(200 / 82)


def test_a_single_run_has_the_spread_of_the_other_side() -> None:
    """Five runs with s^2 = 2.5; one more is s * sqrt(1 + 1/5) away."""
    found = change_between(units([1, 2, 3, 4, 5], [9]), 7.0)
    assert found.error == pytest.approx(math.sqrt(2.5 * 1.2))
    assert (found.degrees, found.assumed_error) == (4, 0.0)


def test_single_runs_have_the_assumed_noise() -> None:
    found = interval([1.0], [1.5], 0.95, 0.1)
    half = 1.959964 * 0.1 * math.sqrt(2)
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)


def test_few_runs_take_the_wider_interval() -> None:
    quiet = interval([1.0, 1.0], [1.0, 1.0], 0.95, 0.1)
    loud = interval([0.0, 1.0], [0.0, 1.0], 0.95, 0.1)
    assert quiet.high == pytest.approx(1.959964 * 0.1, abs=1e-6)
    assert loud.high == pytest.approx(4.302653 * math.sqrt(0.5), abs=1e-5)


def test_five_runs_tell_their_noise() -> None:
    assert interval([1.0] * 4, [1.0], 0.95, 0.1).high == 0.0
    assert interval([1.0] * 3, [1.0], 0.95, 0.1).high > 0.1


@given(SIDE, SIDE, CONFIDENCE, NOISE)
def test_interval_contains_the_estimate(
    a: list[float], b: list[float], confidence: float, noise: float
) -> None:
    both = change_between(units(a, b), noise)
    found = both.interval(confidence)
    assert found.low <= both.estimate <= found.high
    low, high = min(b) - max(a), max(b) - min(a)
    assert low - 1e-9 <= both.estimate <= high + 1e-9
    assert low - 1e-9 <= both.of_medians <= high + 1e-9


def test_a_run_far_off_moves_no_median() -> None:
    """One of four at a tenth: the medians differ by nothing, the interval tells nothing."""
    found = change_between(units([0.0, 0.01, -0.01, 0.0], [0.0, 0.01, -0.01, -2.3]), 0.0)
    assert found.of_medians == pytest.approx(-0.005)
    assert found.interval(0.9).high - found.interval(0.9).low > 2


@given(SIDE, SIDE, CONFIDENCE, NOISE)
def test_swapping_the_sides_flips_the_sign(
    a: list[float], b: list[float], confidence: float, noise: float
) -> None:
    assert interval(b, a, confidence, noise) == interval(a, b, confidence, noise).reversed()


@given(SIDE, SIDE, CONFIDENCE, NOISE, st.randoms(use_true_random=False))
def test_order_of_the_runs_is_irrelevant(
    a: list[float], b: list[float], confidence: float, noise: float, chance: random.Random
) -> None:
    before = interval(a, b, confidence, noise)
    chance.shuffle(a)
    chance.shuffle(b)
    assert interval(a, b, confidence, noise) == before


@given(SIDE, SIDE, NOISE, st.floats(0, 1), st.sampled_from([0.9, 0.99, 0.999]))
def test_the_chance_says_when_the_interval_lies_beyond(
    a: list[float], b: list[float], noise: float, margin: float, confidence: float
) -> None:
    found = change_between(units(a, b), noise)
    sure = found.interval(confidence)
    beyond = sure.low > margin or sure.high < -margin
    edge = min(abs(sure.low - margin), abs(sure.high + margin))
    if edge > 1e-6:
        assert beyond == (found.chance_within(margin) < 1 - confidence)


@given(SIDE, SIDE, st.floats(0, 1), CONFIDENCE)
def test_swapping_the_sides_turns_the_words(
    a: list[float], b: list[float], threshold: float, confidence: float
) -> None:
    opposite = {
        ChangeVerdict.SLOWER: ChangeVerdict.FASTER,
        ChangeVerdict.SLIGHTLY_SLOWER: ChangeVerdict.SLIGHTLY_FASTER,
        ChangeVerdict.NOT_SLOWER: ChangeVerdict.NOT_FASTER,
        ChangeVerdict.NOT_CLEAR: ChangeVerdict.NOT_CLEAR,
        ChangeVerdict.NO_CHANGE: ChangeVerdict.NO_CHANGE,
    }
    opposite |= {there: here for here, there in opposite.items()}
    there = judge(change_between(units(a, b), 0.1), confidence, threshold, True)
    back = judge(change_between(units(b, a), 0.1), confidence, threshold, True)
    less = judge(change_between(units(a, b), 0.1), confidence, threshold, False)
    assert back.verdict == less.verdict == opposite[there.verdict]
    assert back.interval == there.interval.reversed()
    assert less.interval == there.interval


@pytest.mark.parametrize(
    ("b", "verdict"),
    [
        ([0.80, 0.81, 0.79], ChangeVerdict.SLOWER),
        ([0.97, 0.971, 0.969], ChangeVerdict.SLIGHTLY_SLOWER),
        ([0.94, 0.95, 0.93], ChangeVerdict.NOT_FASTER),
        ([1.00, 1.01, 0.99], ChangeVerdict.NO_CHANGE),
        ([1.10, 0.70, 0.90], ChangeVerdict.NOT_CLEAR),
        ([1.07, 1.08, 1.06], ChangeVerdict.NOT_SLOWER),
        ([1.03, 1.031, 1.029], ChangeVerdict.SLIGHTLY_FASTER),
        ([1.20, 1.21, 1.19], ChangeVerdict.FASTER),
    ],
)
def test_words(b: list[float], verdict: ChangeVerdict) -> None:
    """The whole interval must lie beyond the threshold, or within it."""
    a = [math.log(figure) for figure in (1.0, 1.01, 0.99)]
    found = change_between(units(a, [math.log(figure) for figure in b]), 0.1)
    judged = judge(found, 0.95, 0.05, True)
    assert judged.verdict == verdict
    sure = verdict in {ChangeVerdict.SLOWER, ChangeVerdict.FASTER}
    assert judged.confidence == (0.95 if sure else EQUIVALENCE)
    assert judged.interval == found.interval(judged.confidence)


def test_threshold_counts_from_the_worse_figure() -> None:
    """More than 5 % more time: with 5 % the verdict is still within the threshold."""
    for factor, verdict in ((1.049, ChangeVerdict.SLIGHTLY_SLOWER), (1.051, ChangeVerdict.SLOWER)):
        found = change_between(units([0.0] * 3, [-math.log(factor)] * 3), 0.1)
        assert judge(found, 0.95, 0.05, True).verdict == verdict


@pytest.mark.parametrize(("runs", "spread"), [(3, 1), (5, 1), (5, 5), (10, 5)])
def test_interval_covers_as_often_as_it_says(runs: int, spread: float) -> None:
    """Of 2000 pairs of normal runs the interval of 95 % misses the change in about 5 %."""
    chance = random.Random(42)
    missed = 0
    for _ in range(2000):
        a = [chance.gauss(1.0, 0.3) for _ in range(runs)]
        b = [chance.gauss(1.5, 0.3 * spread) for _ in range(runs)]
        found = interval(a, b, 0.95, 0.0)
        missed += not found.low <= 0.5 <= found.high
    assert 40 <= missed <= 130


@pytest.mark.parametrize("runs", [3, 4, 10])
@pytest.mark.parametrize("noise", [0.15, 0.5])
def test_runs_are_rarely_called_far_off_by_mistake(runs: int, noise: float) -> None:
    """In 2000 pairs of sides of normal runs one is called so in about 1 % of them, at most 2 %."""
    chance = random.Random(42)
    sides = [[chance.gauss(0, noise) for _ in range(2 * runs)] for _ in range(2000)]
    alarms = sum(any(far_off(units(one[:runs], one[runs:]))) for one in sides)
    assert alarms <= 40


def test_a_run_far_off_is_named() -> None:
    """4.0 GB/s, and once 233 MB/s."""
    calm = [math.log(figure) for figure in (4.0, 4.1, 3.9, 4.0)]
    found = far_off(units(calm, [*calm[:3], math.log(0.233)]))
    assert [(side, place) for side, place, _ in found] == [(1, 3)]
    assert list(far_off(units(calm, calm))) == []
    assert list(far_off(units(calm, [0.0, 2.0]))) == []  # which of two is off, nobody knows


def test_scatter_is_around_each_side() -> None:
    assert scatter(units([1.0, 1.0], [7.0, 7.0])) == 0.0
    assert scatter(units([1.0], [7.0])) == 0.0
    assert scatter(units([1.0, 3.0], [7.0])) == pytest.approx(math.sqrt(2))


def test_holm_by_hand() -> None:
    """0.01 < 0.05/3, 0.02 < 0.05/2, 0.2 > 0.05; of (0.01, 0.03, 0.2) the second fails at 0.025."""
    assert holm_levels([0.2, 0.01, 0.02], 0.05) == pytest.approx([0.05, 0.05 / 3, 0.025])
    assert holm_levels([0.2, 0.01, 0.03], 0.05) == pytest.approx([0.025, 0.05 / 3, 0.025])
    assert holm_levels([], 0.05) == []


def day(number: int, minute: int = 0) -> float:
    return datetime(2024, 5, number, 10, minute, tzinfo=timezone.utc).timestamp()


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ([day(1, 0), day(1, 2)], [day(1, 1), day(1, 3)], ((0, 0), (0, 0))),
        ([day(1, 0), day(1, 1)], [day(2, 0), day(2, 1)], ((0, 0), (1, 1))),
        ([day(1, 0), day(2, 0)], [day(1, 1), day(2, 1)], ((0, 1), (0, 1))),
        ([day(1), day(2), day(3)], [day(4), day(5), day(6)], ((0, 0, 0), (0, 0, 0))),
    ],
)
def test_sessions_are_groups_with_gaps(
    a: list[float], b: list[float], found: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    assert sessions_of(a, b, (len(a), len(b))) == Sessions(*found)


def test_the_session_is_the_unit() -> None:
    """Two sessions each: the means 1.5 and 3, 5 and 7."""
    found = Sessions((0, 0, 1), (2, 3)).units([1.0, 2.0, 3.0], [5.0, 7.0])
    assert found == Units((1.5, 3.0), (5.0, 7.0))
    assert found.degrees == 2


def test_sessions_of_both_sides_cancel() -> None:
    """One run of each side a day: the interval is that of the differences 1, 2 and 3."""
    found = Sessions((0, 1, 2), (0, 1, 2)).units([10.0, 20.0, 30.0], [11.0, 22.0, 33.0])
    assert found.degrees == 2
    paired = change_between(found, 0.0)
    assert paired.estimate == pytest.approx(2)
    assert paired.error == pytest.approx(1 / math.sqrt(3))
    assert paired.degrees == pytest.approx(2)
