"""How many calls a batch has and when the batches of a pattern end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import io_core as io
import pytest
from hypothesis import given
from hypothesis import strategies as st

DECISION = 2e-6
RULES = list(io.TimeRule)


def run_until(control: Any, agreed: Callable[[Any], dict[str, Any]]) -> Any:
    """How the batches of `control`, limits and cost of a decision, end that are agreed on so."""
    limits, cost = control
    return io.batches(
        limits, cost, ask=lambda state: agreed(state) if state.stopped is None else None
    )


def drive(control: Any, call_s: float | Callable[[float], float]) -> tuple[float, list[int], Any]:
    """Let calls take ``call_s``, or that of the time when they begin; time, batches and the end."""
    elapsed = 0.0
    batches = []

    def agreed(state: Any) -> dict[str, Any]:
        nonlocal elapsed
        batches.append(state.batch)
        for _ in range(state.batch) if callable(call_s) else ():
            elapsed += call_s(elapsed)
        if not callable(call_s):
            elapsed += state.batch * call_s
        elapsed += DECISION
        return {"elapsed": elapsed}

    end = run_until(control, agreed)
    return elapsed, batches, end


def control(time: float, decision: float, **limits: Any) -> tuple[dict[str, Any], float]:
    return {"time": time, **limits}, decision


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
    _, batches, end = drive(control(0.0, DECISION, once=True), 5.0)
    assert batches == [1]
    assert end.stopped == io.StopReason.ONCE
    assert end.batch == 0


@pytest.mark.parametrize(
    ("decision", "call_s", "longest"),
    [(2e-5, 1e-4, 30), (2e-6, 1e-4, 30), (2e-6, 1e-6, 3000), (5e-5, 1e-6, 5000)],
)
def test_batches_double_until_they_last_100_decisions_and_their_least_time(
    decision: float, call_s: float, longest: int
) -> None:
    elapsed, batches, end = drive(control(1.0, decision), call_s)
    assert batches[:4] == [1, 2, 4, 8]
    assert 0.85 * longest < max(batches) <= longest
    assert end.stopped == io.StopReason.TIME
    assert 1.0 <= elapsed <= 1.0 + call_s + 3e-5
    assert end.decisions * decision / elapsed < 0.02


def test_a_batch_lasts_at_most_a_tenth_of_the_time() -> None:
    _, batches, _ = drive(control(1.0, 0.05), 1e-4)
    assert max(batches) <= 1000


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("call_s", [1e-3, 0.07, 0.3, 0.5, 0.9, 2.0])
def test_long_calls_are_decided_on_one_by_one(rule: Any, call_s: float) -> None:
    elapsed = 0.0

    def agreed(state: Any) -> dict[str, float]:
        nonlocal elapsed
        assert state.batch == 1
        elapsed += call_s
        return {"elapsed": elapsed}

    end = run_until(control(1.0, 0.0, rule=rule), agreed)
    assert end.calls == calls_of_the_original(rule, 1.0, call_s)


def test_release_1_goes_on_while_shorter_and_2_1_while_one_more_fits() -> None:
    made = {rule: drive(control(1.0, DECISION, rule=rule), 0.3)[2].calls for rule in RULES}
    assert made == {io.TimeRule.WHILE_SHORTER: 4, io.TimeRule.WHILE_ONE_FITS: 3}


@given(rule=st.sampled_from(RULES), time=st.floats(0.05, 2.0), call_s=st.floats(2e-6, 3.0))
def test_batches_make_the_calls_of_a_loop_that_decides_after_each(
    rule: Any, time: float, call_s: float
) -> None:
    def agreed(state: Any) -> dict[str, float]:
        return {"elapsed": (state.calls + state.batch) * call_s}

    end = run_until(control(time, 0.0, rule=rule), agreed)
    assert end.stopped == io.StopReason.TIME
    assert end.calls == 1 or end.calls == pytest.approx(
        time / call_s, abs=1.01 + 1e-6 * time / call_s
    )


@pytest.mark.parametrize("slow", [20e-3, 1.0])
def test_a_jump_of_the_call_time_overruns_by_one_short_batch(slow: float) -> None:
    elapsed, *_ = drive(control(1.0, DECISION), lambda now: 1e-4 if now < 0.5 else slow)
    assert elapsed <= 1.0 + 31 * slow


def test_counted_calls_are_made_exactly() -> None:
    _, batches, end = drive(control(100.0, DECISION, count=12345), 1e-6)
    assert sum(batches) == end.calls == 12345
    assert end.stopped == io.StopReason.COUNT


def test_what_is_counted_has_no_time() -> None:
    elapsed, batches, end = drive(control(0.3, DECISION, count=1000), 0.01)
    assert end.stopped == io.StopReason.COUNT
    assert sum(batches) == 1000
    assert elapsed > 10.0


def test_space_ends_the_calls_before_the_reserve_is_touched() -> None:
    def agreed(state: Any) -> dict[str, float]:
        made = state.calls + state.batch
        assert made * 1000 <= 5_000_500
        return {"elapsed": made * 1e-5, "free": 5_005_500 - made * 1000}

    end = run_until(control(10.0, DECISION, bytes_per_round=1000, reserve=5000), agreed)
    assert end.stopped == io.StopReason.SPACE
    assert end.calls == 5000


def test_the_allowance_ends_the_calls() -> None:
    bound = {"allowance": 5_000_999, "allowance_reason": io.StopReason.MAX_DATA}
    *_, end = drive(control(10.0, DECISION, bytes_per_round=1000, **bound), 1e-5)
    assert end.stopped == io.StopReason.MAX_DATA
    assert end.calls == 5000


def test_errors_and_signals_end_the_calls_and_failed_ones_do_not_count() -> None:
    def fails(state: Any) -> dict[str, Any]:
        assert state.batch == state.calls + 1
        return {"elapsed": 1e-6, "error": state.calls == 1}

    end = run_until(control(10.0, DECISION), fails)
    assert (end.stopped, end.calls) == (io.StopReason.ERROR, 1)
    told = run_until(control(10.0, DECISION), lambda state: {"elapsed": 1e-6, "stop": True})
    assert told.stopped == io.StopReason.STOPPED


def test_nothing_changes_after_the_end() -> None:
    outcomes = [{"elapsed": 1.0}, {"elapsed": 2.0, "error": True}, None]
    end = io.batches(*control(0.0, DECISION, once=True), ask=lambda state: outcomes.pop(0))
    assert (end.stopped, end.calls) == (io.StopReason.ONCE, 1)


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
    elapsed, made, previous = 0.0, 0, 1

    def agreed(state: Any) -> dict[str, float] | None:
        nonlocal elapsed, made, previous
        assert state.calls == made
        if state.stopped is not None or not steps:
            return None
        assert 1 <= state.batch <= 2 * previous
        assert made == 0 or state.batch * 4096 <= free
        if count is not None:
            assert made + state.batch <= count
        previous = state.batch
        elapsed += steps.pop(0)
        made += state.batch
        return {"elapsed": elapsed, "free": free}

    limits = {"count": count, "bytes_per_round": 4096, "rule": rule}
    io.batches(*control(time, decision, **limits), ask=agreed)
