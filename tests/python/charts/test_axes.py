"""Ticks and labels, numbers and texts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.charts.axes import linear_ticks, log_ticks, positive, process_axis, rate_tick, size_ticks
from beff.charts.chart import Row, thinned
from beff.charts.render import labels, plain, plain_texts

MOST_TICKS = 30

positives = st.floats(1e-300, 1e300)


def test_sizes_have_ticks_at_powers_of_two() -> None:
    assert size_ticks(1, 98_926_800) == [1, 32, 1024, 32768, 1 << 20, 32 << 20]
    assert size_ticks(1, 64) == [1, 2, 4, 8, 16, 32, 64]
    assert size_ticks(1, 8192) == [1, 4, 16, 64, 256, 1024, 4096]
    assert size_ticks(4097, 5000) == [4097]


@given(st.integers(1, 1 << 60), st.integers(1, 1 << 60))
def test_ticks_of_sizes_lie_within_them(one: int, other: int) -> None:
    smallest, largest = sorted((one, other))
    ticks = size_ticks(smallest, largest)
    assert 1 <= len(ticks) <= 13
    assert all(smallest <= tick <= largest for tick in ticks)


def test_values_have_ticks_at_powers_of_ten_and_over_few_decades_between() -> None:
    assert log_ticks(0.7, 4000) == [1, 10, 100, 1000]
    assert log_ticks(80, 2000) == pytest.approx([100, 200, 500, 1000, 2000])
    assert log_ticks(3.1, 3.2) == [3.1, 3.2]


@given(positives, positives)
def test_ticks_of_values_are_few_and_there(one: float, other: float) -> None:
    smallest, largest = sorted((one, other))
    ticks = log_ticks(smallest, largest)
    assert 1 <= len(ticks) <= MOST_TICKS
    assert ticks == sorted(ticks)
    assert all(0 < tick < math.inf for tick in ticks)


def test_an_axis_from_zero_has_round_ticks_just_beyond_its_largest_value() -> None:
    assert linear_ticks(1499.0) == [0, 200, 400, 600, 800, 1000, 1200, 1400, 1600]
    assert linear_ticks(8.0) == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert linear_ticks(0.0) == [0, 1]
    assert all(map(math.isfinite, linear_ticks(1.7e308)))


@given(positives)
def test_ticks_from_zero_are_few_and_hold_the_value(largest: float) -> None:
    ticks = linear_ticks(largest)
    assert ticks == sorted(set(ticks))
    assert 2 <= len(ticks) <= 9
    assert ticks[0] == 0
    assert ticks[-1] >= largest * (1 - 1e-9)


def test_ticks_of_rates_tell_the_unit_that_suits_them() -> None:
    ticks = [rate_tick(value) for value in (0, 0.05, 500, 1500, 2e4, 1e6)]
    assert ticks == ["0", "50 kB/s", "500 MB/s", "1.5 GB/s", "20 GB/s", "1 TB/s"]


def test_numbers_of_processes_are_ticks_unless_they_are_many() -> None:
    assert list(process_axis([4, 2, 2, 24]).ticks) == [2, 4, 24]
    assert list(process_axis(range(3, 100)).ticks) == [4, 8, 16, 32, 64]


def test_labels_are_texts_and_never_code() -> None:
    assert labels({-3.0: '1 "B"', 0.5: "½"}) == (
        r'["1 \"B\"", "\u00bd"][indexof([-3.0, 0.5], datum.value)]'
    )


def test_a_logarithmic_axis_shows_positive_finite_values() -> None:
    assert positive(0.1) == 0.1
    assert [positive(value) for value in (None, 0.0, -1.0, math.inf, math.nan)] == [None] * 5


def test_a_long_line_keeps_its_ends_and_extremes() -> None:
    values = {501: 9.0, 777: 0.1}
    line = [Row(x, values.get(x, 1.0), "a") for x in range(1000)]
    kept = [row.x for row in thinned(line)]
    assert kept == sorted(kept)
    assert len(kept) <= 103
    assert {0, 501, 777, 999} <= set(kept)
    assert thinned(line[:50]) == line[:50]


@given(st.text())
def test_texts_lose_only_what_xml_cannot_hold(text: str) -> None:
    shown = plain(text)
    assert len(shown) == len(text)
    assert all(new in (old, "?") for old, new in zip(text, shown, strict=True))
    shown.encode("utf-8")  # no half of a pair


def test_control_characters_become_question_marks() -> None:
    assert plain("a\x00b\x1b[31m\ud800<&\t") == "a?b?[31m?<&\t"
    assert plain_texts({"a": ["\x02", 3, None]}) == {"a": ["?", 3, None]}
