"""How many calls a batch has and when the batches of a pattern end."""

from __future__ import annotations

import math
from typing import Any

import pytest
from beff_core_testing import b_eff_io as io
from hypothesis import given
from hypothesis import strategies as st

DECISION = 2e-6


def drive(
    control: Any, call_s: float, start: float = 0.0, **agreed: Any
) -> tuple[float, list[int]]:
    """Lets all calls take ``call_s``; gives the elapsed time and the batches."""
    elapsed = start
    batches = []
    while control.stopped is None:
        batches.append(control.batch)
        elapsed += control.batch * call_s + DECISION
        control.completed(elapsed, **agreed)
    return elapsed, batches


def test_once_is_one_call() -> None:
    control = io.BatchControl(0.0, DECISION, once=True)
    assert drive(control, 5.0)[1] == [1]
    assert control.stopped == io.StopReason.ONCE
    assert control.batch == 0


@pytest.mark.parametrize(("decision", "longest"), [(2e-5, 2000), (2e-6, 1000)])
def test_batches_double_until_they_last_100_decisions_and_a_millisecond(
    decision: float, longest: int
) -> None:
    control = io.BatchControl(1.0, decision)
    elapsed = 0.0
    batches = []
    while control.stopped is None:
        batches.append(control.batch)
        elapsed += control.batch * 1e-6 + decision
        control.completed(elapsed)
    assert batches[:9] == [1, 2, 4, 8, 16, 32, 64, 128, 256]
    assert 0.9 * longest < max(batches) <= longest
    assert control.stopped == io.StopReason.TIME
    assert 1.0 - 5e-5 < elapsed <= 1.0 + 3e-5
    assert control.decisions * decision / elapsed < 0.02


def test_a_batch_lasts_at_most_a_tenth_of_the_time() -> None:
    control = io.BatchControl(1.0, 0.05)
    _, batches = drive(control, 1e-3)
    assert max(batches) <= 100


def test_a_call_longer_than_the_time_is_made_once() -> None:
    control = io.BatchControl(0.5, DECISION)
    assert drive(control, 2.0)[1] == [1]


def test_no_call_is_begun_that_would_overrun() -> None:
    control = io.BatchControl(1.0, DECISION)
    elapsed, _ = drive(control, 0.3)
    assert control.calls == 3
    assert elapsed <= 1.0


def test_the_first_call_may_be_slow_without_spoiling_the_estimate() -> None:
    control = io.BatchControl(1.0, DECISION)
    control.completed(0.4)
    elapsed = 0.4
    decisions = 0
    while control.stopped is None:
        elapsed += control.batch * 1e-6 + DECISION
        control.completed(elapsed)
        decisions += 1
    assert elapsed == pytest.approx(1.0, abs=1e-3)
    assert decisions < 4500


@pytest.mark.parametrize(
    ("slow", "bound"),
    [(20e-3, 1.0 + 11 * 20e-3), (1.0, 0.5 + 11 * 1.0)],
)
def test_a_jump_of_the_call_time_overruns_by_one_short_batch(slow: float, bound: float) -> None:
    control = io.BatchControl(1.0, DECISION)
    elapsed = 0.0
    while control.stopped is None:
        elapsed += control.batch * (1e-4 if elapsed < 0.5 else slow) + DECISION
        control.completed(elapsed)
    assert elapsed <= bound


def test_the_sync_to_come_is_foreseen() -> None:
    # 1 ms per call and 4 ms of sync for each: 200 calls fill the second.
    control = io.BatchControl(1.0, DECISION, sync_per_round=4e-3)
    _, batches = drive(control, 1e-3)
    assert sum(batches) == pytest.approx(200, abs=2)
    assert control.stopped == io.StopReason.TIME


def test_counted_calls_are_made_exactly() -> None:
    control = io.BatchControl(100.0, DECISION, count=12345)
    _, batches = drive(control, 1e-6)
    assert sum(batches) == control.calls == 12345
    assert control.stopped == io.StopReason.COUNT


def test_the_guard_ends_counted_calls() -> None:
    control = io.BatchControl(0.3, DECISION, count=1000)
    elapsed, batches = drive(control, 0.01)
    assert control.stopped == io.StopReason.GUARD
    assert sum(batches) < 1000
    assert 0.3 <= elapsed < 0.35


def test_space_ends_the_calls_before_the_reserve_is_touched() -> None:
    control = io.BatchControl(10.0, DECISION, bytes_per_round=1000, reserve=5000)
    free = 105_500
    elapsed = 0.0
    while control.stopped is None:
        assert control.batch * 1000 <= free - 5000
        free -= control.batch * 1000
        elapsed += control.batch * 1e-5
        control.completed(elapsed, free=free)
    assert control.stopped == io.StopReason.SPACE
    assert control.calls == 100


def test_the_allowance_ends_the_calls() -> None:
    control = io.BatchControl(10.0, DECISION, bytes_per_round=1000, allowance=50_999)
    drive(control, 1e-5)
    assert control.stopped == io.StopReason.MAX_DATA
    assert control.calls == 50


def test_errors_and_signals_end_the_calls_and_failed_ones_do_not_count() -> None:
    control = io.BatchControl(10.0, DECISION)
    control.completed(1e-6)
    assert control.batch == 2
    control.completed(2e-6, error=True)
    assert control.stopped == io.StopReason.ERROR
    assert control.calls == 1
    told = io.BatchControl(10.0, DECISION)
    told.completed(1e-6, stop=True)
    assert told.stopped == io.StopReason.STOPPED


def test_nothing_changes_after_the_end() -> None:
    control = io.BatchControl(0.0, DECISION, once=True)
    control.completed(1.0)
    control.completed(2.0, error=True)
    assert control.stopped == io.StopReason.ONCE
    assert control.calls == 1


@given(
    time=st.floats(0, 100),
    decision=st.floats(0, 0.1),
    steps=st.lists(st.floats(-1e-3, 3.0), min_size=1, max_size=60),
    count=st.none() | st.integers(1, 1 << 40),
    free=st.integers(0, 1 << 50),
)
def test_any_clock_gives_sensible_batches(
    time: float, decision: float, steps: list[float], count: int | None, free: int
) -> None:
    control = io.BatchControl(time, decision, count=count, bytes_per_round=4096)
    elapsed = 0.0
    made = 0
    previous = 1
    for step in steps:
        if control.stopped is not None:
            break
        assert 1 <= control.batch <= max(1, 2 * previous)
        assert made == 0 or control.batch * 4096 <= free
        if count is not None:
            assert made + control.batch <= count
        previous = control.batch
        made += control.batch
        elapsed += step
        control.completed(elapsed, free=free)
        assert control.calls == made
        assert math.isfinite(elapsed)
