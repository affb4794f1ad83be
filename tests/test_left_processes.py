"""The check at the end of a session that no test leaves a process behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.reports import ROOT

LEAVING = """
import pathlib
import subprocess
import left_processes

left_processes.END_WITHIN_S = 1.0

def test_that_leaves_a_process() -> None:
    left = subprocess.Popen(["sleep", "1000"])
    while not pathlib.Path(f"/proc/{left.pid}/cmdline").read_bytes():
        pass  # it has not started its program yet
    with open("process", "w") as file:
        file.write(str(left.pid))
"""
WAITING = """
import subprocess

def test_that_waits() -> None:
    subprocess.run(["sleep", "0"], check=True)
"""


def lives(process: Path) -> bool:
    """Whether a process has not ended; of one that nobody has waited for, no words are left."""
    try:
        return (process / "cmdline").read_bytes() != b""
    except OSError:
        return False


@pytest.mark.parametrize(("content", "code"), [(LEAVING, 1), (WAITING, 0)])
def test_what_is_left_behind_fails_the_session(content: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "test_inner.py").write_text(content, encoding="utf-8")
    own = {name: value for name, value in os.environ.items() if "XDIST" not in name}
    inner = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "left_processes", "test_inner.py"],
        cwd=tmp_path,
        env={**own, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert inner.returncode == code, inner.stdout
    if code:
        process = (tmp_path / "process").read_text(encoding="utf-8")
        assert f"left behind by a test: process {process}, sleep 1000" in inner.stdout
        while lives(Path("/proc", process)):
            time.sleep(0.05)
