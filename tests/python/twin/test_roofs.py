"""From where on a roof is the nearest: on both sides of each limit, on numbers computed by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.machines.flat import QUIET, flat
from support.machines.leaves import Leaves, Level
from support.machines.machine import broken
from support.machines.result import make_map
from support.programs.limited import MAP_RATE

from beff.result.b_pairs_result import BPairsResult
from beff.twin.roofs import Iteration, Known, nearest_roof, said_between_hosts
from beff.twin.traffic import Traffic
from beff.twin.uplinks import Uplinks
from beff.twin.ways import ways_of

HOSTS = np.arange(8)
HALVES = HOSTS // 4
RING = Traffic(HOSTS, HOSTS, np.roll(HOSTS, -1), 8)
"""A message leaves each host, and one crosses from each half to the other."""
INSIDE = Traffic(HOSTS, HOSTS, HOSTS, 8)


@pytest.fixture(scope="module")
def known() -> Known:
    """Hosts that reach 1 byte/s, and of which nothing else is known."""
    ways = ways_of(BPairsResult.model_validate(make_map(flat(8))))
    ones, none = np.ones(8), np.full(8, np.nan)
    ways = replace(ways, hosts=ones, ports=none, levels=(halves(grew=False),))
    return Known(replace(ways, slow=HOSTS < 0), None, None, False)


def halves(*, grew: bool) -> Uplinks:
    """Between two groups 1 byte/s was seen."""
    return Uplinks(HALVES, np.ones(2), np.zeros(2, bool), np.full(2, grew))


PORTS = {"ports": np.ones(8)}
NETWORKS = {
    "port rate": PORTS,
    "uplink": {"levels": (halves(grew=True),)},
    "slow link": {"links": {(0, 1): 1.0}},
}


@pytest.mark.parametrize("roof", NETWORKS)
@pytest.mark.parametrize(("share", "near"), [(0.74, 0), (0.76, 1), (1.24, 1), (1.26, 0)])
def test_a_roof_is_near_from_three_quarters_to_five_quarters(
    known: Known, roof: str, share: float, near: int
) -> None:
    changed = replace(known, ways=replace(known.ways, **NETWORKS[roof]))
    found = nearest_roof(changed, Iteration(0, RING, 1, 1 / share))
    assert found.name == (roof if near else None)


def test_the_uplink_of_a_pod_limits_where_leaves_are_wide() -> None:
    """Of 16 hosts in leaves of 4, half of a pod's send to the other pod; it has room for 4."""
    levels = Level((4,) * 8, hop=1.2), Level((16, 16), hop=1.5, taper=4.0)
    made = make_map(broken(Leaves(levels), **QUIET, passes=20))
    ways = ways_of(BPairsResult.model_validate(made))
    hosts = np.arange(32)
    far = Traffic(hosts, hosts, np.where(hosts % 16 < 8, (hosts + 16) % 32, hosts), 32)
    took_s = 8 / (4.0 * MAP_RATE)
    name, sentence = said_between_hosts(
        Known(ways, None, None, False), [Iteration(6, far, 1, took_s)]
    )
    assert name == "uplink"
    assert "node[1-16] and" in sentence


@pytest.mark.parametrize(
    ("rate", "ways", "roof"),
    [
        (1 / 1.09, {}, None),
        (1 / 1.11, {}, "slow host"),
        (1 / 1.09, PORTS, "port rate"),
        (1 / 1.11, PORTS, "slow host"),
    ],
)
def test_a_slow_host_limits_where_it_is_a_tenth_nearer(
    known: Known, rate: float, ways: dict[str, Any], roof: str | None
) -> None:
    slow = replace(known.ways, slow=HOSTS == 3, hosts=np.where(HOSTS == 3, rate, 1.0), **ways)
    assert nearest_roof(replace(known, ways=slow), Iteration(0, RING, 1, 1.0)).name == roof


@pytest.mark.parametrize(("copied", "near"), [(0.37, 0), (0.38, 1), (1.24, 1), (1.26, 0)])
def test_a_message_is_copied_twice_or_once(known: Known, copied: float, near: int) -> None:
    found = nearest_roof(replace(known, copy=1.0), Iteration(0, INSIDE, 1, 1 / copied))
    assert found.name == ("memory copies" if near else None)


@pytest.mark.parametrize(
    ("alone", "simulated", "roof"),
    [(1.24, True, "port rate"), (1.26, True, None), (1.24, False, None), (None, True, None)],
)
def test_simulated_ports_are_as_fast_as_a_pair_alone(
    known: Known, alone: float | None, simulated: bool, roof: str | None
) -> None:
    found = replace(known, alone=alone, simulated=simulated)
    assert nearest_roof(found, Iteration(0, RING, 1, 1.0)).name == roof


@pytest.mark.parametrize(
    ("rings", "random", "roof"),
    [
        (1.0, 0.59, "links of the network"),
        (1.0, 0.61, None),
        (0.76, 0.45, "links of the network"),
        (0.74, 0.44, None),
    ],
)
def test_random_rings_far_below_rings(
    known: Known, rings: float, random: float, roof: str | None
) -> None:
    """Pattern 0 is of rings, 6 of random ones."""
    iterations = [Iteration(0, RING, 1, 1 / rings), Iteration(6, RING, 1, 1 / random)]
    assert said_between_hosts(known, iterations)[0] == roof
