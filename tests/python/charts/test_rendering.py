"""Every diagram of the stored results, drawn."""

from __future__ import annotations

import copy
import re
from collections import Counter
from functools import cache
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader
from support.examples import B_EFF_IMPORTED, B_EFF_IO_IMPORTED
from support.reports import B_EFF, B_EFF_3_1, B_EFF_IO, STOPPED_IO, STORED, document_of

from beff.charts.chart import Chart
from beff.charts.render import compact, panels, pdf, png, svg
from beff.charts.table import charts_of
from beff.charts.theme import PAGE, PAPER
from beff.definition.b_eff_patterns import PING_PONG
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.b_eff_result import BEffResult
from beff.result.load import check_document, load_document
from beff.result.numbers import rate
from beff.verify.common.summary_figures import main_value
from beff.verify.subject import LabelledResult, Subject, load_subject

IMPORTED = [B_EFF_IMPORTED, B_EFF_IO_IMPORTED]
REPORTS: dict[str, list[Path]] = {
    **{path.stem: [path] for path in (*STORED, *IMPORTED)},
    "several": [*STORED, *IMPORTED],
}
LARGEST_SVG = 260_000
HOSTILE = '</text><script>alert(1)</script>"&\x07'
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(")

WITHOUT_LEGEND = {"area_under_the_curve", "values_side_by_side"}

every_report = pytest.mark.parametrize("name", REPORTS)


@cache
def charts(name: str) -> list[Chart]:
    return list(charts_of(load_subject(REPORTS[name])))


@cache
def page_svgs(name: str) -> list[tuple[str, str]]:
    return [(chart.key, svg([chart], PAGE)) for chart in charts(name)]


def marks(drawn: str, *kinds: str) -> list[tuple[ElementTree.Element, list[str]]]:
    """Elements that stand for a measured value, or of the given kinds, each with its series."""
    found = []
    for element in ElementTree.fromstring(drawn).iter():
        kind, _, series = element.get("aria-roledescription", "").partition(": ")
        if kind in (kinds or ("point", "bar")):
            found.append((element, series.split()))
    return found


@every_report
def test_every_point_is_described(name: str) -> None:
    assert page_svgs(name)
    for key, drawn in page_svgs(name):
        described = [mark.get("aria-label", "") for mark, _ in marks(drawn)]
        assert described, key
        unit = "byte/flop" if key.startswith("balance") else r"\d [kMGTP]B/s"
        assert all(re.search(unit, text) for text in described), key


@every_report
def test_every_mark_names_an_entry_of_each_legend(name: str) -> None:
    for key, drawn in page_svgs(name):
        entries = {series for _, named in marks(drawn, "entry") for series in named}
        for kind in ("line", "point", "bar"):
            named = [series for mark, series in marks(drawn, kind) if series and mark.get("d")]
            if named and key not in WITHOUT_LEGEND:
                assert {series for of_one in named for series in of_one} <= entries, (key, kind)
                assert len({len(of_one) for of_one in named}) == 1


@every_report
def test_a_page_chooses_all_colours(name: str) -> None:
    for key, drawn in page_svgs(name):
        assert COLOUR.search(re.sub('aria-label="[^"]*"', "", drawn)) is None, key
        assert "var(--ink)" in drawn
        assert "var(--series-1)" in drawn


@every_report
def test_drawings_are_small_enough_for_a_page(name: str) -> None:
    sizes = {key: len(drawn) for key, drawn in page_svgs(name)}
    assert {key: size for key, size in sizes.items() if size > LARGEST_SVG} == {}


@every_report
def test_a_chart_says_what_it_shows(name: str) -> None:
    assert len({chart.key for chart in charts(name)}) == len(charts(name))
    for chart in charts(name):
        assert re.fullmatch("[a-z0-9_]+", chart.key)
        assert chart.caption.endswith(".")
        assert re.search(r"\d", chart.alt) or "each" in chart.alt, chart.key


def test_grids_by_method_have_a_point_for_each_method_size_and_grid() -> None:
    (drawn,) = (svg for key, svg in page_svgs(B_EFF_3_1.stem) if key == "grids_by_method")
    result = load_document(B_EFF_3_1).result
    assert isinstance(result, BEffResult)
    grids = [one for one in result.patterns if one.id in (40, 41, 44, 48)]
    assert len(grids) == 4
    found = Counter(series[0] for _, series in marks(drawn))
    each = len(grids) * len(result.message_sizes_bytes)
    assert found == dict.fromkeys(result.methods, each)
    assert {one.name for one in grids} <= set(ElementTree.fromstring(drawn).itertext())


@every_report
def test_panels_hold_the_points_of_the_chart_and_are_narrow(name: str) -> None:
    for chart in charts(name):
        whole = Counter(text for text in map(described, marks(svg([chart], PAGE))) if text)
        parts = [panel for part in panels(chart, PAGE) for panel in part]
        assert sum((Counter(map(described, marks(one))) for one in parts), Counter()) == whole
        for one in parts:
            width = float(ElementTree.fromstring(one).get("width", "0"))
            assert 200 < width < 368 * 12 / 11, chart.key  # so that 12 px are 11 at least


def described(mark: tuple[ElementTree.Element, list[str]]) -> str:
    return mark[0].get("aria-label", "")


def test_of_neighbours_with_one_legend_the_last_has_it() -> None:
    (chart,) = (one for one in charts(B_EFF_IO.stem) if one.key == "io_over_chunk_size_0")
    legends = [[one.count("role-legend-label") > 0 for one in part] for part in panels(chart, PAGE)]
    assert legends == [[False, False, True], [False, False, False, False, True]]


def test_each_access_has_one_colour_in_all_diagrams_and_no_type_has_it() -> None:
    colours: dict[str, set[str]] = {}
    for _, drawn in page_svgs(B_EFF_IO.stem):
        for mark, series in marks(drawn, "point", "bar"):
            look = {mark.get("fill"), mark.get("stroke")} - {None, "transparent", "none"}
            colours.setdefault(series[0], set()).update(str(one) for one in look)
    for number, access in enumerate(ACCESSES, start=1):
        assert colours.pop(access) == {f"var(--series-{number})"}
    assert len(colours) == 6  # five types, and the value
    assert not {f"var(--series-{number})" for number in (1, 2, 3)} & set().union(*colours.values())


def test_each_of_several_results_is_a_bar() -> None:
    assert not any(chart.key == "values_side_by_side" for chart in charts(B_EFF.stem))
    (drawn,) = (svg for key, svg in page_svgs("several") if key == "values_side_by_side")
    bars = {mark.get("aria-label", ""): mark for mark, _ in marks(drawn, "bar")}
    entries = load_subject(REPORTS["several"]).results
    with_value = [entry for entry in entries if main_value(entry.document.result)]
    assert len(bars) == len(with_value) > 2
    for entry in with_value:
        (text,) = (text for text in bars if text.startswith(f"{entry.label}: "))
        assert rate(main_value(entry.document.result)) in text
        assert ("stroke" in bars[text].attrib) == (not entry.document.result.valid)


def test_balance_needs_two_results_with_r_max() -> None:
    document = document_of(B_EFF)
    document["summary"] |= {"rmax_gflops": 10.0, "balance_bytes_per_flop": 0.2257}
    entry = LabelledResult("a", check_document("a", document))
    assert "balance_over_processes" not in [one.key for one in charts_of(Subject((entry,)))]
    found = {chart.key: chart for chart in charts_of(Subject((entry, entry)))}
    described = [
        mark.get("aria-label", "")
        for mark, _ in marks(svg([found["balance_over_processes"]], PAGE))
    ]
    assert len(described) == 2
    assert all(text.startswith("0.226 byte/flop; a: b_eff") for text in described)


def test_texts_of_a_result_stay_texts() -> None:
    document = copy.deepcopy(document_of(B_EFF))
    for host in document["environment"]["hosts"]:
        host["name"] = HOSTILE
    document["environment"]["cpu"]["model"] = HOSTILE
    subject = Subject((LabelledResult(HOSTILE, check_document("hostile", document)),) * 2)
    single = Subject(subject.results[:1])
    for chart in [*charts_of(subject), *charts_of(single)]:
        for theme in (PAGE, PAPER):
            root = ElementTree.fromstring(svg([chart], theme))
            assert [element for element in root.iter() if element.tag.endswith("script")] == []
            texts = [element.get("aria-label", "") for element in root.iter()]
            # Some diagrams name nothing that a result holds.
            assert chart.key in {"area_under_the_curve", "shares_of_pingpong"} or any(
                HOSTILE.replace("\x07", "?") in text for text in texts
            ), chart.key


def test_only_methods_that_are_not_official_leave_the_value_out() -> None:
    document = copy.deepcopy(document_of(B_EFF))
    document["methods"] = document["options"]["methods"] = ["persistent"]
    samples = document["samples"]
    kept = [row for row, pattern in enumerate(samples["pattern"]) if pattern != PING_PONG]
    document["samples"] = {name: [cells[row] for row in kept] for name, cells in samples.items()}
    subject = Subject((LabelledResult("a", check_document("a", document)),))
    keys = [chart.key for chart in charts_of(subject)]
    assert not {"rings_and_random", "additional_patterns"} & set(keys)


def test_a_pdf_has_a_page_and_a_bookmark_for_each_chart() -> None:
    chosen = charts(B_EFF_IO.stem)
    document = PdfReader(BytesIO(pdf(chosen, PAPER, "title <1>")))
    assert len(document.pages) == len(chosen)
    assert [entry.title for entry in document.outline] == [chart.title for chart in chosen]  # type: ignore[union-attr]
    assert document.metadata is not None
    assert document.metadata.title == "title <1>"
    assert "Accumulated bandwidth" in document.pages[0].extract_text()


def test_a_sheet_holds_all_charts_with_their_titles() -> None:
    chosen = charts(STOPPED_IO.stem)
    texts = set(ElementTree.fromstring(svg(chosen, PAPER)).itertext())
    assert {chart.title for chart in chosen} <= texts


def test_a_png_grows_with_its_scale() -> None:
    chosen = charts(B_EFF_IO.stem)[-1:]
    once, twice = (png(chosen, PAPER, scale) for scale in (1, 2))
    assert once[:8] == twice[:8] == b"\x89PNG\r\n\x1a\n"
    width = [int.from_bytes(picture[16:20], "big") for picture in (once, twice)]
    assert width[1] == pytest.approx(2 * width[0], abs=2)


def test_compact_drops_only_what_nobody_sees() -> None:
    drawn = (
        '<svg><path aria-label="1.23456 opacity=&quot;1&quot;" d="M1.23456,-0.001L2,3.5"'
        ' transform="translate(95.25653310599488,43)" fill="red" stroke-width="2" opacity="1"/>'
        '<path class="foreground" display="none"/><text x="1.23456">2.34567</text>'
        '<path fill="none" stroke="red" stroke-width="2" opacity="0.5"/></svg>'
    )
    assert compact(drawn) == (
        '<svg><path aria-label="1.23456 opacity=&quot;1&quot;" d="M1.23,0L2,3.5"'
        ' transform="translate(95.26,43)" fill="red"/><text x="1.23456">2.34567</text>'
        '<path fill="none" stroke="red" stroke-width="2" opacity="0.5"/></svg>'
    )
