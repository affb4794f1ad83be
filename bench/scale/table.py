"""Rows of the table of scale: what was measured, at which size, and how it grows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Row:
    """Seconds, peak MiB and bytes of something at a size, where they are known; `note` is more."""

    what: str
    size: int
    seconds: float | None = None
    mib: float | None = None
    size_bytes: float | None = None
    note: str = ""


HEAD = "| what | size | seconds | grows as | peak MiB | bytes | grows as | more |"


def lines(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the table in Markdown; beside each figure stands the exponent since the size before."""
    yield HEAD
    yield "|" + "---|" * HEAD.count(" |")
    for _, group in groupby(rows, lambda row: row.what):
        before: Row | None = None
        for row in group:
            cells = (
                row.what,
                f"{row.size}",
                _number(row.seconds),
                _exponent(row, before, "seconds"),
                _number(row.mib),
                _number(row.size_bytes),
                _exponent(row, before, "size_bytes"),
                row.note,
            )
            yield f"| {' | '.join(cells)} |"
            before = row


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}" if value < 1e6 else f"{value / 1e6:.1f} M"


def _exponent(row: Row, before: Row | None, name: str) -> str:
    now = getattr(row, name)
    then = None if before is None else getattr(before, name)
    if before is None or not now or not then or row.size == before.size:
        return ""
    return f"n^{log(now / then) / log(row.size / before.size):.1f}"


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock, peak MiB of the largest process, exit code and what was printed."""

    seconds: float
    mib: float
    code: int
    printed: str


def cost_of(command: Sequence[str], folder: Path | None = None, **variables: str) -> Cost:
    """Run a command in a process whose time and memory are measured, its children's included."""
    run = [sys.executable, __file__, *command]
    paths = (str(ROOT / "python"), str(ROOT / "tests" / "python"), os.environ.get("PYTHONPATH"))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        **variables,
    }
    done = subprocess.run(
        run, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    printed, _, last = done.stdout.rstrip("\n").rpartition("\n")
    return Cost(**json.loads(last), printed=printed)


def _measure(command: Sequence[str]) -> None:
    """Run a command and print after its output what it took."""
    import resource  # noqa: PLC0415 - of the measured process alone
    import time  # noqa: PLC0415

    begin = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    seconds = time.monotonic() - begin
    mib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    sys.stdout.write(done.stdout.decode())
    print("\n" + json.dumps({"seconds": seconds, "mib": mib, "code": done.returncode}))


if __name__ == "__main__":
    _measure(sys.argv[1:])
