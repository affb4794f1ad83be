"""What surrounds a command: closed output, encodings, PYTHONPATH, limits; names move no cursor."""

import os
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from support.examples import SUM
from support.reports import B_EFF, DATA, ROOT, VALID, run_beff

from beff.cli.common import exit_codes

COMMANDS = (
    (["show", str(B_EFF)], 0),
    (["show", str(B_EFF), "-o", "-"], 0),
    (["compare", str(B_EFF), str(B_EFF)], 3),
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
    done = run(["show", str(B_EFF), "-o", str(page)], {}, ">&-")
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
    shutil.copy(VALID, tmp_path / f"{EVIL}.json")
    shutil.copy(DATA / "b_eff_2p_killed.journal.jsonl", tmp_path / f"{EVIL}.journal.jsonl")
    (tmp_path / f"{EVIL}.sum").write_text(SUM, encoding="utf-8")
    done = run_beff(*(word.format(EVIL) for word in line), folder=tmp_path)
    printed = done.stdout + done.stderr
    assert printed.strip()
    assert {unicodedata.category(sign) for sign in printed if sign != "\n"}.isdisjoint({"Cc", "Cf"})


# --- PYTHONPATH with packages of another Python, as a site's module sets it ---

START = """\
import sys
sys.path.insert(0, {root!r})
from beff.__main__ import main
sys.exit(main())
"""
PACKAGES = ("numpy", "scipy", "pydantic", "cyclopts", "rich", "jinja2", "yaml", "vl_convert")
FAULT = "raise ImportError('C extensions were built for CPython 3.8')\n"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"show {B_EFF} -o out.html", 0),
        (f"compare {B_EFF} {B_EFF}", exit_codes.NOT_VALID),
        (f"show {B_EFF}", 0),
        ("run --help", 0),
        ("list build nowhere", 2),
        (f"show {B_EFF} -o out.svg", 0),
    ],
)
def test_own_packages_win(tmp_path: Path, line: str, code: int) -> None:
    """Where beff is installed elsewhere than in PYTHONPATH, and that has all of them."""
    other = tmp_path / "other"
    for package in PACKAGES:
        (other / package).mkdir(parents=True)
        (other / package / "__init__.py").write_text(FAULT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", START.format(root=str(ROOT / "python")), *line.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(other)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (done.returncode, "PYTHONPATH" in done.stderr) == (code, False)


# --- a limit of the address space, as batch queues set it ---

GIB_IN_KIB = 1 << 20


def written(target: Path, limit_gib: int) -> subprocess.CompletedProcess[str]:
    command = f'ulimit -v {limit_gib * GIB_IN_KIB}; exec "$@"'
    words = [
        sys.executable,
        "-m",
        "beff",
        "show",
        str(VALID),
        "-o",
        str(target),
    ]
    return subprocess.run(
        ["bash", "-c", command, "bash", *words],
        env={
            "PYTHONPATH": str(ROOT / "python"),
            "PATH": "/usr/bin:/bin",
            "HOME": str(target.parent),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("limit_gib", [4, 64])
def test_a_page_without_pictures_says_why(tmp_path: Path, limit_gib: int) -> None:
    page = tmp_path / "page.html"
    done = written(page, limit_gib)
    text = page.read_text(encoding="utf-8")
    has_pictures = 'id="picture"' in text
    assert done.returncode == 0
    assert has_pictures is ("ulimit -v" not in text)
    assert has_pictures is ("ulimit -v" not in done.stderr)
    assert "Traceback" not in done.stderr


def test_a_picture_that_cannot_be_drawn_is_one_sentence(tmp_path: Path) -> None:
    done = written(tmp_path / "page.png", 4)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "ulimit -v" in done.stderr
    assert list(tmp_path.iterdir()) == []
