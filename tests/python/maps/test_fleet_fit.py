"""Maps that share some hosts are joined: figures of maps whose times are computed by hand."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import exp, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fleets import LONG, MACHINE, Fault, maps_of
from support.levels import BASE_NS, exact

from beff.definition.b_pairs_plan import KINDS
from beff.maps.findings import Status
from beff.maps.fleet import Fleet, State, fleet_of
from beff.maps.fleet_fit import MapOfFleet, fit
from beff.maps.judge_pairs import judge_pairs

LEVEL, DAY = log(BASE_NS["small"]), log(1.02)


FIVE = ("a", "b", "c", "d", "e")
ALL_GOOD = dict.fromkeys(FIVE, 1.0)


def factor(maps: Sequence[MapOfFleet], host: str) -> list[float]:
    """Return by which factor each map saw a host."""
    found = fit(maps)
    mine = found.host == found.names.index(host)
    return [float(each) for each in np.exp(found.longer[0, mine])]


def states(maps: Sequence[MapOfFleet]) -> dict[str, State]:
    return {one.name: one.state for one in fleet_of(fit(maps), 100.0).hosts}


def test_a_slow_host_is_seen_by_its_factor_in_maps_that_share_no_other_host() -> None:
    maps = [
        exact(1, {**ALL_GOOD, "slow": 1.4}),
        exact(2, {"f": 1, "g": 1, "h": 1, "slow": 1.4}, DAY),
    ]
    assert factor(maps, "slow") == pytest.approx([1.4, 1.4])
    assert states(maps)["slow"] == State.SLOW
    assert {state for name, state in states(maps).items() if name != "slow"} == {State.GOOD}


def test_two_hosts_beside_a_fleet_are_judged_by_its_level() -> None:
    maps = [exact(day, ALL_GOOD) for day in range(4)]
    level = fit([*maps, exact(5, {"x": 1, "y": 1.4})]).levels[0]
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


# --- hosts of made-up fleets are named when they are slow, and nobody else is ---

LIFELIKE: dict[str, Any] = {"tiny": 0.1, "big": 0.05, "disturbed": (30.0, 95.0)}
NIGHTS: dict[str, Any] = {
    **{"hosts": 200, "leaf": 20, "per_map": 12, "maps_a_day": 1, "stretch": 1, "passes": 20}
}
UPGRADED: dict[str, Any] = {**NIGHTS, "hosts": 60, "per_map": 8, "replaced": (1, 40, 0.75)}
TWICE = (Fault("n045", 30, 2.0, 42, 44, 60), Fault("n045", 90, 2.0, 105))
LONGER = (Fault("n020", 60, 1.3, 80, kinds=LONG),)
UPLINK = (Fault("leaf03", 50, 1.5, 70, kinds=LONG),)
FOUR: dict[str, Any] = {"hosts": 12, "leaf": 6, "per_map": 4, "known_switches": False, "passes": 20}
ROWS: dict[str, dict[str, Any]] = {
    "clean": {"hosts": 500, **LIFELIKE},
    "a host x1.2": {"hosts": 240, **LIFELIKE, "faults": (Fault("n100", 80, 1.2, 115),)},
    "long messages of a host x1.3": {**LIFELIKE, "faults": LONGER},
    "a host x2 for two weeks, mended, comes back": {**LIFELIKE, "faults": TWICE},
    "the uplink of a leaf x1.5 in long messages": {**LIFELIKE, "faults": UPLINK},
    "two kinds of hosts": {"hosts": 240, **LIFELIKE, "kinds": (0.3, 1.15)},
    "hosts in a leaf 10 % slower": {**LIFELIKE, "replaced": (2, 60, 1.1)},
    "the machine x3": {**LIFELIKE, "faults": (Fault(MACHINE, 70, 3.0),)},
    "four at a time, no switches known": {**FOUR, "faults": (Fault("n007", 60, 1.3, 80),)},
    "other jobs load uplinks x1.5": {**NIGHTS, "loaded": (0.25, 1.5)},
    "a third upgraded": UPGRADED,
}


@cache
def history(name: str) -> tuple[MapOfFleet, ...]:
    days = max((one.by_day for one in ROWS[name].get("faults", ())), default=119.0)
    return tuple(maps_of([*ROWS].index(name), **ROWS[name], days=min(days, 119.0) + 1))


def judged(maps: tuple[MapOfFleet, ...], day: float) -> Fleet:
    """Return what the maps before a day say."""
    joined = fit([one for one in maps if one.day < day])

    def named(place: int) -> set[str]:
        one = joined.maps[place]
        found = judge_pairs(one.pairs, switches=one.switches)
        return {unit.name for unit in found.with_status(Status.SLOW)}

    return fleet_of(joined, day, named=named)


@pytest.mark.parametrize("name", ROWS)
def test_who_is_slow_is_named_and_nobody_else(name: str) -> None:
    faults = [one for one in ROWS[name].get("faults", ()) if one.by_day < math.inf]
    for day in {one.by_day for one in faults} or {119.0}:
        fleet = judged(history(name), day)
        slow = {host.name for host in fleet.hosts if host.state == State.SLOW}
        slow |= {f"leaf{int(one.hosts[0][1:]) // 16:02}" for one in fleet.uplinks}
        may = {one.where for one in faults if one.from_day <= day < one.clear_by}
        must = {one.where for one in faults if one.by_day <= day <= one.to_day}
        assert must <= slow <= may
