"""Where every byte lies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import io_core as io
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

KB = 1 << 10
MB = 1 << 20
SHARED_FILE = [io.Type.SCATTER, io.Type.SHARED, io.Type.RANDOM_SHARED]
OWN_FILE = [io.Type.SEPARATE, io.Type.RANDOM_SEPARATE]
SEGMENTS = [io.Type.SEGMENTED, io.Type.SEG_COLL]
M_PART = 2 * MB


def intervals_cover(intervals: Iterable[tuple[int, int]], begin: int, end: int) -> bool:
    """Without overlap and without hole."""
    at = begin
    for offset, length in sorted(intervals):
        if offset != at:
            return False
        at += length
    return at == end


def extents(place: Any, rank: int, first_call: int, calls: int) -> list[tuple[int, ...]]:
    """File, offset, length and place in memory of each chunk, in the order of moving."""
    return [tuple(extent.values()) for extent in io.extents(place, rank, first_call, calls)]


def view_of(place: Any, rank: int) -> tuple[int, ...]:
    """Displacement, block and stride."""
    return tuple(io.view_of(place, rank).values())


def chain(
    kind: Any, processes: int, calls: list[int], segment: int
) -> tuple[list[tuple[Any, int]], int]:
    """Placements of a type's patterns one behind the other, with their calls, and the end."""
    base = 0
    placed = []
    patterns = [p for p in io.make_patterns([kind], M_PART) if p.chunk > 0]
    for pattern, count in zip(patterns, calls, strict=False):
        placement = io.place(
            kind, processes, pattern.chunk, pattern.chunks_per_call, base, segment, count, 17
        )
        placed.append((placement, count))
        base += io.advance(placement, count)
    return placed, base


@pytest.mark.parametrize("processes", range(1, 10))
@pytest.mark.parametrize("kind", list(io.Type))
@settings(max_examples=3)
@given(calls=st.lists(st.integers(1, 3), min_size=9, max_size=9))
def test_all_patterns_of_a_type_tile_their_files(
    kind: Any, processes: int, calls: list[int]
) -> None:
    _, length = chain(kind, processes, calls, 0)
    segment = -(-length // MB) * MB
    placed, length = chain(kind, processes, calls, segment if kind in SEGMENTS else 0)
    files: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for rank in range(processes):
        stream: list[tuple[int, int]] = []
        for placement, count in placed:
            for file, offset, size, position in extents(placement, rank, 0, count):
                files[file].append((offset, size))
                stream.append((position, size))
        assert intervals_cover(stream, 0, sum(size for _, size in stream))
        assert stream == sorted(stream)
    if kind in SHARED_FILE:
        assert intervals_cover(files[0], 0, length)
    elif kind in OWN_FILE:
        assert sorted(files) == list(range(processes))
        assert all(intervals_cover(own, 0, length) for own in files.values())
    else:
        by_segment: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for offset, size in files[0]:
            by_segment[offset // segment].append((offset, size))
        for rank in range(processes):
            assert intervals_cover(by_segment[rank], rank * segment, rank * segment + length)


def test_scatter_by_hand() -> None:
    # Three processes, l = 4, L = 8, behind 100 byte: the second call of rank 1.
    place = io.place(io.Type.SCATTER, 3, 4, 2, base=99)
    assert extents(place, 1, 1, 1) == [(0, 99 + 7 * 4, 4, 33 + 8), (0, 99 + 10 * 4, 4, 33 + 12)]
    assert view_of(place, 1) == (99 + 4, 4, 12)


def test_shared_is_the_scatter_layout_with_one_chunk_per_call() -> None:
    shared = io.place(io.Type.SHARED, 5, KB + 8, 1, base=40 * MB)
    scatter = io.place(io.Type.SCATTER, 5, KB + 8, 4, base=40 * MB)
    assert extents(shared, 3, 0, 8) == extents(scatter, 3, 0, 2)


def test_separate_and_segmented_by_hand() -> None:
    separate = io.place(io.Type.SEPARATE, 4, 1000, 1, base=7000)
    assert extents(separate, 2, 3, 1) == [(2, 10000, 1000, 10000)]
    segmented = io.place(io.Type.SEGMENTED, 4, 1000, 1, base=7000, segment=5 * MB)
    assert extents(segmented, 2, 3, 1) == [(0, 10 * MB + 10000, 1000, 10000)]
    assert view_of(segmented, 2) == (10 * MB + 7000, 1000, 1000)


@pytest.mark.parametrize("kind", [io.Type.SCATTER, io.Type.SHARED])
@given(
    processes=st.integers(1, 9),
    chunk=st.integers(1, 4096),
    per_call=st.integers(1, 8),
    base=st.integers(0, 1 << 40),
    data=st.data(),
)
def test_the_view_sees_exactly_the_extents(
    *, kind: Any, processes: int, chunk: int, per_call: int, base: int, data: st.DataObject
) -> None:
    rank = data.draw(st.integers(0, processes - 1))
    place = io.place(kind, processes, chunk, per_call, base=base)
    displacement, block, stride = view_of(place, rank)
    for i, (_, offset, length, _) in enumerate(extents(place, rank, 0, 3)):
        assert (offset, length) == (displacement + i * stride, block)


@given(
    kind=st.sampled_from(list(io.Type)),
    processes=st.integers(1, 1 << 20),
    first=st.integers(0, 1 << 20),
    data=st.data(),
)
def test_offsets_are_64_bit(kind: Any, processes: int, first: int, data: st.DataObject) -> None:
    rank = data.draw(st.integers(0, processes - 1))
    base = processes * 3 * MB
    segment = 1 << 40
    slots = 1 << 21
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


def test_a_pattern_of_more_than_2_gib_per_call_and_8_eib_of_file() -> None:
    place = io.place(io.Type.SCATTER, 1000, 3 << 30, 1)
    calls = (1 << 61) // (1000 * (3 << 30))
    ((_, offset, length, _),) = extents(place, 999, calls, 1)
    assert length == 3 << 30
    assert offset == (calls * 1000 + 999) * (3 << 30)
    assert offset > 1 << 60


def test_random_order_is_seeded_and_no_sequence() -> None:
    place = io.place(io.Type.RANDOM_SHARED, 4, KB, slots=500, seed=3)
    offsets = [offset for _, offset, _, _ in extents(place, 1, 0, 500)]
    again = [offset for _, offset, _, _ in extents(place, 1, 0, 500)]
    other_seed = io.place(io.Type.RANDOM_SHARED, 4, KB, slots=500, seed=4)
    assert offsets == again
    assert offsets != [offset for _, offset, _, _ in extents(other_seed, 1, 0, 500)]
    steps = [b - a for a, b in pairwise(offsets)]
    assert sum(0 < step <= 8 * KB for step in steps) < 20
    assert 0.4 < sum(step > 0 for step in steps) / len(steps) < 0.6


def test_random_files_of_different_processes_have_different_orders() -> None:
    place = io.place(io.Type.RANDOM_SEPARATE, 4, KB, slots=100, seed=3)
    orders = {tuple(o for _, o, _, _ in extents(place, rank, 0, 100)) for rank in range(4)}
    assert len(orders) == 4


def test_file_names_differ_between_partitions_types_and_processes() -> None:
    names = {
        io.file_name(partition, kind, rank)
        for partition in range(3)
        for kind in OWN_FILE
        for rank in range(20)
    }
    assert len(names) == 3 * 2 * 20
    assert io.file_name(0, io.Type.SHARED, 3) == io.file_name(0, io.Type.SHARED, 7)
