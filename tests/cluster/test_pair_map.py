"""The map of pairs where the rate of every link is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cluster.emulation import Network, make_cell
from cluster.mpi import ClusterLibrary, result_of
from engines.support import assert_verified

LINK = 50.0
"""Mbit/s: so slow that the cores of a busy machine keep up."""
SHORTENED = [
    *("--memory-per-process", "64MiB", "--sizes", "0,20", "--methods", "sendrecv"),
    *("--patterns", "0", "--repetitions", "1"),
]


def pairs_on(network: Network, library: ClusterLibrary, folder: Path) -> dict[str, Any]:
    with make_cell(network) as cell:
        run = library.run(cell, network.hosts, *SHORTENED, cwd=folder, timeout=290)
    result = result_of(run, folder)
    assert_verified(folder)
    found: dict[str, Any] = result["pairs"]
    assert (found["unit"], found["units"]) == ("host", network.hosts)
    return found


@pytest.mark.timeout(400)
def test_pairs_with_a_link_at_a_quarter_of_the_rate(
    library: ClusterLibrary, tmp_path: Path
) -> None:
    pairs = pairs_on(Network(hosts=4, link_mbit=LINK, slow={2: LINK / 4}), library, tmp_path)
    met = list(zip(pairs["first"], pairs["second"], strict=True))
    exchange_ns = pairs["large_bytes"] * 8 / (LINK * 1e6) * 1e9
    for look in pairs["large_ns"]:
        for pair, ns in zip(met, look, strict=True):
            expected = exchange_ns * (4 if 2 in pair else 1)
            assert 0.7 * expected < ns < 1.6 * expected
