"""The shape of a network by hand-made samples."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.results import Plan, make_result, model_s

from beff.definition.b_eff_patterns import ONE_RING, PING_PONG, RANDOM_PATTERNS
from beff.result.b_eff_result import BEffResult
from beff.verify.fingerprint import fingerprint_of, fingerprint_text
from scripted_machine import Order

N = 4
PLAN = Plan(processes=N, hosts=(1,) * N, methods=("sendrecv",), memory=512 << 20)


def measured(times_s: dict[int, float], plan: Plan = PLAN, disturbed: float = 1.0) -> BEffResult:
    """Iterations of these seconds at each size; of a ping-pong the first repetition is disturbed.

    Of one ring and a random ring an iteration has two messages of each process, one after the
    other; of a ping-pong, there and back.
    """

    def iteration_s(plan: Plan, order: Order) -> float:
        is_disturbed = order["pattern"] == PING_PONG and order["repetition"] == 0
        seconds = times_s.get(order["pattern"]) or model_s(plan, order)
        return seconds / (disturbed if is_disturbed else 1.0)

    return BEffResult.model_validate(make_result(replace(plan, iteration_s=iteration_s)))


def times(ring: float, random: float) -> dict[int, float]:
    """A message of a ping-pong takes 1 ms, of one ring and of random rings as many ms."""
    return {
        PING_PONG: 2e-3,
        ONE_RING: 2e-3 * ring,
        **dict.fromkeys(RANDOM_PATTERNS, 2e-3 * random),
    }


@pytest.mark.parametrize(("ring", "random"), [(1.0, 1.0), (2.0, 5.0), (4.0, 4.0)])
def test_shares_of_the_ping_pong(ring: float, random: float) -> None:
    found = fingerprint_of(measured(times(ring, random)))
    assert found is not None
    for shape in (found.at_lmax, found.shortest):
        assert shape.ring == pytest.approx(1 / ring)
        assert shape.random == pytest.approx(1 / random)
    assert found.at_lmax.bytes == 4 << 20
    assert found.per_host == 1
    assert f"1 : {1 / ring:.2f} : {1 / random:.2f}" in fingerprint_text(found)


def test_shapes_mean_different_things() -> None:
    texts = {
        fingerprint_text(found).partition("byte: ")[2]
        for ring, random in ((1.0, 1.0), (1.0, 3.0), (2.0, 5.0), (4.0, 4.0))
        if (found := fingerprint_of(measured(times(ring, random))))
    }
    assert len(texts) == 4


@pytest.mark.parametrize(
    "result",
    [
        measured(times(1, 1), replace(PLAN, hosts=(4,))),
        measured(times(1, 1), replace(PLAN, hosts=(2, 2))),
        measured(times(1, 1), disturbed=1.2),
    ],
    ids=["one host", "ranks 0 and 1 on one host", "a disturbed ping-pong"],
)
def test_none_where_the_ping_pong_says_nothing(result: BEffResult) -> None:
    assert fingerprint_of(result) is None
