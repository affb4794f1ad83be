"""No test leaves a process behind: whatever is left at the end of a session is named and ended."""

import contextlib
import os
import signal
import time
import uuid
from pathlib import Path

import pytest

_MARK = "BEFF_TEST_SESSION"
"""Inherited by all that tests start, so that it is known again wherever it has gone."""
END_WITHIN_S = 30.0
"""What was just asked to end may take so long, on a busy machine."""

if "PYTEST_XDIST_WORKER" not in os.environ:  # a worker belongs to the session that started it
    os.environ[_MARK] = uuid.uuid4().hex


def _started_here() -> dict[int, str]:
    """Return the processes that tests of this session have started, with their command lines."""
    mark = f"{_MARK}={os.environ[_MARK]}".encode()
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):  # it may end while we look, or be another user's
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                found[int(entry.name)] = b" ".join(words).decode(errors="replace").strip()
    return found


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a session that leaves processes, after ending them."""
    if hasattr(session.config, "workerinput"):
        return
    until = time.monotonic() + END_WITHIN_S
    # A process that is just being started has no environment for a moment; it is looked for twice.
    left, free = _started_here(), 0
    while free < 2 and time.monotonic() < until:
        left = _started_here()
        free = 0 if left else free + 1
        time.sleep(0.1)
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    for process, command in left.items():
        reporter.write_line(f"\nleft behind by a test: process {process}, {command[:300]}")
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    if left:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
