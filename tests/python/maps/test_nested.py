"""Switches within switches by maps: right where they are, silent where there are none."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from support.machines.faults import Fault
from support.machines.leaves import Leaves, Level
from support.machines.machine import broken
from support.machines.measure import map_of
from support.machines.rates import Rates
from support.switch_rows import SWITCH_ROWS, part_of

from beff.maps.joined import joined, met_most
from beff.maps.nested import nested

PODS = Leaves((Level((4,) * 6, hop=1.15), Level((8, 16), hop=1.3)), scattered=3)


@pytest.mark.parametrize("name", SWITCH_ROWS)
def test_what_is_said_of_drawn_machines_is_true(name: str) -> None:
    row = SWITCH_ROWS[name]
    said = Counter(row.said(seed) for seed in range(500, 503))
    assert said["wrong"] == 0
    if name in {"torus", "dragonfly", "random rates of pairs"}:
        assert said["open"] == 3
    else:
        assert said["right"] + said["part"] >= 1


def test_steps_are_what_messages_take_longer() -> None:
    seen = nested(joined([map_of(broken(PODS, passes=20), 1)]))
    assert seen.steps == pytest.approx([0.15, 0.15], abs=0.02)
    assert seen.explains


def test_slow_hosts_are_where_they_are() -> None:
    slow = broken(PODS, Fault(1.8, hosts=(2, 9)), passes=20)
    seen, clean = (nested(joined([map_of(one, 1)])) for one in (slow, broken(PODS, passes=20)))
    assert seen.placed.all()
    assert (seen.labels == clean.labels).all()


def test_more_maps_make_it_surer() -> None:
    maps = [map_of(broken(PODS, passes=8), 1, day) for day in range(4)]
    one, all_of_them = (nested(joined(some)).sigmas.min() for some in (maps[:1], maps))
    assert all_of_them > 1.3 * one


def test_maps_of_other_hosts_join_by_the_pairs_that_they_share() -> None:
    """One map of a pod alone, and one of most hosts, when all took twice as long."""
    first = part_of(map_of(broken(PODS, passes=20), 1), np.arange(0, 14))
    times = {kind: logs + np.log(2) for kind, logs in first.times.items()}
    second = map_of(broken(PODS, passes=20), 1, 1)
    both = joined([replace(first, times=times), second])
    alone = joined([second])
    assert np.nanmax(abs(both.times / alone.times - 1)) < 0.1


def test_who_met_few_is_left_out() -> None:
    whole = map_of(broken(PODS, passes=20), 1)
    met = (whole.first != 5) & (whole.second != 5) | (whole.first + whole.second < 10)
    names = ("passes", "rounds", "first", "second")
    few = replace(
        whole,
        **{name: getattr(whole, name)[met] for name in names},
        times={kind: times[met] for kind, times in whole.times.items()},
    )
    assert np.flatnonzero(~met_most(joined([few]))).tolist() == [5]
    halves = [part_of(whole, np.arange(begin, begin + 12)) for begin in (0, 12)]
    assert met_most(joined(halves)).sum() == 12


def test_pairs_that_met_once_do_not_tell_chance() -> None:
    assert not nested(joined([map_of(broken(Rates(12, 0.1, 1), passes=1), 1)])).is_told
