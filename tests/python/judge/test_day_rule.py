"""The rule of a day beside the days before, by hand, by its properties, and by made-up days."""

from __future__ import annotations

from math import log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.judge.change import change_by_days, level
from beff.judge.day_rule import EQUAL_ERROR, ERROR, LAST, Look, Word, gain_of, seen_from, word_of
from beff.judge.series import Day, FigureOfDay, Standing, first_day
from beff.today.plan import looked, planned

LOGS = st.floats(-0.3, 0.3)
DAYS = st.lists(st.lists(LOGS, min_size=1, max_size=6), min_size=4, max_size=12)
FOUR = [[0.0], [0.02], [-0.02], [0.0]]
T_3_95 = 2.353363
"""Student's quantile with 3 degrees of freedom, from tables."""


def test_one_run_a_day_is_judged_by_what_days_differ_by() -> None:
    found = change_by_days([FOUR], [[-0.1]], 0.15)
    assert found.estimate == pytest.approx(-0.1)
    assert found.error == pytest.approx(sqrt(0.0008 / 3 * (1 + 1 / 4)))
    assert found.degrees == pytest.approx(3)
    assert found.half_width(0.9) == pytest.approx(T_3_95 * found.error, rel=1e-5)


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


def test_few_days_are_not_believed_to_be_alike() -> None:
    few = change_by_days([[[0.0], [0.001], [0.002]]], [[-0.1]], 0.15)
    assert few.assumed_error == pytest.approx(0.15 * sqrt(1 + 1 / 3))
    assert word_of(few, LAST, ERROR, 0.05) is Word.OPEN
    assert seen_from(few, LAST, ERROR, 0.05) > 0.3
    assert change_by_days([FOUR], [[-0.1]], 0.15).assumed_error == 0


def test_one_run_far_off_hardly_moves_a_day() -> None:
    assert level([0.0, 0.01, -0.01, 0.005, -0.005, -0.7]) == pytest.approx(0, abs=0.006)
    assert level([0.3]) == 0.3


def test_a_day_with_wild_runs_is_judged_by_these() -> None:
    days = [[one - 0.01, one, one + 0.01] for (one,) in FOUR]
    assert word_of(change_by_days([days], [[-0.2] * 3], 0.15), LAST, ERROR, 0.05) is Word.SLOWER
    wild = change_by_days([days], [[-0.6, -0.2, 0.2]], 0.15)
    assert wild.error > 0.2
    assert word_of(wild, LAST, ERROR, 0.05) is Word.OPEN


@pytest.mark.parametrize(
    ("today", "word"),
    [
        (-0.2, Word.SLOWER),
        (-0.045, Word.OPEN),
        (0.0, Word.AS_FAST),
        (0.04, Word.AS_FAST),
        (0.2, Word.FASTER),
    ],
)
def test_words(today: float, word: Word) -> None:
    days = [[one / 2] for (one,) in FOUR]
    assert word_of(change_by_days([days], [[today]], 0.15), LAST, ERROR, 0.05) is word


def test_a_loss_within_the_limit_is_not_slower_however_sure() -> None:
    days = [[one / 100] for (one,) in FOUR]
    assert word_of(change_by_days([days], [[-0.04]], 0.15), LAST, ERROR, 0.05) is Word.AS_FAST


@given(st.integers(1, 200), st.sampled_from([ERROR, EQUAL_ERROR]))
def test_looks_together_spend_the_error_and_no_more(planned: int, error: float) -> None:
    before = Look(planned, is_last=False)
    spent = (planned - 1) * before.part(error) + Look(planned, is_last=True).part(error)
    assert spent == pytest.approx(error)
    assert planned == 1 or before.part(error) <= 0.05 * error


@given(DAYS, st.lists(LOGS, min_size=1, max_size=6), st.floats(-5, 5), st.randoms())
def test_only_differences_count_and_no_order(
    days: list[list[float]], today: list[float], shift: float, chance: Random
) -> None:
    found = change_by_days([days], [today], 0.15)
    mixed = [chance.sample(day, len(day)) for day in days]
    chance.shuffle(mixed)
    moved = change_by_days(
        [[[one + shift for one in day] for day in mixed]], [[one + shift for one in today]], 0.15
    )
    assert moved.estimate == pytest.approx(found.estimate, abs=1e-9)
    assert moved.error == pytest.approx(found.error, abs=1e-6)


@given(DAYS, st.lists(LOGS, min_size=1, max_size=6), st.floats(0, 1), st.integers(1, 9))
def test_a_slower_day_is_never_called_better(
    days: list[list[float]], today: list[float], lost: float, planned: int
) -> None:
    order = [Word.SLOWER, Word.OPEN, Word.AS_FAST, Word.FASTER]
    look = Look(planned, is_last=True)
    words = [
        word_of(change_by_days([days], [own], 0.15), look, ERROR, 0.05)
        for own in (today, [one - lost for one in today])
    ]
    assert order.index(words[1]) <= order.index(words[0])


@given(DAYS, st.lists(LOGS, min_size=1, max_size=6), st.integers(2, 9))
def test_a_look_before_the_last_is_stricter(
    days: list[list[float]], today: list[float], planned: int
) -> None:
    found = change_by_days([days], [today], 0.15)
    early = word_of(found, Look(planned, is_last=False), ERROR, 0.05)
    late = word_of(found, Look(planned, is_last=True), ERROR, 0.05)
    assert early in {late, Word.OPEN, Word.AS_FAST}
    assert seen_from(found, LAST, ERROR, 0.05) >= 0.05


def test_what_more_runs_would_take_away() -> None:
    found = change_by_days([[[one - 0.01, one + 0.01] for (one,) in FOUR]], [[-0.01, 0.01]], 0.15)
    assert gain_of(found, 2, 4) == pytest.approx(0.0002 * (1 / 2 - 1 / 4) / found.error**2)
    assert gain_of(found, 4, 4) == 0


@pytest.mark.parametrize(
    ("within_s", "took_s", "repetitions"), [(180, 30, 6), (180, 31, 5), (10, 30, 1), (180, 0, 1)]
)
def test_how_many_runs_fit(within_s: float, took_s: float, repetitions: int) -> None:
    assert planned(within_s, took_s) == repetitions


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


@pytest.mark.parametrize(("quickest", "word"), [(-0.2, Word.SLOWER), (0.01, Word.OPEN)])
def test_a_quick_repetition_is_proof_that_the_machine_still_can(
    quickest: float, word: Word
) -> None:
    standing = Standing((FigureOfDay("x", ""),), parts=[[]])
    for day, logs in enumerate(FOUR * 4):
        standing.parts[0].append(Day(86400.0 * day, {"x": (*logs, *logs, *logs)}))
    judged = standing.judged(Day(1e9, {"x": (-0.2, -0.2, -0.2, quickest)}))
    assert judged.figures[0].word is word


# --- made-up days: days differ by 2 %, runs by 4 %, six of them fit into the time ---


def made_day(chance: Random, standing: Standing, start_s: float, loss: float = 0.0) -> Word | None:
    """Measure a day until it is enough, add it, and return its word."""
    common, own = chance.gauss(0, 0.02) + log(1 - loss), list[float]()
    for left in reversed(range(6)):
        own.append(common + chance.gauss(0, 0.04))
        judged, is_enough = looked(standing, Day(start_s, {"b_eff": tuple(own)}), left, 6)
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


@pytest.mark.parametrize(("before", "loss", "trials"), [(4, 0.25, 60), (19, 0.1, 120)])
def test_a_loss_is_found_the_same_day(before: int, loss: float, trials: int) -> None:
    found = 0
    for trial in range(trials):
        chance, standing, _ = made_days(f"{loss} {trial}", before)
        found += made_day(chance, standing, 86400.0 * before, loss) is Word.SLOWER
    assert found >= 0.75 * trials  # 0.84 of 600
