"""`beff matrix` of files and presets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from beff.cli.app import main


def test_totals_of_a_preset(capsys: pytest.CaptureFixture[str]) -> None:
    """In rings of six over three hosts of two each, a half of the messages stays."""
    given = ["nearest:1", "-n", "6", "--per-host", "2", "--message-size", "1KiB"]
    assert main(["matrix", *given]) == 0
    shown = capsys.readouterr().out
    assert "nearest:1: 12 KiB in 12 messages of an iteration, between 6 processes on 3" in shown
    assert "50 % of the bytes leave" in shown
    assert len(re.findall(r"host \d\s+2 KiB\s+2 KiB\s+2 KiB", shown)) == 3
    assert len(re.findall(r"host \d\s+host \d\s+1 KiB\s+1\s+8.3 %", shown)) == 6


def test_a_file_says_how_many_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows"
    file.write_text("0 2 1000 3\n2 2 5\n", encoding="utf-8")
    assert main(["matrix", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "2.93 KiB in 4 messages of an iteration, between 3 processes" in shown
    assert re.search(r"rank 2\s+0 B\s+2.93 KiB\s+5 B", shown)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["halo:3d"], "say of how many processes by -n"),
        (["moe:9", "-n", "4"], "K is at most 3"),
        (["rows", "-n", "2"], "line 1: to is 2"),
        (["rows", "--message-size", "1KiB"], "goes with a preset"),
        (["rows", "-o", "m.png"], "end its name in .svg"),
        (["rows", "-o", "rows.svg", "--per-host", "0"], "--per-host 0: give at least 1"),
        (["nothing"], "nothing"),
        (["alltoall", "-n", "100000"], "give fewer"),
    ],
)
def test_wrong_use(
    given: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows").write_text("0 2 1000\n", encoding="utf-8")
    assert main(["matrix", *given]) == 2
    assert says in " ".join(capsys.readouterr().err.split())
    assert not Path("rows.svg").exists()
