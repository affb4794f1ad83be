"""Message sizes and loop lengths."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beff.definition.b_eff_plan import largest_message, message_sizes
from program_core import core

MIB = 2**20


def test_sizes_for_one_mebibyte_of_lmax() -> None:
    sizes = core.message_sizes(core.largest_message(128 * MIB))
    assert sizes[:13] == [2**i for i in range(13)]
    # 4096 · 256^(k/8) = 4096 · 2^k
    assert sizes[13:] == [4096 * 2**k for k in range(1, 9)]


def test_lmax_is_bounded_where_int_has_32_bits() -> None:
    assert core.largest_message(2**40) == largest_message(2**40) == 128 * MIB


def test_sizes_by_hand() -> None:
    # L_max = 4096 · 1.5^8 = 104976, so every step is a factor of 1.5
    found = core.message_sizes(104976)
    assert found == message_sizes(104976)
    assert found[12:] == [4096, 6144, 9216, 13824, 20736, 31104, 46656, 69984, 104976]


@pytest.mark.parametrize("memory", [0, 1, 512 * 1024, 512 * 1024 + 127])
def test_too_little_memory_is_refused(memory: int) -> None:
    with pytest.raises(ValueError, match="must exceed 4096 byte"):
        core.largest_message(memory)


@given(st.integers(min_value=512 * 1024 + 128, max_value=2**36))
def test_sizes_never_decrease_and_end_at_lmax(memory: int) -> None:
    lmax = core.largest_message(memory)
    assert lmax == largest_message(memory)
    sizes = core.message_sizes(lmax)
    assert sizes == message_sizes(lmax)
    assert len(sizes) == 21
    assert sizes == sorted(sizes)
    assert sizes[-1] == lmax
    ratio = (lmax / 4096) ** (1 / 8)
    for k in range(1, 9):
        assert sizes[12 + k] == pytest.approx(4096 * ratio**k, abs=0.51)


def test_first_loop_comes_from_the_latency() -> None:
    # 1 µs per iteration, window 2.5 … 5 ms: the middle sqrt(2.5 · 5) = 3.536 ms
    assert core.next_loop_length(2.5e-3, None, (1, 1e-6), 1) == 3536


def test_bandwidth_bound_sizes_follow_the_line() -> None:
    # 1 GB/s without latency: 2 MB take 2 ms, so 3.536 / 2 rounds to 2 iterations
    length = core.next_loop_length(2.5e-3, (500_000, 0.5e-3), (1_000_000, 1e-3), 2_000_000)
    assert length == 2


def test_a_quicker_longer_message_does_not_stretch_the_loop() -> None:
    # 2 µs, then 1 µs: the line would lead below zero, but 4 byte take no less than 2
    assert core.next_loop_length(2.5e-3, (1, 2e-6), (2, 1e-6), 4) == 3536


@pytest.mark.parametrize("before_last", [None, (1, 5.69e-6)])
def test_a_slow_short_message_promises_no_fast_long_one_across_a_gap(
    before_last: tuple[int, float] | None,
) -> None:
    """Seen: 5.7 us for 1 byte, 1.6 us for 1 KiB, 0.3 s for 94 MiB, so 11 min for 2203 of them."""
    assert core.next_loop_length(2.5e-3, before_last, (1024, 1.605e-6), 98_736_336) == 1
    # 1 MiB at 10 GB/s takes 105 us
    assert core.next_loop_length(2.5e-3, before_last, (1024, 1.605e-6), MIB) == 34


def test_without_a_gap_bytes_bound_nothing() -> None:
    # 4 KiB, then 4 times as much: as the step is no longer than the largest of a whole run
    assert core.next_loop_length(2.5e-3, None, (4096, 1e-7), 16_384) == 35_355
    assert core.next_loop_length(2.5e-3, None, (4096, 1e-7), 16_385) == 8838


@given(st.integers(512 * 1024 + 128, 2**40))
def test_a_whole_run_has_no_gap(memory: int) -> None:
    sizes = core.message_sizes(core.largest_message(memory))
    assert all(following <= 4 * size for size, following in itertools.pairwise(sizes))


def test_slow_iteration_still_runs_once() -> None:
    assert core.next_loop_length(2.5e-3, (1, 8e-3), (2, 9e-3), 4) == 1


def test_clock_that_does_not_move_gives_a_bounded_length() -> None:
    assert core.next_loop_length(2.5e-3, None, (1, 0.0), 1) < 10**8


def test_fixed_lengths_of_definition_3_1() -> None:
    lmax = 4 * MIB
    assert core.fixed_loop_length(lmax, 1) == 300
    assert core.fixed_loop_length(lmax, MIB) == 4
    assert core.fixed_loop_length(lmax, lmax) == 1


@given(
    latency=st.floats(1e-7, 1e-3),
    bandwidth=st.floats(1e7, 1e11),
    memory=st.integers(2**20, 2**34),
)
def test_loops_of_a_linear_machine_last_as_long_as_they_should(
    latency: float, bandwidth: float, memory: int
) -> None:
    sizes = core.message_sizes(core.largest_message(memory))

    def time(size: int) -> float:
        return latency + size / bandwidth

    before = None
    last = (sizes[0], time(sizes[0]))
    for size in sizes:
        length = core.next_loop_length(2.5e-3, before, last, size)
        took = length * time(size)
        assert length >= 1
        if length > 2:
            assert 2.5e-3 / 1.2 <= took <= 5e-3 * 1.2
        elif length == 1:
            assert took >= 2e-3 or math.isclose(took, time(size))
        before = last if last[0] != size else None
        last = (size, time(size))
