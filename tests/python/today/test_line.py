"""What the line of a day says of a machine in one of two states."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from random import Random

import pytest

from beff.today.line import two_speeds


def test_two_speeds_by_turns_are_seen() -> None:
    chance = Random(1)
    logs = [log(3.7 if run % 2 else 4.9) + chance.gauss(0, 0.02) for run in range(12)]
    assert [exp(one) for one in two_speeds(logs)] == pytest.approx([3.7, 4.9], rel=0.03)
    assert two_speeds(logs[:11]) == ()


NOISES: dict[str, Callable[[Random], float]] = {
    "gauss": lambda chance: chance.gauss(0, 0.1),
    "exponential": lambda chance: -chance.expovariate(10),
    "uniform": lambda chance: chance.uniform(-0.2, 0.2),
}


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("runs", [12, 20, 100])
def test_one_speed_is_not_two(noise: str, runs: int) -> None:
    chances = [Random(f"{noise} {runs} {seed}") for seed in range(300)]
    made = ([NOISES[noise](chance) for _ in range(runs)] for chance in chances)
    assert sum(bool(two_speeds(logs)) for logs in made) <= 3  # 1 %
