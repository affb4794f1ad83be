"""The map of pairs: order by similarity, squares by hand, labels, and the command."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.machines.fields import fields_of, read_map
from support.machines.flat import CALM, flat
from support.machines.leaves import Leaves, Level
from support.machines.machine import Machine
from support.machines.measure import map_of, seed_of_run
from support.results import Plan, make_result

from beff.charts.chart import Chart
from beff.charts.maps import by_similarity, pairs_chart
from beff.charts.render import svg
from beff.charts.theme import PAPER
from beff.cli.app import main
from beff.maps.pair_map import PairMap


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
    return {
        (int(row.y or 0), column): panel.series.index(row.series)
        for row in panel.marks[0].rows
        for column in range(int(row.x), int(row.x2 or 0))
    }


@pytest.mark.parametrize("units", [16, 64, 200])
def test_similar_units_stand_together(units: int) -> None:
    """Of a quarter behind a far switch, numbered at random, all become neighbours."""
    topology = Leaves((Level((units // 4, units - units // 4), hop=4.0),), scattered=1)
    order = by_similarity(made(Machine(topology, passes=3)))
    assert sorted(order.tolist()) == list(range(units))
    assert np.count_nonzero(np.diff(topology.group_of[0][order])) == 1


def test_a_slow_unit_stands_at_an_edge() -> None:
    order = by_similarity(made(flat(16, slow={5: 2.0}))).tolist()
    assert 5 in {order[0], order[-1]}


def test_squares_and_levels_by_hand() -> None:
    """1000 ns is quick, 1400 is to x 1.5 and 9000 above x 5; a pair that did not meet is blank."""
    quick = np.quantile(np.log([1000, 1400, 9000]), 0.1)
    assert np.exp(quick) == pytest.approx(1069.6, abs=1)
    blank = {(unit, unit): 7 for unit in range(3)}
    pairs = {(0, 1): 0, (1, 0): 0, (0, 2): 2, (2, 0): 2, (1, 2): 6, (2, 1): 6}
    assert squares(pairs_chart(hand_made([1000, 1400, 9000]))) == blank | pairs
    pairs = {(0, 1): 0, (1, 0): 0, (0, 2): 7, (2, 0): 7, (1, 2): 0, (2, 1): 0}
    assert squares(pairs_chart(hand_made([1000, None, 1000]))) == blank | pairs


def test_a_slow_host_among_512_is_seen_and_the_picture_small() -> None:
    """Row 12 holds the units 96 to 103; a median over 64 pairs would hide unit 100."""
    chart = pairs_chart(made(flat(512, slow={100: 4.0}, **CALM, passes=3)))
    assert len(svg([chart], PAPER)) < 300_000
    strong = Counter(row for (row, _), level in squares(chart).items() if 4 <= level < 7)
    assert strong.most_common(1)[0][0] == 12


def test_names_are_escaped() -> None:
    fields = fields_of(made(flat(8)), seed_of_run(3))
    fields["environment"]["hosts"][0]["name"] = "<script>\x07"
    drawn = svg([pairs_chart(read_map(fields))], PAPER)
    assert "<script" not in drawn
    assert "&lt;script&gt;?" in drawn


def test_bad_hosts_are_labelled_whatever_room_there_is() -> None:
    pairs = made(flat(200, slow={101: 2.0}))
    bad = pairs.names[101]  # its square stands for four, of which another is the first
    for names, expected in ((set(), []), ({bad}, [bad])):
        for panel in pairs_chart(pairs, names).panels:
            for axis in (panel.x, panel.y):
                assert [axis.ticks[tick] for tick in axis.bold] == expected
                assert len(axis.ticks) > 10


def test_a_chart_that_a_result_does_not_have_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    fields = make_result(Plan(processes=2, methods=("sendrecv",), repetitions=1))
    path.write_text(json.dumps(fields), encoding="utf-8")
    picture = tmp_path / "pairs.svg"
    assert main(["show", str(path), "-o", str(picture), "--figure", "pairs"]) == 2
    assert "they have shares_of_pingpong, " in capsys.readouterr().err
    assert main(["show", str(path), "-o", str(picture)]) == 0
    assert ": the chart shares_of_pingpong; " in capsys.readouterr().out
