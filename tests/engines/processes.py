"""Finding a run's processes, and what happens to them."""

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from engines.support import NOT_STARTED, Library


@dataclass
class LongRun:
    """A run under way, in a folder of its own."""

    process: subprocess.Popen[str]
    program: Path
    folder: Path

    def send(self, number: signal.Signals) -> str:
        """Send a signal to all processes of the program, and return what the run has printed."""
        for process in processes_of(self.program, self.folder):
            send(process, number)
        return self.process.communicate(timeout=240)[0]


@contextlib.contextmanager
def long_run(
    library: Library, program: str, options: list[str], folder: Path, *, samples: int, **more: Any
) -> Iterator[LongRun]:
    """Start a program, and wait until it has measured something; `more` is what started() takes."""
    pipe = subprocess.PIPE
    with started(library, program, options, folder, stdout=pipe, **more) as process:
        prefix = more.get("prefix") or program
        wait_for_samples(folder / f"{prefix}.journal.jsonl", samples)
        yield LongRun(process, library.programs / program, folder)


def started(
    library: Library,
    program: str,
    options: list[str],
    folder: Path,
    *,
    stdout: int | IO[str],
    stderr: int | IO[str] | None = None,
    processes: int = 2,
    env: dict[str, str] | None = None,
    prefix: str | None = None,
) -> subprocess.Popen[str]:
    """Start a program, again as `Library.run` does, until it has a journal."""
    output = [] if prefix is None else ["--output", prefix]
    command = [*library.command(processes, program), *options, *output]
    journal = folder / f"{prefix or program}.journal.jsonl"
    for _ in range(3):
        run = subprocess.Popen(
            command,
            cwd=folder,
            stdout=stdout,
            stderr=stderr,
            text=True,
            env={**os.environ, **(env or {})},
        )
        wait_until(lambda: journal.exists() or run.poll() is not None, "it did not start")  # noqa: B023
        if run.poll() != NOT_STARTED:
            break
    return run


def wait_until(condition: Callable[[], bool], otherwise: str) -> None:
    until = time.monotonic() + 240  # on a busy machine
    while not condition():
        if time.monotonic() > until:
            pytest.fail(otherwise)
        time.sleep(0.05)


def wait_for_samples(journal: Path, count: int) -> None:
    wait_until(
        lambda: len(re.findall(r'\n{"(?:sample|round)"', text_of(journal))) >= count,
        f"no {count} samples in {journal}",
    )


def text_of(file: Path) -> str:
    return file.read_text() if file.exists() else ""


def processes_of(program: Path, folder: Path) -> list[int]:
    """Process ids of the engine's processes that work in `folder`."""
    found, program = [], program.resolve()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "exe").resolve() == program and (entry / "cwd").resolve() == folder:
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def rank_of(process: int) -> int:
    """Rank of a process, by what its launcher has told it."""
    words = Path(f"/proc/{process}/environ").read_text(errors="replace").split("\0")
    told = dict(word.split("=", 1) for word in words if "=" in word)
    return int(told.get("PMI_RANK", told.get("OMPI_COMM_WORLD_RANK", "-1")))


def send(process: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):  # the launcher may be faster
        os.kill(process, number)
