"""Standard output that is closed, or in another encoding than UTF-8."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
RESULT = ROOT / "tests" / "data" / "b_eff_2p_one_method.json"
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


def test_what_the_encoding_lacks_is_written_alike() -> None:
    usual = run(["show", str(RESULT)], {"PYTHONUTF8": "1"}).stdout.decode()
    lacking = run(["show", str(RESULT)], {"PYTHONIOENCODING": "ascii"}).stdout.decode("ascii")
    assert not usual.isascii()
    assert "?" not in lacking
    assert len(lacking.splitlines()) == len(usual.splitlines())


def test_a_file_that_is_opened_does_not_become_the_closed_output(tmp_path: Path) -> None:
    page = tmp_path / "table.csv"
    done = run(["show", str(RESULT), "-o", str(page)], {}, ">&-")
    assert done.returncode == 0
    assert b"show of" not in page.read_bytes()


def test_no_folder_for_temporary_files_is_one_sentence(tmp_path: Path) -> None:
    """Wherever a command looks for one, which a read-only node has not."""
    script = (
        "import sys, tempfile; tempfile.gettempdir = tempfile.TemporaryFile = "
        "tempfile.mkstemp = lambda *a, **k: (_ for _ in ()).throw("
        "FileNotFoundError(2, 'No usable temporary directory found'));"
        "from beff.cli.app import main; sys.exit(main(sys.argv[1:]))"
    )
    programs = ROOT / ".venv" / "bin"
    engine, launcher = programs / "b_eff", programs / "mpiexec"
    if not engine.exists():
        pytest.skip("no program is built")
    done = subprocess.run(
        [sys.executable, "-c", script, "doctor", "--engine", engine, "--launcher", launcher],
        env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
        capture_output=True,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert b"TMPDIR" in done.stdout
