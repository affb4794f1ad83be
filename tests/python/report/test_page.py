"""The page of a report: which sections it has, and each table once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.reports import B_EFF, B_EFF_IO

from beff.analysis.subject import load_subject
from beff.report.page.html_file import page

SECTIONS = [
    *("value-1", "picture", "summary-1", "figures", "analysis-1", "spread-1", "balance"),
    *("environment-1", "derivation-1", "patterns-1", "published"),
]
NOT_OF_IO = {"balance"}


def sections_in(text: str) -> list[str]:
    return re.findall(r'<section id="([^"]+)"', text)


@pytest.mark.parametrize(("path", "missing"), [(B_EFF, set()), (B_EFF_IO, NOT_OF_IO)])
def test_sections_in_their_order_and_each_table_once(path: Path, missing: set[str]) -> None:
    text = page(load_subject([path]))
    assert sections_in(text) == [key for key in SECTIONS if key not in missing]
    titles = re.findall(r'aria-label="([^"]*)">\n?<table', text)
    assert len(titles) == len(set(titles)) > 3


def test_several_results_share_some_sections_and_have_the_others_each() -> None:
    found = sections_in(page(load_subject([B_EFF, B_EFF_IO])))
    assert found[:4] == ["picture", "overview", "figures", "balance"]
    assert found[-1] == "published"
    assert [key for key in found if key.startswith("value")] == ["value-1", "value-2"]
    assert len(found) == len(set(found))
