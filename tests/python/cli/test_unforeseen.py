"""An error that nobody foresaw: one sentence that asks for a report, and a file for it."""

from __future__ import annotations

import re
import shlex
import stat
import tempfile
from pathlib import Path

import pytest
from support.reports import B_EFF

from beff.cli import app
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

    monkeypatch.setattr(files.load, "load_document", fail)
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
