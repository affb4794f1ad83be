"""summary.csv and `beff show --json`: the figures of results as data."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from support.reports import B_EFF, B_EFF_IO, DATA, document_of

from beff.cli.app import main
from beff.verify.analysis import analysis_of
from beff.verify.subject import load_sound_document

VALID = DATA / "b_eff_2p_valid.json"


def rows_of(target: Path, *results: Path) -> list[dict[str, str]]:
    assert main(["show", *map(str, results), "-o", str(target)]) == 0
    with target.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_row_for_each_figure_that_is_known(tmp_path: Path) -> None:
    rows = rows_of(tmp_path / "monday-summary.csv", VALID, B_EFF_IO)
    for path in (VALID, B_EFF_IO):
        summary = document_of(path)["summary"]
        own = {row["name"]: row for row in rows if row["result"] == path.stem}
        for name, row in own.items():
            field, _, part = name.partition(".")
            expected = summary[field][part] if part else summary[field]
            assert float(row["value"]) == expected
        known = {name for name, value in summary.items() if value is not None}
        assert {name.partition(".")[0] for name in own} == known - {"processes"}


def test_an_interval_reaches_from_the_worst_to_the_best_repetition(tmp_path: Path) -> None:
    rows = {row["name"]: row for row in rows_of(tmp_path / "summary.csv", VALID)}
    spread = {one.value.name: one for one in analysis_of(load_sound_document(VALID)).spread.values}
    for name, best in (("b_eff_MBps", "high"), ("latency_us", "low")):
        low, value, high = (float(rows[name][column]) for column in ("low", "value", "high"))
        assert {low, high} == {spread[name].worst, spread[name].official}
        assert float(rows[name][best]) == value
    assert rows["lmax_bytes"]["low"] == ""
    assert (rows["lmax_bytes"]["unit"], rows["b_eff_MBps"]["unit"]) == ("byte", "MB/s")


def test_json_has_the_same_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_of(tmp_path / "summary.csv", B_EFF)
    capsys.readouterr()
    assert main(["show", str(B_EFF), "--json"]) == 0
    (shown,) = json.loads(capsys.readouterr().out)
    assert (shown["benchmark"], shown["valid"]) == ("b_eff", False)
    assert shown["reasons"]
    assert [(one["name"], one["value"]) for one in shown["figures"]] == [
        (row["name"], float(row["value"])) for row in rows
    ]


def test_a_figure_is_given_with_its_data(tmp_path: Path) -> None:
    target = tmp_path / "rings.csv"
    options = ["-o", str(target), "--figure", "shares_of_best"]
    assert main(["show", str(VALID), *options]) == 0
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    sizes = document_of(VALID)["message_sizes_bytes"]
    assert len(rows) == 7 * len(sizes)  # six patterns of rings, and random ones
    for size in sizes:
        assert max(float(row["y"]) for row in rows if float(row["x"]) == size) == 100
    wrong = ["show", str(VALID), "-o", str(tmp_path / "b.csv"), "--figure", "rings"]
    assert main(wrong) == 2
    assert not (tmp_path / "b.csv").exists()


def test_a_picture_gets_its_data_beside_it(tmp_path: Path) -> None:
    picture = tmp_path / "best.svg"
    command = ["show", str(VALID), "-o", str(picture), "--data"]
    taken = picture.with_suffix(".csv")
    taken.touch()
    assert main(command) == 2
    assert not picture.exists()
    taken.unlink()
    assert main([*command, "--figure", "shares_of_best"]) == 0
    by_key = taken.read_text(encoding="utf-8")
    named = tmp_path / "shares-of-best.svg"
    assert main(["show", str(VALID), "-o", str(named), "--data"]) == 0
    assert named.with_suffix(".csv").read_text(encoding="utf-8") == by_key
    assert main([*command, "--overwrite"]) == 0
    assert taken.read_text(encoding="utf-8") != by_key  # the first chart
    assert main(["show", str(VALID), "-o", str(tmp_path / "a.md"), "--data"]) == 2
    assert main(["show", str(VALID), "-o", "-", "--data"]) == 2
