"""Reports that the list draws in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from fastapi import HTTPException

from beff.web.reports import Reports


def python_that(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let the list start this script in place of Python."""
    program = folder / "python"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))


def test_the_operator_gets_the_traceback_of_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes to the server's log, and no file is left for each reader who tries again."""
    written = tmp_path / "folder"
    script = f'echo "Traceback of a fault" > "$TMPDIR/x.txt"; echo "$TMPDIR" > {written}; exit 70'
    python_that(tmp_path, monkeypatch, script)
    with pytest.raises(RuntimeError, match="Traceback of a fault"):
        Reports().report("0", "run", b"{}")
    assert not Path(written.read_text(encoding="utf-8").strip()).exists()


def test_a_refused_result_has_no_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python_that(tmp_path, monkeypatch, "exit 1")
    with pytest.raises(HTTPException) as refused:
        Reports().report("0", "run", b"{}")
    assert refused.value.status_code == 404
