"""The made-up machines that the judge of maps is tried on, against SimGrid on the same network."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.machines.faults import Fault
from support.machines.leaves import leaves
from support.machines.machine import Machine
from support.machines.measure import BYTES, map_of
from support.machines.noise import Noise

from beff.maps.pair_map import pair_map
from beff.result.b_pairs_result import BPairsResult
from simulated.faulty_clusters import HOP, LATENCY, RATE
from simulated.support import MPI_HEADER_BYTES, needs_simgrid, run_b_pairs
from simulated.support import leaves as simulated_leaves

pytestmark = needs_simgrid

SEED = 1
PASSES = 3
HOST_LINKS = 2
"""That a message within a leaf takes."""


@pytest.mark.parametrize("sizes", [(8, 8), (11, 5), (4, 4, 4, 4)])
@pytest.mark.parametrize(("taper", "slow"), [(1, 1.0), (2, 1.0), (4, 1.0), (1, 4.0), (2, 2.0)])
def test_times_of_pairs_are_those_of_simgrid(
    sizes: tuple[int, ...], taper: float, slow: float, tmp_path: Path
) -> None:
    """What crosses shares the uplinks by max-min fairness; one may be slow."""
    base_ns = {
        kind: 1e9 * (HOST_LINKS * LATENCY + (size + MPI_HEADER_BYTES) / RATE)
        for kind, size in BYTES.items()
    }
    tree = leaves(*sizes, hop=HOP, taper=taper)
    machine = Machine(
        tree,
        spread=0,
        noise=Noise(0),
        faults=(Fault(slow, uplinks=tree.uplink(0)),),
        base_ns=base_ns,
        handshakes=1,
        day=0,
        host_day=0,
        passes=PASSES,
    )
    uplinks = [max(size / taper, 1) * RATE for size in sizes]
    uplinks[0] /= slow
    late = (HOP - 1) * LATENCY
    network = simulated_leaves(sizes, bandwidth=RATE, uplinks=uplinks, uplink_latency=late)
    made, simulated = (
        map_of(machine, SEED),
        pair_map(BPairsResult.model_validate(run_b_pairs(tmp_path, network))),
    )
    assert np.array_equal(made.first, simulated.first)
    for kind, ns in made.times.items():
        assert np.exp(ns) == pytest.approx(np.exp(simulated.times[kind]), rel=0.012), kind
    # contention makes some pairs slower than others
    assert np.ptp(made.times["large"]) > np.log(1.3) or taper == slow == 1
