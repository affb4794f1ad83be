"""Repetitions of types 3 and 4 from types 0-2, and the segments they make."""

from __future__ import annotations

import io_core as io
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.definition.b_eff_io_patterns import patterns_of
from beff.definition.b_eff_io_plan import segment_bytes

KB = 1 << 10
MB = 1 << 20
PLAN = io.make_plan(4, time=60.0)

# Calls of types 0-2 and, worked out by hand, what type 3 makes of them.
CALLS = {
    0: 1, 1: 50, 2: 4, 3: 120, 4: 7, 5: 2, 6: 3, 7: 1, 8: 40,
    9: 1, 10: 3, 11: 100, 12: 30, 13: 500, 14: 9, 15: 102, 16: 4,
    17: 1, 18: 60, 19: 110, 20: 200, 21: 6000, 22: 95, 23: 1030, 24: 41,
}  # fmt: skip
TYPE_3 = {
    25: 1,
    26: 30,    # M_PART: min(50, 10·3, 60)
    27: 110,   # 1 MB: min(120, 10·100, 110); the 4 of pattern 2 do not count
    28: 200,   # 32 kB: min(7·32 = 224, 10·30, 200)
    29: 2048,  # 1 kB: min(2·1024, 10·500, 6000)
    30: 90,    # 32 kB + 8: min(3·32 = 96, 10·9, 95)
    31: 1020,  # 1 kB + 8: min(1·1024, 10·102, 1030)
    32: 40,    # 1 MB + 8: min(40, 10·4, 41)
}  # fmt: skip
CHUNKS = {
    25: MB, 26: 2 * MB, 27: MB, 28: 32 * KB, 29: KB, 30: 32 * KB + 8, 31: KB + 8, 32: MB + 8,
}  # fmt: skip


def assert_same(calls: dict[int, int], scale: float, unit: int, segment: int) -> None:
    """Length of the segments by the second implementation."""
    assert segment_bytes(patterns_of(range(5), 2 * MB), calls, scale, unit) == segment


def test_repetitions_by_hand() -> None:
    segment, cut, scale, patterns = io.counted_types(PLAN, CALLS)
    assert {number: patterns[number][1] for number in TYPE_3} == TYPE_3
    assert {number - 9: patterns[number][1] for number in range(34, 42)} == TYPE_3
    used = sum(CHUNKS[number] * calls for number, calls in TYPE_3.items())
    assert segment == -(-used // MB) * MB
    assert patterns[33] == patterns[42] == [segment - used, 1]
    assert 0 <= segment - used < MB
    assert (cut, scale) == ("none", 1.0)
    assert_same(CALLS, scale, MB, segment)


def test_a_larger_striping_unit_rounds_the_segment() -> None:
    segment, _, _, patterns = io.counted_types(PLAN, CALLS, unit=64 * MB)
    assert segment % (64 * MB) == 0
    assert patterns[33][0] < 64 * MB


@pytest.mark.parametrize("left_out", [io.Type.SEGMENTED, io.Type.SEG_COLL])
def test_a_segmented_type_needs_no_other(left_out: io.Type) -> None:
    segment, cut, scale, patterns = io.counted_types(PLAN, CALLS)
    types = [kind for kind in PLAN.types if kind != left_out]
    alone = io.counted_types(io.make_plan(4, time=60.0, types=types), CALLS)
    assert alone[:3] == (segment, cut, scale)
    assert alone[3] == {n: patterns[n] for n in alone[3]}
    assert len(alone[3]) == len(patterns) - 9


def test_patterns_that_were_not_measured_do_not_take_part() -> None:
    _, _, _, patterns = io.counted_types(PLAN, {1: 50, 18: 60, 3: 5})
    assert patterns[26][1] == 50
    assert patterns[27][1] == 5
    assert patterns[28][1] == 0
    assert patterns[25][1] == 1


def test_no_fill_up_where_the_segment_is_full() -> None:
    segment, _, _, patterns = io.counted_types(PLAN, {3: 5})
    assert segment == 6 * MB
    assert patterns[33] == [0, 0]


def test_max_segment_scales_all_repetitions_alike() -> None:
    full, _, _, patterns = io.counted_types(PLAN, CALLS)
    half = full // 2 // MB * MB
    segment, cut, scale, scaled = io.counted_types(PLAN, CALLS, max_segment=half)
    assert cut == "max-segment"
    assert half - 2 * MB - 2 * MB <= segment <= half
    for number in range(26, 33):
        assert scaled[number][1] == max(1, int(patterns[number][1] * scale))
    assert scaled[25] == [MB, 1]


@given(
    st.dictionaries(st.integers(0, 24), st.integers(1, 1 << 34), min_size=1),
    st.none() | st.integers(1, 1 << 46),
    st.integers(1, 1 << 47),
    st.sampled_from([MB, 4 * MB, 3 * MB + 8]),
)
def test_segments_hold_their_patterns_exactly(
    calls: dict[int, int], max_segment: int | None, per_process: int, unit: int
) -> None:
    segment, cut, scale, patterns = io.counted_types(
        PLAN, calls, unit=unit, max_segment=max_segment, per_process=per_process
    )
    assert segment % unit == 0
    assert_same(calls, scale, unit, segment)
    for first, fill_up in ((25, 33), (34, 42)):
        used = sum(patterns[n][0] * patterns[n][1] for n in range(first, fill_up))
        rest, count = patterns[fill_up]
        assert used + rest == segment
        assert 0 <= rest < unit
        assert count == (rest > 0)
    assert (cut == "none") == (scale == 1.0)
    smallest = sum(patterns[n][0] for n in range(25, 33) if patterns[n][1] > 0)
    if max_segment is not None and max_segment >= smallest + unit:
        assert segment <= max_segment


@pytest.mark.parametrize("bound", [100 * MB, 20 * MB])
def test_the_bound_holds_for_all_counted_types_together(bound: int) -> None:
    plan = io.make_plan(4, time=60.0, types=list(io.Type))
    segment, cut, _, patterns = io.counted_types(plan, CALLS, per_process=bound)
    random = sum(patterns[n][0] * patterns[n][1] for n in range(43, 55))
    assert 2 * segment + random <= bound
    assert cut == "space"
