"""How space is divided among the patterns of the initial write."""

from __future__ import annotations

import io_core as io
import pytest
from io_core import MB

PLAN = io.make_plan(4, time=192.0, partitions=[1, 3])


def test_room_is_what_the_reserve_and_the_bound_leave() -> None:
    plan = io.make_plan(3, time=60.0, partitions=[1, 3], reserve=10 * MB, max_data=400 * MB)
    room = io.room_of(plan, 3, 60 * MB, 250 * MB)
    assert (room.on_disk, room.in_bound) == (50 * MB, 50 * MB)
    full = io.room_of(plan, 1, 5 * MB, 101 * MB)
    assert (full.on_disk, full.in_bound) == (0, 0)


def test_room_without_bounds_is_unlimited() -> None:
    room = io.room_of(PLAN, 3, io.UNLIMITED, MB)
    assert (room.on_disk, room.in_bound) == (io.UNLIMITED, io.UNLIMITED)
    assert io.space_budget(PLAN, 0, 1, MB, room) == [io.UNLIMITED, False]
    assert io.space_budget_of_counted(PLAN, 0, room) == [io.UNLIMITED, False]


def test_patterns_share_what_none_needs_for_one_call_by_u_and_processes() -> None:
    spare = 640 * MB
    needed = io.smallest_data(PLAN, 1) + io.smallest_data(PLAN, 3)
    share, by_bound = io.space_budget(PLAN, 0, 1, 7 * MB, {"on_disk": needed + spare})
    # 4 U of 64 in partitions of 1 and 3 processes; what fills up segments is rounded up.
    assert share == pytest.approx(7 * MB + spare * 4 / (64 * 4), rel=0.01)
    assert not by_bound
    room = {"on_disk": io.smallest_data(PLAN, 3) + spare}
    later, _ = io.space_budget(PLAN, 1, 1, 7 * MB, room)
    assert later == pytest.approx(7 * MB + spare * 4 / 64, rel=0.01)


def test_the_bound_is_of_one_partition_and_the_narrower_one_counts() -> None:
    room = {"on_disk": 100_000 * MB, "in_bound": io.smallest_data(PLAN, 1) + 640 * MB}
    assert io.space_budget(PLAN, 0, 1, MB, room) == [pytest.approx(MB + 40 * MB, rel=0.01), True]


def test_counted_types_get_the_whole_bound_that_is_left() -> None:
    room = {"in_bound": 900 * MB}
    assert io.space_budget_of_counted(PLAN, 1, room) == [900 * MB, True]


def test_without_room_the_smallest_amount_is_asked_for() -> None:
    share, _ = io.space_budget(PLAN, 0, 1, 7 * MB, {"on_disk": 0})
    assert share == 7 * MB
