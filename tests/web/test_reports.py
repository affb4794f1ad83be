"""Reports that the list draws in a process of its own."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from fastapi import HTTPException

from beff.web.reports import Report, Reports, draw


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
        draw("run", b"{}")
    assert not Path(written.read_text(encoding="utf-8").strip()).exists()


def test_a_refused_result_has_no_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python_that(tmp_path, monkeypatch, "exit 1")
    with pytest.raises(HTTPException) as refused:
        draw("run", b"{}")
    assert refused.value.status_code == 404


def wait_for(reports: Reports, label: str) -> Report:
    until = time.monotonic() + 240
    while time.monotonic() < until:
        found = reports.report(label, lambda: b"{}")
        if found is not None:
            return found
        time.sleep(0.05)
    pytest.fail("the report was never drawn")


def test_each_report_is_drawn_once_and_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, asked = tmp_path / "count", tmp_path / "asked"
    wait = f"until [ -e {asked} ]; do sleep 0.05; done"
    python_that(tmp_path, monkeypatch, f'echo x >> {counted}; {wait}; echo page > "$6"')
    reports = Reports()
    assert [reports.report("run", lambda: b"{}") for _ in range(48)] == [None] * 48
    asked.touch()
    assert wait_for(reports, "run").text == "page\n"
    assert reports.report("run", lambda: b"{}") is not None
    assert counted.read_text().splitlines() == ["x"]


def test_too_many_that_wait_are_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    over = tmp_path / "over"
    python_that(tmp_path, monkeypatch, f"until [ -e {over} ]; do sleep 0.05; done")
    reports = Reports()
    for number in range(50):
        assert reports.report(str(number), lambda: b"{}") is None
    with pytest.raises(HTTPException) as refused:
        reports.report("50", lambda: b"{}")
    assert refused.value.status_code == 503
    over.touch()
    reports.close()


def test_a_failure_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that takes all the time there is costs it once."""
    counted = tmp_path / "count"
    python_that(tmp_path, monkeypatch, f"echo x >> {counted}; exit 1")
    reports = Reports()
    for _ in range(2):
        with pytest.raises(HTTPException) as refused:
            wait_for(reports, "run")
        assert refused.value.status_code == 404
    assert counted.read_text().splitlines() == ["x"]


def test_memory_and_files_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = f"{sys.executable} -c 'x = bytearray(4 << 30)' || exit 70"
    python_that(tmp_path, monkeypatch, script)
    with pytest.raises(RuntimeError):
        draw("run", b"{}")
    python_that(tmp_path, monkeypatch, 'head -c 100000000 /dev/zero > "$6"')
    with pytest.raises(RuntimeError):
        draw("run", b"{}")
