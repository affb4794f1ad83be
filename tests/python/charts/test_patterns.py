"""Charts of patterns and file layouts: what they show."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.reports import ROOT

from beff.charts.chart import Chart, Row
from beff.charts.files import files
from beff.charts.patterns import patterns
from beff.charts.render import panels, svg
from beff.charts.theme import PAGE, PAPER
from beff.definition.b_eff_patterns import (
    Draw,
    pattern_seed,
    patterns_for,
    random_order,
    ring_sizes,
    standard_ring_sizes,
)
from beff.report.page.sections.charts import inline_svg

PICTURES = ROOT / "docs" / "pictures"
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(")


def rows_of(chart: Chart, *kinds: str) -> list[Row]:
    marks = (marks for panel in chart.panels for marks in panel.marks)
    return [row for of_one in marks if of_one.kind in kinds for row in of_one.rows]


def below(n: int) -> list[str]:
    return [panel.below for panel in patterns(n, Draw(1)).panels]


@settings(max_examples=30)
@given(st.integers(2, 32), st.integers(0, 2**53 - 1))
def test_every_pattern_has_its_place(n: int, seed: int) -> None:
    chart = patterns(n, Draw(seed))
    drawn = {int(panel.title.split(":")[0]): panel for panel in chart.panels}
    assert set(drawn) == {*range(9), *range(36, 49)}
    missing = {number for number, panel in drawn.items() if panel.marks[0].kind == "words"}
    assert missing == set(drawn) - set(patterns_for(n))
    assert chart.caption.endswith(f"Random orders by seed {seed}.")


@pytest.mark.parametrize("n", range(2, 33))
def test_all_processes_are_drawn(n: int) -> None:
    grids = sum(p.processes for number, p in patterns_for(n).items() if number >= 40)
    # six patterns of rings, three random ones and the cycle; two bisections; the ping-pong
    assert len(rows_of(patterns(n, Draw(1)), "dot")) == 10 * n + 2 * n + 2 + grids


def test_sizes_of_rings_are_those_of_the_definition() -> None:
    assert below(7)[0] == "size 2, 2, 3"
    assert below(7).count("size 7") == 5
    assert ring_sizes(29, standard_ring_sizes(29)[2]) == [8, 7, 7, 7]
    assert "size 8, 7, 7, 7" in below(29)
    assert "3 pairs, rank 6 idle" in below(7)


def test_random_orders_are_those_of_the_run() -> None:
    order = random_order(pattern_seed(1, 6), 12)
    assert f"{', '.join(map(str, order[:6]))}, …" in below(12)
    assert patterns(12, Draw(1)) != patterns(12, Draw(2))
    assert patterns(12, None).caption.endswith("Random orders are examples.")


@pytest.mark.parametrize("n", [1, 2, 4, 5, 6, 12, 32])
def test_layouts_show_all_patterns_of_the_plan(n: int) -> None:
    chart = files(n)
    words = [row.text for row in rows_of(chart, "words")]
    assert sorted(int(t.split(":")[0]) for t in words if re.match(r"\d+: ", t)) == list(range(43))
    assert (f"{n - 4} of the {n} processes are not drawn." in chart.caption) == (n > 5)


@pytest.mark.parametrize("chart", [patterns(12, Draw(1)), files(12)])
def test_a_page_chooses_all_colours(chart: Chart) -> None:
    for drawn in chain.from_iterable(panels(chart, PAGE)):
        assert COLOUR.search(drawn) is None
        assert 'id="' not in inline_svg(drawn, "patterns-1", "x")


@pytest.mark.parametrize(
    ("chart", "picture"),
    [(patterns(12, Draw(1)), "b_eff_patterns.svg"), (files(4), "b_eff_io_files.svg")],
)
def test_pictures_of_the_docs_are_current(chart: Chart, picture: str) -> None:
    assert svg([chart], PAPER) == (PICTURES / picture).read_text(encoding="utf-8")
