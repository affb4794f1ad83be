"""The page of a report: which sections it has, and each table once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.reports import B_EFF, B_EFF_3_1, B_EFF_IO, DATA

from beff.charts.chart import Chart
from beff.charts.table import charts_of
from beff.report.page import html_file
from beff.report.page.html_file import page
from beff.report.page.sections import contents
from beff.report.page.sections.headline import MOST_ANSWERS
from beff.verify.subject import Subject, load_subject


@pytest.mark.parametrize(
    ("other", "first"),
    [(DATA / "b_eff_2p_valid.json", "values_side_by_side"), (B_EFF_3_1, "b_eff_over_processes")],
)
def test_the_first_diagram_compares_the_values(other: Path, first: str, tmp_path: Path) -> None:
    """Of runs of equal numbers of processes, and over different ones."""
    second = tmp_path / "second.json"
    second.write_bytes(other.read_bytes())
    text = page(load_subject([B_EFF, second]))
    picture = text[text.index('<section id="picture"') : text.index('<section id="figures"')]
    assert re.findall('<figure class="diagram [a-z]+" id="([^"]+)"', picture) == [first]


def test_diagrams_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(subject: Subject) -> Iterator[Chart]:
        calls.append(subject)
        return charts_of(subject)

    monkeypatch.setattr(contents, "charts_of", counted)
    page(load_subject([B_EFF, B_EFF_IO]))
    assert len(calls) == 1


def test_the_page_links_to_the_repository_if_its_address_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert 'href="https' not in page(load_subject([B_EFF]))
    monkeypatch.setattr(html_file, "home", lambda: "https://forge.example/beff")
    assert 'href="https://forge.example/beff"' in page(load_subject([B_EFF]))


def test_many_results_have_no_values_on_the_first_screen() -> None:
    many = load_subject(sorted(DATA.glob("b_eff*.json")))
    assert len(many.results) > MOST_ANSWERS
    first, _, _ = page(many).partition('<section id="picture"')
    assert "<strong>" not in first
    b_eff = sum(entry.document.benchmark == "b_eff" for entry in many.results)
    assert f"<p>b_eff: {b_eff} results, from " in first
