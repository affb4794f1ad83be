"""What runs are evidence of: their sessions, and what a verdict rests on."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from beff.judge.change import change_by_sides
from beff.judge.evidence import Basis, Evidence, Times, evidence_of, one_more

DAY = 86400.0


def days(first: int, count: int, runs: int = 1) -> list[float]:
    return [DAY * (first + day) + 60 * n for day in range(count) for n in range(runs)]


@pytest.mark.parametrize(
    ("times", "basis", "always"),
    [
        (Times([0, 120, 240], [60, 180, 300]), Basis.RUNS, Basis.NOTHING),
        (Times([0], [60]), Basis.ASSUMED, Basis.NOTHING),
        (Times([0], [60], days(-9, 5)), Basis.DAYS, Basis.DAYS),
        (Times([0, 120, 240], [60, 180, 300], days(-9, 5)), Basis.RUNS, Basis.DAYS),
        (Times(days(0, 1, 5), days(1, 1, 5)), Basis.RUNS, Basis.NOTHING),
        (Times(days(0, 1), days(1, 1)), Basis.ASSUMED, Basis.NOTHING),
        (Times(days(0, 4), days(4, 1)), Basis.DAYS, Basis.DAYS),
        (Times(days(0, 3), days(4, 1)), Basis.ASSUMED, Basis.NOTHING),
        (Times(days(0, 3, 2), days(4, 1)), Basis.RUNS, Basis.NOTHING),
        (Times(days(0, 1), days(1, 1), days(-9, 3)), Basis.ASSUMED, Basis.NOTHING),
        (Times(days(0, 1), days(1, 1), days(-9, 4)), Basis.DAYS, Basis.DAYS),
        (Times(days(0, 5), [start + 60 for start in days(0, 5)]), Basis.RUNS, Basis.RUNS),
        (Times(days(0, 1, 5), days(1, 1, 5), are_known=False), Basis.RUNS, Basis.NOTHING),
    ],
)
def test_what_decides(times: Times, basis: Basis, always: Basis) -> None:
    values = [0.0] * len(times.history)
    assert evidence_of(times, values).basis == basis
    assert evidence_of(times, values, between_days=True).basis == always


def test_sessions_of_both_sides_cancel() -> None:
    """One run of each side a day: the interval is that of the differences 1, 2 and 3."""
    found = Evidence((0, 1, 2), (0, 1, 2), alternated=True)
    paired = found.by_runs([10.0, 20.0, 30.0], [11.0, 22.0, 33.0], 0.0)
    assert (paired.estimate, paired.degrees) == pytest.approx((2, 2))
    assert paired.error == pytest.approx(1 / math.sqrt(3))
    assert (paired.a, paired.b) == pytest.approx((20, 22))


def test_days_by_hand() -> None:
    """Levels 1, 2, 3 and 5, 7 and the medians 9 and 11: squares 2, 2 and 2 with 4 degrees."""
    found = Evidence((0, 1, 2), (3, 4), (5, 5, 5, 6))
    history = [9.0, 0.0, 99.0, 11.0]
    by_days = found.by_days([1.0, 2.0, 3.0], [5.0, 7.0], history)
    assert (by_days.estimate, by_days.degrees) == (4, 4)  # of three runs the first, as A and B have
    assert by_days.noise == pytest.approx(math.sqrt(6 / 4))
    assert by_days.error == pytest.approx(math.sqrt(6 / 4 * (1 / 3 + 1 / 2)))


def test_a_step_of_the_history_is_no_noise() -> None:
    chance = random.Random(1)
    values = [chance.gauss(0, 0.01) - 0.3 * (day >= 9) for day in range(18)]
    times = Times(days(20, 1), days(21, 1), days(0, 18))
    found = evidence_of(times, values)
    assert found.steps == {9}
    assert found.by_days([0.0], [-0.1], values).noise < 0.02
    assert replace(found, steps=frozenset()).by_days([0.0], [-0.1], values).noise > 0.1


def test_one_more_run_is_compared_as_any_other() -> None:
    """Five runs in a session with s = 0.01: 5.44 * 0.01 * sqrt(1.2) beyond, or the threshold."""
    logs = [0.0, 0.01, -0.01, 0.01, -0.01]
    level, half = one_more(logs, days(0, 1, 5), 5)
    usual = change_by_sides(logs, [0.0]).half_width(1 - 2 * 0.02 / 5)
    assert level == pytest.approx(0.0)
    assert half == pytest.approx(usual) == pytest.approx(4.9 * 0.01 * math.sqrt(1.2), rel=0.01)
    assert one_more([0.0] * 5, days(0, 5), 5) == pytest.approx((0.0, math.log(1.05)))


def test_one_more_day_is_compared_with_days() -> None:
    """Days that differ by 10 %, with three equal runs each."""
    levels = [0.1, -0.1, 0.1, -0.1, 0.1, -0.1]
    logs = [level for level in levels for _ in range(3)]
    level, half = one_more(logs, days(0, 6, 3), 1)
    assert level == pytest.approx(0.0)
    error = math.sqrt(0.06 / 5 * (1 + 1 / 6))
    assert half == pytest.approx(2.756509 * error, rel=1e-5)  # t of 98 % with 5 degrees
