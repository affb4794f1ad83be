"""Recovering results from journals."""

import fcntl
import json
import os
import re
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.reports import DATA, VALID, beside, document_of, run_beff, written
from support.results import journal_lines

from beff.definition.subject import once
from beff.definition.verify import recover, verify
from beff.result.load import check_document, load_document, read_journal
from beff.result.places import packed


def journal_file(folder: Path, text: str) -> Path:
    path = folder / "run.journal.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_last_line_cut_in_the_middle(tmp_path: Path) -> None:
    path = journal_file(tmp_path, "\n".join(journal_lines(loops=10))[:-30])
    done = run_beff("show", path, "-o", beside(path))
    assert done.returncode == 0
    assert "cut in the middle" in done.stderr
    assert " 9 of 1008 loops" in done.stdout
    assert len(load_document(tmp_path / "run.json").fields["samples"]["size"]) == 9


def _header(**changes: Any) -> str:
    fields = {**json.loads(journal_lines(loops=0)[0]), **changes}
    return json.dumps(fields)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            _header(benchmark="b_new") + '\n{"sample": {}}\n',
            "journals of b_new are not supported by this version of beff",
        ),
        (_header(result={}) + "\n", "line 1: is JSON, but not a result of b_eff"),
        (_header(benchmark="b_pairs") + "\n", "line 1: holds no result of b_pairs"),
        (_header() + '\n{"sam\n{"end": "x"}\n', "line 2 is damaged"),
        (_header() + '\n{"other": 1}\n', "line 2 is neither a sample nor the end"),
        (_header() + '\n{"sample": {"size": 1}}\n', "must hold"),
        (_header() + '\n{"end": "x"}\n{"end": "x"}\n', "line 3 stands behind the end"),
    ],
)
def test_what_is_no_journal(tmp_path: Path, text: str, says: str) -> None:
    done = run_beff("show", journal_file(tmp_path, text))
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "run.json").exists()


def test_a_run_is_refused_while_it_holds_its_roll(tmp_path: Path) -> None:
    path = journal_file(tmp_path, "\n".join(journal_lines(loops=3)) + "\n")
    with (tmp_path / "run.roll").open("w") as roll:
        fcntl.flock(roll, fcntl.LOCK_EX)
        done = run_beff("show", path, "-o", tmp_path / "other.json")
    assert done.returncode == 1
    assert "still under way" in done.stderr
    assert list(tmp_path.glob("*.json")) == []
    assert run_beff("show", path, "-o", beside(path)).returncode == 0


LINES = (DATA / "b_eff_io_stopped.journal.jsonl").read_text("utf-8").splitlines()


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kept=st.integers(1, len(LINES)))
def test_a_run_cut_off_anywhere_gives_a_result_that_verifies(tmp_path: Path, kept: int) -> None:
    path = journal_file(tmp_path, "\n".join(LINES[:kept]) + "\n")
    fields = recover(str(path), read_journal(path))
    assert verify(check_document("recovered", fields)).findings == ()
    measured = sum('"sample"' in line for line in LINES[1:kept])
    assert len(fields["samples"]["pattern"]) == measured
    assert (fields["complete"], fields["valid"]) == (False, False)
    assert measured in [one["facts"].get("measured") for one in fields["cautions"]]


FOLDER = "b_eff_io-0123456789abcdef"


def removed(journal: Path) -> CompletedProcess[str]:
    """Recover the result of a killed run, and have its files removed."""
    return run_beff("show", journal, "-o", beside(journal), "--remove-files")


def killed_run(folder: Path, **paths: str) -> tuple[Path, Path]:
    """The journal of a run that was killed, and the folder of its files."""
    place = folder / FOLDER
    place.mkdir(parents=True)
    (place / "file").write_bytes(bytes(3 << 20))
    header = json.loads(LINES[0])
    header["result"]["environment"]["filesystem"]["paths"] = [paths.get("named", str(place))]
    journal = folder / "run.journal.jsonl"
    journal.write_text("\n".join([json.dumps(header), *LINES[1:]]) + "\n", encoding="utf-8")
    return journal, place


def test_files_of_a_killed_run_are_named_and_removed_when_asked(tmp_path: Path) -> None:
    journal, place = killed_run(tmp_path)
    done = run_beff("show", journal, "-o", tmp_path / "first.json")
    assert done.returncode == 0
    assert f"{place} holds 3 MiB" in done.stderr
    assert f"beff show {journal} --remove-files" in done.stderr
    assert (place / "file").exists()
    assert removed(journal).returncode == 0
    assert not place.exists()
    assert (tmp_path / "run.json").exists()

    journal, place = killed_run(tmp_path / "again")
    assert run_beff("show", journal, "--rmax", "5", "--remove-files").returncode == 0
    assert not place.exists()


def test_files_of_a_run_under_way_stay(tmp_path: Path) -> None:
    journal, place = killed_run(tmp_path)
    held = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = removed(journal)
    finally:
        os.close(held)
    assert done.returncode == 1
    assert "still under way" in done.stderr
    assert (place / "file").exists()


def test_only_folders_of_runs_are_removed(tmp_path: Path) -> None:
    """A journal may come from anywhere and name anything."""
    other = tmp_path / "documents"
    other.mkdir()
    (other / "thesis").write_text("words", encoding="utf-8")
    link = tmp_path / "elsewhere" / FOLDER
    link.parent.mkdir()
    link.symlink_to(other)
    for number, named in enumerate((str(other), str(link), f"{link}/..", "/", "", "\0")):
        inner = tmp_path / str(number)
        inner.mkdir()
        journal, place = killed_run(inner, named=named)
        removed(journal)
        assert (other / "thesis").exists()
        assert place.exists()


def test_folders_within_the_folder_of_a_run_stay(tmp_path: Path) -> None:
    journal, place = killed_run(tmp_path)
    (place / "inner").mkdir()
    (place / "inner" / "thesis").write_text("words", encoding="utf-8")
    done = removed(journal)
    assert done.returncode == 1
    assert "cannot be removed" in done.stderr
    assert (place / "inner" / "thesis").exists()


# --- files with the samples of one run count once, whatever was added to them ---


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
