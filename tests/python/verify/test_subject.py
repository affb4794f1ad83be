"""Files with the samples of one run count once, whatever was added to them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.machines.flat import flat
from support.machines.result import make_map
from support.reports import B_EFF, DATA, document_of, run_beff, written
from support.results import journal_lines

from beff.definition.recover import recover
from beff.report.parts.sentences import cautions_of_runs
from beff.result.journal_file import read_journal
from beff.result.load import check_document, load_document
from beff.result.strict_json import packed
from beff.verify.subject import load_subject, once

VALID = DATA / "b_eff_2p_valid.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run as it was measured, with R_max, written anew, and packed."""
    results = tmp_path / "results"
    results.mkdir()
    run = written(results, "run.json", document_of(VALID))
    (results / "anew.json").write_text(json.dumps(document_of(VALID), indent=4), encoding="utf-8")
    (results / "run.json.gz").write_bytes(packed(VALID.read_bytes()))
    added = results / "run_balance.json"
    assert run_beff("show", run, "--rmax", "5", "-o", added).returncode == 0
    return results


def test_a_store_has_each_run_once(folder: Path) -> None:
    trend = run_beff("show", "--history", folder, "--json")
    assert trend.returncode == 0
    (series,) = json.loads(trend.stdout)
    assert [run["result"] for run in series["runs"]] == ["run_balance.json"]
    left_out = f"holds the same samples as {folder / 'run_balance.json'}"
    assert [line.endswith(left_out) for line in trend.stderr.splitlines()] == [True] * 3
    target = folder.parent / "accepted"
    accepted = run_beff("accept", folder, "--as", target, "--tolerance", "10%")
    assert accepted.returncode == 0
    assert len(accepted.stderr.splitlines()) == 3
    assert len(list((target / "results").iterdir())) == 1


@pytest.mark.parametrize("command", [["show"], ["show", "--history"]])
def test_a_run_is_shown_once(command: list[str], folder: Path) -> None:
    shown = run_beff(*command, folder)
    assert shown.returncode == 0
    assert (" 1 run," if command[1:] else " VALID") in shown.stdout
    assert len(re.findall(r"\d GB/s", shown.stdout.splitlines()[0])) == 1
    assert len(shown.stderr.splitlines()) == 3


def test_a_report_has_the_copy_with_r_max(folder: Path) -> None:
    (one,) = load_subject([folder]).results
    assert one.label == "run_balance"
    assert one.document.fields["rmax"]["gflops"] == 5


def test_r_max_is_added_to_what_has_none(folder: Path) -> None:
    for name in ("anew.json", "run.json.gz"):
        (folder / name).unlink()
    files = sorted(folder.iterdir())
    made = folder.parent / "made.json"
    assert run_beff("show", folder, "--rmax", "6", "-o", made).returncode == 0
    assert sorted(folder.iterdir()) == files
    assert document_of(made)["rmax"]["gflops"] == 6
    assert "rmax" not in document_of(folder / "run.json")


def test_cautions_count_runs(tmp_path: Path) -> None:
    """Of the two runs of each side, one has a caution; its copy is no run."""
    cautious = document_of(B_EFF)
    assert cautious["cautions"]
    for side in "ab":
        (tmp_path / side).mkdir()
        for name in ("cautious", "copy"):
            written(tmp_path / side, f"{name}.json", cautious)
        written(tmp_path / side, "other.json", document_of(VALID))
    compared = run_beff("compare", tmp_path / "a", tmp_path / "b", "--force", "--json", "--all")
    cautions = json.loads(compared.stdout)["cautions"]
    own = [text for text in cautions if text.startswith(f"{tmp_path}/a/cautious.json and 1 more: ")]
    assert len(own) == len(cautions_of_runs([load_document(B_EFF)]))
    assert len(own) < len(cautions) or not cautions_of_runs([load_document(VALID)])


def test_maps_of_pairs_are_runs() -> None:
    runs = [check_document(str(seed), make_map(flat(4), seed)) for seed in (1, 2)]
    kept, copies = once([*runs, runs[0]])
    assert (list(kept), len(copies)) == (runs, 1)


def test_runs_without_samples_are_no_copies(tmp_path: Path) -> None:
    """Two that were killed before their first loop, at different times."""
    runs = []
    for day in ("2026-11-01", "2026-11-02"):
        header = json.loads(journal_lines(loops=0)[0])
        header["result"]["environment"]["started_at"] = f"{day}T00:00:00Z"
        journal = written(tmp_path, "journal", header)
        runs.append(check_document(day, recover(str(journal), read_journal(journal))))
    assert runs[0].fields["digest"] == runs[1].fields["digest"]
    kept, copies = once([*runs, runs[0]])
    assert (list(kept), len(copies)) == (runs, 1)
