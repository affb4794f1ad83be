"""Slow hosts where the rate of every link is known."""

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
    *("--memory-per-process", "64MiB", "--sizes", "19,20", "--methods", "sendrecv"),
    *("--patterns", "0,37,38,42,43,45,46"),
]
"""Patterns that cut four hosts into pairs; messages longer than what a link lets pass at once."""


def slow_hosts(network: Network, library: ClusterLibrary, folder: Path) -> dict[str, Any]:
    with make_cell(network) as cell:
        run = library.run(cell, network.hosts, *SHORTENED, cwd=folder, timeout=290)
    result = result_of(run, folder)
    assert_verified(folder)
    found: dict[str, Any] = result["slow_hosts"]
    return found


@pytest.mark.timeout(400)
def test_host_with_a_link_at_a_quarter_of_the_rate(library: ClusterLibrary, tmp_path: Path) -> None:
    network = Network(hosts=4, link_mbit=LINK, slow={2: LINK / 4})
    slow = slow_hosts(network, library, tmp_path)
    assert [(part["kind"], part["name"], part["messages"]) for part in slow["found"]] == [
        ("host", "n2", "long")
    ]
    assert 2.5 < slow["found"][0]["factor"] < 5


@pytest.mark.timeout(400)
def test_nobody_is_accused_where_all_links_are_alike(
    library: ClusterLibrary, tmp_path: Path
) -> None:
    slow = slow_hosts(Network(hosts=4, link_mbit=LINK), library, tmp_path)
    assert slow["verdict"] == "none found"
