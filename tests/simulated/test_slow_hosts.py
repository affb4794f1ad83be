"""Slow hosts on simulated clusters whose links are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from simulated.support import needs_simgrid, run_b_eff, star, star_with_jitter

pytestmark = needs_simgrid

SHORTENED = ("--sizes", "0,6,12,17,19,20", "--repetitions", "3")
"""Both lengths of messages; the loops say the same three times, as they would on a real cluster."""


@pytest.mark.parametrize(("hosts", "culprit"), [(4, 2), (8, 0), (16, 11)])
def test_host_with_a_link_at_a_quarter_of_the_rate(
    tmp_path: Path, hosts: int, culprit: int
) -> None:
    network = star(hosts, bandwidth=125e6, latency=50e-6, slow={culprit: 0.25})
    slow = run_b_eff(tmp_path, network, network.hosts, *SHORTENED)["slow_hosts"]
    assert slow["unit"] == "host"
    assert [(p["kind"], p["name"], p["messages"]) for p in slow["found"]] == [
        ("host", f"n{culprit}", "long")
    ]
    assert slow["found"][0]["factor"] == pytest.approx(4, rel=0.1)
    assert slow["found"][0]["confidence"] == "high"


def test_nobody_is_accused_where_all_links_are_alike(tmp_path: Path) -> None:
    network = star(8, bandwidth=125e6, latency=50e-6)
    slow = run_b_eff(tmp_path, network, network.hosts, *SHORTENED)["slow_hosts"]
    assert slow["verdict"] == "none found"


@pytest.mark.parametrize("seed", range(2))
def test_nobody_is_accused_for_links_that_all_change_with_time(tmp_path: Path, seed: int) -> None:
    """Each link between half and full rate, anew every 10 to 50 ms."""
    random = np.random.default_rng(seed)
    profiles = []
    for _ in range(8):
        times = np.cumsum(random.uniform(0.01, 0.05, 20)) - 0.01
        times[0] = 0.0
        profiles.append([(float(t), float(125e6 * random.uniform(0.5, 1.0))) for t in times])
    network = star_with_jitter(tmp_path, profiles, latency=50e-6, loop_after_s=0.05)
    slow = run_b_eff(tmp_path, network, network.hosts, *SHORTENED, seed=seed)["slow_hosts"]
    assert slow["verdict"] == "none found"
