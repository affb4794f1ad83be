"""The map of pairs: order by similarity, squares by hand, labels, and the command."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from slow_hosts.machine import Machine
from support.machines.measure import flat, map_of

from beff.judge.finding import Checked
from beff.judge.fleet import JudgedFleet
from beff.maps.fleet import Fleet, HostState, State
from beff.maps.pair_map import PairMap
from beff.show.charts.judged import fleet_chart
from beff.show.charts.maps import pairs_chart
from beff.show.charts.spec import Chart, Row


def made(machine: Machine) -> PairMap:
    return map_of(machine, 3)


def hand_made(times: list[int | None]) -> PairMap:
    """Three units, all pairs: 0-1, 0-2, 1-2."""
    made_up = made(flat(3))
    of_pair = dict(zip([(0, 1), (0, 2), (1, 2)], times, strict=True))
    pairs = zip(made_up.first.tolist(), made_up.second.tolist(), strict=True)
    logs = np.log([float(of_pair[pair] or np.nan) for pair in pairs])
    return replace(made_up, times={"small": logs, "large": logs})


def squares(chart: Chart) -> dict[tuple[int, int], int]:
    """Levels of the first map by row and column."""
    panel = chart.panels[0]
    levels = panel["encoding"]["color"]["scale"]["domain"]
    return {
        (row["row"], column): levels.index(row["series"])
        for row in panel["data"]["values"]
        for column in range(row["column"], row["end"])
    }


def test_squares_and_levels_by_hand() -> None:
    """1000 ns is quick, 1400 is to x 1.5 and 9000 above x 5; a pair that did not meet is blank."""
    quick = np.quantile(np.log([1000, 1400, 9000]), 0.1)
    assert np.exp(quick) == pytest.approx(1069.6, abs=1)
    blank = {(unit, unit): 7 for unit in range(3)}
    pairs = {(0, 1): 0, (1, 0): 0, (0, 2): 2, (2, 0): 2, (1, 2): 6, (2, 1): 6}
    assert squares(pairs_chart(hand_made([1000, 1400, 9000]))) == blank | pairs
    pairs = {(0, 1): 0, (1, 0): 0, (0, 2): 7, (2, 0): 7, (1, 2): 0, (2, 1): 0}
    assert squares(pairs_chart(hand_made([1000, None, 1000]))) == blank | pairs


# --- the cells of a fleet, and values over time ---

SCREEN = (480, 700)


def host(
    number: int, leaf: int | None, factor: float = 1.0, state: State = State.GOOD
) -> HostState:
    factors = {"small": factor, "large": 1.0}
    return HostState(
        f"n{number}", state, factors, 0.01, 0, 0, 1.0, {"small": (), "large": ()}, leaf
    )


def cells(*hosts: HostState) -> dict[str, Row]:
    fleet = Fleet(hosts, (), (), 1.2)
    (panel,) = fleet_chart(JudgedFleet(fleet, (), (), 30, Checked())).panels
    assert panel["width"] <= SCREEN[0]
    assert panel["height"] <= SCREEN[1]
    (layer,) = panel["layer"]
    half = layer["mark"]["size"] ** 0.5 / 2
    rows = panel["data"]["values"]
    assert all(half <= row["column"] <= panel["width"] - half for row in rows)
    assert all(half <= row["row"] <= panel["height"] - half for row in rows)
    return {row["host"]: row for row in rows}


@pytest.mark.parametrize(
    ("count", "leaf"), [(1, 1), (8, 8), (300, 16), (5000, 16), (5000, 48), (5000, None)]
)
def test_each_host_has_a_place_of_its_own(count: int, leaf: int | None) -> None:
    found = cells(*(host(number, leaf and number // leaf) for number in range(count)))
    assert len({(row["column"], row["row"]) for row in found.values()}) == count
    for first in range(0, count, leaf or count) if leaf else ():
        of_leaf = [found[f"n{number}"] for number in range(first, min(first + leaf, count))]
        assert len({row["row"] for row in of_leaf}) == 1


def test_cells_are_coloured_by_the_larger_factor() -> None:
    some = (host(1, 0), host(2, 0, 1.4), host(3, 0, 4.0), host(4, 0, state=State.NO_ANSWER))
    found = cells(*some, host(5, 0, 0.9))
    assert found["n1"]["series"] == found["n5"]["series"]
    assert found["n3"]["series"] == found["n4"]["series"]
    assert len({row["series"] for row in found.values()}) == 3
