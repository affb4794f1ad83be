"""Whether whole runs on a scripted machine keep their time."""

from __future__ import annotations

from typing import Any

import pytest
from beff_core_testing import b_eff_io as io
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from io_fake_machine import FAST, MB, Machine, Run, run, samples

PHASES = io.Phase


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
    assert result.schedule.complete


def test_t_is_kept_with_the_right_cost_ratio() -> None:
    plan = io.make_plan(4, time=60.0, rewrite_cost=1.0, read_cost=0.2)
    result = run(plan, Machine(**FAST, write_rate=1e9, read_rate=5e9))
    assert result.machine.now == pytest.approx(60.0, rel=0.05)


def probed(plan: Any, machine: dict[str, Any]) -> tuple[Any, float]:
    """What the engine does before a run: the plan by a probe, and the time that the probe took."""
    probe = io.probe_plan(plan)
    trial = run(probe, Machine(**FAST, **machine))
    cost = io.measured_cost(probe, trial.schedule)
    removing = trial.machine.removal * trial.machine.used
    in_patterns = sum(s.time for s in trial.schedule.samples)
    writes = sum(s.time for s in trial.schedule.samples if s.access == io.Access.WRITE)
    spent = trial.machine.now
    plan = io.with_probe(plan, cost, spent, spent - removing - in_patterns, removing / writes)
    return plan, spent


@pytest.mark.parametrize("processes", [1, 4, 16])
@pytest.mark.parametrize(
    "machine",
    [
        {"write_rate": 1e9, "read_rate": 5e9},
        {"write_rate": 1e9, "read_rate": 4e8},
        {"write_rate": 3e9, "sync_rate": 1e9, "read_rate": 6e9},
        {"call_s": 0.005, "read_rate": 1e10},
        {"write_rate": 1e9, "read_rate": 2e9, "prepare_s": 0.02},
        {"write_rate": 1e9, "read_rate": 2e9, "removal": 2e-10},
    ],
)
def test_t_is_kept_by_a_probe(processes: int, machine: dict[str, Any]) -> None:
    plan, spent = probed(io.make_plan(processes, time=180.0), machine)
    result = run(plan, Machine(**FAST, **machine))
    assert spent + result.machine.now == pytest.approx(180.0, rel=0.05)
    assert result.schedule.complete


@pytest.mark.parametrize("slower", [2.0, 5.0])
def test_t_is_kept_where_rewrite_and_read_become_slow(slower: float) -> None:
    def factor(now: float, order: Any) -> float:
        return 1.0 if order.access == io.Access.WRITE else slower

    plan = io.make_plan(4, time=180.0, rewrite_cost=1.0, read_cost=1.0)
    result = run(plan, Machine(**FAST, slowed=factor))
    assert result.machine.now == pytest.approx(180.0, rel=0.05)
    stops = {s.stop for s in result.schedule.samples if s.access == io.Access.READ}
    assert io.StopReason.GUARD in stops
    assert result.schedule.complete


def test_patterns_slower_than_others_are_not_cut_on_schedule() -> None:
    def factor(now: float, order: Any) -> float:
        small = order.placement.chunk < 2048 and order.access != io.Access.WRITE
        return 2.5 if small else 0.8

    probe = io.probe_plan(io.make_plan(4, time=180.0))
    cost = io.measured_cost(probe, run(probe, Machine(**FAST, slowed=factor)).schedule)
    enough = {"rewrite_cost": 1.05 * cost.rewrite, "read_cost": 1.05 * cost.read}
    plan = io.make_plan(4, time=180.0, **enough)
    result = run(plan, Machine(**FAST, slowed=factor))
    assert result.machine.now == pytest.approx(180.0, rel=0.05)
    assert all(s.stop != io.StopReason.GUARD for s in result.schedule.samples)


def test_patterns_that_the_guard_cuts_do_not_make_t_too_long() -> None:
    def factor(now: float, order: Any) -> float:
        small = order.placement.chunk < 2048 and order.access == io.Access.READ
        return 40.0 if small else 1.0

    plan, spent = probed(io.make_plan(4, time=180.0), {"slowed": factor})
    result = run(plan, Machine(**FAST, slowed=factor))
    assert spent + result.machine.now == pytest.approx(180.0, rel=0.05)
    assert any(s.stop == io.StopReason.GUARD for s in samples(result, io.Access.READ).values())


def test_the_probe_finds_the_cost_of_a_byte() -> None:
    rates = {"write_rate": 1e9, "read_rate": 4e9, "sync_rate": 1e12, "sync_s": 0.0, "call_s": 0.0}
    probe = io.probe_plan(io.make_plan(4, time=240.0))
    cost = io.measured_cost(probe, run(probe, Machine(**FAST, **rates)).schedule)
    assert cost.rewrite == pytest.approx(1.0, rel=0.05)
    assert cost.read == pytest.approx(0.25, rel=0.05)


def test_the_cost_is_that_of_the_calls_and_not_of_agreeing() -> None:
    probe = io.probe_plan(io.make_plan(4, time=1200.0))
    slow = Machine(decision_s=0.004, write_rate=1e9, read_rate=4e9, sync_s=0.0, call_s=0.0)
    trial = run(probe, slow).schedule
    cost = io.measured_cost(probe, trial)
    assert cost.read == pytest.approx(0.25, rel=0.1)
    write, read = (
        sum(s.time for s in trial.samples if s.access == access)
        for access in (io.Access.WRITE, io.Access.READ)
    )
    assert read / write > 1.3 * 0.25


def test_the_schedule_follows_what_the_probe_found() -> None:
    one = io.measured_cost(io.make_plan(4), io.Schedule(io.make_plan(4), 0))
    plan = io.with_probe(io.make_plan(4, time=240.0), one, spent=12.0)
    assert (plan.cost.rewrite, plan.cost.read) == (1.0, 1.0)
    assert (plan.probed, plan.preparing, plan.removing) == (12.0, 0.0, 0.0)
    assert plan.unit_time == pytest.approx(228.0 / 2 / (64 * 3))


def test_single_calls_longer_than_their_share_are_made_up_for() -> None:
    plan = io.make_plan(4, time=180.0, max_chunk=96 * MB, memory_per_node=1 << 40)
    longest = 4 * 96 * MB / 1.2e8
    assert longest > 1.2 * plan.ideal_time(1, io.Access.WRITE)
    result = run(plan, Machine(**FAST, write_rate=1.2e8, read_rate=1.2e8))
    assert result.machine.now < 1.05 * 180.0


def test_what_preparing_and_removing_take_is_taken_from_t() -> None:
    one = io.measured_cost(io.make_plan(4), io.Schedule(io.make_plan(4), 0))
    plan = io.with_probe(io.make_plan(4, time=240.0), one, spent=12.0, preparing=28.0, removing=0.5)
    assert plan.planned_time == pytest.approx(240.0)
    # 200 s for writes W, 2 W for the other accesses and 0.5 W for removing.
    assert plan.removing == pytest.approx(0.5 * 200.0 / 3.5)
    assert plan.unit_time == pytest.approx(200.0 / 3.5 / 2 / 64)


def test_preparing_and_removing_never_take_more_than_a_quarter_of_what_is_left() -> None:
    one = io.measured_cost(io.make_plan(4), io.Schedule(io.make_plan(4), 0))
    plan = io.with_probe(
        io.make_plan(4, time=240.0), one, spent=40.0, preparing=300.0, removing=100.0
    )
    assert (plan.preparing, plan.removing) == (50.0, 37.5)
    assert plan.planned_time == pytest.approx(240.0)


def test_prepared_bytes_count_each_pattern_of_each_access_and_partition() -> None:
    plan = io.make_plan(4, types=[io.Type.SEPARATE], partitions=[2, 4])
    once = sum(p.memory for p in plan.patterns)
    assert io.prepared_bytes(plan) == 2 * 3 * once


def test_without_a_measured_pattern_the_cost_is_one() -> None:
    plan = io.make_plan(2, time=60.0)
    cost = io.measured_cost(plan, io.Schedule(plan, 0))
    assert (cost.rewrite, cost.read) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("wanted", "asked"),
    [
        (True, {}),
        (True, {"time": io.SHORTEST_PROBED}),
        (False, {"time": io.SHORTEST_PROBED - 1}),
        (False, {"read_cost": 1.0}),
        (False, {"max_data": 1 << 40}),
        (False, {"max_segment": 1 << 40}),
    ],
)
def test_a_probe_is_made_where_it_keeps_t(wanted: bool, asked: dict[str, Any]) -> None:
    assert io.wants_probe(io.make_plan(2, **asked)) is wanted


def test_a_probe_is_short_and_leaves_half_of_t() -> None:
    assert io.probe_plan(io.make_plan(2, time=60.0)).time == pytest.approx(3.0)
    assert io.probe_plan(io.make_plan(2, time=1e5)).time == pytest.approx(60.0)
    plan = io.make_plan(2, time=60.0)
    slow = io.with_probe(plan, io.measured_cost(plan, io.Schedule(plan, 0)), 100.0)
    assert slow.probed == pytest.approx(30.0)
    assert slow.planned_time == pytest.approx(60.0)


@pytest.mark.parametrize("ratio", [3.0, 10.0, 100.0])
def test_a_slow_sync_neither_breaks_the_time_nor_starves_patterns(ratio: float) -> None:
    plan = io.make_plan(1, time=90.0)
    result = run(plan, Machine(**FAST, write_rate=5e9, sync_rate=5e9 / ratio, sync_s=1e-3))
    assert result.end_of(io.Access.WRITE, counted=False) == pytest.approx(30 * 44 / 64, rel=0.03)
    write = samples(result, io.Access.WRITE)
    for pattern in plan.patterns:
        if 1 < pattern.number < 25 and pattern.units > 0:
            ideal = plan.ideal_time(pattern.number, io.Access.WRITE)
            assert write[pattern.number].time == pytest.approx(ideal, rel=0.35)


def write_deadlines(plan: Any, start: float = 0.0) -> list[float]:
    """When the time-driven types of each partition have to end."""
    block = plan.block_time(io.Access.WRITE)
    counted = sum(
        plan.ideal_time(p.number, io.Access.WRITE) for p in plan.patterns if int(p.type) >= 3
    )
    return [start + (p + 1) * block - counted for p in range(len(plan.partitions))]


def check_deadlines(plan: Any, result: Run, tolerance: float) -> None:
    """After its deadline no time-driven pattern gets more than the one call it must have."""
    deadlines = write_deadlines(plan)
    ordered_at = 0.0
    for now, order in result.orders:
        timed = (
            order.phase == PHASES.CALLS
            and order.access == io.Access.WRITE
            and int(order.type) < 3
            and order.first_call > 0
        )
        if timed:
            assert ordered_at <= deadlines[order.partition] + tolerance
        ordered_at = now


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
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
        slowed=lambda now, order: jump if now >= jump_at else 1.0,
        noise=lambda: random.uniform(-noise, noise),
    )
    result = run(plan, machine)
    assert result.schedule.ending == io.Ending.DONE
    assert result.schedule.complete
    check_deadlines(plan, result, 2 * noise + 1e-6)
    for access in (io.Access.REWRITE, io.Access.READ):
        for partition in range(len(plan.partitions)):
            write = samples(result, io.Access.WRITE, partition)
            for number, again in samples(result, access, partition).items():
                if again.stop == io.StopReason.GUARD:
                    assert 1 <= again.repetitions < write[number].repetitions
                else:
                    assert again.repetitions == write[number].repetitions


def test_a_jump_from_a_tenth_of_a_millisecond_to_two_seconds() -> None:
    plan = io.make_plan(1, time=300.0)
    machine = Machine(
        call_s=1e-4,
        write_rate=1e12,
        decision_s=2e-5,
        slowed=lambda now, order: 20_000.0 if now >= 60.0 else 1.0,
    )
    result = run(plan, machine)
    check_deadlines(plan, result, 1e-6)
    # The batch of 2 ms that was under way has some 20 calls of 2 s.
    assert result.machine.longest_batch < 45.0
    assert result.end_of(io.Access.WRITE, counted=False) < 110.0


def test_slow_reads_are_truncated_where_t_has_nothing_to_spare() -> None:
    plan = io.make_plan(2, time=30.0, partitions=[2])
    result = run(plan, Machine(**FAST, read_rate=1e8))
    read = samples(result, io.Access.READ)
    cut = [s for s in read.values() if s.stop == io.StopReason.GUARD]
    assert cut
    for s in cut:
        ideal = plan.ideal_time(s.pattern, io.Access.READ)
        assert 0.8 * ideal <= s.loop_time <= 3.5 * ideal + 0.1
        assert s.status == io.Status.MEASURED
    assert result.schedule.complete


def test_an_overrun_shortens_the_next_partition() -> None:
    plan = io.make_plan(4, time=60.0)
    slow = Machine(**FAST, slowed=lambda now, order: 400.0 if now < 12.0 else 1.0, call_s=0.01)
    result = run(plan, slow)
    assert result.end_of(io.Access.WRITE, counted=False) == pytest.approx(
        write_deadlines(plan)[-1], abs=1.0
    )
