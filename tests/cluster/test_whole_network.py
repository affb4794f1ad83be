"""Bisection and processes per host on emulated hosts, against the rates of their links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cluster.emulation import Network, make_cell
from cluster.emulation.mpi import ClusterLibrary, result_of
from engines.support import assert_verified

LINK, BACKBONE = 40.0, 60.0
"""Mbit/s: so slow that the cores of a busy machine keep up."""
MAP = ("--memory-per-process", "64MiB", "--duration", "3s")


def measured(
    network: Network, library: ClusterLibrary, folder: Path, *options: str, per_host: int = 1
) -> dict[str, Any]:
    processes = per_host * network.hosts
    with make_cell(network) as cell:
        run = library.run(
            cell,
            processes,
            *(*MAP, *options),
            cwd=folder,
            per_host=per_host,
            timeout=290,
            program="b_pairs",
        )
    result = result_of(run, folder, "b_pairs")
    assert_verified(folder, "b_pairs")
    return result


@pytest.mark.timeout(400)
def test_what_crosses_a_thin_backbone(library: ClusterLibrary, tmp_path: Path) -> None:
    """Halves by number are the two switches, so 4 pairs share the backbone, each way."""
    network = Network(hosts=8, link_mbit=LINK, backbone_mbit=BACKBONE)
    options = ("--bisection", "--random-halves", "0", "--message-size", "512KiB")
    summary = measured(network, library, tmp_path, *options)["summary"]
    assert summary["bisection_MBps"] == pytest.approx(2 * network.payload_MBps(BACKBONE), rel=0.15)
    full = 4 * 2 * network.payload_MBps(LINK)
    share = 100 * 2 * network.payload_MBps(BACKBONE) / full
    assert summary["bisection_percent"] == pytest.approx(share, rel=0.15)


@pytest.mark.timeout(400)
def test_one_process_fills_a_slow_port(library: ClusterLibrary, tmp_path: Path) -> None:
    network = Network(hosts=4, link_mbit=LINK)
    options = ("--per-host", "1,2", "--message-size", "512KiB")
    result = measured(network, library, tmp_path, *options, per_host=2)
    rows, full = result["per_host"], network.payload_MBps(LINK)
    columns = zip(rows["processes"], rows["traffic"], rows["pairs"], rows["rate"], strict=True)
    rates = {row[:3]: row[3] for row in columns}
    assert rates[1, "one way", 1] > 0.8 * full
    assert result["summary"]["host_MBps"] == pytest.approx(full, rel=0.25)  # a limit lets bursts by
    assert rates[1, "one way", 2] == pytest.approx(rates[1, "one way", 1], rel=0.15)
    assert result["summary"]["host_messages_per_s"] > 0
