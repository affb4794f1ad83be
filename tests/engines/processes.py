"""Finding a run's processes, and what happens to them."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

import pytest


def wait_for_samples(journal: Path, count: int) -> None:
    until = time.monotonic() + 240  # on a busy machine
    while time.monotonic() < until:
        if journal.exists() and journal.read_text().count('\n{"sample"') >= count:
            return
        time.sleep(0.05)
    pytest.fail(f"no {count} samples in {journal}")


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
