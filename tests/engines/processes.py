"""Finding a run's processes, and what happens to them."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

import pytest


def wait_for_samples(journal: Path, count: int) -> None:
    wait_for_lines(journal, '{"sample"', count)


def wait_for_lines(journal: Path, start: str, count: int) -> None:
    until = time.monotonic() + 240  # on a busy machine
    while time.monotonic() < until:
        if lines_of(journal, start) >= count:
            return
        time.sleep(0.05)
    pytest.fail(f"not {count} lines {start} in {journal}")


def lines_of(journal: Path, start: str) -> int:
    return journal.read_text().count(f"\n{start}") if journal.exists() else 0


def processes_of(program: Path, folder: Path) -> list[int]:
    """Process ids of the engine's processes that work in `folder`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "exe").resolve() == program and (entry / "cwd").resolve() == folder:
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def send(process: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):  # the launcher may be faster
        os.kill(process, number)
