"""Maps of made-up machines against numbers computed by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.machines.faults import Fault
from support.machines.fields import fields_of, read_map
from support.machines.leaves import leaves
from support.machines.machine import Machine
from support.machines.measure import earlier_map, map_of, seed_of_run
from support.machines.noise import Noise
from support.machines.plan import passes_within, rounds_of_pass
from support.machines.ways import Flat, Floats, Mask

from beff.maps.pair_map import PairMap

SMALL, LARGE = 1800, 90_000
EXACT: dict[str, Any] = {"spread": 0.0, "noise": Noise(0), "day": 0.0, "host_day": 0.0}


def exact(topology: Any, *faults: Fault, **more: Any) -> Machine:
    """Return a machine without chance."""
    return Machine(topology, faults=faults, passes=3, **EXACT, **more)


def of_host(pairs: PairMap, host: int) -> Mask:
    return (pairs.first == host) | (pairs.second == host)


def ns(pairs: PairMap, kind: str) -> Floats:
    return np.rint(np.exp(pairs.times[kind]))


def test_pairs_of_a_slow_host_take_its_factor() -> None:
    pairs = map_of(exact(Flat(8), Fault(1.5, hosts=(3,))), 1)
    mine = of_host(pairs, 3)
    assert np.unique(ns(pairs, "small")[~mine]) == SMALL
    assert np.unique(ns(pairs, "small")[mine]) == 1.5 * SMALL
    # 3 latencies of a handshake, each longer by half
    assert np.unique(ns(pairs, "large")[mine]) == 1.5 * LARGE + 3 * 0.5 * SMALL


@pytest.mark.parametrize("links", [slice(0, 1), slice(1, 2), slice(0, 2)])
def test_what_crosses_in_a_round_shares_a_slow_uplink(links: slice) -> None:
    """Messages go both ways, so that one slow direction is enough."""
    tree = leaves(4, 4)
    machine = exact(tree, Fault(4, uplinks=tree.uplink(0)[links]))
    pairs = map_of(machine, 1)
    apart = (pairs.first < 4) != (pairs.second < 4)
    at = pairs.passes * 7 + np.arange(len(pairs.first)) // 4 % 7
    together = np.bincount(at[apart])[at[apart]]
    assert set(together) == {2, 4}
    assert np.all(ns(pairs, "large")[apart] == together * LARGE)
    assert np.unique(ns(pairs, "large")[~apart]) == LARGE


def test_a_slow_direction_shows_in_its_direction_only() -> None:
    machine = exact(Flat(8), Fault(2, link=(5, 2), one_way=True))
    pairs = map_of(machine, 1)
    mine = of_host(pairs, 2) & of_host(pairs, 5)
    assert np.unique(ns(pairs, "large")[mine]) == 2 * LARGE
    assert np.unique(ns(pairs, "small")) == SMALL
    again = (pairs.retest_first == 2) & (pairs.retest_second == 5)
    ways = {way: np.rint(np.exp(pairs.retests[way][again])) for way in pairs.retests}
    assert {way: np.unique(found).tolist() for way, found in ways.items()} == {
        "small": [SMALL],
        "large": [2 * LARGE],
        "there": [LARGE],
        "back": [2 * LARGE],
    }


@pytest.mark.parametrize("stretches", [0, 4])
def test_a_fault_that_comes_and_goes_has_its_share_of_the_rounds(stretches: int) -> None:
    fault = Fault(4, hosts=(3,), time=0.1, stretches=stretches)
    pairs = map_of(replace(exact(Flat(16), fault), passes=200), 1)
    slow = ns(pairs, "small")[of_host(pairs, 3)] > SMALL
    assert slow.mean() == pytest.approx(0.1, abs=0.015)
    runs = int(np.sum(np.diff(slow.astype(int)) == 1))
    assert runs == stretches if stretches else runs > 200


@pytest.mark.parametrize(
    ("noise", "beyond", "share"),
    [
        (Noise(0.1), 0.1, 0.159),
        (Noise(0.1, one_sided=True), 0.1, 0.317),
        (Noise(0, tails=0.04, index=1.2), np.log(2), 0.04 * 2**-1.2),
        # three of five series with 0.2: 5.8 %; on one of two processes: 11.3 %
        (Noise(0, interrupts=0.2), 1e-3, 0.113),
    ],
)
def test_noise_has_its_share_beyond(noise: Noise, beyond: float, share: float) -> None:
    logs = np.log(noise.factors(100_000, np.random.default_rng(1)))
    assert np.mean(logs > beyond) == pytest.approx(share, rel=0.05)


def test_drift_is_whole_at_the_end() -> None:
    pairs = map_of(exact(Flat(5), Fault(2, hosts=(4,)), drift=0.1), 1)
    usual = ns(pairs, "small")[~of_host(pairs, 4)]
    assert usual[[0, -1]].tolist() == pytest.approx([SMALL, 1.1 * SMALL], rel=0.01)
    again = np.exp(pairs.retests["small"])
    assert set(np.rint(again)) == {round(1.1 * SMALL), round(2.2 * SMALL)}


def test_an_earlier_map_is_of_the_same_hosts_without_the_fault() -> None:
    machine = Machine(Flat(8), spread=0.1, noise=Noise(0), faults=(Fault(2, hosts=(3,)),), passes=3)
    machine = replace(machine, day=0.05, host_day=0)
    today, before = map_of(machine, 7), earlier_map(machine, 7)
    means = [
        np.array([np.mean(pairs.times["large"][of_host(pairs, host)]) for host in range(8)])
        for pairs in (today, before)
    ]
    change = np.delete(means[0] - means[1], 3)
    assert np.ptp(change) < 0.02 < abs(change.mean())
    assert np.ptp(np.delete(means[1], 3)) > 0.05
    assert means[0][3] - means[1][3] - change.mean() == pytest.approx(np.log(2), abs=0.1)
    assert not np.array_equal(today.first, before.first)


def test_the_fields_of_a_result_hold_the_same_map() -> None:
    made = map_of(replace(Machine(Flat(70), faults=(Fault(2, hosts=(3,)),)), passes=3), 5)
    read = read_map(fields_of(made, seed_of_run(5)))
    assert len(made.retest_first) > 0
    for name in ("passes", "first", "second", "retest_first", "retest_second"):
        assert np.array_equal(getattr(made, name), getattr(read, name))
    for kind, logs in (made.times | made.retests).items():
        assert np.allclose(logs, (read.times | read.retests)[kind])
    assert (made.names, made.bytes_of, made.unit) == (read.names, read.bytes_of, read.unit)


@pytest.mark.parametrize(
    ("units", "rounds", "most"),
    [(4, 3, 200), (16, 15, 200), (64, 63, 119), (256, 64, 29), (5000, 32, 3)],
)
def test_rounds_and_most_passes(units: int, rounds: int, most: int) -> None:
    assert rounds_of_pass(units) == rounds
    assert passes_within(units, 1e9) == most
    assert passes_within(units, 1e-3) == 3
