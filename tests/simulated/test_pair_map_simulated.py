"""The map of pairs on simulated clusters whose links are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulated.support import needs_simgrid, run_b_eff, star

pytestmark = needs_simgrid

SHORTENED = ("--sizes", "0", "--patterns", "0", "--repetitions", "1")


@pytest.mark.parametrize(("hosts", "culprit"), [(4, 2), (8, 0), (16, 11)])
def test_pairs_with_a_link_at_a_quarter_of_the_rate(
    tmp_path: Path, hosts: int, culprit: int
) -> None:
    network = star(hosts, bandwidth=125e6, latency=50e-6, slow={culprit: 0.25})
    pairs = run_b_eff(tmp_path, network, network.hosts, *SHORTENED)["pairs"]
    assert (pairs["unit"], pairs["units"]) == ("host", hosts)
    slow_pairs, others = [], []
    for look in pairs["large_ns"]:
        for first, second, ns in zip(pairs["first"], pairs["second"], look, strict=True):
            (slow_pairs if culprit in (first, second) else others).append(ns)
    assert max(others) == pytest.approx(min(others), rel=0.05)
    assert min(slow_pairs) == pytest.approx(4 * min(others), rel=0.15)
    retests = list(zip(pairs["retests"]["first"], pairs["retests"]["second"], strict=True))
    assert all(culprit in pair for pair in retests)
