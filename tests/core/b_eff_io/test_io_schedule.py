"""Whole runs on a scripted machine."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from beff_core_testing import b_eff_io as io
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from io_fake_machine import MB, Machine, Run, run

GB = 1 << 30
FAST: dict[str, Any] = {"decision_s": 1e-4}
PHASES = io.Phase


def samples(result: Run, access: Any, partition: int = 0) -> dict[int, Any]:
    return {
        s.pattern: s
        for s in result.schedule.samples
        if s.access == access and s.partition == partition
    }


def test_the_order_is_write_all_then_rewrite_all_then_read_all() -> None:
    plan = io.make_plan(16, time=3.0)
    result = run(plan, Machine(**FAST))
    blocks = [(o.access, o.partition) for _, o in result.orders if o.phase == PHASES.BEGIN]
    assert blocks == [(access, p) for access in io.Access for p in range(3)]
    opened = [int(o.type) for _, o in result.orders if o.phase == PHASES.OPEN]
    assert opened == 9 * [0, 1, 2, 3, 4]
    assert result.orders[-1][1].phase == PHASES.END
    assert result.schedule.ending == io.Ending.DONE
    assert result.schedule.complete


def test_each_type_is_opened_and_closed_once_and_each_write_is_synchronised() -> None:
    result = run(io.make_plan(2, time=2.0, partitions=[2]), Machine(**FAST))
    phases = [o.phase for _, o in result.orders]
    assert phases.count(PHASES.OPEN) == phases.count(PHASES.CLOSE) == 15
    finishes = [o for _, o in result.orders if o.phase == PHASES.FINISH]
    assert all(o.sync == (o.access != io.Access.READ) for o in finishes)
    assert len(result.schedule.types) == 15
    assert len(result.schedule.samples) == 3 * 43


def test_release_2_1_rewrites_the_scatter_type_only() -> None:
    result = run(io.make_plan(4, time=2.0, release=io.Release.R2_1), Machine(**FAST))
    rewritten = {o.type for _, o in result.orders if o.access == io.Access.REWRITE and o.pattern}
    assert rewritten == {io.Type.SCATTER}
    assert result.schedule.complete


def test_rewrite_and_read_repeat_the_write() -> None:
    result = run(io.make_plan(4, time=4.0), Machine(**FAST))
    for partition in range(2):
        write = samples(result, io.Access.WRITE, partition)
        for access in (io.Access.REWRITE, io.Access.READ):
            again = samples(result, access, partition)
            assert {n: (s.repetitions, s.bytes) for n, s in again.items()} == {
                n: (s.repetitions, s.bytes) for n, s in write.items()
            }


def test_once_patterns_are_one_call_and_segments_are_filled() -> None:
    result = run(io.make_plan(3, time=4.0, partitions=[3]), Machine(**FAST))
    write = samples(result, io.Access.WRITE)
    for number in (0, 9, 17, 25, 34):
        assert (write[number].repetitions, write[number].bytes) == (1, 3 * MB)
    segment = result.schedule.segments[0][0]
    assert segment % MB == 0
    for numbers in (range(25, 34), range(34, 43)):
        assert sum(write[n].bytes for n in numbers) == 3 * segment


def test_patterns_lie_one_behind_the_other() -> None:
    result = run(io.make_plan(3, time=4.0, partitions=[3]), Machine(**FAST))
    ends: dict[tuple[Any, Any], int] = defaultdict(int)
    for _, order in result.orders:
        if order.phase == PHASES.FINISH:
            key = (order.access, order.type)
            assert order.placement.base == ends[key]
            assert not order.reposition
            ends[key] += order.placement.advance(order.calls)
    of_type = {t: {ends[access, t] for access in io.Access} for t in list(io.Type)[:5]}
    assert all(len(lengths) == 1 for lengths in of_type.values())


def test_types_add_up_their_patterns() -> None:
    result = run(io.make_plan(2, time=4.0, partitions=[2]), Machine(**FAST, open_s=0.02))
    plan_type = {p.number: p.type for p in io.make_plan(2).patterns}
    for entry in result.schedule.types:
        own = [
            s
            for s in result.schedule.samples
            if s.access == entry.access and plan_type[s.pattern] == entry.type
        ]
        assert entry.bytes == sum(s.bytes for s in own)
        assert entry.open == pytest.approx(0.02)
        assert entry.open_to_close == pytest.approx(0.02 + 1e-4 + sum(s.time for s in own))


# --- time -------------------------------------------------------------------------------


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
    return io.with_probe(plan, cost, trial.machine.now), trial.machine.now


@pytest.mark.parametrize("processes", [1, 4, 16])
@pytest.mark.parametrize(
    "machine",
    [
        {"write_rate": 1e9, "read_rate": 5e9},
        {"write_rate": 1e9, "read_rate": 4e8},
        {"write_rate": 3e9, "sync_rate": 1e9, "read_rate": 6e9},
        {"call_s": 0.005, "read_rate": 1e10},
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

    plan, spent = probed(io.make_plan(4, time=180.0), {"slowed": factor})
    result = run(plan, Machine(**FAST, slowed=factor))
    assert spent + result.machine.now == pytest.approx(180.0, rel=0.05)
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
    plan, spent = probed(io.make_plan(4, time=240.0), rates)
    assert plan.cost.rewrite == pytest.approx(1.0, rel=0.05)
    assert plan.cost.read == pytest.approx(0.25, rel=0.05)
    assert plan.probed == spent
    assert plan.unit_time == pytest.approx(
        (240.0 - spent) / 2 / (64 * (1 + plan.cost.rewrite + plan.cost.read))
    )


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
        assert ideal <= s.loop_time <= 3.5 * ideal + 0.1
        assert s.status == io.Status.MEASURED
    assert result.schedule.complete


def test_an_overrun_shortens_the_next_partition() -> None:
    plan = io.make_plan(4, time=60.0)
    slow = Machine(**FAST, slowed=lambda now, order: 400.0 if now < 12.0 else 1.0, call_s=0.01)
    result = run(plan, slow)
    assert result.end_of(io.Access.WRITE, counted=False) == pytest.approx(
        write_deadlines(plan)[-1], abs=1.0
    )


# --- space ------------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", [500 * MB, 2 * GB, 5 * GB])
def test_a_small_disk_cuts_all_patterns_and_is_never_filled(capacity: int) -> None:
    reserve = 50 * MB
    plan = io.make_plan(4, time=60.0, reserve=reserve)
    assert plan.minimal_space < capacity
    result = run(plan, Machine(**FAST, capacity=capacity))
    assert result.machine.used <= capacity - reserve
    assert result.machine.used > 0.7 * (capacity - reserve) or capacity == 5 * GB
    assert result.schedule.complete
    stops = {s.stop for s in result.schedule.samples}
    assert io.StopReason.SPACE in stops


def test_a_disk_that_somebody_else_fills_is_left_its_reserve() -> None:
    reserve = 500 * MB
    plan = io.make_plan(1, time=300.0, reserve=reserve)
    machine = Machine(**FAST, write_rate=1e8, capacity=8 * GB, foreign_rate=2e9)
    result = run(plan, machine)
    assert reserve - 100 * MB < machine.lowest_free < reserve + 100 * MB
    assert io.StopReason.SPACE in {s.stop for s in result.schedule.samples}


def test_the_users_bound_is_kept_and_reaches_all_patterns() -> None:
    bound = 400 * MB
    plan = io.make_plan(2, time=60.0, max_data=bound)
    result = run(plan, Machine(**FAST))
    assert sum(result.machine.written.values()) <= bound
    assert sum(result.machine.written.values()) > 0.6 * bound
    assert result.schedule.complete
    assert {s.stop for s in result.schedule.samples} >= {io.StopReason.MAX_DATA}
    assert {cut for _, cut, _ in result.schedule.segments} <= {"none", "max-data"}


def test_without_room_for_a_call_a_pattern_is_left_out() -> None:
    plan = io.make_plan(1, time=10.0)
    result = run(plan, Machine(**FAST, capacity=6 * MB))
    write = samples(result, io.Access.WRITE)
    skipped = [s for s in write.values() if s.status == io.Status.SKIPPED]
    assert skipped
    assert all("no space" in s.error for s in skipped if s.pattern < 25)
    assert not result.schedule.complete
    assert result.schedule.ending == io.Ending.DONE
    read = samples(result, io.Access.READ)
    assert {n for n, s in read.items() if s.status == io.Status.SKIPPED} >= {
        s.pattern for s in skipped
    }


# --- errors -----------------------------------------------------------------------------


def test_a_failed_pattern_is_marked_and_the_rest_goes_on() -> None:
    def fail(order: Any) -> str | None:
        bad = order.phase == PHASES.CALLS and order.pattern == 13 and order.first_call > 0
        return "MPI_ERR_IO" if bad and order.access == io.Access.WRITE else None

    result = run(io.make_plan(2, time=5.0, partitions=[2]), Machine(**FAST, fail=fail))
    write = samples(result, io.Access.WRITE)
    assert write[13].status == io.Status.FAILED
    assert write[13].error == "MPI_ERR_IO"
    assert write[13].bandwidth_MBps is None
    assert write[13].repetitions == 1
    assert write[14].status == io.Status.MEASURED
    ended = {
        o.pattern: o
        for _, o in result.orders
        if o.phase == PHASES.FINISH and o.access == io.Access.WRITE
    }
    # One good call, two that were tried: the next pattern keeps off all three.
    assert ended[13].calls == 3
    assert ended[14].placement.base == ended[13].placement.base + 3 * 2 * 1024
    assert samples(result, io.Access.READ)[13].status == io.Status.SKIPPED
    assert not result.schedule.complete
    failed = [o for _, o in result.orders if o.phase == PHASES.FINISH and o.pattern == 13]
    assert [o.sync for o in failed] == [False]
    after = [o for _, o in result.orders if o.pattern == 14 and o.first_call == 0 and o.calls == 1]
    # The pointer is lost by the error, and jumps over the pattern later.
    assert [o.reposition for o in after if o.phase == PHASES.CALLS] == [True, True, True]
    by_type = {(t.access, t.type): t for t in result.schedule.types}
    assert by_type[io.Access.WRITE, io.Type.SHARED].bandwidth_MBps is None
    assert by_type[io.Access.WRITE, io.Type.SEPARATE].bandwidth_MBps is not None


def test_a_type_that_cannot_be_opened_is_left_out() -> None:
    def fail(order: Any) -> str | None:
        bad = order.phase == PHASES.OPEN and order.type == io.Type.SHARED
        return "MPI_ERR_NO_SUCH_FILE" if bad else None

    result = run(io.make_plan(2, time=5.0, partitions=[2]), Machine(**FAST, fail=fail))
    assert sum(o.phase == PHASES.OPEN for _, o in result.orders) == 13
    assert sum(o.phase == PHASES.CLOSE for _, o in result.orders) == 12
    by_type = {(t.access, t.type): t for t in result.schedule.types}
    assert by_type[io.Access.WRITE, io.Type.SHARED].status == io.Status.FAILED
    assert "NO_SUCH_FILE" in by_type[io.Access.WRITE, io.Type.SHARED].error
    assert by_type[io.Access.READ, io.Type.SHARED].status == io.Status.SKIPPED
    # Types 3 and 4 do without the missing counts.
    assert by_type[io.Access.READ, io.Type.SEG_COLL].status == io.Status.MEASURED


def test_a_failed_sync_of_a_shared_file_ends_the_orders() -> None:
    def fail(order: Any) -> str | None:
        bad = order.phase == PHASES.FINISH and order.pattern == 4
        return "no space left" if bad else None

    result = run(io.make_plan(2, time=5.0, partitions=[2]), Machine(**FAST, fail=fail))
    assert result.schedule.ending == io.Ending.ABORT
    assert result.schedule.next() is None
    assert [s.pattern for s in result.schedule.samples] == [0, 1, 2, 3, 4]
    assert result.schedule.types[-1].status == io.Status.FAILED


def test_a_failed_sync_of_own_files_goes_on() -> None:
    def fail(order: Any) -> str | None:
        bad = order.phase == PHASES.FINISH and order.pattern == 20
        return "quota" if bad and order.access == io.Access.WRITE else None

    result = run(io.make_plan(2, time=5.0, partitions=[2]), Machine(**FAST, fail=fail))
    assert result.schedule.ending == io.Ending.DONE
    assert samples(result, io.Access.WRITE)[20].status == io.Status.FAILED
    assert samples(result, io.Access.WRITE)[21].status == io.Status.MEASURED


@pytest.mark.parametrize("stop_at", [0.0, 1.0, 7.5, 12.0, 29.0])
def test_a_signal_ends_the_run_in_order(stop_at: float) -> None:
    plan = io.make_plan(4, time=30.0)
    result = run(plan, Machine(**FAST, stop_at=stop_at))
    assert result.schedule.ending == io.Ending.STOPPED
    assert not result.schedule.complete
    opens = sum(o.phase == PHASES.OPEN for _, o in result.orders)
    assert opens == sum(o.phase == PHASES.CLOSE for _, o in result.orders)
    assert result.orders[-1][1].phase == PHASES.END
    assert result.machine.now < stop_at + 2.0


def test_wrong_data_fail_the_pattern() -> None:
    schedule = io.Schedule(io.make_plan(1, time=1.0, types=[io.Type.SCATTER]), 0)
    machine = Machine(**FAST)
    while (order := schedule.next()) is not None:
        wrong = order.phase == PHASES.FINISH and order.access == io.Access.READ
        outcome = machine.carry_out(order)
        schedule.completed(**outcome, checked=10, wrong=int(wrong and order.pattern == 3))
    read = {s.pattern: s for s in schedule.samples if s.access == io.Access.READ}
    assert read[3].status == io.Status.FAILED
    assert "1 of 10 chunks" in read[3].error
    assert read[4].status == io.Status.MEASURED
    assert schedule.wrong_chunks == 1


# --- what a read has to expect ----------------------------------------------------------


def test_a_read_knows_how_far_the_rewrite_came() -> None:
    plan = io.make_plan(2, time=30.0, partitions=[2])
    slow = Machine(
        **FAST, slowed=lambda now, order: 20.0 if order.access == io.Access.REWRITE else 1.0
    )
    result = run(plan, slow)
    rewrite = samples(result, io.Access.REWRITE)
    assert any(s.stop == io.StopReason.GUARD for s in rewrite.values())
    for _, order in result.orders:
        if order.access == io.Access.READ and order.phase == PHASES.FINISH:
            assert order.rewritten == rewrite[order.pattern].repetitions
    moved = [
        o for _, o in result.orders
        if o.phase == PHASES.CALLS and o.access == io.Access.REWRITE and o.reposition
    ]  # fmt: skip
    assert moved


def test_random_types_come_on_top_of_t() -> None:
    plan = io.make_plan(2, time=30.0, partitions=[2], types=list(io.Type))
    result = run(plan, Machine(**FAST))
    assert result.schedule.complete
    official = io.make_plan(2, time=30.0, partitions=[2])
    with_random = samples(result, io.Access.WRITE)
    without = samples(run(official, Machine(**FAST)), io.Access.WRITE)
    assert {n: with_random[n].repetitions for n in range(43)} == {
        n: without[n].repetitions for n in range(43)
    }
    orders = [o for _, o in result.orders if o.phase == PHASES.FINISH and int(o.type) >= 5]
    assert all(o.placement.slots == o.calls for o in orders)
