"""The picture of a map of pairs: order by similarity, colours, size, the page and the command."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.machines.fields import fields_of, read_map
from support.machines.flat import CALM, flat
from support.machines.leaves import Leaves, Level
from support.machines.machine import Machine
from support.machines.measure import map_of, seed_of_run
from support.machines.result import make_map
from support.results import Plan, make_result

from beff.analysis.b_pairs.pair_map import PairMap
from beff.charts.common.theme import PAGE, PAPER
from beff.cli.app import main
from beff.drawings.pair_map import by_similarity, draw_pair_map, pair_map_parts

COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(")
AREA = re.compile(r'd="([^"]*)" fill="[^"]*" fill-opacity="([^"]*)"')


def made(machine: Machine) -> PairMap:
    return map_of(machine, 3)


def hand_made(times: list[int | None]) -> PairMap:
    """Three units, all pairs: 0-1, 0-2, 1-2."""
    made_up = made(flat(3))
    of_pair = dict(zip([(0, 1), (0, 2), (1, 2)], times, strict=True))
    pairs = zip(made_up.first.tolist(), made_up.second.tolist(), strict=True)
    logs = np.log([float(of_pair[pair] or np.nan) for pair in pairs])
    return replace(made_up, times={"small": logs, "large": logs})


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


def test_squares_and_colours_by_hand() -> None:
    """1000 ns is quick, 1400 is to x 1.5 and 9000 above x 5; each pair has two squares."""
    drawn = draw_pair_map(hand_made([1000, 1400, 9000]), PAPER)
    by_rank = AREA.findall(drawn)[1:4]
    quick = np.quantile(np.log([1000, 1400, 9000]), 0.1)
    assert np.exp(quick) == pytest.approx(1069.6, abs=1)
    assert [strength for _, strength in by_rank] == ["0.12", "0.38", "1"]
    squares = [set(re.findall(r"M(\d,\d)", course)) for course, _ in by_rank]
    assert squares == [{"0,1", "1,0"}, {"0,2", "2,0"}, {"1,2", "2,1"}]


def test_a_pair_that_did_not_meet_is_blank() -> None:
    drawn = draw_pair_map(hand_made([1000, None, 1000]), PAPER)
    course, _ = AREA.findall(drawn)[1]
    assert set(re.findall(r"M(\d,\d)", course)) == {"0,1", "1,0", "1,2", "2,1"}


def test_a_slow_host_among_512_is_seen_and_the_picture_small() -> None:
    """Row 12 holds the units 96 to 103; a median over 64 pairs would hide unit 100."""
    drawn = draw_pair_map(made(flat(512, slow={100: 4.0}, **CALM, passes=3)), PAPER)
    assert len(drawn) < 200_000
    strong = "".join(
        course for course, strength in AREA.findall(drawn)[:7] if float(strength) > 0.6
    )
    rows = [
        row
        for _, row, length in re.findall(r"M(\d+),(\d+)h(\d+)", strong)
        for _ in range(int(length))
    ]
    assert max(set(rows), key=rows.count) == "12"


def test_the_page_gives_the_colours() -> None:
    assert not COLOUR.search(draw_pair_map(made(flat(8)), PAGE))


def test_names_are_escaped() -> None:
    fields = fields_of(made(flat(8)), seed_of_run(3))
    fields["environment"]["hosts"][0]["name"] = "<script>"
    drawn = draw_pair_map(read_map(fields), PAPER)
    assert "<script" not in drawn
    assert "&lt;script&gt;" in drawn


def test_bad_hosts_are_labelled_whatever_room_there_is() -> None:
    pairs = made(flat(200, slow={101: 2.0}))
    bad = pairs.names[101]  # its square stands for four, of which another is the first
    bold = re.compile(r'font-weight="bold"[^>]*>([^<]*)<')
    assert bad not in bold.findall(draw_pair_map(pairs, PAPER))
    # two maps, two orders, two sides
    assert bold.findall(draw_pair_map(pairs, PAPER, {bad})).count(bad) == 8
    for _, pictures in pair_map_parts(pairs, PAGE, {bad}):
        maps = [bold.findall(drawn) for _, drawn in pictures]
        assert maps == [[bad, bad], [bad, bad], []]


def stored(folder: Path, fields: dict[str, Any]) -> Path:
    path = folder / "a.json"
    path.write_text(json.dumps(fields), encoding="utf-8")
    return path


def test_command_and_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = stored(tmp_path, make_map(flat(8, slow={3: 2.0})))
    assert main(["figure", "pairs", "--result", str(path)]) == 0
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "the map of pairs" in capsys.readouterr().out
    assert main(["report", str(path)]) == 0
    assert "The map of pairs of 8 hosts" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = stored(tmp_path, make_result(Plan(processes=2, methods=("sendrecv",), repetitions=1)))
    assert main(["figure", "pairs", "--result", str(path)]) == 2
    assert "one of b_pairs is needed" in capsys.readouterr().err
    assert main(["figure", "pairs"]) == 2
    assert main(["figure", "files", "--result", str(path)]) == 2
    assert "--result " in capsys.readouterr().err
