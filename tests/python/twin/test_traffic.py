"""Which messages leave a host, counted by hand and against the messages of the definition."""

from __future__ import annotations

import numpy as np
import pytest

from beff.twin.traffic import traffic_of
from beff.verify.b_eff.definition import Draw, patterns_for, rings_in

BLOCK, CYCLIC = [0, 0, 1, 1], [0, 1, 0, 1]


def test_one_ring_of_four_on_two_hosts() -> None:
    """Each process sends to both neighbours."""
    block, cyclic = (traffic_of(5, placement, Draw(1)) for placement in (BLOCK, CYCLIC))
    assert block.leaving().tolist() == block.entering().tolist() == [2, 2]
    assert cyclic.leaving().tolist() == cyclic.entering().tolist() == [4, 4]
    assert (block.most_inside(), cyclic.most_inside()) == (1, 0)
    assert (block.between(0, 1), cyclic.between(1, 0)) == (2, 4)


def test_pairs_send_one_message_each() -> None:
    assert traffic_of(0, BLOCK, Draw(1)).leaving().tolist() == [0, 0]
    assert traffic_of(0, CYCLIC, Draw(1)).leaving().tolist() == [2, 2]


def test_what_crosses_between_groups_of_hosts() -> None:
    traffic = traffic_of(5, [0, 1, 2, 3, 4, 5], Draw(1))
    out, into = traffic.crossing(np.array([0, 0, 0, 1, 1, 1]))
    assert out.tolist() == into.tolist() == [2, 2]


@pytest.mark.parametrize("processes", [2, 3, 7, 16])
def test_senders_and_receivers_are_those_of_the_definition(processes: int) -> None:
    facts = patterns_for(processes)
    for pattern in range(36):
        traffic = traffic_of(pattern, list(range(processes)), Draw(12345))
        assert len(traffic.sender) == facts[pattern].messages
        neighbours = {
            (rank, other)
            for ring in rings_in(pattern, processes, Draw(12345))
            for place, rank in enumerate(ring)
            for other in (ring[place - 1], ring[(place + 1) % len(ring)])
        }
        sent = zip(traffic.source.tolist(), traffic.target.tolist(), strict=True)
        assert set(sent) == neighbours
