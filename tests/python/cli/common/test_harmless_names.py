"""Names that users and files bring along move no cursor, wherever a command prints them."""

from __future__ import annotations

import shutil
import unicodedata
from pathlib import Path

import pytest
from support.printed import published_runs, sum_text
from support.reports import DATA

from beff.cli.app import main

EVIL = "a\x1b]0;b\x07\x1b[2J\u202e"
LINES = (
    ("accept", "{}.json", "--as", "{}", "--tolerance", "10%"),
    ("show", "{}.json", "-o", "{}.md"),
    ("compare", "{}.json", "{}.json", "-o", "{}.svg"),
    ("show", "{}.json", "--rmax", "5", "-o", "{}-2.json"),
    ("show", "{}.journal.jsonl", "-o", "{}-2.json"),
    ("import", "{}.sum", "-o", "{}-2.json"),
    ("verify", "{}.json"),
    ("show", "{}.json"),
    ("show", "--history", "{}.json", "{}.sum"),
    ("check", "{}.json", "--bad", "{}"),
    ("job", "slurm", "--nodes", "2", "--tasks-per-node", "2", "--name", "{}"),
    ("run", "-n", "2", "--simulate", "{}"),
    ("run", "--launcher", "{}", "--engine", "{}"),
    ("doctor", "--engine", "{}", "--launcher", "{}"),
    ("list", "init", "{}"),
    ("{}",),
    ("show", "--{}"),
)


@pytest.mark.parametrize("line", LINES, ids=lambda line: "-".join(line[:2]))
def test_what_is_printed_is_harmless(
    line: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(DATA / "b_eff_2p_valid.json", f"{EVIL}.json")
    shutil.copy(DATA / "b_eff_2p_killed.journal.jsonl", f"{EVIL}.journal.jsonl")
    Path(f"{EVIL}.sum").write_text(sum_text(published_runs()[0]), encoding="utf-8")
    main([word.format(EVIL) for word in line])
    printed = "".join(capsys.readouterr())
    assert printed.strip()
    assert {unicodedata.category(sign) for sign in printed if sign != "\n"}.isdisjoint({"Cc", "Cf"})
