"""Ways through networks, and how links are shared, against numbers computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.machines.leaves import Leaves, Level, leaves
from support.machines.sharing import equal_share, max_min
from support.machines.torus import Torus
from support.machines.ways import Topology

CHANCE = np.random.default_rng(1)


def way(topology: Topology, first: int, second: int) -> tuple[list[int], float]:
    """Return the links from one host to another, and the latency that they add."""
    ways = topology.ways(np.array([first]), np.array([second]), CHANCE)
    return [link for link in ways.links[0].tolist() if link >= 0], float(ways.latency[0])


def test_uplinks_lie_between_leaves_only() -> None:
    tree = leaves(5, 2, 1, hop=1.3, taper=2)
    assert tree.capacities.tolist() == [2.5, 2.5, 1, 1, 1, 1]
    assert way(tree, 0, 4) == ([], 0)
    assert way(tree, 4, 5) == ([0, 3], pytest.approx(0.3))
    assert way(tree, 7, 0) == ([4, 1], pytest.approx(0.3))
    assert tree.uplink(2) == (4, 5)


def test_who_is_farther_apart_climbs_higher() -> None:
    tree = Leaves((Level((2,) * 4, hop=1.1), Level((4, 4), hop=1.5, taper=4)))
    assert way(tree, 0, 2) == ([0, 3], pytest.approx(0.1))
    assert way(tree, 0, 7) == ([0, 7, 8, 11], pytest.approx(0.5))
    assert tree.capacities[list(tree.uplink(1, level=1))].tolist() == [1, 1]


def test_a_static_route_takes_the_cable_of_whom_it_is_for() -> None:
    tree = leaves(4, 4, cables=4)
    assert tree.capacities.tolist() == [1] * 16
    assert way(tree, 1, 6)[0] == [4, 13]
    assert way(tree, 2, 6)[0] == [4, 13]


def test_hosts_that_are_numbered_at_random_keep_their_leaves_sizes() -> None:
    groups = Leaves((Level((6, 2)),), scattered=3).group_of[0]
    assert sorted(groups.tolist()) == [0] * 6 + [1] * 2
    assert groups.tolist() != sorted(groups.tolist())


def test_a_torus_goes_the_shorter_way_round() -> None:
    torus = Torus((4, 1, 1), hop=0.1)
    assert way(torus, 0, 1) == ([0], 0)
    assert way(torus, 0, 3) == ([1], 0)
    assert way(torus, 0, 2) == ([0, 6], pytest.approx(0.1))
    assert way(Torus((4, 4, 4), hop=0.1), 0, 42)[1] == pytest.approx(0.5)


def test_what_crosses_shares_the_uplink() -> None:
    """Three flows on a link of 1.5, one of which is held to 0.2 elsewhere: 0.65 for the others."""
    links = np.array([[0, 1], [0, -1], [0, -1], [-1, -1]])
    at = np.zeros(4, dtype=np.int64)
    own, capacities = np.ones(4), np.array([[1.5, 0.2]])
    assert max_min(own, links, at, capacities) == pytest.approx([0.2, 0.65, 0.65, 1])
    assert equal_share(own, links, at, capacities) == pytest.approx([0.2, 0.5, 0.5, 1])


def test_rounds_do_not_share() -> None:
    links, at = np.zeros((3, 1), dtype=np.int64), np.array([0, 0, 1])
    capacities = np.array([[1.0], [0.5]])
    assert max_min(np.ones(3), links, at, capacities) == pytest.approx([0.5, 0.5, 0.5])


@given(st.integers(0, 10_000))
def test_nobody_can_have_more_unless_somebody_slower_has_less(seed: int) -> None:
    """What defines max-min fairness; and each has at least its equal share."""
    chance = np.random.default_rng(seed)
    links = chance.integers(-1, 5, (12, 3))
    own, capacities = chance.uniform(0.2, 1, 12), chance.uniform(0.5, 4, (1, 5))
    at = np.zeros(12, dtype=np.int64)
    rates = max_min(own, links, at, capacities)
    load = np.bincount(links[links >= 0], np.repeat(rates, 3)[links.ravel() >= 0], minlength=5)
    assert np.all(load <= capacities[0] + 1e-9)
    for rate, alone, taken in zip(rates, own, links, strict=True):
        full = [link for link in taken if link >= 0 and load[link] > capacities[0, link] - 1e-6]
        slowest = any(rate >= rates[(links == link).any(axis=1)].max() - 1e-6 for link in full)
        assert rate == pytest.approx(alone) or slowest
    assert np.all(rates >= equal_share(own, links, at, capacities) - 1e-9)
