"""The map of pairs where the rate of every link is known, and who is slow."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from beff.judge.finding import Verdict
from beff.judge.hosts import check_hosts
from beff.maps.pair_map import PairMap, pair_map
from beff.result.b_pairs_result import BPairsResult
from beff.result.load import load_document
from cluster.emulation import Network, make_cell
from cluster.emulation.mpi import ClusterLibrary, result_of
from engines.support import assert_verified

MOST_SLOWER = 1.4
"""Where usual links take so many times as long as their rate allows, other work takes the cores."""
LINK = 50.0
"""Mbit/s: so slow that the cores of a busy machine keep up."""
SWITCHES = Network(hosts=6, link_mbit=LINK, backbone_mbit=1.5 * LINK)
"""What crosses gets all of it alone, and half where all cross."""
FAULTS = {
    "nothing slow": (Network(hosts=6, link_mbit=LINK), ()),
    "one x 3": (Network(hosts=6, link_mbit=LINK, slow={2: LINK / 3}), ("host n2",)),
    "two switches at a thin backbone": (SWITCHES, ()),
    "the same, one x 2": (replace(SWITCHES, slow={2: LINK / 2}), ("host n2",)),
}
"""Six hosts on one switch or two, and who of them is slow."""
OPTIONS = ["--memory-per-process", "64MiB", "--duration", "4s"]


def undisturbed(network: Network, library: ClusterLibrary, folder: Path) -> PairMap:
    """Measure and verify; return the map of pairs."""
    with make_cell(network) as cell:
        run = library.run(cell, network.hosts, *OPTIONS, cwd=folder, timeout=290, program="b_pairs")
    result = result_of(run, folder, "b_pairs")
    assert_verified(folder, "b_pairs")
    pairs = pair_map(BPairsResult.model_validate(result))
    assert (pairs.unit, pairs.units) == ("host", network.hosts)
    slower = slowdown(network, pairs)
    if slower > MOST_SLOWER:
        pytest.skip(f"links are used at 1/{slower:.1f} of their rate: this machine is too busy")
    return pairs


def called(folder: Path, *culprits: str) -> bool:
    """Return whether `beff check` calls these and no others bad after a run in a folder.

    By a run that others disturbed it calls none bad, and these suspect, if it shows anything.
    """
    found = check_hosts(load_document(folder / "b_pairs.json"))
    bad = {finding.about for finding in found if finding.verdict == Verdict.BAD}
    codes = {finding.code for finding in found}
    if "map calls none slow" in codes:
        suspects = {finding.about for finding in found if finding.code == "suspect"}
        return not bad and suspects >= {*culprits}
    return bad == ({*culprits} if "map shows nothing" not in codes else set())


def slowdown(network: Network, pairs: PairMap) -> float:
    """Return by how much usual links are slower than their rate: what other work takes.

    Between two switches they are slower by the backbone, too.
    """
    usual = set(range(network.hosts)) - network.slow.keys()
    met = np.isin(pairs.first, list(usual)) & np.isin(pairs.second, list(usual))
    switches = np.array([network.switch_of(host) for host in range(network.hosts)])
    met &= switches[pairs.first] == switches[pairs.second]
    return float(np.exp(np.nanmedian(pairs.times["large"][met]))) / exchange_ns(network, pairs)


def exchange_ns(network: Network, pairs: PairMap) -> float:
    """Nanoseconds of a long message at the rate of a usual link."""
    return float(pairs.bytes_of["large"] * 8 / (network.link_mbit * 1e6) * 1e9)


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
