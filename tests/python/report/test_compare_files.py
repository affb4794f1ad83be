"""The diagram of a comparison, and the page around it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.sides import at, b_eff, b_eff_io, changed, second, set_in, slowed

from beff.charts.compare import change_charts
from beff.charts.render import svg
from beff.charts.theme import PAPER
from beff.cli.app import main
from beff.judge.compare import CompareSettings, Report, compare
from beff.report.compare_files import write_comparison


@pytest.fixture(scope="module")
def report() -> Report:
    a = [slowed(factor) for factor in (1.0, 1.01, 0.99)]
    b = [slowed(1.2 * factor) for factor in (1.0, 1.01, 0.99)]
    return compare([*a, b_eff_io()], [*b, b_eff_io()], CompareSettings())


def test_every_row_that_decides_is_a_described_point(report: Report) -> None:
    drawn = svg(change_charts(report, "")[:1], PAPER)
    described = re.findall(r'aria-label="([^"]*)"', drawn)
    points = [text for text in described if text.endswith("slower") and ": " in text]
    tables = {table.name: len(table.rows) for table in report.comparisons[0].tables}
    assert len(points) == tables["values"] + tables["message sizes"] < sum(tables.values())
    assert any(
        re.match(r"b_eff: [\d.]+ [MG]B/s to [\d.]+ [MG]B/s, -16\.7 % \(-", text) for text in points
    )
    assert any(re.match(r"latency: .* µs, \+20\.0 % \(", text) for text in points)


def test_the_legend_has_the_verdicts_that_occur(report: Report) -> None:
    for chart, comparison in zip(change_charts(report, ""), report.comparisons, strict=True):
        drawn = (table for table in comparison.tables if table.decides)
        found = {row.word.value for table in drawn for row in table.rows}
        assert all(set(panel.shown or ()) == found for panel in chart.panels)


def test_interval_and_axis(report: Report) -> None:
    axis = change_charts(report, "")[0].panels[0].x
    low, high = axis.ends
    assert low == pytest.approx(1 / high)
    assert low < 1 + report.comparisons[0].day.figures[0].shares[0]
    assert 1.0 in axis.ticks
    assert all(low <= tick <= high for tick in axis.ticks)


class Reader(HTMLParser):
    """Collects what a page would load or run, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [v or "" for k, v in attrs if k in {"src", "href"} or k.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_page_runs_nothing_and_shows_text_as_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\" onload='x'"
    other = changed(set_in("environment", "host_list", evil))
    other.fields["patterns"][0]["name"] = evil
    mine = changed(lambda fields: fields["patterns"][0].update(name=evil), b_eff(evil))
    target = tmp_path / "changes.html"
    write_comparison(compare([mine], [other], CompareSettings()), target)
    page = Reader()
    page.feed(target.read_text("utf-8"))
    assert "script" not in page.tags
    assert page.addresses == []
    assert page.text.count("<script>alert(1)</script>") >= 1
    assert "it is assumed (--run-noise)" in page.text


def write_runs(folder: Path, seconds: tuple[int, ...], factor: float) -> Path:
    folder.mkdir()
    for number in seconds:
        content = json.dumps(at(second(number), factor * (1 + number / 1000)).fields)
        (folder / f"{number}.json").write_text(content, encoding="utf-8")
    return folder


def test_command_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a = write_runs(tmp_path / "a", (1, 3, 5), 1.0)
    b = write_runs(tmp_path / "b", (2, 4, 6), 1.2)
    target = tmp_path / "changes.svg"
    command = ["compare", str(a), str(b), "-o", str(target)]
    assert main(command) == 1
    assert capsys.readouterr().err == f"drawn in {target}\n"
    assert "B against A: b_eff" in target.read_text("utf-8")
    assert main([*command, "--overwrite", "--no-title"]) == 1
    assert "B against A: b_eff" not in target.read_text("utf-8")
    assert capsys.readouterr().err
    for wrong, sentence in (("x.gif", "the ending '.gif'"), ("no/x.svg", "does not exist")):
        assert main(["compare", str(a), str(b), "-o", str(tmp_path / wrong)]) == 2
        assert sentence in capsys.readouterr().err
