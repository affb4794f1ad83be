"""What readers see of bisection and processes per host: show, figures, pages, expectations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from support.reports import beside

from beff.charts.table import charts_beside
from beff.cli.app import main
from beff.maps.network_text import network_sentences
from beff.result.load import as_b_pairs, load_document


def test_a_sentence_each(whole_network: Path, only_map: Path) -> None:
    """Three pairs of 2 GB/s and one of 0.5 in step 1."""
    sentences = list(network_sentences(as_b_pairs(load_document(whole_network))))
    assert len(sentences) == 2
    for words in ("6.5 GB/s", "81 %", "step 2 of the halves by number", "h1 and h6 with 500 MB/s"):
        assert words in sentences[0]
    for words in ("2 processes fill the port", "2 GB/s one way, ", "4 GB/s both ways", "4 million"):
        assert words in sentences[1]
    assert list(network_sentences(as_b_pairs(load_document(only_map)))) == []


def test_show_and_verify(whole_network: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(whole_network)]) == 0
    assert main(["show", "--all", str(whole_network)]) == 0
    assert "bisection: least 6.5 GB/s" in " ".join(capsys.readouterr().out.split())


def test_charts(whole_network: Path, only_map: Path) -> None:
    charts = {chart.key: chart for chart in charts_beside(load_document(whole_network))}
    (steps, least, alone) = charts["bisection"].panels[0].marks
    assert (len(steps.rows), len(least.rows), len(alone.rows)) == (7, 1, 1)
    assert least.rows[0].text == "by number, step 2: 6.5 GB/s"
    assert [chart.key for chart in charts_beside(load_document(only_map))] == ["pairs"]


def test_the_page_has_its_picture(whole_network: Path, only_map: Path) -> None:
    page = whole_network.with_name("page.html")
    assert main(["show", str(whole_network), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "Bisection: the sum over all pairs" in text
    assert main(["show", str(only_map), "-o", str(page), "--overwrite"]) == 0
    assert "Bisection: the sum" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("reference", "message_bytes", "code"),
    [
        ({"bisection_MBps": [6500, -0.05, None, "MB/s"]}, 2**24, 0),
        ({"bisection_MBps": [7500, -0.05, None, "MB/s"]}, 2**24, 1),
        ({"bisection_percent": [81, -0.05, None, "%"]}, None, 0),
        ({"host_messages_per_s": [8e6, -0.1, None, "1/s"]}, None, 1),
        ({"host_processes": [2, 0, 0, ""]}, None, 0),
        ({"bisection_MBps": [6500, -0.05, None, "MB/s"]}, 2**20, 3),
    ],
)
def test_expectations(
    whole_network: Path, reference: dict[str, object], message_bytes: int | None, code: int
) -> None:
    expected = {"benchmark": "b_pairs", "definition": "1", "reference": reference}
    if message_bytes is not None:
        expected["message_bytes"] = message_bytes
    file = whole_network.with_name("expect.yaml")
    file.write_text(yaml.safe_dump({"expectations": [expected]}), encoding="utf-8")
    assert main(["check", str(whole_network), "--expect", str(file)]) == code


def changed(path: Path, name: str, factor: float) -> Path:
    """Write the result of another run with the same plan, all of whose steps are slower."""
    fields = json.loads(path.read_text(encoding="utf-8"))
    fields["summary"]["bisection_MBps"] /= factor
    fields["bisection"]["alone"]["ns"][0] += 1
    other = path.with_name(name)
    other.write_text(json.dumps(fields), encoding="utf-8")
    return other


@pytest.mark.parametrize(("factor", "code"), [(1.0, 0), (2.0, 1)])
def test_compare(whole_network: Path, only_map: Path, factor: float, code: int) -> None:
    other = changed(whole_network, "other.json", factor)
    options = ("--run-noise", "1%", "--threshold", "20%")
    assert main(["compare", str(whole_network), str(other), *options]) == code
    assert main(["compare", str(whole_network), str(only_map), *options]) == 2


def test_a_journal_becomes_the_same_result(whole_network: Path) -> None:
    """All lines of the journal, as of a run that was killed at its end."""
    journal = whole_network.with_name("run.journal.jsonl")
    assert main(["show", str(journal), "-o", beside(journal)]) == 0
    recovered = json.loads(whole_network.with_name("run.json").read_text(encoding="utf-8"))
    whole = json.loads(whole_network.read_text(encoding="utf-8"))
    assert recovered["summary"] == whole["summary"]
    assert recovered["bisection"] == {**whole["bisection"], "took_s": 0.0}
    assert recovered["per_host"] == whole["per_host"]


def test_what_was_accepted_of_a_network(whole_network: Path, tmp_path: Path) -> None:
    folder = tmp_path / "accepted"
    given = [str(whole_network), "--as", str(folder), "--tolerance"]
    assert main(["accept", *given, "10%"]) == 0
    content = yaml.safe_load((folder / "acceptance.yaml").read_text(encoding="utf-8"))
    (one,) = content["expectations"]
    assert one["benchmark"] == "b_pairs"
    assert one["message_bytes"] == 2**24
    assert one["reference"]["bisection_MBps"] == [6500, -0.1, None, "MB/s"]
    assert one["reference"]["host_messages_per_s"] == [4e6, -0.1, None, "1/s"]
    assert main(["check", str(whole_network), "--accepted", str(folder)]) == 3  # the same run
    del content["results"]
    for bisection, code in ((6500, 0), (7500, 1)):
        one["reference"]["bisection_MBps"][0] = bisection
        expect = tmp_path / "e.yaml"
        expect.write_text(yaml.safe_dump(content), encoding="utf-8")
        assert main(["check", str(whole_network), "--expect", str(expect)]) == code
