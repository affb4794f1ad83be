"""What uplinks carry by steps of a bisection whose halves are the groups, worked out by hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from support.machines.flat import QUIET
from support.machines.leaves import Leaves, Level
from support.machines.machine import broken
from support.machines.result import make_map

from beff.result.b_pairs_result import BPairsResult
from beff.twin.ways import Ways, ways_of

MIB = 1 << 20
SUMS = [2000.0, 1500.0, 2200.0, 2100.0, 2300.0]
"""MB/s of five pairs, both ways, by step: a quarter have no more than 2000, 1000 each way."""


@cache
def map_of_two_leaves() -> dict[str, Any]:
    """Two leaves of five hosts with half of their bandwidth up."""
    return make_map(broken(Leaves((Level((5, 5), hop=1.3, taper=2.0),)), **QUIET, passes=20))


def ways(first_half: list[int] | None, alone_MBps: float | None) -> Ways:  # noqa: N803 - the unit
    """By the map and five steps; so much a pair has alone, both ways."""
    fields = map_of_two_leaves()
    pair = {"first": [0] * 5, "second": [9] * 5}
    alone = {"first": [], "second": [], "ns": []}
    if alone_MBps is not None:
        alone = {"first": [0], "second": [5], "ns": [round(2 * MIB * 1e3 / alone_MBps)]}
    halves = {"kind": "order", "steps": {"sum_MBps": SUMS, "slowest_ns": [MIB] * 5, **pair}}
    planned = {"message_bytes": MIB, "processes": 1, "steps": 5, "random_halves": 0}
    planned |= {"first_half": first_half, "longest_s": 1.0, "at_10_GBps_s": 1.0}
    measured = {"alone": alone, "halves": [halves], "minimum": None, "took_s": 1.0}
    result = {
        **fields,
        "plan": {**fields["plan"], "bisection": planned},
        "bisection": measured,
    }
    return ways_of(BPairsResult.model_validate(result))


def of_map() -> Ways:
    fields = map_of_two_leaves()
    return ways_of(BPairsResult.model_validate(fields))


@pytest.mark.parametrize("first_half", [None, [5, 6, 7, 8, 9]])
def test_a_quarter_of_the_steps_have_no_more(first_half: list[int] | None) -> None:
    assert ways(first_half, 1000.0).levels[0].carried == pytest.approx([1000e6] * 2)


def test_halves_that_are_no_groups_say_nothing() -> None:
    assert ways([0, 1, 2, 5, 6], 1000.0).levels[0].carried == pytest.approx(
        of_map().levels[0].carried
    )


@pytest.mark.parametrize("alone_MBps", [430.0, None])
def test_pairs_that_have_what_they_have_alone_show_no_limit(
    alone_MBps: float | None,  # noqa: N803 - the unit
) -> None:
    """Five of them would have 2150 MB/s: 1.08 times as much."""
    assert ways(None, alone_MBps).levels[0].carried == pytest.approx(of_map().levels[0].carried)
