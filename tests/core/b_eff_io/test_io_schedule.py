"""Whole runs on a scripted machine: order, places, time, space, errors, signals."""

import random
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import io_core as io
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from io_core import MB, Machine, Run, Verb, run

from beff.definition.b_eff_io_plan import patterns_of, repetitions_of

GB = 1 << 30
WRITE, REWRITE, READ = io.Access


def stops_of(result: Run) -> set[str]:
    return {*result.result["samples"]["stop"]}


def test_the_order_is_write_all_then_rewrite_all_then_read_all() -> None:
    """Each type is opened and closed once and each write is synchronised."""
    result = run(Machine(), 16, time=3.0)
    blocks = [(o.access, o.partition) for o in result.steps if o.verb == Verb.MEET]
    assert blocks == [(access, p) for access in io.Access for p in range(3)]
    for verb in (Verb.OPEN, Verb.CLOSE):
        assert [int(o.type) for o in result.steps if o.verb == verb] == 9 * [0, 1, 2, 3, 4]
    assert all(o.sync == (a != READ) for a in io.Access for o in result.finished(a))
    assert result.steps[-1].verb == Verb.END
    assert result.ending == io.Ending.DONE


@pytest.mark.parametrize("memory", [256 * MB, 12_637_397_006, 999 * MB + 5])
def test_patterns_lie_one_behind_the_other_at_wellformed_places(memory: int) -> None:
    """At multiples of 1 MiB where no smaller chunk came before, else of that chunk."""
    result = run(Machine(), 3, time=4.0, partitions=[3], memory_per_process=memory)
    ends: dict[tuple[Any, Any], int] = defaultdict(int)
    before: dict[tuple[Any, Any], int] = {}
    for step in result.steps:
        if step.verb != Verb.FINISH:
            continue
        key, place = (step.access, step.type), step.placement
        assert place.base == ends[key]
        assert not step.reposition
        ends[key] += io.core.advance(place, step.calls)
        smallest, moved = before.get(key, MB), place.chunk * place.chunks_per_call
        if smallest % 1024 == 0 and place.chunk % 1024 == 0:
            assert place.base % smallest == 0
            if min(moved, smallest) >= MB:
                assert place.base % MB == 0
        before[key] = min(smallest, moved)
    for kind in list(io.Type)[:5]:
        assert len({ends[access, kind] for access in io.Access}) == 1
    write = result.samples(WRITE)
    for number in (0, 9, 17, 25, 34):
        assert (write[number].repetitions, write[number].bytes) == (1, 3 * MB)
    segment = result.result["partitions"][0]["segment_bytes"]
    for numbers in (range(25, 34), range(34, 43)):
        assert sum(write[n].bytes for n in numbers) == 3 * segment


@pytest.mark.parametrize("slow", [io.Type.SCATTER, io.Type.SHARED, io.Type.SEPARATE])
def test_types_3_and_4_repeat_what_the_slowest_of_types_0_to_2_allows(slow: Any) -> None:
    machine = Machine(slowed=lambda now, step: 30.0 if step.type == slow else 1.0)
    write = run(machine, 2, time=60.0, partitions=[2], ranks=()).samples(WRITE)
    table = patterns_of(range(5), 2 * MB)
    calls = {number: write[number].repetitions for number in range(25)}
    for number in (*range(26, 33), *range(35, 42)):
        chunk = table[number].l_bytes
        assert chunk is not None
        assert write[number].repetitions == repetitions_of(table, calls, chunk)


# --- time ---


class Calibrated(Machine):
    """A machine whose agreements seem to take longer than they do."""

    def do_calibrate(self, step: Any) -> float:
        return 0.05


@pytest.mark.parametrize(
    ("machine", "longest_s"),
    [
        (Machine(decision_s=2e-5, call_s=1e-4), 3e-3),
        (Machine(decision_s=2e-6, call_s=1e-4), 3e-3),
        (Machine(decision_s=2e-6, call_s=1e-6), 3e-3),
        (Machine(decision_s=5e-5, call_s=1e-6), 5e-3),
        (Calibrated(decision_s=2e-6, call_s=1e-4), None),  # a tenth of the pattern's time
    ],
)
def test_batches_double_until_they_last_100_decisions_and_3_ms(
    machine: Machine, longest_s: float | None
) -> None:
    machine.write_rate = 1e18
    result = run(machine, 1, time=2.0, types=[io.Type.SCATTER], partitions=[1], ranks=())
    calls = (o for o in result.steps if (o.verb, o.access, o.pattern) == (Verb.CALLS, WRITE, 3))
    batches = [o.calls for o in calls]
    tenth = result.result["schedule"]["unit_s"] * result.result["patterns"][3]["U"] / 10
    longest = (longest_s or tenth) / machine.call_s
    assert batches[:4] == [1, 2, 4, 8]
    assert 0.85 * longest - 1 < max(batches) <= longest


@pytest.mark.parametrize(("release", "calls"), [(io.Release.R1, 4), (io.Release.R2_1, 3)])
def test_a_loop_goes_on_while_shorter_or_while_one_more_call_fits(release: Any, calls: int) -> None:
    asked = {"time": 64.0, "release": release, "types": [io.Type.SCATTER], "partitions": [1]}
    plan = io.make_plan(1, **asked)
    call_s = 0.3 * plan.schedule.unit_s * plan.patterns[3]["U"]
    made = run(Machine(call_s=call_s, write_rate=1e18, decision_s=1e-9), 1, **asked)
    assert made.samples(WRITE)[3].repetitions == calls


@pytest.mark.parametrize("release", list(io.Release))
def test_every_loop_lasts_its_time_units(release: Any) -> None:
    result = run(Machine(), 4, time=60.0, release=release)
    unit_s = result.result["schedule"]["unit_s"]
    units = {pattern["number"]: pattern["U"] for pattern in result.result["patterns"]}
    early, late = (-2, 1) if release == io.Release.R2_1 else (0, 2)
    for partition in range(3):
        for number, sample in result.samples(WRITE, partition).items():
            if sample.stop == "time":
                call = sample.loop_s / sample.repetitions
                over = sample.loop_s - unit_s * units[number]
                assert early * call - 1e-9 <= over <= late * call + 1e-3


@pytest.mark.parametrize(
    ("processes", "machine"),
    [(1, {}), (16, {}), (4, {"call_s": 2e-3}), (4, {"write_rate": 4e9, "read_rate": 4e9})],
)
def test_t_is_kept_where_accesses_cost_the_same_and_calls_and_syncs_little(
    processes: int, machine: dict[str, Any]
) -> None:
    result = run(Machine(**machine), processes, time=60.0)
    assert result.machine.now == pytest.approx(60.0, rel=0.05)


@pytest.mark.parametrize(
    ("machine", "numbers"),
    [
        # counted types are written in full however long it takes
        ({"slowed": lambda now, step: 50.0 if step.type >= 3 else 1.0}, range(43)),
        # neither overruns nor slow syncs shorten what follows
        ({"slowed": lambda now, step: 400.0 if step.pattern == 1 else 1.0}, range(2, 25)),
        ({"sync_s": 3.0, "sync_rate": 1e8}, range(2, 25)),
    ],
)
def test_what_is_slow_changes_no_count_elsewhere(machine: dict[str, Any], numbers: range) -> None:
    plan = {"time": 60.0, "partitions": [2, 4]}
    result, alone = (run(one, 4, **plan) for one in (Machine(**machine), Machine()))
    for partition in range(2):
        slow, fast = (one.samples(WRITE, partition) for one in (result, alone))
        for n in numbers:
            assert slow[n].repetitions == pytest.approx(fast[n].repetitions, rel=0.05)
            if n < 25:
                assert slow[n].loop_s == pytest.approx(fast[n].loop_s, rel=0.01)


def test_random_types_come_on_top_of_t() -> None:
    plan = {"time": 30.0, "partitions": [2]}
    result = run(Machine(), 2, types=list(io.Type), **plan)
    without, with_random = run(Machine(), 2, **plan).samples(WRITE), result.samples(WRITE)
    assert all(with_random[n].repetitions == without[n].repetitions for n in range(43))
    ends = [o for access in io.Access for o in result.finished(access) if int(o.type) >= 5]
    assert all(o.placement.slots == o.calls for o in ends)


def test_a_forecast_follows_the_writes_and_then_the_pace_of_what_repeats_them() -> None:
    pace = {WRITE: 1.0, REWRITE: 2.0, READ: 5.0}
    result = run(Machine(slowed=lambda now, step: pace[step.access]), 2, time=60.0)
    begin, *forecast = result.to_come
    samples = io.rows_of(result.result["samples"])
    places = {(s.access, s.partition, s.pattern): number for number, s in enumerate(samples)}
    after_write, after_rewrite = places["write", 1, 42], places["rewrite", 1, 42]
    writes = sum(s.time_s for s in samples[: after_write + 1])
    in_read = places["read", 1, 10]
    rest = sum(s.time_s for s in samples[in_read + 1 :])
    assert (begin, forecast[after_write]) == pytest.approx((60.0, 2 * writes))
    assert forecast[after_rewrite] == pytest.approx(writes)
    assert forecast[in_read] == pytest.approx(rest, rel=0.1)
    assert forecast[-1] == pytest.approx(0.0, abs=1e-6)


MACHINES = st.fixed_dictionaries(
    {
        "call_s": st.sampled_from([1e-6, 1e-4, 0.01, 0.3]),
        "write_rate": st.floats(1e7, 1e10),
        "read_rate": st.floats(1e7, 1e10),
        "sync_rate": st.floats(1e7, 1e12),
        "sync_s": st.floats(0.0, 0.2),
        "decision_s": st.sampled_from([1e-4, 8e-3]),
    }
)


@settings(max_examples=12)
@given(
    st.integers(1, 9),
    st.floats(1.0, 12.0),
    MACHINES,
    st.tuples(st.floats(0.0, 6.0), st.sampled_from([1.0, 1e-2, 50.0, 20_000.0])),
    st.sampled_from([0.0, 1e-4, 1e-2]),
)
def test_an_adversarial_file_system_changes_no_count_of_rewrite_and_read(
    processes: int, time: float, costs: dict[str, float], jump: tuple[float, float], noise: float
) -> None:
    draw = random.Random(processes)
    machine = Machine(
        slowed=lambda now, step: jump[1] if now >= jump[0] else 1.0,
        noise=lambda: draw.uniform(-noise, noise),
        **costs,
    )
    result = run(machine, processes, time=time)
    assert result.ending == io.Ending.DONE
    for partition in range(len(result.result["partitions"])):
        write = result.samples(WRITE, partition)
        for access in (REWRITE, READ):
            for number, again in result.samples(access, partition).items():
                assert again.repetitions == write[number].repetitions


# --- space ---


@pytest.mark.parametrize("capacity", [500 * MB, 2 * GB, 5 * GB])
def test_a_small_disk_cuts_all_patterns_and_is_never_filled(capacity: int) -> None:
    reserve = 50 * MB
    result = run(Machine(capacity=capacity), 4, time=60.0, reserve=reserve)
    assert result.machine.used <= capacity - reserve
    assert result.machine.used > 0.7 * (capacity - reserve) or capacity == 5 * GB
    assert result.result["complete"]
    assert "space" in stops_of(result)


def test_patterns_share_by_u_and_processes_what_none_needs_for_one_call() -> None:
    """Those of one call of 1 MB or less: 640 MB more than all need, by 64 units of 1 and 3."""
    asked = {"time": 600.0, "partitions": [1, 3]}
    plan = io.make_plan(4, **asked)
    result = run(Machine(capacity=plan.space.minimal_bytes + 640 * MB), 4, **asked)
    for partition, processes in enumerate((1, 3)):
        for pattern in plan.patterns[3:9]:
            written = result.machine.written[partition, pattern.number]
            share = 640 * MB * pattern["U"] * processes / (64 * 4)
            assert written == pytest.approx(
                share, abs=1.1 * processes * pattern["L_bytes"], rel=0.02
            )


def test_a_disk_that_somebody_else_fills_is_left_its_reserve() -> None:
    reserve = 500 * MB
    machine = Machine(write_rate=1e8, capacity=8 * GB, foreign_rate=2e9)
    result = run(machine, 1, time=300.0, reserve=reserve)
    assert reserve - 100 * MB < machine.lowest_free < reserve + 100 * MB
    assert "space" in stops_of(result)
    # where it is filled more slowly, all segments find room
    result = run(Machine(capacity=8 * GB, foreign_rate=5e8), 1, time=60.0)
    (notes,), write = result.result["partitions"], result.samples(WRITE)
    assert notes["segment_cut"] == "space"
    assert sum(write[n].bytes for n in range(25, 34)) == notes["segment_bytes"]


def test_bounds_of_the_user_are_kept_and_reach_all_patterns() -> None:
    bound = 400 * MB
    result = run(Machine(), 2, time=60.0, max_data=bound)
    assert 0.6 * bound < sum(result.machine.written.values()) <= bound
    assert "max-data" in stops_of(result)
    cuts = {one["segment_cut"] for one in result.result["partitions"]}
    assert cuts <= {"none", "max-data"}
    for bound in (6 * MB, 20 * MB):  # the first leaves some a call only
        made = run(Machine(), 2, time=60.0, partitions=[2], max_segment=bound, ranks=())
        (notes,) = made.result["partitions"]
        assert notes["segment_cut"] == "max-segment"
        assert bound - 4 * MB <= notes["segment_bytes"] <= bound
        write, scale = made.samples(WRITE), notes["segment_scale"]
        table, calls = patterns_of(range(5), 2 * MB), {n: write[n].repetitions for n in range(25)}
        for number in range(26, 33):
            wanted = repetitions_of(table, calls, table[number].l_bytes or 0)
            assert write[number].repetitions == max(1, int(wanted * scale))


def test_without_room_for_a_call_a_pattern_is_left_out() -> None:
    result = run(Machine(capacity=6 * MB), 1, time=10.0)
    skipped = [s for s in result.samples(WRITE).values() if s.status == "skipped"]
    assert skipped
    assert all("no space" in s.error for s in skipped if s.pattern < 25)
    assert not result.result["complete"]
    assert result.ending == io.Ending.DONE
    read = result.samples(READ)
    assert {read[s.pattern].status for s in skipped} == {"skipped"}


# --- errors ---


def run_that_fails(error: str, applies: Callable[[Any], bool]) -> Run:
    """A run of two processes of which the steps fail that `applies` selects."""
    machine = Machine(fail=lambda step: error if applies(step) else None)
    return run(machine, 2, time=5.0, partitions=[2])


def test_a_failed_pattern_is_marked_and_the_rest_goes_on() -> None:
    def applies(step: Any) -> bool:
        bad = step.verb == Verb.CALLS and step.pattern == 13 and step.first_call > 0
        return bad and bool(step.access == WRITE)

    result = run_that_fails("MPI_ERR_IO", applies)
    write = result.samples(WRITE)
    assert (write[13].status, write[13].error, write[13].repetitions) == ("failed", "MPI_ERR_IO", 1)
    assert write[14].status == "measured"
    ended = {o.pattern: o for o in result.finished(WRITE)}
    # One good call, two that were tried: the next pattern keeps off all three.
    assert (ended[13].calls, ended[13].sync) == (3, False)
    assert ended[14].placement.base == ended[13].placement.base + 3 * 2 * 1024
    assert result.samples(READ)[13].status == "skipped"
    assert not result.result["complete"]
    after = [o for o in result.steps if o.pattern == 14 and o.first_call == 0 and o.calls == 1]
    # The pointer is lost by the error, and jumps over the pattern later.
    assert [o.reposition for o in after if o.verb == Verb.CALLS] == [True, True, True]
    assert result.types(WRITE)[io.Type.SHARED].status == "failed"
    assert result.types(WRITE)[io.Type.SEPARATE].status == "measured"


def test_a_type_that_cannot_be_opened_is_left_out() -> None:
    result = run_that_fails(
        "NO_SUCH_FILE", lambda step: step.verb == Verb.OPEN and step.type == io.Type.SHARED
    )
    verbs = [o.verb for o in result.steps]
    assert (verbs.count(Verb.OPEN), verbs.count(Verb.CLOSE)) == (13, 12)
    write, read = result.types(WRITE), result.types(READ)
    assert write[io.Type.SHARED].status == "failed"
    assert "NO_SUCH_FILE" in write[io.Type.SHARED].error
    assert read[io.Type.SHARED].status == "skipped"
    # Types 3 and 4 do without the missing counts.
    assert read[io.Type.SEG_COLL].status == "measured"
    told = [one["facts"] for one in result.result["cautions"] if one["code"] == "failed file"]
    assert [fact["type"] for fact in told] == ["shared"]
    assert "nan" not in result.protocol
    assert "inf" not in result.protocol.replace("info", "")


def test_a_failed_sync_ends_the_run_where_a_file_is_shared_and_the_pattern_where_not() -> None:
    result = run_that_fails("full", lambda step: step.verb == Verb.FINISH and step.pattern == 4)
    assert result.ending == io.Ending.ABORT
    assert result.steps[-1].verb == Verb.FINISH
    assert result.result["samples"]["pattern"] == [0, 1, 2, 3, 4]
    assert result.result["types"]["status"] == ["failed"]
    result = run_that_fails("full", lambda step: step.verb == Verb.FINISH and step.pattern == 20)
    assert result.ending == io.Ending.DONE
    write = result.samples(WRITE)
    assert [write[n].status for n in (20, 21)] == ["failed", "measured"]


@pytest.mark.parametrize("stop_at", [0.0, 1.0, 7.5, 12.0, 29.0])
def test_a_signal_ends_the_run_in_order(stop_at: float) -> None:
    result = run(Machine(stop_at=stop_at), 4, time=30.0)
    assert result.ending == io.Ending.STOPPED
    assert not result.result["complete"]
    verbs = [o.verb for o in result.steps]
    assert verbs.count(Verb.OPEN) == verbs.count(Verb.CLOSE)
    assert verbs[-1] == Verb.END
    assert result.machine.now < stop_at + 2.0


def test_wrong_data_fail_the_pattern() -> None:
    def wrong(step: Any) -> int:
        return int(step.access == READ and step.pattern == 3)

    result = run(Machine(checked=10, wrong=wrong), 1, time=1.0, types=[io.Type.SCATTER])
    read = result.samples(READ)
    assert [read[n].status for n in (3, 4)] == ["failed", "measured"]
    assert "1 of 10 chunks" in read[3].error
    assert result.result["data_check"]["wrong_chunks"] == 1


def test_a_read_knows_which_patterns_were_rewritten() -> None:
    result = run(Machine(), 4, time=30.0, partitions=[2, 4], release=io.Release.R2_1)
    rewritten = {step.type: step.rewritten for step in result.finished(READ)}
    assert rewritten == {kind: kind == io.Type.SCATTER for kind in range(5)}
    assert not any(o.rewritten for o in result.steps if o.access != READ)
