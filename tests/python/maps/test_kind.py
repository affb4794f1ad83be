"""What is usual between groups, what units and links take beyond it, and what they took alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.levels import BASE_NS, constant, in_groups, waiting
from support.machines.leaves import leaves
from support.machines.machine import Machine
from support.machines.measure import map_of

from beff.maps.kind import Kind
from beff.maps.kinds import kinds_of
from beff.maps.pair_map import PairMap
from beff.maps.topology import known_groups


def small(pairs: PairMap) -> Kind:
    return kinds_of(pairs)[0]


def retested(pairs: PairMap, small: dict[tuple[int, int], float]) -> PairMap:
    """Add retests of pairs, by the factors of what short messages take; long ones are as usual."""
    first, second = np.array([*small], dtype=np.int64).T
    logs = np.log(BASE_NS["small"] * np.array([*small.values()]))
    long = np.full(len(small), np.log(BASE_NS["large"]))
    retests = {"small": logs, "large": long, "there": long, "back": long}
    return replace(pairs, retest_first=first, retest_second=second, retests=retests)


def test_a_unit_takes_what_its_quickest_pairs_do() -> None:
    kind = small(constant(waiting([1.0] * 6 + [1.5, 2.0])))
    assert np.exp(kind.own) == pytest.approx([1.0] * 6 + [1.5, 2.0])
    assert np.exp(kind.at_best) == pytest.approx([1.0] * 6 + [1.5, 2.0])
    assert kind.tried.all()


def test_in_groups_units_are_compared_with_their_own() -> None:
    """Units 0 to 3 take what all take inside, 4 to 7 half as much again, though nearer to them."""
    factors = in_groups(4, 4, apart=1.3)
    factors[4:, 4:] = 1.5
    factors[:4, 4:] = factors[4:, :4] = 1.9
    kind = small(constant(factors))
    assert kind.own == pytest.approx(np.zeros(8), abs=1e-9)
    assert kind.beyond == pytest.approx(np.zeros(28), abs=1e-9)


def test_a_slow_unit_of_a_group_is_slow_by_its_factor() -> None:
    factors = in_groups(4, 4, apart=1.3) * waiting([1.0, 1.5] + [1.0] * 6)
    kind = small(constant(factors))
    assert np.exp(kind.own) == pytest.approx([1.0, 1.5] + [1.0] * 6)
    assert np.exp(kind.beyond[kind.links.first == 1]) == pytest.approx([1.5] * 6)


def test_a_link_that_did_not_meet_is_not_made_up() -> None:
    factors = np.ones((6, 6))
    factors[5, :] = factors[:, 5] = np.nan
    kind = small(constant(factors))
    assert kind.tried.tolist() == [True] * 5 + [False]
    assert kind.own[:5] == pytest.approx(np.zeros(5))


def test_pairs_that_did_not_meet_are_modelled() -> None:
    kind = small(constant(in_groups(4, 4, apart=1.3) * waiting([1.5] + [1.0] * 7)))
    found = kind.modelled(np.array([1, 1, 0, 0]), np.array([2, 6, 3, 5]))
    assert np.exp(found) / BASE_NS["small"] == pytest.approx([1, 1.3, 1.5, 1.3 * 1.5])


def test_alone_is_compared_with_nothing_but_alone() -> None:
    """All alone take half of what they take in company: unit 3 is 1.2 times the others there."""
    alone = {(2, 3): 0.6, (1, 3): 0.6, (1, 2): 0.5, (0, 2): 0.5}
    kind = small(retested(constant(waiting([1.0] * 3 + [1.5] + [1.0] * 4)), alone))
    nobody = np.zeros(8, dtype=bool)
    assert kind.alone_of_unit(3, nobody) == pytest.approx(1.2)
    assert kind.alone_of_unit(7, nobody) is None
    assert kind.alone_of_link(4, 5) is None


def test_a_unit_alone_with_a_slow_one_shows_nothing() -> None:
    pairs = constant(waiting([1.0] * 3 + [1.5] + [1.0] * 4))
    kind = small(retested(pairs, {(3, 6): 9.0, (2, 3): 1.5, (1, 2): 1.0}))
    assert kind.alone_of_unit(3, np.arange(8) == 6) == pytest.approx(1.5)


def test_short_messages_alone_may_go_further() -> None:
    """Both took what is usual for their way."""
    pairs = constant(in_groups(4, 4, apart=1.5))
    kind = small(retested(pairs, {(0, 4): 1.5, (0, 1): 1.0, (4, 5): 1.0}))
    assert kind.alone_of_link(0, 4) == pytest.approx(1.0)
    kind = small(retested(pairs, {(0, 4): 3.0, (0, 1): 1.0, (4, 5): 1.0}))
    assert kind.alone_of_link(0, 4) == pytest.approx(2.0)


def test_a_link_alone_is_compared_with_the_slower_end() -> None:
    """Whatever goes from unit 0 to the others takes longer, be it by an uplink."""
    pairs = constant(np.ones((8, 8)))
    kind = small(retested(pairs, {(0, 4): 2.0, (0, 5): 2.0, (4, 6): 1.0}))
    assert kind.alone_of_link(0, 4) == pytest.approx(1.0)


def test_long_messages_are_judged_in_the_groups_that_are_more() -> None:
    """Four leaves with uplinks for half of them, in two pods that short messages tell apart."""
    machine = Machine(leaves(4, 4, 4, 4, taper=2), passes=60)
    near, sharing = kinds_of(map_of(machine, 1))
    assert (near.groups, sharing.groups) == (1, 4)


def test_of_who_is_alone_behind_a_switch_it_is_known_how_far_it_is() -> None:
    """Unit 6 takes what the way up and down takes, 7 half as much again."""
    factors = in_groups(3, 3, 1, 1, apart=1.4) * waiting([1.0] * 7 + [1.5])
    switches = [("top", leaf) for leaf in "aaabbbcd"]
    kind, _ = kinds_of(constant(factors), known_groups(switches))
    assert kind.groups == 4
    assert np.exp(kind.own) == pytest.approx([1.0] * 7 + [1.5])


def test_nothing_measured_is_nothing_known() -> None:
    kind = small(constant(np.full((5, 5), np.nan)))
    assert not kind.tried.any()
    assert kind.inside_level() == 0


def test_the_standard_error_of_a_unit() -> None:
    """1.36 of the deviation of a meeting over the root of 7 x 20 of them."""
    kind = replace(small(constant(np.ones((8, 8)))), scatter=0.1)
    assert kind.unit_errors[3] == pytest.approx(1.36 * 0.1 / np.sqrt(140))
