"""What only `make test-all` runs, by the mark `thorough`, and what a machine could not run.

Folders, and real runs of 4 or 7 processes or on any MPI library but MPICH, have the mark from here;
other files and tests carry it themselves.
"""

from collections import Counter
from pathlib import Path

import pytest

FOLDERS = ("browser", "cluster", "engines/hangs", "simulated", "wheel")
_HERE = Path(__file__).parent


def _is_thorough(item: pytest.Item) -> bool:
    folder = item.path.parent.relative_to(_HERE).as_posix() + "/"
    call = getattr(item, "callspec", None)
    given = call.params if call else {}
    return (
        folder.startswith(tuple(f"{name}/" for name in FOLDERS))
        or any(type(one).__name__ == "Library" and one.name != "mpich" for one in given.values())
        or ("engines" in folder and given.get("processes") in (4, 7))
    )


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what is thorough by its place or by its MPI library."""
    if _is_thorough(item):
        item.add_marker(pytest.mark.thorough)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name in one line each reason for which tests were skipped, with their number."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
    )
    for reason, number in reasons.most_common():
        terminalreporter.write_line(f"not run: {number} tests: {reason}")
