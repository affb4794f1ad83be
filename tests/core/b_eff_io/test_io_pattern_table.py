"""The table of patterns and their sizes, by both implementations."""

from __future__ import annotations

from typing import Any

import io_core as io
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.definition.b_eff_io_patterns import all_patterns, m_part_of, position

KB = 1 << 10
MB = 1 << 20
OFFICIAL = [io.Type(i) for i in range(5)]
M_PART = 16 * MB

# (l, L, U) by pattern number, from table 2 of the IPDPS paper.
SCATTER = [
    (MB, MB, 0), (M_PART, M_PART, 4), (MB, 2 * MB, 4), (MB, MB, 4), (32 * KB, MB, 2), (KB, MB, 2),
    (32 * KB + 8, MB + 256, 2), (KB + 8, MB + 8 * KB, 2), (MB + 8, MB + 8, 2),
]  # fmt: skip
CHUNKS = [MB, M_PART, MB, 32 * KB, KB, 32 * KB + 8, KB + 8, MB + 8]
SHARED_UNITS = [0, 4, 2, 1, 1, 1, 1, 2]
OTHER_UNITS = [0, 2, 2, 1, 1, 1, 1, 2]


def same(chunks: list[int], units: list[int]) -> list[tuple[int, int, int]]:
    return [(chunk, chunk, u) for chunk, u in zip(chunks, units, strict=True)]


def test_all_43_patterns_stand_as_published() -> None:
    expected = SCATTER + same(CHUNKS, SHARED_UNITS) + same(CHUNKS, OTHER_UNITS)
    expected += 2 * [*same(CHUNKS, OTHER_UNITS), (0, 0, 0)]
    patterns = io.make_patterns(OFFICIAL, M_PART)
    assert [(p.chunk, p.memory, p.time_units) for p in patterns] == expected
    assert [p.number for p in patterns] == list(range(43))


@pytest.mark.parametrize("m_part", [2 * MB, M_PART])
def test_second_implementation_has_the_same_table(m_part: int) -> None:
    def one(p: Any) -> tuple[Any, ...]:
        return p.number, int(p.type), p.chunk or None, p.memory or None, p.time_units, p.wellformed

    facts = all_patterns(m_part)
    patterns = io.make_patterns(list(io.Type), m_part)
    assert [one(p) for p in patterns] == [
        (f.number, f.type, f.chunk, f.memory, f.units, f.wellformed) for f in facts
    ]
    assert [p.position or None for p in patterns] == [position(f, m_part) for f in facts]


def test_units_add_up_to_64_and_36_patterns_are_reported() -> None:
    patterns = io.make_patterns(OFFICIAL, M_PART)
    assert sum(p.time_units for p in patterns) == 64
    assert sum(p.reported for p in patterns) == 36
    assert [p.number for p in patterns if p.kind == io.Kind.ONCE] == [0, 9, 17, 25, 34]
    assert [p.number for p in patterns if p.kind == io.Kind.FILL_UP] == [33, 42]


def test_the_printed_table_has_seven_rows_per_type_in_order_of_size() -> None:
    patterns = io.make_patterns(OFFICIAL, M_PART)
    for number in OFFICIAL:
        rows = sorted(
            (p.position, p.chunk) for p in patterns if p.type == number and p.position > 0
        )
        assert [position for position, _ in rows] == list(range(1, 8))
        assert [chunk for _, chunk in rows] == sorted(chunk for _, chunk in rows)
    beside = [p.number for p in patterns if p.reported and p.position == 0]
    assert beside == [2]


def test_only_plus_8_sizes_are_not_wellformed() -> None:
    for p in io.make_patterns(list(io.Type), M_PART):
        assert p.wellformed == (p.chunk % KB == 0)


def test_a_call_holds_whole_chunks() -> None:
    for p in io.make_patterns(OFFICIAL, M_PART):
        assert p.chunk * p.chunks_per_call == p.memory
    by_number = {p.number: p for p in io.make_patterns(OFFICIAL, M_PART)}
    assert by_number[6].chunks_per_call == 32
    assert by_number[7].chunks_per_call == 1024


def test_random_types_are_numbered_behind_the_official_ones() -> None:
    patterns = io.make_patterns(list(io.Type), M_PART)
    assert [p.number for p in patterns] == list(range(55))
    assert {int(p.type) for p in patterns[43:]} == {5, 6}


@pytest.mark.parametrize(
    ("memory", "bound", "expected"),
    [
        (256 * MB, 1024 * MB, 2 * MB),
        (64 * MB, 1024 * MB, 2 * MB),
        (1024 * MB, 1024 * MB, 8 * MB),
        (1100 * MB, 1024 * MB, 8 * MB),  # 8.59 MB
        (128 * 5 * MB - 1, 1024 * MB, 4 * MB),
        (1 << 40, 1024 * MB, 1024 * MB),
        (1 << 40, 3 * MB, 3 * MB),
    ],
)
def test_m_part(memory: int, bound: int, expected: int) -> None:
    assert io.m_part(memory, bound) == m_part_of(memory, bound) == expected


@given(st.integers(0, 1 << 45), st.integers(2 * MB, 1 << 40))
def test_m_part_is_wellformed_and_within_its_bounds(memory: int, bound: int) -> None:
    size = io.m_part(memory, bound)
    assert size == m_part_of(memory, bound)
    assert size > min(memory // 128, bound) - MB
    assert size % MB == 0
    assert 2 * MB <= size <= max(bound, 2 * MB)
    assert size <= max(memory // 128, 2 * MB)


def test_names_lead_back_to_types() -> None:
    for kind in io.Type:
        assert io.type_named(io.type_name(kind)) == kind
    assert io.type_named("diagonal") is None
