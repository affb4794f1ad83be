"""Everything that shows cautions shows the same ones, also those that the companion adds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.reports import written
from support.results import Plan, make_result, model_s

from beff.cli.app import main
from beff.report.formats import FORMATS
from beff.report.parts.sentences import cautions_of
from beff.result.load import check_document
from scripted_machine import Order

OWN = "some processes share a core"
"""A code of a newer version is shown as it is."""
ADDED = "which shows no level"
WITHOUT_WORDS = {".pdf", ".png", ".svg", ".csv"}
"""Formats that show figures only."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A result with a caution of the program, and whose first repetitions were lucky."""

    def iteration_s(plan: Plan, order: Order) -> float:
        return model_s(plan, order) * (1 if order["repetition"] == 0 else 1.5)

    document = make_result(Plan(processes=2, methods=("sendrecv",), iteration_s=iteration_s))
    return written(tmp_path, "run.json", document | {"cautions": [{"code": OWN, "facts": {}}]})


@pytest.mark.parametrize(
    "ending", [entry.ending for entry in FORMATS if entry.ending not in WITHOUT_WORDS]
)
def test_every_report_with_words(ending: str, file: Path) -> None:
    target = file.with_name(f"written{ending}")
    assert main(["show", str(file), "-o", str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    assert text.count(OWN) == text.count(ADDED) == 1
    assert "No cautions" not in text


def test_results_side_by_side_on_a_page(file: Path, tmp_path: Path) -> None:
    other = file.with_name("other.json")
    other.write_text(json.dumps(make_result(Plan(processes=2))), encoding="utf-8")
    target = tmp_path / "both.html"
    assert main(["show", str(file), str(other), "-o", str(target)]) == 0
    (row,) = (row for row in target.read_text("utf-8").split("</tr>") if ">cautions</th>" in row)
    assert re.findall(r"<td>([^<]*)</td>", row) == ["2", "0", ""]


def test_compare(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "changes.html"
    assert main(["compare", str(file), str(file), "--all", "-o", str(page)]) == 3
    said = capsys.readouterr().out
    assert re.search(f"run.json and 1 more: .*{ADDED}", said)
    assert ADDED in page.read_text(encoding="utf-8")
    assert main(["compare", str(file), str(file), "--json"]) == 3
    own, added = json.loads(capsys.readouterr().out)["cautions"]
    assert own.endswith(OWN)
    assert ADDED in added


def test_no_caution_without_reason() -> None:
    calm = check_document("calm.json", make_result(Plan(processes=2)))
    assert cautions_of(calm) == []
