"""What half of the latency and twice the bandwidth would bring."""

from __future__ import annotations

import pytest

from beff.definition.b_eff_plan import message_sizes
from beff.judge.limit import gains_of

SIZES = message_sizes(2**20)


def curve(latency_s: float, rate: float) -> list[float]:
    return [size / (latency_s + size / rate) for size in SIZES]


@pytest.mark.parametrize("latency_s", [1e-7, 2e-6, 1e-5, 1e-4, 1e-3])
def test_gains_are_those_of_a_machine_that_is_so_much_better(latency_s: float) -> None:
    now = sum(curve(latency_s, 1e10))
    found = gains_of(SIZES, curve(latency_s, 1e10))
    latency = sum(curve(latency_s / 2, 1e10)) / now - 1
    bandwidth = sum(curve(latency_s, 2e10)) / now - 1
    assert found.latency == pytest.approx(latency, rel=0.15, abs=0.02)
    assert found.bandwidth == pytest.approx(bandwidth, rel=0.15, abs=0.02)
    assert (found.latency > found.bandwidth) == (latency > bandwidth)


def test_a_curve_that_falls_has_no_gain_above_all() -> None:
    found = gains_of([1, 2, 4], [1.0, 8.0, 2.0])
    assert 0 <= found.latency <= 1
    assert 0 <= found.bandwidth <= 1


def test_sizes_that_round_to_the_same_count_once() -> None:
    assert gains_of([1, 2, 2], [1.0, 2.0, 2.0]) == gains_of([1, 2], [1.0, 2.0])
