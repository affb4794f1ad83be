"""The map of pairs where the rate of every link is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cluster.emulation import Network
from cluster.faulty_hosts import FAULTS, called_bad, exchange_ns, pairs_on, slowdown
from cluster.mpi import ClusterLibrary

LINK = 50.0
"""Mbit/s: so slow that the cores of a busy machine keep up."""
MOST_SLOWER = 1.4
"""Where usual links take so many times as long as their rate allows, other work takes the cores."""


def undisturbed(network: Network, library: ClusterLibrary, folder: Path) -> dict[str, Any]:
    pairs = pairs_on(network, library, folder)
    assert (pairs["unit"], pairs["units"]) == ("host", network.hosts)
    slower = slowdown(network, pairs)
    if slower > MOST_SLOWER:
        pytest.skip(f"links are used at 1/{slower:.1f} of their rate: this machine is too busy")
    return pairs


@pytest.mark.timeout(400)
def test_pairs_with_a_link_at_a_quarter_of_the_rate(
    library: ClusterLibrary, tmp_path: Path
) -> None:
    network = Network(hosts=4, link_mbit=LINK, slow={2: LINK / 4})
    pairs = undisturbed(network, library, tmp_path)
    met = list(zip(pairs["first"], pairs["second"], strict=True))
    for look in pairs["large_ns"]:
        for pair, ns in zip(met, look, strict=True):
            expected = exchange_ns(network, pairs) * (4 if 2 in pair else 1)
            assert 0.7 * expected < ns < 1.6 * expected


@pytest.mark.timeout(400)
@pytest.mark.parametrize("fault", FAULTS)
def test_who_is_called_slow(fault: str, library: ClusterLibrary, tmp_path: Path) -> None:
    network, culprits = FAULTS[fault]
    undisturbed(network, library, tmp_path)
    assert called_bad(tmp_path) == culprits
