"""Steps of made-up series."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.judge.change import ChangeVerdict
from beff.judge.steps import alternated, levels, sessions_of, steps_of

values = st.floats(min_value=1e-3, max_value=1e6)


def marks(series: list[float]) -> list[tuple[int, float, float]]:
    return [(step.index, round(step.before, 6), round(step.after, 6)) for step in steps_of(series)]


def test_worked_examples() -> None:
    # Geometric means by hand: 100.494 of the first four, 79.9975 of the next five, 119.997.
    series = [100, 101, 99, 102, 80, 81, 80, 79, 80, 120, 121, 119]
    assert marks([float(value) for value in series]) == [
        (4, 100.493781, 79.9975),
        (9, 79.9975, 119.997222),
    ]
    assert marks([1.0] * 4 + [2.0] * 8) == [(4, 1, 2)]
    assert steps_of([1.0] * 3 + [2.0] * 3)[0].ratio == 2


def test_too_short_too_small_or_an_outlier() -> None:
    assert marks([1, 1, 2, 2, 2]) == []
    assert marks([100.0] * 10 + [101.9] * 10) == []
    assert marks([100.0] * 10 + [102.1] * 10) == [(10, 100, 102.1)]
    assert marks([100, 101, 99, 100, 3, 101, 100, 99, 100, 101]) == []


@given(st.lists(values, max_size=40), st.floats(min_value=0.1, max_value=10))
def test_a_unit_moves_no_mark(series: list[float], factor: float) -> None:
    scaled = [value * factor for value in series]
    found, again = steps_of(series), steps_of(scaled)
    # A step of exactly the least height may fall on either side by rounding.
    if all(abs(step.ratio - 1.02) > 1e-6 for step in found):
        assert [step.index for step in found] == [step.index for step in again]


@given(st.lists(values, max_size=40))
def test_marks_leave_three_runs_on_either_side(series: list[float]) -> None:
    places = [0, *(step.index for step in steps_of(series)), len(series)]
    if len(places) > 2:
        assert min(b - a for a, b in pairwise(places)) >= 3


@given(
    st.integers(min_value=6, max_value=20),
    st.integers(min_value=6, max_value=20),
    st.floats(min_value=1.3, max_value=5),
    st.randoms(use_true_random=False),
)
def test_a_clear_step_is_found_where_it_is(
    before: int, after: int, ratio: float, chance: random.Random
) -> None:
    """Noise of at most 1 % to either side."""
    series = [1 + chance.uniform(-0.01, 0.01) for _ in range(before)]
    series += [ratio * (1 + chance.uniform(-0.01, 0.01)) for _ in range(after)]
    assert before in [step.index for step in steps_of(series)]


def modes(share: float) -> Callable[[random.Random], float]:
    """One of two states by chance, 20 % apart, with 1 % of noise."""
    return lambda chance: chance.gauss(0, 0.01) + math.log(0.8) * (chance.random() < share)


@pytest.mark.parametrize("runs", [6, 12, 40])
@pytest.mark.parametrize(
    "noise",
    [
        lambda chance: chance.gauss(0, 0.05),
        lambda chance: chance.gauss(0, 0.5 if chance.random() < 0.1 else 0.05),
        lambda chance: -chance.expovariate(20),
        modes(0.5),
        modes(0.3),
        modes(0.1),
    ],
    ids=["gaussian", "outliers", "one-sided", "50 : 50", "70 : 30", "90 : 10"],
)
def test_false_marks_are_as_rare_as_documented(
    noise: Callable[[random.Random], float], runs: int
) -> None:
    chance = random.Random(20260101)
    tries = 400
    marked = sum(
        bool(steps_of([math.exp(noise(chance)) for _ in range(runs)])) for _ in range(tries)
    )
    assert marked / tries <= 0.05


def test_neighbours_that_are_alike_make_few_marks() -> None:
    """Noise of 5 % that correlates by 0.4 from run to run."""
    chance = random.Random(20260103)
    tries, marked = 300, 0
    for _ in range(tries):
        logs = [chance.gauss(0, 1)]
        for _ in range(19):
            logs.append(0.4 * logs[-1] + math.sqrt(1 - 0.4**2) * chance.gauss(0, 1))
        marked += bool(steps_of([math.exp(0.05 * log) for log in logs]))
    assert marked / tries <= 0.06


@pytest.mark.parametrize(("before", "noise", "least"), [(5, 0.02, 0.95), (20, 0.03, 0.9)])
def test_a_loss_of_a_tenth_is_found_after_five_runs(
    before: int, noise: float, least: float
) -> None:
    chance = random.Random(20260102)
    tries = 200
    found = 0
    for _ in range(tries):
        levels = [1.0] * before + [0.9] * 5
        series = [level * math.exp(chance.gauss(0, noise)) for level in levels]
        found += any(abs(step.index - before) <= 1 for step in steps_of(series))
    assert found / tries >= least


def test_a_small_step_hides_no_large_one() -> None:
    series = [100.0, 100.1] * 5 + [80.0, 80.1] * 5 + [81.0, 81.1] * 5
    assert [step.index for step in steps_of(series)] == [10]


def test_values_that_are_no_bandwidths() -> None:
    with pytest.raises(ValueError, match="positive"):
        steps_of([1.0, 0.0])


DAY = 86400.0


def test_a_step_has_the_word_of_a_comparison() -> None:
    noise = (1.0, 1.002, 0.998, 1.001, 0.999)
    for level, verdict in ((0.9, ChangeVerdict.SLOWER), (0.97, ChangeVerdict.SLIGHTLY_SLOWER)):
        (step,) = steps_of([*noise, *(level * one for one in noise)])
        assert step.verdict == verdict
        assert math.exp(step.interval.low) < step.ratio < math.exp(step.interval.high)
    assert steps_of([*noise, *(1.1 * one for one in noise)])[0].verdict == ChangeVerdict.FASTER


def test_of_few_days_the_runs_decide_of_many_the_days() -> None:
    """Runs that differ by 0.2 %, on days that differ by 3 %."""
    few = [DAY * day + 60 * n for day in range(2) for n in range(5)]
    values = [(1 - 0.1 * (n >= 5)) * (1 + 0.002 * (n % 3)) for n in range(10)]
    assert [step.index for step in steps_of(values, few)] == [5]
    many = [DAY * day + 60 * n for day in range(8) for n in range(5)]
    levels = [1.0, 0.97, 1.03, 1.0, 0.95, 0.97, 1.02, 0.98]
    values = [level * (1 + 0.002 * n) for level in levels for n in range(5)]
    assert steps_of(values, many) == []
    values = [value * (1 - 0.3 * (place >= 20)) for place, value in enumerate(values)]
    assert [step.index for step in steps_of(values, many)] == [20]


def test_within_a_session_neighbours_are_alike() -> None:
    """The same runs a minute apart, and a day apart."""
    values = [1.0, 1.015, 0.985, 1.01, 0.99, 0.95, 0.965, 0.935, 0.96, 0.94]
    assert [step.index for step in steps_of(values)] == [5]
    assert steps_of(values, [60.0 * n for n in range(10)]) == []


@pytest.mark.parametrize("at", [2, 7])
def test_a_run_far_off_hides_no_step(at: int) -> None:
    values = [1.0, 1.02, 0.98, 1.01, 0.99, 0.8, 0.82, 0.78, 0.81, 0.79]
    values[at] *= 0.6
    assert [step.index for step in steps_of(values)] == [5]


def test_a_loss_that_was_mended_and_one_that_grew() -> None:
    noise = [1.0, 1.01, 0.99, 1.005, 0.995]
    for parts in ((1.0, 0.8, 1.0), (1.0, 0.9, 0.8)):
        values = [level * one for level in parts for one in noise]
        assert [step.index for step in steps_of(values)] == [5, 10]


HOUR = 3600.0


@pytest.mark.parametrize(
    ("starts", "found"),
    [
        ([], []),
        ([5.0], [0]),
        ([0.0, 60.0, DAY, DAY + 60], [0, 0, 1, 1]),
        ([DAY, 0.0, DAY + 60, 60.0], [1, 0, 1, 0]),
        ([0.0, DAY, 2 * DAY], [0, 1, 2]),
        ([0.0, 5.9 * HOUR, 12 * HOUR], [0, 0, 1]),
        ([5 * HOUR * n for n in range(7)], [0, 0, 0, 0, 0, 1, 1]),
    ],
    ids=["none", "one", "two days", "in any order", "single runs", "six hours", "around the clock"],
)
def test_sessions(starts: list[float], found: list[int]) -> None:
    assert sessions_of(starts) == found


@given(st.lists(st.floats(0, 40 * DAY)), st.floats(0, 1e9))
def test_the_origin_of_time_is_irrelevant(starts: list[float], origin: float) -> None:
    whole = [float(round(start)) for start in starts]
    assert sessions_of([start + round(origin) for start in whole]) == sessions_of(whole)


def test_the_level_of_a_session_is_its_median() -> None:
    sessions, values = [3, 1, 3, 3, 1], [5.0, 1.0, 7.0, 100.0, 2.0]
    assert levels(sessions, values) == {1: 1.5, 3: 7.0}
    assert levels(sessions, values, runs=1) == {1: 1.0, 3: 5.0}


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ((1, 3, 5), (2, 4, 6), True),
        ((1, 2, 3), (4, 5, 6), False),
        ((1, 2, 3, 4, 5, 12), (6, 7, 8, 9, 10, 11), False),
        ((1, 2, 4, 5), (3,), True),
        ((1, 2), (2, 3), True),
    ],
)
def test_alternated(a: tuple[float, ...], b: tuple[float, ...], found: bool) -> None:
    assert alternated(a, b) == found
