"""The cells of a fleet: all on one screen, those of a leaf beside each other."""

from __future__ import annotations

import pytest

from beff.charts.chart import Row
from beff.charts.fleet import fleet_chart
from beff.fleet.states import Fleet, HostState, State
from beff.judge.finding import Checked
from beff.judge.fleet import JudgedFleet

SCREEN = (480, 700)


def host(
    number: int, leaf: int | None, factor: float = 1.0, state: State = State.GOOD
) -> HostState:
    factors = {"small": factor, "large": 1.0}
    return HostState(
        f"n{number}", state, factors, 0.01, 0, 0, 1.0, {"small": (), "large": ()}, leaf
    )


def cells(hosts: list[HostState]) -> dict[str, Row]:
    fleet = Fleet(tuple(hosts), (), (), 1.2)
    (panel,) = fleet_chart(JudgedFleet(fleet, (), (), 30, Checked())).panels
    assert panel.size[0] <= SCREEN[0]
    assert panel.size[1] <= SCREEN[1]
    (marks,) = panel.marks
    assert marks.size is not None
    half = marks.size**0.5 / 2
    for row in marks.rows:
        assert half <= float(row.x) <= panel.size[0] - half
        assert half <= row.value <= panel.size[1] - half
    return {row.text.partition(":")[0]: row for row in marks.rows}


@pytest.mark.parametrize(("count", "leaf"), [(1, 1), (8, 8), (300, 16), (5000, 16), (5000, 48)])
def test_each_host_has_a_place_of_its_own(count: int, leaf: int) -> None:
    found = cells([host(number, number // leaf) for number in range(count)])
    assert len({(row.x, row.y) for row in found.values()}) == count
    for first in range(0, count, leaf):
        of_leaf = [found[f"n{number}"] for number in range(first, min(first + leaf, count))]
        assert len({row.y for row in of_leaf}) == 1


def test_hosts_of_unknown_leaves_have_places_too() -> None:
    found = cells([host(number, None) for number in range(5000)])
    assert len({(row.x, row.y) for row in found.values()}) == 5000


def test_cells_are_coloured_by_the_larger_factor() -> None:
    some = (host(1, 0), host(2, 0, 1.4), host(3, 0, 4.0), host(4, 0, state=State.NO_ANSWER))
    found = cells([*some, host(5, 0, 0.9)])
    assert found["n1"].series == found["n5"].series
    assert found["n3"].series == found["n4"].series
    assert len({row.series for row in found.values()}) == 3
