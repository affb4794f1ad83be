"""Whole runs on a scripted machine."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import io_core as io
import pytest
from io_core import MB
from io_fake_machine import FAST, Machine, Verb, run, samples

GB = 1 << 30


def test_the_order_is_write_all_then_rewrite_all_then_read_all() -> None:
    plan = io.make_plan(16, time=3.0)
    result = run(plan, Machine(**FAST))
    blocks = [(o.access, o.partition) for _, o in result.steps if o.verb == Verb.MEET]
    assert blocks == [(access, p) for access in io.Access for p in range(3)]
    opened = [int(o.type) for _, o in result.steps if o.verb == Verb.OPEN]
    assert opened == 9 * [0, 1, 2, 3, 4]
    assert result.steps[-1][1].verb == Verb.END
    assert result.ending == io.Ending.DONE
    assert result.measured.complete


def test_each_type_is_opened_and_closed_once_and_each_write_is_synchronised() -> None:
    result = run(io.make_plan(2, time=2.0, partitions=[2]), Machine(**FAST))
    verbs = [o.verb for _, o in result.steps]
    assert verbs.count(Verb.OPEN) == verbs.count(Verb.CLOSE) == 15
    finishes = [o for _, o in result.steps if o.verb == Verb.FINISH]
    assert all(o.sync == (o.access != io.Access.READ) for o in finishes)
    assert len(result.measured.types) == 15
    assert len(result.measured.samples) == 3 * 43


@pytest.mark.parametrize("memory", [256 * MB, 12_637_397_006, 999 * MB + 5])
def test_wellformed_patterns_begin_at_wellformed_places(memory: int) -> None:
    """At multiples of 1 MiB where no smaller chunk came before, else of that chunk."""
    result = run(io.make_plan(3, time=4.0, memory_per_process=memory), Machine(**FAST))
    before: dict[tuple[Any, int, Any], int] = {}
    for _, step in result.steps:
        if step.verb != Verb.FINISH:
            continue
        key = (step.access, step.partition, step.type)
        place = step.placement
        smallest = before.get(key, MB)
        if smallest % 1024 == 0 and place.chunk % 1024 == 0:
            assert place.base % smallest == 0
            if min(place.chunk * place.chunks_per_call, smallest) >= MB:
                assert place.base % MB == 0
        before[key] = min(smallest, place.chunk * place.chunks_per_call)


def test_release_2_1_rewrites_the_scatter_type_only() -> None:
    result = run(io.make_plan(4, time=2.0, release=io.Release.R2_1), Machine(**FAST))
    rewritten = {o.type for _, o in result.steps if o.access == io.Access.REWRITE and o.pattern}
    assert rewritten == {io.Type.SCATTER}
    assert result.measured.complete


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
    segment = result.measured.partitions[0].counted.segment
    assert segment % MB == 0
    for numbers in (range(25, 34), range(34, 43)):
        assert sum(write[n].bytes for n in numbers) == 3 * segment


def test_patterns_lie_one_behind_the_other() -> None:
    result = run(io.make_plan(3, time=4.0, partitions=[3]), Machine(**FAST))
    ends: dict[tuple[Any, Any], int] = defaultdict(int)
    for _, step in result.steps:
        if step.verb == Verb.FINISH:
            key = (step.access, step.type)
            assert step.placement.base == ends[key]
            assert not step.reposition
            ends[key] += io.advance(step.placement, step.calls)
    of_type = {t: {ends[access, t] for access in io.Access} for t in list(io.Type)[:5]}
    assert all(len(lengths) == 1 for lengths in of_type.values())


def test_types_add_up_their_patterns() -> None:
    result = run(io.make_plan(2, time=4.0, partitions=[2]), Machine(**FAST, open_s=0.02))
    plan_type = {p.number: p.type for p in io.make_plan(2).patterns}
    for entry in result.measured.types:
        own = [
            s
            for s in result.measured.samples
            if s.access == entry.access and plan_type[s.pattern] == entry.type
        ]
        assert entry.bytes == sum(s.bytes for s in own)
        assert entry.open == pytest.approx(0.02)
        assert entry.close == pytest.approx(1e-4)
        assert entry.patterns == pytest.approx(sum(s.time for s in own))


# --- space ------------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", [500 * MB, 2 * GB, 5 * GB])
def test_a_small_disk_cuts_all_patterns_and_is_never_filled(capacity: int) -> None:
    reserve = 50 * MB
    plan = io.make_plan(4, time=60.0, reserve=reserve)
    assert plan.minimal_space < capacity
    result = run(plan, Machine(**FAST, capacity=capacity))
    assert result.machine.used <= capacity - reserve
    assert result.machine.used > 0.7 * (capacity - reserve) or capacity == 5 * GB
    assert result.measured.complete
    stops = {s.stop for s in result.measured.samples}
    assert io.StopReason.SPACE in stops


def test_a_disk_that_somebody_else_fills_is_left_its_reserve() -> None:
    reserve = 500 * MB
    plan = io.make_plan(1, time=300.0, reserve=reserve)
    machine = Machine(**FAST, write_rate=1e8, capacity=8 * GB, foreign_rate=2e9)
    result = run(plan, machine)
    assert reserve - 100 * MB < machine.lowest_free < reserve + 100 * MB
    assert io.StopReason.SPACE in {s.stop for s in result.measured.samples}


def test_the_users_bound_is_kept_and_reaches_all_patterns() -> None:
    bound = 400 * MB
    plan = io.make_plan(2, time=60.0, max_data=bound)
    result = run(plan, Machine(**FAST))
    assert sum(result.machine.written.values()) <= bound
    assert sum(result.machine.written.values()) > 0.6 * bound
    assert result.measured.complete
    assert {s.stop for s in result.measured.samples} >= {io.StopReason.MAX_DATA}
    none, max_data = 0, 3
    assert {notes.counted.cut for notes in result.measured.partitions} <= {none, max_data}


def test_without_room_for_a_call_a_pattern_is_left_out() -> None:
    plan = io.make_plan(1, time=10.0)
    result = run(plan, Machine(**FAST, capacity=6 * MB))
    write = samples(result, io.Access.WRITE)
    skipped = [s for s in write.values() if s.status == io.Status.SKIPPED]
    assert skipped
    assert all("no space" in s.error for s in skipped if s.pattern < 25)
    assert not result.measured.complete
    assert result.ending == io.Ending.DONE
    read = samples(result, io.Access.READ)
    assert {n for n, s in read.items() if s.status == io.Status.SKIPPED} >= {
        s.pattern for s in skipped
    }


# --- errors -----------------------------------------------------------------------------


def test_a_failed_pattern_is_marked_and_the_rest_goes_on() -> None:
    def fail(step: Any) -> str | None:
        bad = step.verb == Verb.CALLS and step.pattern == 13 and step.first_call > 0
        return "MPI_ERR_IO" if bad and step.access == io.Access.WRITE else None

    result = run(io.make_plan(2, time=5.0, partitions=[2]), Machine(**FAST, fail=fail))
    write = samples(result, io.Access.WRITE)
    assert write[13].status == io.Status.FAILED
    assert write[13].error == "MPI_ERR_IO"
    assert write[13].repetitions == 1
    assert write[14].status == io.Status.MEASURED
    ended = {
        o.pattern: o
        for _, o in result.steps
        if o.verb == Verb.FINISH and o.access == io.Access.WRITE
    }
    # One good call, two that were tried: the next pattern keeps off all three.
    assert ended[13].calls == 3
    assert ended[14].placement.base == ended[13].placement.base + 3 * 2 * 1024
    assert samples(result, io.Access.READ)[13].status == io.Status.SKIPPED
    assert not result.measured.complete
    failed = [o for _, o in result.steps if o.verb == Verb.FINISH and o.pattern == 13]
    assert [o.sync for o in failed] == [False]
    after = [o for _, o in result.steps if o.pattern == 14 and o.first_call == 0 and o.calls == 1]
    # The pointer is lost by the error, and jumps over the pattern later.
    assert [o.reposition for o in after if o.verb == Verb.CALLS] == [True, True, True]
    by_type = {(t.access, t.type): t for t in result.measured.types}
    assert by_type[io.Access.WRITE, io.Type.SHARED].status == io.Status.FAILED
    assert by_type[io.Access.WRITE, io.Type.SEPARATE].status == io.Status.MEASURED


def test_a_type_that_cannot_be_opened_is_left_out() -> None:
    def fail(step: Any) -> str | None:
        bad = step.verb == Verb.OPEN and step.type == io.Type.SHARED
        return "MPI_ERR_NO_SUCH_FILE" if bad else None

    result = run(io.make_plan(2, time=5.0, partitions=[2]), Machine(**FAST, fail=fail))
    assert sum(o.verb == Verb.OPEN for _, o in result.steps) == 13
    assert sum(o.verb == Verb.CLOSE for _, o in result.steps) == 12
    by_type = {(t.access, t.type): t for t in result.measured.types}
    assert by_type[io.Access.WRITE, io.Type.SHARED].status == io.Status.FAILED
    assert "NO_SUCH_FILE" in by_type[io.Access.WRITE, io.Type.SHARED].error
    assert by_type[io.Access.READ, io.Type.SHARED].status == io.Status.SKIPPED
    # Types 3 and 4 do without the missing counts.
    assert by_type[io.Access.READ, io.Type.SEG_COLL].status == io.Status.MEASURED


def test_a_failed_sync_of_a_shared_file_ends_the_run_without_a_close() -> None:
    def fail(step: Any) -> str | None:
        bad = step.verb == Verb.FINISH and step.pattern == 4
        return "no space left" if bad else None

    result = run(io.make_plan(2, time=5.0, partitions=[2]), Machine(**FAST, fail=fail))
    assert result.ending == io.Ending.ABORT
    assert result.steps[-1][1].verb == Verb.FINISH
    assert [s.pattern for s in result.measured.samples] == [0, 1, 2, 3, 4]
    assert result.measured.types[-1].status == io.Status.FAILED


def test_a_failed_sync_of_own_files_goes_on() -> None:
    def fail(step: Any) -> str | None:
        bad = step.verb == Verb.FINISH and step.pattern == 20
        return "quota" if bad and step.access == io.Access.WRITE else None

    result = run(io.make_plan(2, time=5.0, partitions=[2]), Machine(**FAST, fail=fail))
    assert result.ending == io.Ending.DONE
    assert samples(result, io.Access.WRITE)[20].status == io.Status.FAILED
    assert samples(result, io.Access.WRITE)[21].status == io.Status.MEASURED


@pytest.mark.parametrize("stop_at", [0.0, 1.0, 7.5, 12.0, 29.0])
def test_a_signal_ends_the_run_in_order(stop_at: float) -> None:
    plan = io.make_plan(4, time=30.0)
    result = run(plan, Machine(**FAST, stop_at=stop_at))
    assert result.ending == io.Ending.STOPPED
    assert not result.measured.complete
    opens = sum(o.verb == Verb.OPEN for _, o in result.steps)
    assert opens == sum(o.verb == Verb.CLOSE for _, o in result.steps)
    assert result.steps[-1][1].verb == Verb.END
    assert result.machine.now < stop_at + 2.0


def test_wrong_data_fail_the_pattern() -> None:
    def wrong(step: Any) -> int:
        return int(step.access == io.Access.READ and step.pattern == 3)

    plan = io.make_plan(1, time=1.0, types=[io.Type.SCATTER])
    result = run(plan, Machine(**FAST, checked=10, wrong=wrong))
    read = samples(result, io.Access.READ)
    assert read[3].status == io.Status.FAILED
    assert "1 of 10 chunks" in read[3].error
    assert read[4].status == io.Status.MEASURED
    assert result.measured.data_check.wrong_chunks == 1


# --- what a read has to expect ----------------------------------------------------------


def test_a_read_knows_which_patterns_were_rewritten() -> None:
    result = run(io.make_plan(4, time=30.0, partitions=[2, 4], release=io.Release.R2_1), Machine())
    reads = [
        step
        for _, step in result.steps
        if step.access == io.Access.READ and step.verb == Verb.FINISH
    ]
    assert {step.type for step in reads if step.rewritten} == {io.Type.SCATTER}
    assert {step.type for step in reads if not step.rewritten} == set(list(io.Type)[1:5])
    assert not any(o.rewritten for _, o in result.steps if o.access != io.Access.READ)


def test_random_types_come_on_top_of_t() -> None:
    plan = io.make_plan(2, time=30.0, partitions=[2], types=list(io.Type))
    result = run(plan, Machine(**FAST))
    assert result.measured.complete
    official = io.make_plan(2, time=30.0, partitions=[2])
    with_random = samples(result, io.Access.WRITE)
    without = samples(run(official, Machine(**FAST)), io.Access.WRITE)
    assert {n: with_random[n].repetitions for n in range(43)} == {
        n: without[n].repetitions for n in range(43)
    }
    orders = [o for _, o in result.steps if o.verb == Verb.FINISH and int(o.type) >= 5]
    assert all(o.placement.slots == o.calls for o in orders)
