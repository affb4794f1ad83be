"""Files with the samples of one run count once, whatever was added to them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.reports import DATA, document_of, run_beff, written
from support.results import journal_lines

from beff.definition.subject import once
from beff.definition.verify import recover
from beff.result.load import check_document, read_journal
from beff.result.places import packed

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
