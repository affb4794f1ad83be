"""No command replaces a file that it reads, whatever the user says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.printed import published_runs, sum_text
from support.reports import B_EFF, DATA, run_beff


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(DATA / "b_eff_2p_killed.journal.jsonl", tmp_path / "journal")
    (tmp_path / "t.sum").write_text(sum_text(published_runs()[0]), encoding="utf-8")
    (tmp_path / "results").mkdir()
    for name in ("a.json", "t.json", "r.html", "r.md", "r.svg", "results/a.json"):
        shutil.copy(B_EFF, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "import t.sum -o ./t.sum",
        "import t.sum t.json",
        "check results --openmetrics results/a.json",
        "show a.json --rmax 5 -o a.json",
        "show results --rmax 5 -o results/../results/a.json",
        "compare r.html a.json -o r.html",
        "compare a.json r.html -o r.html",
        "show r.md -o r.md",
        "show a.json r.md -o r.md",
    ],
)
def test_what_is_read_stays(line: str, folder: Path) -> None:
    def content() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

    before = content()
    refused = run_beff(*line.split(), "--overwrite", folder=folder)
    assert refused.returncode == 2
    assert refused.stderr.endswith(": is read; choose another name\n")
    assert len(refused.stderr.splitlines()) == 1
    assert content() == before
