"""Where every byte lies."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import io_core as io
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from io_core import MB

from beff.definition.b_eff_io_plan import all_patterns, default_partitions, m_part_of

KB = 1 << 10
SEGMENTS = [io.Type.SEGMENTED, io.Type.SEG_COLL]
OWN_FILE = [io.Type.SEPARATE, io.Type.RANDOM_SEPARATE]
PATTERNS = io.make_plan(1, types=list(io.Type)).patterns


def assert_covered(intervals: Iterable[tuple[int, int]], begin: int, end: int) -> None:
    """Without overlap and without hole."""
    for offset, length in sorted(intervals):
        assert offset == begin
        begin += length
    assert begin == end


def extents(place: Any, rank: int, first_call: int, calls: int) -> list[tuple[int, ...]]:
    """File, offset, length and place in memory of each chunk, in the order of moving."""
    return [tuple(extent.values()) for extent in io.core.extents(place, rank, first_call, calls)]


def chain(
    kind: Any, processes: int, calls: list[int], segment: int
) -> tuple[list[tuple[Any, int]], int]:
    """Placements of a type's patterns one behind the other, with their calls, and the end."""
    base = 0
    placed = []
    patterns = [p for p in PATTERNS if p.type == kind and p.l_bytes]
    for pattern, count in zip(patterns, calls, strict=False):
        chunk, per_call = pattern.l_bytes, pattern["L_bytes"] // pattern.l_bytes
        placement = io.place(kind, processes, chunk, per_call, base, segment, count, 17)
        placed.append((placement, count))
        base += io.core.advance(placement, count)
    return placed, base


@pytest.mark.parametrize("processes", range(1, 10))
@pytest.mark.parametrize("kind", list(io.Type))
@settings(max_examples=3)
@given(calls=st.lists(st.integers(1, 3), min_size=9, max_size=9))
def test_all_patterns_of_a_type_tile_their_files(
    kind: Any, processes: int, calls: list[int]
) -> None:
    _, length = chain(kind, processes, calls, 0)
    segment = -(-length // MB) * MB if kind in SEGMENTS else 0
    placed, length = chain(kind, processes, calls, segment)
    parts: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for rank in range(processes):
        stream: list[tuple[int, int]] = []
        for placement, count in placed:
            for file, offset, size, position in extents(placement, rank, 0, count):
                parts[file + (offset // segment if segment else 0)].append((offset, size))
                stream.append((position, size))
        assert_covered(stream, 0, sum(size for _, size in stream))
        assert stream == sorted(stream)
    assert sorted(parts) == [*range(processes if kind in (*OWN_FILE, *SEGMENTS) else 1)]
    for part, intervals in parts.items():
        assert_covered(intervals, part * segment, part * segment + length)


def test_layouts_by_hand() -> None:
    # Three processes, l = 4, L = 8, behind 100 byte: the second call of rank 1.
    scatter = io.place(io.Type.SCATTER, 3, 4, 2, base=99)
    assert extents(scatter, 1, 1, 1) == [(0, 99 + 7 * 4, 4, 33 + 8), (0, 99 + 10 * 4, 4, 33 + 12)]
    separate = io.place(io.Type.SEPARATE, 4, 1000, 1, base=7000)
    assert extents(separate, 2, 3, 1) == [(2, 10000, 1000, 10000)]
    segmented = io.place(io.Type.SEGMENTED, 4, 1000, 1, base=7000, segment=5 * MB)
    assert extents(segmented, 2, 3, 1) == [(0, 10 * MB + 10000, 1000, 10000)]


@given(
    st.sampled_from(list(io.Type)),
    st.integers(1, 1 << 20).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))),
    st.integers(0, 1 << 20),
)
def test_offsets_are_64_bit(kind: Any, rank_of: tuple[int, int], first: int) -> None:
    processes, rank = rank_of
    base, segment, slots = processes * 3 * MB, 1 << 40, 1 << 21
    place = io.place(kind, processes, MB, 1, base=base, segment=segment, slots=slots, seed=5)
    ((_, offset, _, stream),) = extents(place, rank, first, 1)
    if kind in (io.Type.SCATTER, io.Type.SHARED):
        assert offset == base + (first * processes + rank) * MB
        assert stream == 3 * MB + first * MB
    elif kind == io.Type.SEPARATE:
        assert offset == base + first * MB
    elif kind in SEGMENTS:
        assert offset == rank * segment + base + first * MB
    else:
        slot, rest = divmod(offset - base, MB)
        assert rest == 0
        assert 0 <= slot < slots * (processes if kind == io.Type.RANDOM_SHARED else 1)


def test_random_order_is_seeded_and_no_sequence() -> None:
    def offsets_of(kind: Any, rank: int, seed: int) -> tuple[int, ...]:
        place = io.place(kind, 4, KB, slots=500, seed=seed)
        return tuple(offset for _, offset, _, _ in extents(place, rank, 0, 500))

    offsets = offsets_of(io.Type.RANDOM_SHARED, 1, 3)
    assert offsets == offsets_of(io.Type.RANDOM_SHARED, 1, 3)
    assert offsets != offsets_of(io.Type.RANDOM_SHARED, 1, 4)
    steps = [b - a for a, b in pairwise(offsets)]
    assert sum(0 < step <= 8 * KB for step in steps) < 20
    assert 0.4 < sum(step > 0 for step in steps) / len(steps) < 0.6
    assert len({offsets_of(io.Type.RANDOM_SEPARATE, rank, 3) for rank in range(4)}) == 4


# --- what a run is made of before it begins ---


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
