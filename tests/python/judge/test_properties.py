"""What must not matter to a judgement: the unit of all rates, and in which order hosts stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.machines.flat import flat
from support.machines.measure import map_of
from support.sides import at, second

from beff.judge.compare import CompareSettings, compare
from beff.judge.series import JudgedFigure
from beff.maps.findings import Status
from beff.maps.judge_pairs import judge_pairs
from beff.maps.pair_map import PairMap

BEFORE, AFTER = (1.0, 1.01, 0.99), (1.2, 1.21, 1.19)
UNITS = 8
MAP = map_of(flat(UNITS, slow={3: 2.0}), 1)


def rows(factor: float) -> dict[tuple[str, str], JudgedFigure]:
    """What compare finds where all times of both sides are so many times as long."""
    a, b = (
        [at(second(10 * side + run), factor * slower) for run, slower in enumerate(runs)]
        for side, runs in enumerate((BEFORE, AFTER))
    )
    tables = compare(a, b, CompareSettings()).comparisons[0].tables
    return {(table.name, row.figure.name): row for table in tables for row in table.rows}


@pytest.mark.parametrize("factor", [0.5, 3.0, 1000.0])
def test_all_rates_times_a_factor_change_no_change(factor: float) -> None:
    usual, other = rows(1.0), rows(factor)
    assert usual.keys() == other.keys()
    for name, row in usual.items():
        assert other[name].shares[1] == pytest.approx(row.shares[1], rel=1e-9, abs=1e-12), name
        assert other[name].word == row.word, name


def renamed(pairs: PairMap, places: list[int], names: list[str]) -> PairMap:
    """The same map where the unit at each place stands at another one, under another name."""
    to = np.array(places)
    ends = ("first", "second", "retest_first", "retest_second")
    moved = {name: to[getattr(pairs, name)] for name in ends}
    named = tuple(names[places.index(place)] for place in range(pairs.units))
    return replace(pairs, names=named, **moved)


@settings(max_examples=10)
@given(st.permutations(range(UNITS)), st.permutations([f"host-{n}" for n in range(UNITS)]))
def test_order_and_names_of_hosts_change_no_verdict(places: list[int], names: list[str]) -> None:
    usual, other = judge_pairs(MAP), judge_pairs(renamed(MAP, places, names))
    new = dict(zip(MAP.names, names, strict=True))
    assert usual.with_status(Status.SLOW)
    for status in Status:
        expected = {new[unit.name] for unit in usual.with_status(status)}
        assert {unit.name for unit in other.with_status(status)} == expected
    assert {*other.together} == {new[name] for name in usual.together}
    assert other.why_not == usual.why_not
