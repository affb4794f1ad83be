"""Orders of ranks on hosts, against what is best by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import inf, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.machines.flat import QUIET, flat
from support.machines.leaves import Leaves, Level
from support.machines.machine import Machine, broken
from support.machines.result import make_map

from beff.maps.matrix import matrix_of
from beff.result.b_pairs_result import BPairsResult
from beff.twin.exchanges import Slots, best_slots
from beff.twin.order import Sent, better_order, change_of, narrowest, together
from beff.twin.ways import Ways, ways_of

MANY = np.inf
RING, HALO = "nearest:1", "halo:3d"


def ways_on(machine: Machine) -> Ways:
    fields = make_map(machine)
    return ways_of(BPairsResult.model_validate(fields))


def scattered(*sizes: int) -> Ways:
    """Leaves whose uplinks have room for a quarter of their hosts, which have numbers by chance."""
    return ways_on(
        broken(Leaves((Level(sizes, hop=1.3, taper=4.0),), scattered=3), **QUIET, passes=20)
    )


def ring(nodes: int) -> np.ndarray:
    weights = np.zeros((nodes, nodes))
    for node in range(nodes):
        weights[node, (node + 1) % nodes] = weights[(node + 1) % nodes, node] = 1.0
    return weights


def test_a_ring_crosses_each_uplink_twice() -> None:
    """Dealt out to two bins in turn, all of its sixteen links cross."""
    slots = Slots(np.arange(16) % 2, np.array([1.0, 1.0]), np.full(16, MANY))
    assert slots.seconds(ring(16), np.arange(16)) == 16
    assert slots.seconds(ring(16), best_slots(ring(16), slots, 0)) == 2


def test_a_wider_uplink_takes_more() -> None:
    """Each node of bin 0 sends to one of bin 1 or 2 alone; only bin 1 is narrow."""
    weights = np.zeros((6, 6))
    for one, other, bytes_ in ((0, 2, 8.0), (1, 4, 1.0)):
        weights[one, other] = weights[other, one] = bytes_
    slots = Slots(np.array([0, 0, 1, 1, 2, 2]), np.array([MANY, 1.0, 8.0]), np.full(6, MANY))
    assert slots.seconds(weights, np.arange(6)) == 8
    assert slots.seconds(weights, best_slots(weights, slots, 0)) <= 1


def test_who_sends_least_gets_the_slow_slot() -> None:
    weights = ring(6)
    weights[2] *= 0.1
    weights[:, 2] *= 0.1
    slots = Slots(np.zeros(6, dtype=np.int64), np.array([MANY]), np.array([0.1, 1, 1, 1, 1, 1]))
    found = best_slots(weights, slots, 0)
    assert found[2] == 0
    assert slots.seconds(weights, found) == pytest.approx(2)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(2, 12).flatmap(
        lambda n: st.tuples(
            st.lists(st.integers(0, 3), min_size=n, max_size=n),
            st.lists(st.integers(0, 5), min_size=n * n, max_size=n * n),
        )
    )
)
def test_each_node_has_a_slot_and_none_is_worse_than_before(
    drawn: tuple[list[int], list[int]],
) -> None:
    bins, bytes_ = drawn
    weights = np.array(bytes_, dtype=np.float64).reshape(len(bins), len(bins))
    weights = weights + weights.T
    np.fill_diagonal(weights, 0.0)
    slots = Slots(np.array(bins), np.array([1.0, 2.0, MANY, 0.5]), np.ones(len(bins)))
    found = best_slots(weights, slots, 0)
    assert sorted(found) == list(range(len(bins)))
    assert slots.seconds(weights, found) <= slots.seconds(weights, np.arange(len(bins)))


def test_hosts_given_out_by_chance_get_a_ring_leaf_by_leaf() -> None:
    """Of four leaves each is left twice and entered twice, whoever is in it."""
    ways = scattered(4, 4, 4, 4)
    sent, now = Sent.of(matrix_of(RING, 16)), np.arange(16)
    found = better_order(ways, sent, now)
    crossing = sent.between(ways.groups[found], 4)
    assert crossing.sum(axis=1) == pytest.approx([2 * 65536] * 4)
    assert narrowest(ways, sent, found).seconds < 0.6 * narrowest(ways, sent, now).seconds


def test_ranks_of_a_host_that_talk_to_others_move_together() -> None:
    """Rank i talks to rank i + 4 alone: eight ranks on four hosts need no network at all."""
    half = np.arange(4)
    pairs = np.concatenate([half, half + 4]), np.concatenate([half + 4, half])
    sent = Sent(8, *pairs, np.full(8, 1e6))
    ways = ways_on(flat(4, **QUIET))
    found = better_order(ways, sent, np.repeat(half, 2))
    assert (found[:4] == found[4:]).all()
    assert narrowest(ways, sent, found).seconds == 0
    change = change_of(ways, {"pairs": sent}, np.repeat(half, 2), 0.1)
    assert change.is_offered
    assert change.least == change.gain == inf
    assert change_of(ways, {"pairs": sent}, found, 0.1).gain == 1


@pytest.mark.parametrize("kind", [RING, HALO])
def test_on_one_switch_nothing_is_gained(kind: str) -> None:
    ways, now = ways_on(flat(12, **QUIET)), np.arange(12)
    sent = Sent.of(matrix_of(kind, 12))
    before, after = (narrowest(ways, sent, on) for on in (now, better_order(ways, sent, now)))
    assert after.seconds == pytest.approx(before.seconds, rel=0.02)


@cache
def pods() -> Ways:
    """Hosts by chance in leaves with room for all, and in two pods with room for a quarter."""
    levels = Level((4,) * 8, hop=1.2), Level((16, 16), hop=1.5, taper=4.0)
    return ways_on(broken(Leaves(levels, scattered=5), **QUIET, passes=20))


@settings(max_examples=8, deadline=None)
@given(st.permutations(range(32)), st.sampled_from([RING, HALO, "moe:2"]))
def test_no_order_needs_longer_than_hosts_as_they_are_by_name_or_by_switch(
    now: list[int], kind: str
) -> None:
    ways, sent = pods(), Sent.of(matrix_of(kind, 32))
    by_switch = np.lexsort([level.groups for level in ways.levels])
    found = narrowest(ways, sent, better_order(ways, sent, np.array(now))).seconds
    for order in (np.array(now), np.arange(32), by_switch):
        assert found <= 1.01 * narrowest(ways, sent, order).seconds


def test_a_ring_crosses_pods_twice() -> None:
    sent = Sent.of(matrix_of(RING, 32))
    found = better_order(pods(), sent, np.arange(32))
    on = pods().levels[1].groups[found]
    assert int(np.sum(on != np.roll(on, 1))) == 2


def test_a_gain_lies_within_its_interval_which_is_as_wide_as_the_map_is_off() -> None:
    """From 8 long messages over each uplink to 2, as many as leave a host at the same rate."""
    ways = ways_on(broken(Leaves((Level((4, 4, 4, 4), hop=1.3, taper=4.0),)), **QUIET, passes=20))
    ring = Sent.of(matrix_of(RING, 16))
    sent = {RING: replace(ring, bytes=1e3 * ring.bytes)}
    dealt = np.arange(16).reshape(4, 4).T.ravel()
    change = change_of(ways, sent, dealt, log(1.2))
    assert change.is_offered
    assert change.gain == pytest.approx(4, rel=0.05)
    assert (change.least, change.most) == pytest.approx((change.gain / 1.2, change.gain * 1.2))
    assert not change_of(ways, sent, dealt, log(5)).is_offered
    assert not change_of(ways, sent, np.arange(16), log(1.2)).is_offered


def test_both_in_one_iteration() -> None:
    both = together([Sent.of(matrix_of(kind, 8)) for kind in (RING, HALO)])
    assert both.bytes.sum() == 65536 * (2 * 8 + 6 * 8)
