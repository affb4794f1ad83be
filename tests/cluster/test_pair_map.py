"""The map of pairs where the rate of every link is known."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest

from beff.analysis.check.finding import Verdict
from beff.analysis.check.hosts import check_hosts
from beff.model.load import load_document
from cluster.emulation import Network, make_cell
from cluster.mpi import ClusterLibrary, result_of
from engines.support import assert_verified

LINK = 50.0
"""Mbit/s: so slow that the cores of a busy machine keep up."""
MOST_SLOWER = 1.4
"""Where usual links take so many times as long as their rate allows, other work takes the cores."""
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
    usual = set(range(network.hosts)) - network.slow.keys() - network.lossy
    met = list(zip(found["first"], found["second"], strict=True))
    medians = [
        median(ns for pair, ns in zip(met, look, strict=True) if usual.issuperset(pair))
        for look in found["large_ns"]
    ]
    slower = max(medians) / exchange_ns(network, found)
    if slower > MOST_SLOWER:
        pytest.skip(f"links are used at 1/{slower:.1f} of their rate: this machine is too busy")
    return found


def exchange_ns(network: Network, pairs: dict[str, Any]) -> float:
    """Nanoseconds of a long message at the rate of a usual link."""
    return float(pairs["large_bytes"] * 8 / (network.link_mbit * 1e6) * 1e9)


@pytest.mark.timeout(400)
def test_pairs_with_a_link_at_a_quarter_of_the_rate(
    library: ClusterLibrary, tmp_path: Path
) -> None:
    network = Network(hosts=4, link_mbit=LINK, slow={2: LINK / 4})
    pairs = pairs_on(network, library, tmp_path)
    met = list(zip(pairs["first"], pairs["second"], strict=True))
    for look in pairs["large_ns"]:
        for pair, ns in zip(met, look, strict=True):
            expected = exchange_ns(network, pairs) * (4 if 2 in pair else 1)
            assert 0.7 * expected < ns < 1.6 * expected


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("network", "culprits"),
    [
        (Network(hosts=6, link_mbit=20), ()),
        (Network(hosts=6, link_mbit=20, slow={2: 20 / 3}), ("n2",)),
        (Network(hosts=6, link_mbit=20, lossy=frozenset({2})), ("n2",)),
    ],
    ids=["clean", "throttled", "lossy"],
)
def test_who_is_called_slow(
    network: Network, culprits: tuple[str, ...], library: ClusterLibrary, tmp_path: Path
) -> None:
    pairs_on(network, library, tmp_path)
    checked = check_hosts(load_document(tmp_path / "b_eff.json"))
    bad = [found.about for found in checked.findings if found.verdict == Verdict.BAD]
    assert (checked.bad_hosts, bad) == (culprits, [f"host {name}" for name in culprits])
