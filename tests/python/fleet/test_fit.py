"""Maps that share some hosts are joined: figures of maps whose times are computed by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beff.definition.imported_pairs import KINDS
from beff.fleet.fit import MapOfFleet, fit
from beff.fleet.states import Fleet, State, fleet_of
from beff.maps.pair_map import PairMap

PASSES = 4
LEVEL, HOP, DAY = log(1500.0), log(1.15), log(1.02)


def exact(
    day: float, hosts: Mapping[str, float], level: float = LEVEL, leaves: Sequence[str] = ()
) -> MapOfFleet:
    """Return a map of hosts that take so many times as long, in which all pairs meet."""
    names = tuple(hosts)
    pairs = np.array(list(combinations(range(len(names)), 2)) * PASSES)
    passes = np.repeat(np.arange(PASSES), len(pairs) // PASSES)
    times = np.array(
        [
            level
            + max(log(hosts[names[a]]), log(hosts[names[b]]))
            + (HOP if leaves and leaves[a] != leaves[b] else 0.0)
            for a, b in pairs
        ]
    )
    nobody = np.zeros(0, dtype=np.int64)
    again = dict.fromkeys((*KINDS, "there", "back"), np.zeros(0))
    first, second = pairs[:, 0], pairs[:, 1]
    pair_map = PairMap(
        *("host", names, {"small": 1, "large": 1 << 20}, passes, np.arange(len(pairs))),
        *(first, second, dict.fromkeys(KINDS, times), nobody, nobody, again),
    )
    return MapOfFleet(day, f"{day}", pair_map, tuple(("root", leaf) for leaf in leaves) or None)


FIVE = ("a", "b", "c", "d", "e")
ALL_GOOD = dict.fromkeys(FIVE, 1.0)


def factor(maps: Sequence[MapOfFleet], host: str) -> list[float]:
    """Return by which factor each map saw a host."""
    found = fit(maps)
    mine = found.host == found.names.index(host)
    return [float(each) for each in np.exp(found.by_kind["small"].longer[mine])]


def states(maps: Sequence[MapOfFleet]) -> dict[str, State]:
    return {one.name: one.state for one in fleet_of(fit(maps), 100.0).hosts}


def test_what_a_whole_map_takes_is_not_its_hosts() -> None:
    maps = [exact(day, ALL_GOOD, LEVEL + day * DAY) for day in range(5)]
    assert factor(maps, "a") == pytest.approx([1.0] * 5)
    assert fit(maps).by_kind["small"].levels == pytest.approx(
        [LEVEL + day * DAY for day in range(5)]
    )


def test_a_slow_host_is_seen_by_its_factor_in_maps_that_share_no_other_host() -> None:
    maps = [
        exact(1, {**ALL_GOOD, "slow": 1.4}),
        exact(2, {"f": 1, "g": 1, "h": 1, "slow": 1.4}, LEVEL + DAY),
    ]
    assert factor(maps, "slow") == pytest.approx([1.4, 1.4])
    assert states(maps)["slow"] == State.SLOW
    assert {state for name, state in states(maps).items() if name != "slow"} == {State.GOOD}


def test_hosts_alone_on_their_leaf_are_as_quick_as_the_others() -> None:
    leaves = ["one", "one", "one", "one", "two"]
    maps = [exact(day, ALL_GOOD, leaves=leaves) for day in (1, 2)]
    maps.append(exact(3, {"e": 1, "f": 1, "g": 1, "a": 1}, leaves=["two", "two", "two", "one"]))
    for host in ("a", "e", "f"):
        assert factor(maps, host) == pytest.approx([1.0] * len(factor(maps, host)))


def test_two_hosts_beside_a_fleet_are_judged_by_its_level() -> None:
    maps = [exact(day, ALL_GOOD) for day in range(4)]
    level = fit([*maps, exact(5, {"x": 1, "y": 1.4})]).by_kind["small"].levels
    assert level[-1] == pytest.approx(LEVEL)
    assert factor([*maps, exact(5, {"x": 1, "y": 1.4})], "y") == pytest.approx([1.4])


def with_retests(one: MapOfFleet, pairs: Sequence[tuple[int, int]]) -> MapOfFleet:
    """Return a map with pairs that were measured again alone, as in company."""
    first, second = np.array(pairs).T
    took = [
        one.pairs.times["small"][(one.pairs.first == a) & (one.pairs.second == b)][0]
        for a, b in pairs
    ]
    again = dict.fromkeys((*KINDS, "there", "back"), np.array(took))
    return replace(
        one, pairs=replace(one.pairs, retest_first=first, retest_second=second, retests=again)
    )


def test_retests_of_a_slow_host_do_not_show_what_is_usual() -> None:
    first = with_retests(exact(1, {"a": 1, "b": 1, "c": 1, "d": 1.4}), [(0, 3), (1, 3), (2, 3)])
    mended = [exact(2, {"a": 1, "b": 1, "d": 1}), exact(2, {"a": 1, "d": 1})]
    for one in mended:
        assert factor([first, one], "d") == pytest.approx([1.4, 1.0])
        assert factor([first, one], "c") == pytest.approx([1.0])
        assert set(states([first, one]).values()) == {State.GOOD}


def test_of_two_that_meet_again_and_again_it_stays_open_which_one_is_slow() -> None:
    maps = [exact(day, ALL_GOOD) for day in range(4)]
    maps += [exact(day, {"x": 1, "y": 1.4}) for day in (5, 6, 7)]
    assert {states(maps)[name] for name in "xy"} == {State.ONCE}
    assert states([*maps, exact(8, {"a": 1, "y": 1.4})])["y"] == State.SLOW


def test_a_slow_host_stays_bad_until_a_map_measures_it_good() -> None:
    slow = [exact(day, {**ALL_GOOD, "e": 1.4}) for day in (1, 2)]
    later = [exact(day, dict.fromkeys("abcd", 1)) for day in range(3, 90)]
    assert states(slow + later)["e"] == State.SLOW
    assert states([*slow, *later, exact(91, ALL_GOOD)])["e"] == State.GOOD


def test_a_host_that_never_answers_is_bad_until_it_is_measured_good() -> None:
    maps = [exact(day, ALL_GOOD) for day in (1, 2)]
    cut_off = exact(3, ALL_GOOD)
    maps.append(replace(cut_off, pairs=replace(cut_off.pairs, silent=(4,))))
    assert states(maps) == {**dict.fromkeys("abcd", State.GOOD), "e": State.NO_ANSWER}
    assert states([*maps, exact(4, {"a": 1, "b": 1, "c": 1, "f": 1})])["e"] == State.NO_ANSWER
    assert states([*maps, exact(5, ALL_GOOD)])["e"] == State.GOOD


def test_a_map_in_which_all_take_longer_says_nothing_of_its_hosts() -> None:
    maps = [exact(day, ALL_GOOD) for day in range(4)]
    maps.append(exact(5, {**ALL_GOOD, "f": 1.5}, LEVEL + log(1.5)))
    assert states(maps) == {**dict.fromkeys(FIVE, State.GOOD), "f": State.GOOD}


def described(fleet: Fleet, called: Mapping[str, str]) -> dict[str, tuple[State, float]]:
    return {called[one.name]: (one.state, round(one.factors["small"], 9)) for one in fleet.hosts}


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_names_and_the_order_of_maps_do_not_matter(data: st.DataObject) -> None:
    names = [f"n{number}" for number in range(8)]
    maps = []
    for day in range(6):
        there = data.draw(st.lists(st.sampled_from(names), min_size=4, max_size=6, unique=True))
        slow = data.draw(st.sampled_from([1.0, 1.3, 2.0]))
        maps.append(exact(day, {name: slow if name == "n3" else 1.0 for name in there}))
    others = dict(zip(names, data.draw(st.permutations(names)), strict=True))
    back = {new: old for old, new in others.items()}
    renamed = [
        exact(one.day, {others[name]: _took(one, name) for name in one.pairs.names})
        for one in data.draw(st.permutations(maps))
    ]
    same = described(fleet_of(fit(maps), 9.0), {name: name for name in names})
    assert described(fleet_of(fit(renamed), 9.0), back) == same


def _took(one: MapOfFleet, name: str) -> float:
    unit = one.pairs.names.index(name)
    mine = (one.pairs.first == unit) | (one.pairs.second == unit)
    return exp(float(one.pairs.times["small"][mine].min()) - LEVEL)
