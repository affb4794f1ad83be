"""Every diagram of the stored results, drawn: for a page, and as .svg, .png, .pdf and .csv."""

import copy
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from slow_hosts.machine import Machine
from support.examples import B_EFF_IMPORTED, B_EFF_IO_IMPORTED
from support.machines.measure import flat, map_of
from support.reports import B_EFF, STOPPED_IO, STORED, document_of, run_beff, written

from beff.definition.subject import LabelledResult, Subject, load_subject
from beff.judge.finding import Checked
from beff.judge.fleet import JudgedFleet
from beff.maps.fleet import Fleet, HostState, State
from beff.maps.pair_map import PairMap
from beff.result.load import check_document
from beff.show.charts.drawing import drawn as pictured
from beff.show.charts.drawing import page_svgs
from beff.show.charts.judged import fleet_chart
from beff.show.charts.maps import pairs_chart
from beff.show.charts.spec import Chart, Row, described, plain
from beff.show.charts.table import charts_of

IMPORTED = [B_EFF_IMPORTED, B_EFF_IO_IMPORTED]
REPORTS: dict[str, list[Path]] = {
    **{path.stem: [path] for path in (*STORED, *IMPORTED)},
    "several": [*STORED, *IMPORTED],
}
HOSTILE = '</text><script>alert(1)</script>"&\x07'
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(")


@cache
def charts(name: str) -> dict[str, Chart]:
    return {chart.key: chart for chart in charts_of(load_subject(REPORTS[name]))}


@cache
def drawn(name: str) -> dict[str, list[str]]:
    return {key: page_svgs(chart) for key, chart in charts(name).items()}


@pytest.mark.parametrize("name", REPORTS)
def test_every_chart_is_described_and_drawn_for_a_page(name: str) -> None:
    assert charts(name)
    for key, chart in charts(name).items():
        assert re.fullmatch("[a-z0-9_]+", key)
        assert chart.caption.endswith(".")
        assert all(re.search(r"\d", panel_text) for panel_text in map(described, chart.panels)), key
        elements = [each for one in drawn(name)[key] for each in ElementTree.fromstring(one).iter()]
        marks = [each for each in elements if each.get("aria-roledescription") in ("point", "bar")]
        texts = [mark.get("aria-label", "") for mark in marks]
        assert texts, key
        assert all(re.search(r"\d [kMGTP]B/s", text) for text in texts), key
        assert {plain(row["text"]) for row in chart.rows} >= set(texts), key
        for one in drawn(name)[key]:
            assert COLOUR.search(re.sub('aria-label="[^"]*"', "", one)) is None, key
            assert "var(--ink)" in one
            assert 200 < float(ElementTree.fromstring(one).get("width", "0")) < 400, key


def test_texts_of_a_result_stay_texts() -> None:
    document = copy.deepcopy(document_of(B_EFF))
    for host in document["environment"]["hosts"]:
        host["name"] = HOSTILE
    document["environment"]["cpu"]["model"] = HOSTILE
    subject = Subject((LabelledResult(HOSTILE, check_document("hostile", document)),) * 2)
    found = set()
    for chart in [*charts_of(subject), *charts_of(Subject(subject.results[:1]))]:
        for one in [pictured([chart], ".svg").decode(), *page_svgs(chart)]:
            elements = [*ElementTree.fromstring(one).iter()]
            assert not any(element.tag.endswith("script") for element in elements)
            texts = [element.get("aria-label", "") for element in elements]
            found |= {chart.key} if HOSTILE.replace("\x07", "?") in " ".join(texts) else set()
    assert {"overlay", "values_side_by_side", "rings_and_random"} <= found


# --- files ---


@pytest.mark.parametrize("name", ["b_eff_4p_definition_3.1", "several"])
def test_no_chart_has_more_groups_in_groups_than_pdf_bears(name: str) -> None:
    for key, chart in charts(name).items():
        assert pictured([chart], ".pdf").startswith(b"%PDF"), key


def test_what_has_no_picture_says_so(tmp_path: Path) -> None:
    document = document_of(STOPPED_IO)
    for table in ("samples", "types"):
        document[table]["bandwidth_MBps"] = [None] * len(document[table]["bandwidth_MBps"])
    source = written(tmp_path, "nothing.json", document)
    done = run_beff("show", source, "-o", tmp_path / "a.pdf")
    assert done.returncode == 1
    assert done.stderr.startswith(f"beff: {source}: ")


# --- the map of pairs: order by similarity, squares by hand, labels, and the command ---


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
