"""How many calls a batch has and when the batches of a pattern end."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from beff_core_testing import b_eff_io as io
from hypothesis import given
from hypothesis import strategies as st

DECISION = 2e-6


def drive(
    control: Any, call_s: float | Callable[[float], float], start: float = 0.0, **agreed: Any
) -> tuple[float, list[int]]:
    """Lets calls take ``call_s``, or that of the time when they begin; elapsed time and batches.

    What is deferred is agreed on when the next batch has been made, and takes no time.
    """
    elapsed = start
    batches = []
    pending: tuple[float] | tuple[()] = ()
    while control.stopped is None:
        batches.append(control.batch)
        for _ in range(control.batch) if callable(call_s) else ():
            elapsed += call_s(elapsed)
        if not callable(call_s):
            elapsed += control.batch * call_s
        if control.defers:
            control.deferred(*pending, **(agreed if pending else {}))
            pending = (elapsed,)
        else:
            elapsed += DECISION
            control.completed(elapsed, **agreed)
            pending = ()
    return elapsed, batches


def test_once_is_one_call() -> None:
    control = io.BatchControl(0.0, DECISION, once=True)
    assert drive(control, 5.0)[1] == [1]
    assert control.stopped == io.StopReason.ONCE
    assert control.batch == 0


@pytest.mark.parametrize(
    ("decision", "call_s", "longest"),
    [(2e-5, 1e-4, 20), (2e-6, 1e-4, 10), (2e-6, 1e-6, 3000), (5e-5, 1e-6, 5000)],
)
def test_batches_double_until_they_last_100_decisions_and_their_least_time(
    decision: float, call_s: float, longest: int
) -> None:
    control = io.BatchControl(1.0, decision)
    elapsed, batches = drive(control, call_s)
    assert batches[:4] == [1, 2, 4, 8]
    assert 0.85 * longest < max(batches) <= longest
    assert control.stopped == io.StopReason.TIME
    assert 1.0 - call_s - 5e-5 < elapsed <= 1.0 + 3e-5
    assert control.decisions * decision / elapsed < 0.02


def test_cheap_calls_are_agreed_on_while_the_next_are_made() -> None:
    control = io.BatchControl(1.0, DECISION)
    deferred = []
    elapsed = 0.0
    before: tuple[float] | tuple[()] = ()
    while control.stopped is None:
        elapsed += control.batch * 1e-6
        deferred.append(control.defers)
        if control.defers:
            assert control.batch >= 2900
            control.deferred(*before)
            before = (elapsed,)
        else:
            control.completed(elapsed)
            before = ()
    assert sum(deferred) > 0.9 * (len(deferred) - 12)  # all but the 12 that double, and the last
    assert control.calls == pytest.approx(1e6, rel=1e-3)


def test_calls_that_are_not_cheap_are_never_deferred() -> None:
    control = io.BatchControl(1.0, DECISION)
    elapsed = 0.0
    while control.stopped is None:
        assert not control.defers
        elapsed += control.batch * 4e-5
        control.completed(elapsed)


def test_an_error_in_a_deferred_batch_ends_the_calls() -> None:
    control = io.BatchControl(1.0, DECISION)
    elapsed = 0.0
    while not control.defers:
        elapsed += control.batch * 1e-6
        control.completed(elapsed)
    agreed = control.calls
    control.deferred()
    assert control.batch > 0
    control.deferred(elapsed + 3e-3, error=True)
    assert control.batch == 0
    assert not control.defers
    assert control.stopped is None
    control.completed(elapsed + 6e-3, error=True)
    assert control.stopped == io.StopReason.ERROR
    assert control.calls == agreed


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
    elapsed, batches = drive(control, 1e-6, start=0.4)
    assert elapsed == pytest.approx(1.0, abs=1e-3)
    assert len(batches) < 4500


@pytest.mark.parametrize(
    ("fast", "slow", "bound"),
    [(1e-4, 20e-3, 1.0 + 11 * 20e-3), (1e-4, 1.0, 0.5 + 11 * 1.0), (1e-5, 1e-3, 1.0 + 601e-3)],
)
def test_a_jump_of_the_call_time_overruns_by_one_short_batch(
    fast: float, slow: float, bound: float
) -> None:
    """Or by two of 3 ms that call as often as they did."""
    control = io.BatchControl(1.0, DECISION)
    elapsed, _ = drive(control, lambda now: fast if now < 0.5 else slow)
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


def test_what_is_counted_has_no_time() -> None:
    control = io.BatchControl(0.3, DECISION, count=1000)
    elapsed, batches = drive(control, 0.01)
    assert control.stopped == io.StopReason.COUNT
    assert sum(batches) == 1000
    assert elapsed > 10.0


def test_space_ends_the_calls_before_the_reserve_is_touched() -> None:
    control = io.BatchControl(10.0, DECISION, bytes_per_round=1000, reserve=5000)
    free = 5_005_500
    elapsed = 0.0
    deferred = 0
    before: dict[str, Any] = {}
    while control.stopped is None:
        assert control.batch * 1000 <= free - 5000
        free -= control.batch * 1000
        elapsed += control.batch * 1e-5
        outcome = {"elapsed": elapsed, "free": free}
        if control.defers:
            deferred += 1
            control.deferred(**before)
            before = outcome
        else:
            control.completed(**outcome)
            before = {}
    assert deferred > 0
    assert control.stopped == io.StopReason.SPACE
    assert control.calls == 5000


def test_the_allowance_ends_the_calls() -> None:
    control = io.BatchControl(10.0, DECISION, bytes_per_round=1000, allowance=5_000_999)
    drive(control, 1e-5)
    assert control.stopped == io.StopReason.MAX_DATA
    assert control.calls == 5000


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
    made = agreed = 0
    previous = 1
    before: dict[str, Any] = {}
    for step in steps:
        if control.stopped is not None:
            break
        assert 0 <= control.batch <= max(1, 2 * previous)
        assert control.batch > 0 or before
        assert made == 0 or control.batch * 4096 <= free
        if count is not None:
            assert made + control.batch <= count
        previous = max(1, control.batch)
        elapsed += step
        outcome = {"elapsed": elapsed, "free": free}
        if control.defers:
            agreed = made
            made += control.batch
            if not before:
                assert control.calls == agreed
            control.deferred(**before)
            before = outcome
        else:
            made += control.batch
            control.completed(**outcome)
            agreed = made
            before = {}
        assert control.calls == agreed
        assert math.isfinite(elapsed)
