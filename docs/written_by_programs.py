"""What programs say, for the pages of the site that show it: nothing of it is committed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

from beff.cli.app import COMMANDS, PLACES, main
from beff.launch.job_script import TENDER, rendered

PROGRAMS = Path(sys.executable).parent
ENVIRONMENT = {**os.environ, "COLUMNS": "100"}  # whatever the terminal


def reference() -> str:
    """Return the help of every command and program, each below a heading of its name."""
    helps = [*_companion(), *((name, _engine(name)) for name in ("b_eff", "b_eff_io", "b_pairs"))]
    index = "".join(f"* [`{name}`](#{name.replace(' ', '-')})\n" for name, _ in helps)
    parts = (f"## {name}\n\n```text\n{_stripped(text)}\n```\n" for name, text in helps)
    return "\n".join([index, *parts])


def tender() -> str:
    """Return the text of a tender, with capitals where `beff job --tender` fills in its own."""
    job = SimpleNamespace(
        **{"name": "SYSTEM", "nodes": "NODES", "tasks_per_node": "K", "processes": "PROCESSES"},
        **{"bisection": "N", "memory_per_process": "MEMORY"},
    )
    facts = {"lmax_bytes": "L_MAX", "message_bytes": "MESSAGE", "io_time_s": 0}
    text = rendered(TENDER[0], job=job, built="VERSION (COMMIT)", **facts)
    return text.split("\n", 1)[1]


def _companion() -> Iterator[tuple[str, str]]:
    """Yield each command of beff with its help, groups before their commands."""
    yield "beff", _said("--help", "all")
    for name in COMMANDS:
        for full in (name, *(place for place in PLACES if place.startswith(f"{name} "))):
            yield f"beff {full}", _said(*full.split(), "--help")


def _said(*words: str) -> str:
    with redirect_stdout(StringIO()) as printed:
        main([*words])
    return printed.getvalue()


def _engine(name: str) -> str:
    answer = subprocess.run(
        [PROGRAMS / name, "--help"], capture_output=True, text=True, check=True, env=ENVIRONMENT
    )
    return answer.stdout


def _stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
