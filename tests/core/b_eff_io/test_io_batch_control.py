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
RULES = list(io.TimeRule)


def drive(
    control: Any, call_s: float | Callable[[float], float], start: float = 0.0, **agreed: Any
) -> tuple[float, list[int]]:
    """Lets calls take ``call_s``, or that of the time when they begin; elapsed time and batches."""
    elapsed = start
    batches = []
    while control.stopped is None:
        batches.append(control.batch)
        for _ in range(control.batch) if callable(call_s) else ():
            elapsed += call_s(elapsed)
        if not callable(call_s):
            elapsed += control.batch * call_s
        elapsed += DECISION
        control.completed(elapsed, **agreed)
    return elapsed, batches


def calls_of_the_original(rule: Any, time: float, call_s: float) -> int:
    """What a loop makes that decides after each call."""
    elapsed, calls = 0.0, 0
    while True:
        elapsed, calls = elapsed + call_s, calls + 1
        over = (
            elapsed >= time
            if rule == io.TimeRule.WHILE_SHORTER
            else elapsed * (calls + 1) / calls > time
        )
        if over:
            return calls


def test_once_is_one_call() -> None:
    control = io.BatchControl(0.0, DECISION, once=True)
    assert drive(control, 5.0)[1] == [1]
    assert control.stopped == io.StopReason.ONCE
    assert control.batch == 0


@pytest.mark.parametrize(
    ("decision", "call_s", "longest"),
    [(2e-5, 1e-4, 30), (2e-6, 1e-4, 30), (2e-6, 1e-6, 3000), (5e-5, 1e-6, 5000)],
)
def test_batches_double_until_they_last_100_decisions_and_their_least_time(
    decision: float, call_s: float, longest: int
) -> None:
    control = io.BatchControl(1.0, decision)
    elapsed, batches = drive(control, call_s)
    assert batches[:4] == [1, 2, 4, 8]
    assert 0.85 * longest < max(batches) <= longest
    assert control.stopped == io.StopReason.TIME
    assert 1.0 <= elapsed <= 1.0 + call_s + 3e-5
    assert control.decisions * decision / elapsed < 0.02


def test_a_batch_lasts_at_most_a_tenth_of_the_time() -> None:
    _, batches = drive(io.BatchControl(1.0, 0.05), 1e-4)
    assert max(batches) <= 1000


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("call_s", [1e-3, 0.07, 0.3, 0.5, 0.9, 2.0])
def test_long_calls_are_decided_on_one_by_one(rule: Any, call_s: float) -> None:
    control = io.BatchControl(1.0, 0.0, rule=rule)
    elapsed = 0.0
    while control.stopped is None:
        assert control.batch == 1
        elapsed += call_s
        control.completed(elapsed)
    assert control.calls == calls_of_the_original(rule, 1.0, call_s)


def test_release_1_goes_on_while_shorter_and_2_1_while_one_more_fits() -> None:
    made = {}
    for rule in RULES:
        control = io.BatchControl(1.0, DECISION, rule=rule)
        drive(control, 0.3)
        made[rule] = control.calls
    assert made == {io.TimeRule.WHILE_SHORTER: 4, io.TimeRule.WHILE_ONE_FITS: 3}


@given(rule=st.sampled_from(RULES), time=st.floats(0.05, 2.0), call_s=st.floats(2e-6, 3.0))
def test_batches_make_the_calls_of_a_loop_that_decides_after_each(
    rule: Any, time: float, call_s: float
) -> None:
    control = io.BatchControl(time, 0.0, rule=rule)
    elapsed = 0.0
    while control.stopped is None:
        elapsed += control.batch * call_s
        control.completed(elapsed)
    assert control.stopped == io.StopReason.TIME
    assert control.calls == pytest.approx(time / call_s, abs=1.01 + 1e-6 * time / call_s) or (
        control.calls == 1
    )


@pytest.mark.parametrize("slow", [20e-3, 1.0])
def test_a_jump_of_the_call_time_overruns_by_one_short_batch(slow: float) -> None:
    control = io.BatchControl(1.0, DECISION)
    elapsed, _ = drive(control, lambda now: 1e-4 if now < 0.5 else slow)
    assert elapsed <= 1.0 + 31 * slow


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
    while control.stopped is None:
        assert control.batch * 1000 <= free - 5000
        free -= control.batch * 1000
        elapsed += control.batch * 1e-5
        control.completed(elapsed, free=free)
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
    rule=st.sampled_from(RULES),
    time=st.floats(0, 100),
    decision=st.floats(0, 0.1),
    steps=st.lists(st.floats(-1e-3, 3.0), min_size=1, max_size=60),
    count=st.none() | st.integers(1, 1 << 40),
    free=st.integers(0, 1 << 50),
)
def test_any_clock_gives_sensible_batches(
    *,
    rule: Any,
    time: float,
    decision: float,
    steps: list[float],
    count: int | None,
    free: int,
) -> None:
    control = io.BatchControl(time, decision, count=count, bytes_per_round=4096, rule=rule)
    elapsed = 0.0
    made = 0
    previous = 1
    for step in steps:
        if control.stopped is not None:
            break
        assert 1 <= control.batch <= 2 * previous
        assert made == 0 or control.batch * 4096 <= free
        if count is not None:
            assert made + control.batch <= count
        previous = control.batch
        elapsed += step
        made += control.batch
        control.completed(elapsed, free=free)
        assert control.calls == made
        assert math.isfinite(elapsed)
