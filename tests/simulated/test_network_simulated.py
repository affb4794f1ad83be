"""Bisection and processes per host on simulated networks, against arithmetic."""

from pathlib import Path
from typing import Any

import pytest

from beff.launch.networks import Platform
from simulated.support import leaves, needs_simgrid, run_b_pairs, star

pytestmark = needs_simgrid

RATE = 125e6
"""Of a link in byte/s: latencies are a thousandth of the time of a message of 16 MiB."""
BISECTION = ("--memory-per-process", "2GiB", "--bisection", "--random-halves")


def bisection(folder: Path, network: Platform, drawn: int = 0) -> dict[str, Any]:
    return run_b_pairs(folder, network, options=(*BISECTION, str(drawn)))


def tree(hosts: int, taper: float, first: float = 1.0) -> Platform:
    """Four leaves; halves by number are two leaves each, so all pairs cross."""
    up = hosts / 4 * RATE / taper
    return leaves([hosts // 4] * 4, bandwidth=RATE, uplinks=[first * up, up, up, up])


@pytest.mark.parametrize("hosts", [16, 64])
@pytest.mark.parametrize("taper", [1, 2, 4])
def test_a_tapered_tree(tmp_path: Path, hosts: int, taper: float) -> None:
    summary = bisection(tmp_path, tree(hosts, taper))["summary"]
    assert summary["bisection_MBps"] == pytest.approx(hosts * RATE / taper / 1e6, rel=0.01)
    assert summary["bisection_maximum_MBps"] == pytest.approx(summary["bisection_MBps"], rel=0.01)
    assert summary["bisection_percent"] == pytest.approx(100 / taper, rel=0.01)


def test_an_uplink_at_a_half(tmp_path: Path) -> None:
    """Of eight pairs the four of the first leaf have half of their bandwidth."""
    result = bisection(tmp_path, tree(16, 1, first=0.5))
    summary, least = result["summary"], result["bisection"]["minimum"]
    assert summary["bisection_MBps"] == pytest.approx(12 * RATE / 1e6, rel=0.01)
    assert summary["bisection_percent"] == pytest.approx(75, rel=0.01)
    assert least["first"] < 4
    assert least["pair_MBps"] == pytest.approx(RATE / 1e6, rel=0.01)


def test_so_many_processes_fill_the_port(tmp_path: Path) -> None:
    """Messages of 64 KiB share the port, then all wait 0.4 ms, for two links each way.

    So eight processes have 91 % of it and sixteen 95 %: eight fill it as well as it can be.
    """
    network = star(4, bandwidth=RATE, latency=1e-4)
    placed = [host for host in network.hosts for _ in range(16)]
    options = ("--per-host", "1,2,4,8,all", "--message-size", "64KiB")
    result = run_b_pairs(tmp_path, network, placed, options=options)
    rows = result["per_host"]
    alone = {
        processes: rate
        for processes, traffic, pairs, rate in zip(
            rows["processes"], rows["traffic"], rows["pairs"], rows["rate"], strict=True
        )
        if traffic == "one way" and pairs == 1
    }
    for processes, rate in alone.items():
        shared = processes * 65536
        assert rate == pytest.approx(shared / (shared / RATE + 4e-4) / 1e6, rel=0.03)
    assert sorted(alone) == [1, 2, 4, 8, 16]
    assert result["summary"]["host_processes"] == 8
