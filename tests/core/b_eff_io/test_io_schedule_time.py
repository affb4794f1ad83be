"""Whether whole runs on a scripted machine keep their time."""

from __future__ import annotations

from typing import Any

import pytest
from beff_core_testing import b_eff_io as io
from hypothesis import given, settings
from hypothesis import strategies as st
from io_fake_machine import FAST, MB, Machine, Run, Verb, run, samples


@pytest.mark.parametrize(
    ("processes", "machine"),
    [
        (1, {}),
        (4, {}),
        (16, {}),
        (4, {"call_s": 0.02}),
        (16, {"call_s": 0.05}),
        (4, {"write_rate": 3e9, "sync_rate": 1.5e9, "read_rate": 1e9}),
        (4, {"write_rate": 4e9, "sync_rate": 2e8, "read_rate": 4e9 / 21}),
    ],
)
def test_t_is_kept_where_all_accesses_cost_the_same(
    processes: int, machine: dict[str, Any]
) -> None:
    plan = io.make_plan(processes, time=60.0)
    result = run(plan, Machine(**FAST, **machine))
    assert result.machine.now == pytest.approx(60.0, rel=0.05)
    assert result.measured.complete


@pytest.mark.parametrize("slower", [0.1, 2.0, 10.0])
@pytest.mark.parametrize("processes", [1, 2, 4])
def test_rewrite_and_read_move_what_was_written_however_long_it_takes(
    processes: int, slower: float
) -> None:
    def factor(now: float, step: Any) -> float:
        return 1.0 if step.access == io.Access.WRITE else slower

    plan = io.make_plan(processes, time=60.0)
    result = run(plan, Machine(**FAST, slowed=factor))
    assert result.measured.complete
    for partition in range(len(plan.partitions)):
        write = samples(result, io.Access.WRITE, partition)
        for access in (io.Access.REWRITE, io.Access.READ):
            again = samples(result, access, partition)
            assert {n: s.repetitions for n, s in again.items()} == {
                n: s.repetitions for n, s in write.items()
            }
            assert {s.stop for s in again.values()} <= {io.StopReason.ONCE, io.StopReason.COUNT}
    third = plan.planned_time / 3
    assert result.machine.now == pytest.approx(third * (1 + 2 * slower), rel=0.05)


def test_counted_types_are_written_in_full_however_long_it_takes() -> None:
    def factor(now: float, step: Any) -> float:
        return 50.0 if int(step.type) >= 3 else 1.0

    plan = io.make_plan(4, time=60.0, partitions=[2, 4])
    result = run(plan, Machine(**FAST, slowed=factor))
    assert result.measured.complete
    alone = run(plan, Machine(**FAST))
    for partition in range(2):
        slow, fast = (samples(r, io.Access.WRITE, partition) for r in (result, alone))
        for number in range(43):
            assert slow[number].repetitions == pytest.approx(fast[number].repetitions, rel=0.05)


def test_single_calls_longer_than_their_share_are_made_up_for() -> None:
    plan = io.make_plan(4, time=180.0, max_chunk=96 * MB, memory_per_process=1 << 40)
    longest = 4 * 96 * MB / 1.2e8
    assert longest > 1.2 * plan.ideal_time(1)
    result = run(plan, Machine(**FAST, write_rate=1.2e8, read_rate=1.2e8))
    assert result.end_of(io.Access.WRITE, counted=False) < 1.05 * 60.0


def test_a_forecast_follows_the_writes_and_then_the_pace_of_what_repeats_them() -> None:
    def factor(now: float, step: Any) -> float:
        return {io.Access.WRITE: 1.0, io.Access.REWRITE: 2.0, io.Access.READ: 5.0}[step.access]

    plan = io.make_plan(2, time=60.0)
    forecast = io.Forecast(plan)
    assert forecast.to_come == pytest.approx(60.0)
    result = run(plan, Machine(**FAST, slowed=factor))
    writes = rewrites = 0.0
    for sample in result.measured.samples:
        forecast.note(sample)
        writes += sample.time if sample.access == io.Access.WRITE else 0.0
        rewrites += sample.time if sample.access == io.Access.REWRITE else 0.0
        last_of = (sample.partition, sample.pattern) == (1, 42)
        if last_of and sample.access == io.Access.WRITE:
            assert forecast.to_come == pytest.approx(2 * writes)
        if last_of and sample.access == io.Access.REWRITE:
            assert rewrites == pytest.approx(2 * writes, rel=0.05)
            assert forecast.to_come == pytest.approx(writes)
        if sample.access == io.Access.READ and (sample.partition, sample.pattern) == (1, 10):
            rest = sum(
                s.time
                for s in result.measured.samples
                if s.access == io.Access.READ and s.partition == 1 and s.pattern > 10
            )
            assert forecast.to_come == pytest.approx(rest, rel=0.1)
    assert forecast.to_come == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("ratio", [3.0, 10.0, 100.0])
def test_a_slow_sync_neither_breaks_the_time_nor_starves_patterns(ratio: float) -> None:
    plan = io.make_plan(1, time=90.0)
    result = run(plan, Machine(**FAST, write_rate=5e9, sync_rate=5e9 / ratio, sync_s=1e-3))
    assert result.end_of(io.Access.WRITE, counted=False) == pytest.approx(30 * 44 / 64, rel=0.03)
    write = samples(result, io.Access.WRITE)
    for pattern in plan.patterns:
        if 1 < pattern.number < 25 and pattern.time_units > 0:
            ideal = plan.ideal_time(pattern.number)
            assert write[pattern.number].time == pytest.approx(ideal, rel=0.35)


def write_deadlines(plan: Any, result: Run) -> list[float]:
    """When the time-driven types of each partition have to end."""
    begins = [
        now
        for now, step in result.steps
        if step.verb == Verb.MEET and step.access == io.Access.WRITE
    ]
    counted = sum(plan.ideal_time(p.number) for p in plan.patterns if int(p.type) >= 3)
    return [begin + plan.block_time(io.Access.WRITE) - counted for begin in begins]


def check_deadlines(plan: Any, result: Run, tolerance: float) -> None:
    """After its deadline no time-driven pattern gets more than the one call it must have."""
    deadlines = write_deadlines(plan, result)
    ordered_at = 0.0
    for now, step in result.steps:
        timed = (
            step.verb == Verb.CALLS
            and step.access == io.Access.WRITE
            and int(step.type) < 3
            and step.first_call > 0
        )
        if timed:
            assert ordered_at <= deadlines[step.partition] + tolerance
        ordered_at = now


@settings(max_examples=40)
@given(
    processes=st.integers(1, 9),
    time=st.floats(1.0, 60.0),
    call_s=st.sampled_from([1e-6, 1e-4, 0.01, 0.3]),
    write_rate=st.floats(1e7, 1e10),
    read_rate=st.floats(1e7, 1e10),
    sync_rate=st.floats(1e7, 1e12),
    sync_s=st.floats(0.0, 0.2),
    jump_at=st.floats(0.0, 30.0),
    jump=st.sampled_from([1.0, 1e-2, 50.0, 20_000.0]),
    decision_s=st.sampled_from([1e-4, 8e-3]),
    noise=st.sampled_from([0.0, 1e-4, 1e-2]),
    random=st.randoms(use_true_random=False),
)
def test_an_adversarial_file_system_costs_one_batch_and_one_sync(
    *,
    processes: int,
    time: float,
    call_s: float,
    write_rate: float,
    read_rate: float,
    sync_rate: float,
    sync_s: float,
    jump_at: float,
    jump: float,
    decision_s: float,
    noise: float,
    random: Any,
) -> None:
    plan = io.make_plan(processes, time=time)
    machine = Machine(
        call_s=call_s,
        write_rate=write_rate,
        read_rate=read_rate,
        sync_rate=sync_rate,
        sync_s=sync_s,
        decision_s=decision_s,
        slowed=lambda now, step: jump if now >= jump_at else 1.0,
        noise=lambda: random.uniform(-noise, noise),
    )
    result = run(plan, machine)
    assert result.ending == io.Ending.DONE
    assert result.measured.complete
    check_deadlines(plan, result, 2 * noise + 1e-6)
    for access in (io.Access.REWRITE, io.Access.READ):
        for partition in range(len(plan.partitions)):
            write = samples(result, io.Access.WRITE, partition)
            for number, again in samples(result, access, partition).items():
                assert again.repetitions == write[number].repetitions


def test_a_jump_from_a_tenth_of_a_millisecond_to_two_seconds() -> None:
    plan = io.make_plan(1, time=300.0)
    machine = Machine(
        call_s=1e-4,
        write_rate=1e12,
        decision_s=2e-5,
        slowed=lambda now, step: 20_000.0 if now >= 60.0 else 1.0,
    )
    result = run(plan, machine)
    check_deadlines(plan, result, 1e-6)
    # The batch of 2 ms that was under way has some 20 calls of 2 s.
    assert result.machine.longest_batch < 45.0
    assert result.end_of(io.Access.WRITE, counted=False) < 110.0


def test_an_overrun_shortens_what_follows_in_the_partition_but_not_the_next_one() -> None:
    plan = io.make_plan(4, time=90.0, partitions=[2, 4])
    slow = Machine(**FAST, slowed=lambda now, step: 4000.0 if now < 4.0 else 1.0, call_s=0.01)
    result = run(plan, slow)
    assert result.machine.longest_batch > 0.5 * plan.block_time(io.Access.WRITE)
    first, second = write_deadlines(plan, result)
    assert second - first > 1.1 * plan.block_time(io.Access.WRITE)
    assert result.end_of(io.Access.WRITE, counted=False) == pytest.approx(second, abs=1.0)
