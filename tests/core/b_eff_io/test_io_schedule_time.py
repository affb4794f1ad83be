"""Whether whole runs on a scripted machine keep their time."""

from __future__ import annotations

from typing import Any

import io_core as io
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from io_fake_machine import FAST, Machine, run, samples


@pytest.mark.parametrize(
    ("processes", "machine"),
    [
        (1, {}),
        (4, {}),
        (16, {}),
        (4, {"call_s": 2e-3}),
        (4, {"write_rate": 4e9, "read_rate": 4e9}),
    ],
)
def test_t_is_kept_where_accesses_cost_the_same_and_calls_and_syncs_little(
    processes: int, machine: dict[str, Any]
) -> None:
    plan = io.make_plan(processes, time=60.0)
    result = run(plan, Machine(**FAST, **machine))
    assert result.machine.now == pytest.approx(60.0, rel=0.05)
    assert result.measured.complete


@pytest.mark.parametrize(("processes", "slower"), [(1, 2.0), (2, 10.0), (4, 0.1)])
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


def test_neither_overruns_nor_slow_syncs_shorten_what_follows() -> None:
    plan = io.make_plan(4, time=60.0, partitions=[4])

    def slow(now: float, step: Any) -> float:
        return 400.0 if step.pattern == 1 else 1.0

    alone = samples(run(plan, Machine(**FAST)), io.Access.WRITE)
    for machine in (Machine(**FAST, slowed=slow), Machine(**FAST, sync_s=3.0, sync_rate=1e8)):
        write = samples(run(plan, machine), io.Access.WRITE)
        for number in range(2, 25):
            assert write[number].repetitions == pytest.approx(alone[number].repetitions, rel=0.01)
            assert write[number].loop_time == pytest.approx(alone[number].loop_time, rel=0.01)


@pytest.mark.parametrize("release", list(io.Release))
def test_every_loop_lasts_its_time_units(release: Any) -> None:
    plan = io.make_plan(4, time=60.0, release=release)
    result = run(plan, Machine(**FAST))
    for partition in range(len(plan.partitions)):
        for number, sample in samples(result, io.Access.WRITE, partition).items():
            if sample.stop == io.StopReason.TIME:
                one_call = sample.loop_time / sample.repetitions
                bound = io.ideal_time(plan, number)
                if release == io.Release.R2_1:
                    assert bound - 2 * one_call <= sample.loop_time <= bound + one_call + 1e-3
                else:
                    assert bound <= sample.loop_time <= bound + 2 * one_call + 1e-3


def test_a_forecast_follows_the_writes_and_then_the_pace_of_what_repeats_them() -> None:
    def factor(now: float, step: Any) -> float:
        return {io.Access.WRITE: 1.0, io.Access.REWRITE: 2.0, io.Access.READ: 5.0}[step.access]

    plan = io.make_plan(2, time=60.0)
    result = run(plan, Machine(**FAST, slowed=factor))
    begin, *forecast = io.forecast(plan, result.measured.samples)
    assert begin == pytest.approx(60.0)
    writes = rewrites = 0.0
    for sample, to_come in zip(result.measured.samples, forecast, strict=True):
        writes += sample.time if sample.access == io.Access.WRITE else 0.0
        rewrites += sample.time if sample.access == io.Access.REWRITE else 0.0
        last_of = (sample.partition, sample.pattern) == (1, 42)
        if last_of and sample.access == io.Access.WRITE:
            assert to_come == pytest.approx(2 * writes)
        if last_of and sample.access == io.Access.REWRITE:
            assert rewrites == pytest.approx(2 * writes, rel=0.05)
            assert to_come == pytest.approx(writes)
        if sample.access == io.Access.READ and (sample.partition, sample.pattern) == (1, 10):
            rest = sum(
                s.time
                for s in result.measured.samples
                if s.access == io.Access.READ and s.partition == 1 and s.pattern > 10
            )
            assert to_come == pytest.approx(rest, rel=0.1)
    assert to_come == pytest.approx(0.0, abs=1e-6)


@settings(max_examples=15)
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
def test_an_adversarial_file_system_changes_no_count_of_rewrite_and_read(
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
    for access in (io.Access.REWRITE, io.Access.READ):
        for partition in range(len(plan.partitions)):
            write = samples(result, io.Access.WRITE, partition)
            for number, again in samples(result, access, partition).items():
                assert again.repetitions == write[number].repetitions
