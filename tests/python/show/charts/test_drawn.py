"""Every diagram of the stored results, drawn: for a page, and as .svg, .png, .pdf and .csv."""

from __future__ import annotations

import copy
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.examples import B_EFF_IMPORTED, B_EFF_IO_IMPORTED
from support.reports import B_EFF, STOPPED_IO, STORED, document_of, run_beff, written

from beff.definition.subject import LabelledResult, Subject, load_subject
from beff.result.load import check_document
from beff.show.charts.drawing import drawn as pictured
from beff.show.charts.drawing import page_svgs
from beff.show.charts.spec import Chart, described, plain
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
