"""What a run is made of before it begins."""

from __future__ import annotations

from typing import Any

import io_core as io
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.definition.b_eff_io_plan import default_partitions

MB = 1 << 20
GB = 1 << 30


@pytest.mark.parametrize(
    ("processes", "partitions"),
    [
        (1, [1]),
        (2, [1, 2]),
        (3, [1, 2, 3]),
        (4, [2, 3, 4]),
        (5, [2, 4, 5]),
        (7, [2, 4, 7]),
        (12, [2, 8, 12]),
        (16, [2, 8, 16]),
        (87, [4, 32, 87]),
        (128, [4, 32, 128]),
        (512, [8, 64, 512]),
        (1024, [16, 128, 1024]),
        (10_000, [32, 512, 10_000]),
    ],
)
def test_default_partitions(processes: int, partitions: list[int]) -> None:
    assert io.default_partitions(processes) == default_partitions(processes) == partitions


def test_release_1_gives_each_access_method_a_third() -> None:
    plan = io.make_plan(1, time=1920.0, release=io.Release.R1)
    assert plan.unit_time == pytest.approx(10.0)
    for access in io.Access:
        assert io.block_time(plan, access) == pytest.approx(640.0)
    assert io.ideal_time(plan, 1) == pytest.approx(40.0)


def test_release_2_1_shares_150_units() -> None:
    plan = io.make_plan(16, time=3 * 1500.0, release=io.Release.R2_1)
    assert plan.unit_time == pytest.approx(10.0)
    assert io.block_time(plan, io.Access.WRITE) == pytest.approx(640.0)
    assert io.block_time(plan, io.Access.REWRITE) == pytest.approx(220.0)
    assert io.has(plan, io.Access.REWRITE, io.Type.SCATTER)
    assert not io.has(plan, io.Access.REWRITE, io.Type.SHARED)
    everything = io.make_plan(
        16, time=3 * 1920.0, release=io.Release.R2_1, rewrite=io.RewriteSet.ALL
    )
    assert everything.unit_time == pytest.approx(10.0)


@given(
    processes=st.integers(1, 4096),
    release=st.sampled_from(list(io.Release)),
    time=st.floats(0.1, 1e5),
    types=st.lists(st.sampled_from(list(io.Type)), unique=True).map(
        lambda chosen: [io.Type.SEPARATE, *(t for t in chosen if t != io.Type.SEPARATE)]
    ),
)
def test_ideal_times_add_up_to_t(
    *,
    processes: int,
    release: Any,
    time: float,
    types: list[Any],
) -> None:
    plan = io.make_plan(
        processes,
        time=time,
        release=release,
        types=types,
    )
    of_value = [t for t in types if t < io.Type.RANDOM_SHARED]
    accesses = {t: sum(io.has(plan, access, t) for access in io.Access) for t in of_value}
    official = sum(
        io.ideal_time(plan, p.number) * accesses[p.type]
        for p in plan.patterns
        if p.type in accesses
    )
    assert official * len(plan.partitions) == pytest.approx(time)
    if of_value == types:
        assert plan.planned_time == pytest.approx(time)
    else:
        assert plan.planned_time > time


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"processes": 0}, "0: at least 1"),
        ({"time": -1.0}, "must be longer than 0"),
        ({"partitions": [2, 9]}, "9: a partition has 1 to 4"),
        ({"partitions": [0]}, "0: a partition has 1 to 4"),
        ({"types": [io.Type.SEGMENTED]}, "add one"),
        ({"max_data": MB}, "make the largest chunk smaller"),
        ({"max_chunk": MB}, "1 MiB: the largest chunk has at least 2 MiB"),
        ({"max_segment": 1000}, "a segment has at least 1 MiB"),
        ({"segment_unit": 1000}, "1000 B: a multiple of 8 byte"),
        ({"memory_per_process": 0}, "must be larger than 0"),
    ],
)
def test_impossible_plans_are_refused_with_a_way_out(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        io.make_plan(**{"processes": 4, **wrong})


def test_partitions_are_sorted_and_without_repeats() -> None:
    assert io.make_plan(8, partitions=[8, 2, 8]).partitions == [2, 8]


def test_the_largest_chunk_follows_from_the_memory_of_a_process() -> None:
    # 128 processes of 4 GiB each: the original has 32 MiB.
    assert io.make_plan(128, memory_per_process=4 * GB).m_part == 32 * MB
    assert not io.make_plan(128, memory_per_process=4 * GB).m_part_bounded
    large = io.make_plan(4, memory_per_process=256 * GB)
    assert (large.m_part, large.m_part_bounded) == (GB, True)
    assert io.make_plan(4, memory_per_process=GB, max_chunk=4 * MB).m_part == 4 * MB


def test_smallest_data_by_hand() -> None:
    plan = io.make_plan(4, partitions=[3], types=[io.Type.SEPARATE, io.Type.SEGMENTED])
    # Per process and type: 1 + 2 + 1 + 1 MB and 8 byte, 32 kB and 1 kB twice with 8 byte once each.
    of_type = 5 * MB + 2 * (32 + 1) * 1024 + 3 * 8
    assert io.smallest_data(plan, 3) == 3 * (of_type + 6 * MB)
    assert plan.minimal_space == io.smallest_data(plan, 3)


def test_official_schedules() -> None:
    assert io.make_plan(4).is_official
    assert io.make_plan(4, types=list(io.Type)).is_official
    assert io.make_plan(4, release=io.Release.R2_1).is_official
    assert not io.make_plan(4, types=[io.Type.SCATTER]).is_official
    assert not io.make_plan(4, max_data=64 * GB).is_official
    assert not io.make_plan(4, max_segment=64 * GB).is_official
    assert not io.make_plan(4, rewrite=io.RewriteSet.SCATTER_ONLY).is_official


def test_plan_text_says_time_and_space() -> None:
    text = io.plan_text(io.make_plan(16, time=180.0), 80 * GB)
    assert "time, scheduled 3 min" in text
    # One minute each: 1 + 2 + 2 and 1 + 10 + 10 minutes.
    assert "5 min where rewrite and read take twice as long as the write, 21 min where ten" in text
    assert "80 GiB; loops end" in text
    assert "1 MiB; that is too little" in io.plan_text(io.make_plan(16, time=180.0), 1 << 20)
    assert "that takes 45 min" in text
    assert len([line for line in text.splitlines() if line[:3].strip().isdigit()]) == 43
    assert "Too short" not in io.plan_text(io.make_plan(16, time=2700.0))


@pytest.mark.parametrize(
    ("release", "partitions", "minutes"),
    [
        (io.Release.R0_5, [1, 2, 4], 30),
        (io.Release.R1, [4], 15),
        (io.Release.R1, [1, 2, 4], 45),
        (io.Release.R2_1, [4], 30),
        (io.Release.R2_1, [1, 2, 4], 30),
    ],
)
def test_without_a_time_a_run_is_as_short_as_is_valid(
    release: Any, partitions: list[int], minutes: int
) -> None:
    plan = io.make_plan(4, time=0.0, release=release, partitions=partitions)
    assert plan.planned_time == pytest.approx(60 * minutes)
    assert "Too short" not in io.plan_text(plan)


def test_plan_json_has_the_field_names_of_the_result() -> None:
    plan = io.make_plan(4, time=192.0, release=io.Release.R2_1)
    data = io.plan_json(plan, 80 * GB)
    first = data["patterns"][0]
    assert set(first) >= {"number", "type", "l_bytes", "L_bytes", "U", "wellformed"}
    assert data["patterns"][33]["l_bytes"] is None
    assert [p["processes"] for p in data["partitions"]] == [2, 3, 4]
    assert data["patterns"][10]["ideal_s"]["rewrite"] is None
    assert data["space"] == {"minimal_bytes": plan.minimal_space, "free_bytes": 80 * GB}
