"""Which days one is compared with, and since when a machine is slower."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.judge.day_rule import Word
from beff.judge.series import (
    Day,
    FigureOfDay,
    JudgedDay,
    Standing,
    first_day,
    standing_after,
    steps_of,
)

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
    for number, level in enumerate(levels):
        found.append(standing.judged(day(number, level)))
        standing.add(found[-1])
    return found


def words(levels: Sequence[float]) -> list[Word | None]:
    return [one.word for one in judged(levels)]


def test_it_is_slower_since_the_first_day_and_until_it_is_mended() -> None:
    found = judged([0.0] * 8 + [-0.12] * 5 + [0.0] * 2)
    assert [one.word for one in found[8:]] == [Word.SLOWER] * 5 + [Word.AS_FAST] * 2
    assert {one.since for one in found[8:13]} == {8 * 86400.0}
    assert all(len(one.before) == 8 for one in found[8:14])
    assert found[13].since is None
    assert len(found[14].before) == 9


def test_the_first_days_cannot_say_and_the_fifth_can() -> None:
    found = words([0.0] * 5)
    assert found == [None, Word.OPEN, Word.OPEN, Word.OPEN, Word.AS_FAST]
    assert words([0.0, 0.0, -1.0])[-1] is Word.SLOWER
    assert words([0.0] * 4 + [-0.25])[-1] is Word.SLOWER


def test_a_single_slow_day_is_one_of_those_before() -> None:
    found = judged([0.0] * 8 + [-0.12] + [0.0] * 2)
    assert found[8].word is Word.SLOWER
    assert len(found[10].before) == 10
    assert found[10].word is Word.AS_FAST


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


def test_a_day_without_a_figure_is_judged_by_the_others() -> None:
    days = [day(number) for number in range(8)]
    only = Day(9 * 86400.0, {"b_eff": days[0].logs["b_eff"]})
    assert standing_after(first_day("b_eff"), days).judged(only).word is Word.AS_FAST
    without = [Day(one.start_s, {"b_eff": one.logs["b_eff"]}) for one in days]
    assert [
        one.figure.name
        for one in standing_after(first_day("b_eff"), without).judged(days[0]).figures
    ] == ["b_eff"]


# --- steps of a history ---

VALUE = FigureOfDay("value", "MB/s")
NOISE = (1.0, 1.01, 0.99, 1.005, 0.995, 1.0)


def marks(values: Sequence[float], figure: FigureOfDay = VALUE) -> list[tuple[int, Word]]:
    starts = [DAY * day for day in range(len(values))]
    return [(step.index, step.word) for step in steps_of(figure, starts, values)]


def test_worked_examples() -> None:
    """Levels are medians: 100 before, 80 since."""
    values = [100.0, 101.0, 99.0, 102.0, 100.0, 80.0, 81.0, 80.0, 79.0]
    (step,) = steps_of(VALUE, [DAY * day for day in range(9)], values)
    assert (step.index, step.word) == (5, Word.SLOWER)
    assert (step.before, step.after) == pytest.approx((100, 80))
    assert marks(values[:7]) == []  # two days are no step
    latency = FigureOfDay("latency", "us", more_is_better=False)
    assert marks(values, latency) == [(5, Word.FASTER)]


def test_a_loss_that_was_mended_one_that_grew_and_a_gain() -> None:
    cases: dict[tuple[float, ...], list[Word]] = {
        (1.0, 0.8, 1.0): [Word.SLOWER, Word.FASTER],
        (1.0, 0.9, 0.75): [Word.SLOWER, Word.SLOWER],
        (1.0, 1.2, 1.0): [Word.FASTER, Word.SLOWER],
        (1.0, 0.97, 1.0): [],
    }
    for levels, words in cases.items():
        values = [level * one for level in levels for one in NOISE]
        assert marks(values) == list(zip((6, 12), words, strict=False))


def test_runs_of_a_session_are_one_day() -> None:
    """Ten runs in a row, of which five are slow, show no step; ten days do."""
    values = [*NOISE[:5], *(0.8 * one for one in NOISE[:5])]
    assert [index for index, _ in marks(values)] == [5]
    assert steps_of(VALUE, [60.0 * run for run in range(10)], values) == []


@given(st.lists(st.floats(1e-3, 1e6), max_size=30), st.floats(0.1, 10))
def test_a_unit_moves_no_mark(values: list[float], factor: float) -> None:
    assert len(marks([value * factor for value in values])) == len(marks(values))


@given(st.integers(7, 20), st.integers(3, 12), st.floats(1.3, 5), st.randoms())
def test_a_clear_step_is_found_where_it_is(
    before: int, since: int, ratio: float, chance: Random
) -> None:
    """Noise of at most 1 % to either side."""
    levels = [1.0] * before + [ratio] * since
    values = [level * (1 + chance.uniform(-0.01, 0.01)) for level in levels]
    for one in (values, [1 / value for value in values]):
        assert before in [index for index, _ in marks(one)]


def test_histories_without_a_change_seldom_have_a_mark() -> None:
    chance = Random(20260101)
    made = [[exp(chance.gauss(0, 0.04)) for _ in range(40)] for _ in range(60)]
    assert sum(bool(marks(values)) for values in made) <= 5


def test_the_figure_by_which_a_day_is_open_is_named() -> None:
    """The value is as fast, and the other figure has likely lost a fifth."""
    figures = FigureOfDay("x", ""), FigureOfDay("y", "", 1e-6)
    standing = Standing(figures, parts=[[]])
    for day, log in enumerate((0.0, 0.02, -0.02, 0.01, -0.01) * 2):
        standing.parts[0].append(Day(86400.0 * day, {"x": (log / 10,), "y": (2 * log,)}))
    judged = standing.judged(Day(1e9, {"x": (0.0,), "y": (-0.15,)}))
    assert [one.word for one in judged.figures] == [Word.AS_FAST, Word.OPEN]
    assert judged.word is Word.OPEN
    assert judged.worst.figure.name == "y"
