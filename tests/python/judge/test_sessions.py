"""Which runs are of one session, and which sides alternate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.judge.day_rule import alternated, sessions_of

DAY = 86400.0
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
