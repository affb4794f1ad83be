"""An error that nobody foresaw: one sentence that asks for a report, and a file for it."""

from __future__ import annotations

import os
import re
import shlex
import stat
import tempfile
from pathlib import Path

import pytest
from support.reports import B_EFF

from beff.cli import app
from beff.cli.app import PREFIX
from beff.cli.common import exit_codes, files

SENTENCE = re.compile(
    r"beff: unforeseen ZeroDivisionError, a fault of beff itself; please report it with the"
    r" traceback in (\S+)\n"
)


@pytest.fixture(autouse=True)
def _fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `beff verify` fail at a place of its own, with words that a terminal must not see."""

    def fail(_: object) -> None:
        raise ZeroDivisionError("first line\nsecond \x1b[2J line \ud800")

    monkeypatch.setattr(files, "load_document", fail)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_one_sentence_names_the_file_with_the_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.main(["verify", str(B_EFF), "with space"]) == exit_codes.UNFORESEEN
    said = capsys.readouterr()
    assert said.out == ""
    found = SENTENCE.fullmatch(said.err)
    assert found is not None
    file = Path(found[1])
    assert file.parent == tmp_path
    assert stat.S_IMODE(file.stat().st_mode) == 0o600  # it holds names of files
    text = file.read_text(encoding="utf-8")
    assert f"beff verify {shlex.quote(str(B_EFF))} 'with space'" in text
    assert "Traceback (most recent call last)" in text
    assert "ZeroDivisionError: first line" in text


def test_each_fault_has_its_own_file(tmp_path: Path) -> None:
    app.main(["verify", "a"])
    app.main(["verify", "b"])
    assert len(list(tmp_path.glob(f"{PREFIX}*.txt"))) == 2


def test_no_place_for_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    assert app.main(["verify", str(B_EFF)]) == exit_codes.UNFORESEEN
    said = capsys.readouterr().err
    assert re.fullmatch(
        r"beff: unforeseen ZeroDivisionError in beff/cli/common/files\.py, line \d+, [^\n]*"
        r"\([^\n]*: No such file or directory\)\n",
        said,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which Linux has")
def test_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started = tmp_path / "started.txt"

    def full(**_: str) -> tuple[int, str]:
        started.touch()
        return os.open("/dev/full", os.O_WRONLY), str(started)

    monkeypatch.setattr(tempfile, "mkstemp", full)
    assert app.main(["verify", str(B_EFF)]) == exit_codes.UNFORESEEN
    said = capsys.readouterr().err
    assert "line" in said
    assert "No space left on device" in said
    assert len(said.splitlines()) == 1
    assert not started.exists()


def test_its_exit_code_means_nothing_else() -> None:
    """1 of `beff compare` would say that something became slower."""
    others = (exit_codes.OK, exit_codes.FAILED, exit_codes.WRONG_USAGE, exit_codes.NOT_VALID)
    assert exit_codes.UNFORESEEN not in others
    assert exit_codes.UNFORESEEN < 126  # above are a shell's own
