"""A matrix of messages on simulated networks, against arithmetic."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from beff.maps.matrix import matrix_of
from beff.maps.traffic import waited_for
from beff.result.load import as_b_pairs, load_document
from beff.twin.networks import parse_network
from beff.twin.order import Sent, better_order, narrowest
from beff.twin.ways import ways_of
from simulated.support import leaves, needs_simgrid, run_b_pairs, star

pytestmark = needs_simgrid

RATE = 125e6
MIB = 2**20


def test_the_slow_host_is_waited_for(tmp_path: Path) -> None:
    """Each of eight hosts has two messages of 1 MiB each way; the link of host 3 has a quarter.

    So that host needs 4 times as long as a quick one, both for what it sends and what it receives,
    and its neighbours wait for it alone once all else has come.
    """
    options = ("--matrix", "nearest:1", "--message-size", "1MiB")
    result = run_b_pairs(
        tmp_path, star(8, bandwidth=RATE, latency=1e-6, slow={3: 0.25}), options=options
    )
    quick, slow = 2 * MIB / RATE, 8 * MIB / RATE
    assert result["summary"]["matrix_us"] == pytest.approx(slow * 1e6, rel=0.01)
    assert result["summary"]["matrix_MBps"] == pytest.approx(16 * MIB / slow / 1e6, rel=0.01)
    ranks = result["matrix"]["ranks"]
    assert ranks["single_ns"][0] == pytest.approx(quick * 1e9, rel=0.01)
    assert [ranks["last_from"][rank] for rank in (2, 4)] == [3, 3]
    assert max(ranks["single_ns"]) == pytest.approx(slow * 1e9, rel=0.01)
    found = as_b_pairs(load_document(tmp_path / "b_pairs.json"))
    assert waited_for(found) == [(3, 2)]
    assert not result["matrix"]["data_check"]["enabled"]


@pytest.mark.parametrize("method", ["nonblocking", "alltoallv"])
def test_a_file_takes_what_its_largest_port_takes(tmp_path: Path, method: str) -> None:
    """Host 0 sends 3 MiB, 1 MiB each to three others: its port decides."""
    rows = tmp_path / "rows"
    rows.write_text("".join(f"0 {to} {MIB}\n" for to in (1, 2, 3)), encoding="utf-8")
    options = ("--matrix", str(rows), "--method", method)
    result = run_b_pairs(tmp_path, star(4, bandwidth=RATE, latency=1e-6), options=options)
    assert result["summary"]["matrix_us"] == pytest.approx(3 * MIB / RATE * 1e6, rel=0.02)


def test_a_loop_of_one_iteration_takes_what_a_port_needs(tmp_path: Path) -> None:
    """Ranks 0 and 1 share a port that 11 messages enter; both have few to send."""
    platform = parse_network("flat:8,1.25GB/s,1us").platform(8)
    hosts = [host for host in platform.hosts for _ in range(2)]
    options = ("--matrix", "moe:3", "--message-size", "1MiB")
    result = run_b_pairs(tmp_path, platform, hosts, options)
    assert result["matrix"]["loops"]["length"][0] == 1
    assert result["summary"]["matrix_us"] == pytest.approx(11 * MIB / 1.25e9 * 1e6, rel=0.01)


def test_an_order_gains_what_it_promises(tmp_path: Path) -> None:
    """Eight ranks in a grid of 4 x 2, neighbours in its rows on different leaves.

    So 8 messages of 16 cross each way. With two rows on each leaf 4 would, so half of the time.
    Uplinks have half of the rate of a port, so that these alone decide.
    """
    platform = leaves(
        (4, 4), bandwidth=RATE, uplinks=(RATE / 2, RATE / 2), latency=1e-6, uplink_latency=1e-6
    )
    hosts = [f"n{host // 2 + 4 * (host % 2)}" for host in range(8)]
    preset = "halo:2d"
    before = run_b_pairs(tmp_path, platform, hosts, options=("--matrix", preset))
    ways = ways_of(as_b_pairs(load_document(tmp_path / "b_pairs.json")))
    sent, now = Sent.of(matrix_of(preset, 8)), np.array([ways.names.index(host) for host in hosts])
    found = better_order(ways, sent, now)
    ordered = [ways.names[host] for host in found]
    after = run_b_pairs(tmp_path, platform, ordered, options=("--matrix", preset))
    predicted = narrowest(ways, sent, now).seconds / narrowest(ways, sent, found).seconds
    measured = before["summary"]["matrix_us"] / after["summary"]["matrix_us"]
    assert predicted == pytest.approx(2, rel=0.05)
    assert measured == pytest.approx(predicted, rel=0.05)
