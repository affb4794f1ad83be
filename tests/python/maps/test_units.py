"""From where on a unit is slow, by the scatter of all: on both sides of each limit."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from support.levels import constant

from beff.maps.findings import Status
from beff.maps.judge_pairs import judge_pairs

UNITS = 32
SPREAD = 0.02


@pytest.mark.parametrize(
    ("short_too", "deviations", "status"),
    [
        (False, 6.4, Status.GOOD),
        (False, 7.4, Status.SLOW),
        (True, 4.0, Status.GOOD),
        (True, 4.4, Status.SLOW),
    ],
)
def test_a_unit_far_above_the_others(short_too: bool, deviations: float, status: Status) -> None:
    """31 units scatter as the quantiles of a normal distribution; the last one lies above them.

    Of messages of one length 7 deviations count, of both 3.5.
    One at 4.0 or 4.4 is itself among those that show the deviation, which is a quarter larger.
    """
    places = (np.arange(UNITS - 1) + 0.5) / (UNITS - 1)
    usual = [SPREAD * NormalDist().inv_cdf(place) for place in places]
    excess = deviations * SPREAD
    short = np.exp([*usual[1::2], *usual[::2], excess if short_too else 0.0])
    long = np.exp([*usual, excess])
    pairs = constant(np.outer(short, short), np.outer(long, long))
    found = judge_pairs(pairs, slow=SPREAD)
    assert found.units[-1].status == status
    assert {unit.status for unit in found.units[:-1]} == {Status.GOOD}
