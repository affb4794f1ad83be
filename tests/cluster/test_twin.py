"""What a bisection shows of a thin backbone, and what an order gains, over TCP."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from beff.maps.matrix import matrix_of
from beff.result.load import as_b_pairs
from beff.twin.order import Sent, better_order, narrowest
from beff.twin.ways import ways_of
from cluster.emulation import make_cell
from cluster.emulation.mpi import ClusterLibrary
from cluster.emulation.two_switches import BACKBONE, DEALT, NETWORK, measured

ONE_RING = ("--patterns", "5", "--sizes", "20")


@pytest.mark.timeout(600)
def test_a_ring_gains_by_its_order_what_was_predicted(
    library: ClusterLibrary, tmp_path: Path
) -> None:
    """Dealt out, all 8 messages each way cross the backbone, and 2 of 8 switch by switch."""
    with make_cell(NETWORK) as cell:

        def ring(order: Sequence[str]) -> float:
            run = measured(cell, library, tmp_path, "b_eff", order, *ONE_RING)
            return float(run.fields["patterns"][0]["bandwidth_by_size_MBps"][-1])

        map_ = measured(cell, library, tmp_path, "b_pairs", NETWORK.host_names)
        ways = ways_of(as_b_pairs(map_))
        sent, now = Sent.of(matrix_of("nearest:1", 8)), np.array([int(name[1]) for name in DEALT])
        found = better_order(ways, sent, now)
        gain = ring([ways.names[host] for host in found]) / ring(DEALT)
    assert ways.groups.tolist() == [0] * 4 + [1] * 4
    carried = [NETWORK.payload_MBps(BACKBONE)] * 2
    assert ways.levels[0].carried / 1e6 == pytest.approx(carried, rel=0.35)
    assert int(np.sum(ways.groups[found] != ways.groups[np.roll(found, 1)])) == 2
    predicted = narrowest(ways, sent, now).seconds / narrowest(ways, sent, found).seconds
    assert gain == pytest.approx(predicted, rel=0.4)
