"""What a run is made of before it begins."""

from typing import Any

import io_core as io
import pytest
from hypothesis import given
from hypothesis import strategies as st
from io_core import MB

from beff.definition.b_eff_io_plan import (
    all_patterns,
    default_partitions,
    m_part_of,
)

KB = 1 << 10


@given(st.integers(1, 4096), st.integers(1, 1 << 45), st.integers(2 * MB, 1 << 40))
def test_the_plan_is_that_of_the_definition(processes: int, memory: int, bound: int) -> None:
    """Its table as published stands in docs/reference/definitions-b_eff_io.md."""
    plan = io.make_plan(processes, memory_per_process=memory, max_chunk=bound, types=list(io.Type))
    assert [one["processes"] for one in plan.partitions] == default_partitions(processes)
    assert plan.schedule.m_part_bytes == m_part_of(memory, bound)
    names = ("number", "type", "l_bytes", "L_bytes", "U", "wellformed")
    assert [tuple(pattern[name] for name in names) for pattern in plan.patterns] == [
        (f.number, f.type, f.l_bytes, f.L_bytes, f.U, f.wellformed)
        for f in all_patterns(plan.schedule.m_part_bytes)
    ]


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


def test_smallest_data_by_hand() -> None:
    plan = io.make_plan(4, partitions=[3, 3], types=[io.Type.SEPARATE, io.Type.SEGMENTED])
    # Per process and type: 1 + 2 + 1 + 1 MB and 8 byte, 32 kB and 1 kB twice with 8 byte once each.
    of_type = 5 * MB + 2 * (32 + 1) * 1024 + 3 * 8
    assert plan.space.minimal_bytes == 3 * (of_type + 6 * MB)


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
    assert plan.schedule.planned_s == pytest.approx(60 * minutes)
