"""`beff show -o` as a black box: what it writes, where, and how it refuses."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.reports import B_EFF, B_EFF_IO, run_beff

from beff.verify.subject import load_subject, short_labels


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["missing.json", "-o", "x.md"], 2, "no such file"),
        (["empty", "-o", "x.md"], 2, "holds no result"),
        (["notes.txt", "-o", "x.md"], 2, "is not JSON"),
        (["result.json", "-o", "x.docx"], 2, ".docx"),
        (["result.json", "-o", "nowhere/x.md"], 2, "does not exist"),
        (["result.json", "-o", "folder.md"], 2, "is a folder"),
        *(
            (["result.json", "-o", f"-{ending}"], 2, "cannot be printed")
            for ending in (".html", ".pdf", ".PDF", ".png", ".svg")
        ),
        (["result.json", "-o", "-.docx"], 2, ".docx"),
    ],
)
def test_wrong_arguments(
    arguments: list[str], code: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(B_EFF, "result.json")
    (tmp_path / "empty").mkdir()
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "notes.txt").write_text("words", encoding="utf-8")
    answer = run_beff("show", *arguments)
    assert answer.returncode == code
    assert words in answer.stderr
    assert "Traceback" not in answer.stderr
    assert not list(Path().glob("-*"))


def test_progress_counts_files(tmp_path: Path) -> None:
    for number in range(3):
        shutil.copy(B_EFF_IO, tmp_path / f"{number}.json")
    seen: list[tuple[int, int]] = []
    load_subject([tmp_path], lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("paths", "labels"),
    [
        (["/a/x.json"], ["x"]),
        (["/a/x.json", "/a/y.json"], ["x", "y"]),
        (["/a/x.json", "/b/x.json", "/b/y.json"], ["a/x", "b/x", "y"]),
        (["/a/c/x.json", "/b/c/x.json"], ["a/c/x", "b/c/x"]),
    ],
)
def test_labels_are_short_and_unique(paths: list[str], labels: list[str]) -> None:
    assert short_labels([Path(path) for path in paths]) == labels
