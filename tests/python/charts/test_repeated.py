"""Repeated runs of one configuration are one line with a band; labels name results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from support.reports import B_EFF, run_beff, written
from support.results import SHORT, Plan, make_result

from beff.charts.chart import Row
from beff.charts.repeated import lines_of, median_rows
from beff.charts.table import charts_of
from beff.verify.subject import load_subject


def runs(folder: Path, *factors: float, plan: Plan = SHORT) -> Path:
    folder.mkdir()
    for factor in factors:
        written(folder, f"run{factor}.json", make_result(replace(plan, slower=factor)))
    return folder


def test_runs_of_one_folder_and_configuration_are_one_line(tmp_path: Path) -> None:
    folder = runs(tmp_path / "monday", 1.0, 1.1, 1.3)
    written(folder, "more.json", make_result(replace(SHORT, processes=8)))
    lines = lines_of(load_subject([folder]).results)
    assert [(line.label, len(line.runs)) for line in lines] == [("more", 1), (str(folder), 3)]
    files = sorted(folder.glob("run*.json"))
    assert [len(line.runs) for line in lines_of(load_subject(files).results)] == [1, 1, 1]


def test_runs_of_two_folders_are_two_lines(tmp_path: Path) -> None:
    folders = [
        runs(tmp_path / name, *factors) for name, factors in (("a", (1, 1.2)), ("b", (2, 3)))
    ]
    subject = load_subject(folders)
    assert [line.label for line in lines_of(subject.results)] == list(map(str, folders))
    found = {chart.key: chart for chart in charts_of(subject)}
    assert "median" in found["overlay"].caption
    assert found["values_side_by_side"].alt.count("the median of 2 runs") == 2


def test_a_band_goes_from_the_slowest_run_to_the_fastest() -> None:
    of_runs = [
        [Row(1, 3.0), Row(2, 10.0)],
        [Row(1, 1.0), Row(2, None)],
        [Row(1, 8.0), Row(2, None)],
    ]
    first, second = median_rows(of_runs, lambda row: f"size {row.x}")
    assert (first.y, first.low, first.high) == (3.0, 1.0, 8.0)
    assert first.text == "size 1: 3 MB/s, the median of 3 runs from 1 MB/s to 8 MB/s"
    assert (second.y, second.low, second.high) == (10.0, 10.0, 10.0)
    assert median_rows(of_runs[:1], str) == of_runs[0]


def test_pictures_without_titles(tmp_path: Path) -> None:
    texts = {}
    for name, options in (("with", ()), ("without", ("--no-title",))):
        target = tmp_path / f"{name}.svg"
        chosen = ("--figure", "methods", *options)
        plan = written(tmp_path, "run.json", make_result(Plan()))
        answer = run_beff("show", plan, "-o", target, *chosen)
        assert answer.returncode == 0, answer.stderr
        texts[name] = set(ElementTree.parse(target).getroot().itertext())
    assert "Comparison of methods" in texts["with"] - texts["without"]
    assert "message size" in texts["without"]
    assert not any("Logarithmic average of" in text for text in texts["without"])
    refused = run_beff("show", B_EFF, "-o", tmp_path / "tables.md", "--no-title")
    assert refused.returncode == 2
    assert "--no-title" in refused.stderr
    assert run_beff("show", B_EFF, "-o", "-", "--no-title").returncode == 2
