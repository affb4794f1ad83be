"""The rule of a day beside the days before, by hand, by its properties, and by made-up days."""

import math
from collections.abc import Sequence
from math import log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.judge.benchmarks import VALUES, Quantity
from beff.judge.change import (
    ERROR,
    Change,
    Word,
    change_by_days,
    change_by_runs,
    change_by_sides,
    fenced,
    gain_of,
    judged_figure,
    level,
    part_of_look,
)
from beff.judge.kept import judged_so_far
from beff.judge.series import (
    VALUE_OF,
    Day,
    JudgedDay,
    Standing,
    first_day,
    standing_after,
    steps_of,
)

LOGS = st.floats(-0.3, 0.3)
DAYS = st.lists(st.lists(LOGS, min_size=1, max_size=6), min_size=4, max_size=12)
FOUR = [[0.0], [0.02], [-0.02], [0.0]]


def test_fewer_runs_than_on_the_days_before_cost_what_runs_differ_by() -> None:
    days = [[middle - 0.01, middle + 0.01] for (middle,) in FOUR]
    beside = change_by_days([days], [[-0.11, -0.09]], 0.15)
    assert beside.error**2 == pytest.approx(0.0008 / 3 * 1.25)
    alone = change_by_days([days], [[-0.1]], 0.15)
    assert alone.error**2 == pytest.approx(0.0008 / 3 * 1.25 + 0.0002 * (1 - 1 / 2))
    more = change_by_days([days], [[-0.11, -0.1, -0.1, -0.09]], 0.15)
    assert more.error == pytest.approx(beside.error)


def test_each_part_between_steps_has_a_level_of_its_own() -> None:
    faster = [[one + 0.5] for (one,) in FOUR]
    found = change_by_days([FOUR, faster], [[0.4]], 0.15)
    assert found.estimate == pytest.approx(-0.1)
    assert found.error == pytest.approx(sqrt(0.0016 / 6 * 1.25))
    assert found.degrees == pytest.approx(6)


def test_one_run_far_off_hardly_moves_a_day() -> None:
    assert level([0.0, 0.01, -0.01, 0.005, -0.005, -0.7]) == pytest.approx(0, abs=0.006)
    assert level([0.3]) == 0.3


def test_a_day_with_wild_runs_is_judged_by_these() -> None:
    days = [[one - 0.01, one, one + 0.01] for (one,) in FOUR]
    assert (
        judged_figure(
            VALUE_OF["b_eff"], change_by_days([days], [[-0.2] * 3], 0.15), ERROR, 0.05
        ).word
        is Word.SLOWER
    )
    wild = change_by_days([days], [[-0.6, -0.2, 0.2]], 0.15)
    assert wild.error > 0.2
    assert judged_figure(VALUE_OF["b_eff"], wild, ERROR, 0.05).word is Word.OPEN


@given(DAYS, st.lists(LOGS, min_size=1, max_size=6), st.floats(0, 1), st.integers(1, 9))
def test_a_slower_day_is_never_called_better(
    days: list[list[float]], today: list[float], lost: float, planned: int
) -> None:
    order = [Word.SLOWER, Word.OPEN, Word.AS_FAST, Word.FASTER]
    part = part_of_look(planned, is_last=True)
    words = [
        judged_figure(
            VALUE_OF["b_eff"], change_by_days([days], [own], 0.15), ERROR, 0.05, part
        ).word
        for own in (today, [one - lost for one in today])
    ]
    assert order.index(words[1]) <= order.index(words[0])


def test_what_more_runs_would_take_away() -> None:
    found = change_by_days([[[one - 0.01, one + 0.01] for (one,) in FOUR]], [[-0.01, 0.01]], 0.15)
    assert gain_of(found, 2, 4) == pytest.approx(0.0002 * (1 / 2 - 1 / 4) / found.error**2)
    assert gain_of(found, 4, 4) == 0


def test_several_days_are_compared_as_one() -> None:
    """Squares 8 around 0 and 2 around -100, with 3 + 1 degrees, all in hundredths."""
    found = change_by_days([FOUR], [[-0.99], [-1.01]], 0.15)
    assert found.estimate == pytest.approx(-1)
    assert found.degrees == pytest.approx(4)
    assert found.error == pytest.approx(sqrt(0.001 / 4 * (1 / 4 + 1 / 2)))


def test_days_of_a_history_show_what_days_differ_by() -> None:
    alone = change_by_days([FOUR[:1]], [[-0.1]], 0.15)
    beside = change_by_days([FOUR[:1]], [[-0.1]], 0.15, [FOUR])
    assert (alone.assumed_error > 0, beside.assumed_error) == (True, 0)
    assert beside.error == pytest.approx(sqrt(0.0008 / 3 * 2))


# --- made-up days: days differ by 2 %, runs by 4 %, six of them fit into the time ---


def made_day(chance: Random, standing: Standing, start_s: float, loss: float = 0.0) -> Word | None:
    """Measure a day until it is enough, add it, and return its word."""
    common, own = chance.gauss(0, 0.02) + log(1 - loss), list[float]()
    for left in reversed(range(6)):
        own.append(common + chance.gauss(0, 0.04))
        judged, is_enough = judged_so_far(standing, Day(start_s, {"b_eff": tuple(own)}), left, 6)
        if is_enough:
            break
    standing.add(judged)
    return judged.word


def made_days(seed: str, days: int) -> tuple[Random, Standing, list[Word | None]]:
    chance, standing = Random(seed), first_day("b_eff")
    return chance, standing, [made_day(chance, standing, 86400.0 * day) for day in range(days)]


def test_days_that_are_alike_seldom_alarm() -> None:
    words = [word for trial in range(12) for word in made_days(f"alike {trial}", 60)[2]]
    assert words.count(None) == 12
    assert words.count(Word.SLOWER) <= 0.01 * len(words) + 4
    assert words.count(Word.FASTER) <= 0.01 * len(words) + 4
    assert words.count(Word.AS_FAST) >= 0.4 * len(words)


# --- the interval of a change: quantiles against published tables, and what must always hold ---


def ends(found: Change, confidence: float) -> tuple[float, float]:
    half = found.half_width(confidence)
    return found.estimate - half, found.estimate + half


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
    assert fenced(sides) == ([[0, 1, 2, 3, 9], [10, 11, 12, 13, 4]], 2)
    assert fenced([side[1:] for side in sides]) == ([[1, 2, 3, 40], [11, 12, 13, -30]], 0)
    # squares 50 and 50, and of 8 degrees of freedom two are lost
    assert change_by_sides(*sides).noise == pytest.approx(math.sqrt(100 / 6))


def test_what_lies_where_the_other_side_does_is_not_drawn_in() -> None:
    """A machine in one of two states: one run of each side is in the state of the other."""
    sides = [[0.0, 0.01, -0.01, 0.0, -0.22], [-0.22, -0.21, -0.23, -0.22, 0.0]]
    assert fenced(sides) == (sides, 0)
    assert ends(change_by_sides(*sides), 0.99)[1] > 0


def test_a_run_far_off_hides_no_loss() -> None:
    a = [0.0, 0.01, -0.01, 0.005, -0.5]
    b = [-0.22, -0.21, -0.23, -0.225, -0.215]
    assert ends(change_by_sides(a, b), 0.99)[1] < -0.1
    assert ends(change_by_sides(a[1:], b), 0.99)[1] > 0  # of four it is not known which is off


# --- which days one is compared with, and since when a machine is slower ---

DAY = 86400.0

QUIET = (0.0, 0.004, -0.004, 0.002, -0.002)
"""What days differ by, in turn."""


def day(number: int, level: float = 0.0, *, latency: float = 0.0) -> Day:
    at = QUIET[number % len(QUIET)]
    logs = {"b_eff": tuple(level + at + one for one in (-0.001, 0.0, 0.001))}
    logs["latency"] = tuple(latency - at + one for one in (-0.001, 0.0, 0.001))
    return Day(86400.0 * number, logs)


def judged(levels: Sequence[float]) -> list[JudgedDay]:
    """Judge a day for each level, in order."""
    standing, found = first_day("b_eff"), []
    for number, high in enumerate(levels):
        found.append(standing.judged(day(number, high)))
        standing.add(found[-1])
    return found


def test_it_is_slower_since_the_first_day_and_until_it_is_mended() -> None:
    found = judged([0.0] * 8 + [-0.12] * 5 + [0.0] * 2)
    assert [one.word for one in found[8:]] == [Word.SLOWER] * 5 + [Word.AS_FAST] * 2
    assert {one.since for one in found[8:13]} == {8 * 86400.0}
    assert all(len(one.before) == 8 for one in found[8:14])
    assert found[13].since is None
    assert len(found[14].before) == 9


def test_a_faster_machine_is_compared_with_what_it_is_now() -> None:
    found = judged([0.0] * 10 + [0.2] * 8 + [0.1])
    assert found[10].word is Word.FASTER
    assert len(found[17].before) < 8
    assert found[17].word is Word.AS_FAST
    assert found[18].word is Word.SLOWER


def test_latency_tells_alone_but_never_leaves_open() -> None:
    standing = standing_after(first_day("b_eff"), [day(number) for number in range(8)])
    slower = standing.judged(day(8, latency=-0.4))
    assert slower.word is Word.SLOWER
    assert slower.worst.figure.name == "latency"
    assert slower.worst.shares[1] > 0.4
    wild = Day(8 * 86400.0, {**day(8).logs, "latency": (-0.5, 0.5, 0.0)})
    assert standing.judged(wild).word is Word.AS_FAST


# --- steps of a history ---

VALUE = Quantity(VALUES, "value", "MB/s")
NOISE = (1.0, 1.01, 0.99, 1.005, 0.995, 1.0)


def test_a_loss_that_was_mended_one_that_grew_and_a_gain() -> None:
    cases: dict[tuple[float, ...], list[Word]] = {
        (1.0, 0.8, 1.0): [Word.SLOWER, Word.FASTER],
        (1.0, 0.9, 0.75): [Word.SLOWER, Word.SLOWER],
        (1.0, 1.2, 1.0): [Word.FASTER, Word.SLOWER],
        (1.0, 0.97, 1.0): [],
    }
    for levels, words in cases.items():
        values = [level * one for level in levels for one in NOISE]
        starts = [DAY * day for day in range(len(values))]
        marks = [(step.index, step.word) for step in steps_of(VALUE, starts, values)]
        assert marks == list(zip((6, 12), words, strict=False))


def test_the_figure_by_which_a_day_is_open_is_named() -> None:
    """The value is as fast, and the other figure has likely lost a fifth."""
    errors = {Quantity(VALUES, "x", ""): ERROR, Quantity(VALUES, "y", ""): 1e-6}
    standing = Standing(errors, parts=[[]])
    for number, log_ in enumerate((0.0, 0.02, -0.02, 0.01, -0.01) * 2):
        standing.parts[0].append(Day(DAY * number, {"x": (log_ / 10,), "y": (2 * log_,)}))
    judged = standing.judged(Day(1e9, {"x": (0.0,), "y": (-0.15,)}))
    assert [one.word for one in judged.figures] == [Word.AS_FAST, Word.OPEN]
    assert judged.word is Word.OPEN
    assert judged.worst.figure.name == "y"
