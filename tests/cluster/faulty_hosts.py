"""Emulated hosts of which it is known who is slow, for the tests and bench/check_clusters.py."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

from beff.analysis.check.finding import Verdict
from beff.analysis.check.hosts import check_hosts
from beff.model.load import load_document
from cluster.emulation import Network, make_cell
from cluster.mpi import ClusterLibrary, result_of
from engines.support import assert_verified

FAULTS = {
    "nothing slow": (Network(hosts=6, link_mbit=20), ()),
    "one x 3": (Network(hosts=6, link_mbit=20, slow={2: 20 / 3}), ("host n2",)),
    "one loses packets": (Network(hosts=6, link_mbit=20, lossy=frozenset({2})), ("host n2",)),
}
"""Six hosts on one switch, and who of them is slow."""
SHORTENED = [
    *("--memory-per-process", "64MiB", "--sizes", "0,20", "--methods", "sendrecv"),
    *("--patterns", "0", "--repetitions", "1"),
]


def pairs_on(network: Network, library: ClusterLibrary, folder: Path) -> dict[str, Any]:
    """Measure and verify; return the map of pairs."""
    with make_cell(network) as cell:
        run = library.run(cell, network.hosts, *SHORTENED, cwd=folder, timeout=290)
    result = result_of(run, folder)
    assert_verified(folder)
    found: dict[str, Any] = result["pairs"]
    return found


def called_bad(folder: Path) -> tuple[str, ...]:
    """Return the hosts and links that `beff check` calls bad after a run in a folder."""
    found = check_hosts(load_document(folder / "b_eff.json")).findings
    return tuple(finding.about for finding in found if finding.verdict == Verdict.BAD)


def slowdown(network: Network, pairs: dict[str, Any]) -> float:
    """Return by how much usual links are slower than their rate: what other work takes."""
    usual = set(range(network.hosts)) - network.slow.keys() - network.lossy
    met = list(zip(pairs["first"], pairs["second"], strict=True))
    medians = [
        median(ns for pair, ns in zip(met, look, strict=True) if usual.issuperset(pair))
        for look in pairs["large_ns"]
    ]
    return max(medians) / exchange_ns(network, pairs)


def exchange_ns(network: Network, pairs: dict[str, Any]) -> float:
    """Nanoseconds of a long message at the rate of a usual link."""
    return float(pairs["large_bytes"] * 8 / (network.link_mbit * 1e6) * 1e9)
