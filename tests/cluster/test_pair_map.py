"""The map of pairs where the rate of every link is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from beff.maps.pair_map import PairMap
from cluster.emulation import Network
from cluster.emulation.faulty_hosts import FAULTS, called, exchange_ns, pairs_on, slowdown
from cluster.emulation.mpi import ClusterLibrary

MOST_SLOWER = 1.4
"""Where usual links take so many times as long as their rate allows, other work takes the cores."""


def undisturbed(network: Network, library: ClusterLibrary, folder: Path) -> PairMap:
    pairs = pairs_on(network, library, folder)
    assert (pairs.unit, pairs.units) == ("host", network.hosts)
    slower = slowdown(network, pairs)
    if slower > MOST_SLOWER:
        pytest.skip(f"links are used at 1/{slower:.1f} of their rate: this machine is too busy")
    return pairs


@pytest.mark.timeout(400)
@pytest.mark.parametrize("fault", FAULTS)
def test_who_is_called_slow(fault: str, library: ClusterLibrary, tmp_path: Path) -> None:
    network, culprits = FAULTS[fault]
    pairs = undisturbed(network, library, tmp_path)
    if network.backbone_mbit is None:
        times = np.where((pairs.first == 2) | (pairs.second == 2), 3 if culprits else 1, 1)
        share = np.exp(pairs.times["large"]) / exchange_ns(network, pairs) / times
        assert 0.7 < np.quantile(share, 0.05) < np.quantile(share, 0.9) < 1.6
    assert called(tmp_path, *culprits)
