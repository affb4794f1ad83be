"""Standard output that is closed, or in another encoding than UTF-8."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from support.printed import SUM
from support.reports import B_EFF as RESULT
from support.reports import DATA, ROOT, run_beff

COMMANDS = (
    (["show", str(RESULT)], 0),
    (["show", str(RESULT), "-o", "-"], 0),
    (["compare", str(RESULT), str(RESULT)], 3),
    (["--help"], 0),
)
"""One for each way to print: text, a file on standard output, tables, and the parser's own."""
SETTINGS = (
    ({"PYTHONIOENCODING": "cp1252"}, ""),
    ({"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, ""),
    ({}, ">&-"),
    ({}, ">&- 2>&-"),
)


def run(
    words: list[str], environment: dict[str, str], closing: str = ""
) -> subprocess.CompletedProcess[bytes]:
    command = ["bash", "-c", f'exec "$@" {closing}', "bash", sys.executable, "-m", "beff", *words]
    given = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "COLUMNS": "100"}
    environment = {**given, "PYTHONPATH": str(ROOT / "python"), **environment}
    return subprocess.run(command, env=environment, capture_output=True, timeout=120, check=False)


@pytest.mark.parametrize(("words", "code"), COMMANDS, ids=lambda value: str(value)[:9])
def test_no_encoding_and_no_closed_output_changes_the_code(words: list[str], code: int) -> None:
    """Of the two encodings and of the two closed outputs one each, by turns."""
    for environment, closing in SETTINGS[COMMANDS.index((words, code)) % 2 :: 2]:
        done = run(words, environment, closing)
        assert done.returncode == code
        assert bool(done.stdout) == (not closing)


def test_a_file_that_is_opened_does_not_become_the_closed_output(tmp_path: Path) -> None:
    page = tmp_path / "table.csv"
    done = run(["show", str(RESULT), "-o", str(page)], {}, ">&-")
    assert done.returncode == 0
    assert b"show of" not in page.read_bytes()


# --- names that users and files bring along move no cursor, wherever a command prints them ---

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
def test_what_is_printed_is_harmless(line: tuple[str, ...], tmp_path: Path) -> None:
    shutil.copy(DATA / "b_eff_2p_valid.json", tmp_path / f"{EVIL}.json")
    shutil.copy(DATA / "b_eff_2p_killed.journal.jsonl", tmp_path / f"{EVIL}.journal.jsonl")
    (tmp_path / f"{EVIL}.sum").write_text(SUM, encoding="utf-8")
    done = run_beff(*(word.format(EVIL) for word in line), folder=tmp_path)
    printed = done.stdout + done.stderr
    assert printed.strip()
    assert {unicodedata.category(sign) for sign in printed if sign != "\n"}.isdisjoint({"Cc", "Cf"})
