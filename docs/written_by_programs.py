"""What programs say, for the pages of the site that show it: nothing of it is committed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import typer

from beff.cli.app import make_app
from beff.launch.job_script import TENDER, tender_file

PROGRAMS = Path(sys.executable).parent
# the width is fixed, whatever the terminal
ENVIRONMENT = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}


def reference() -> str:
    """Return the help of every command and program, each below a heading of its name."""
    os.environ.update(ENVIRONMENT)
    helps = [*_companion(), *((name, _engine(name)) for name in ("b_eff", "b_eff_io", "b_pairs"))]
    index = "".join(f"* [`{name}`](#{name.replace(' ', '-')})\n" for name, _ in helps)
    parts = (f"## {name}\n\n```text\n{_stripped(text)}\n```\n" for name, text in helps)
    return "\n".join([index, *parts])


def tender() -> str:
    """Return the text of a tender, with capitals where `beff job --tender` fills in its own."""
    job = SimpleNamespace(
        name="SYSTEM", nodes="NODES", tasks_per_node="K", processes="PROCESSES", bisection="N"
    )
    return tender_file(TENDER[0], job, 0, "VERSION (COMMIT)").split("\n", 1)[1]


def _companion() -> Iterator[tuple[str, str]]:
    """Yield each command of beff with its help, groups before their commands."""

    def walk(name: str, command: Any, parent: Any) -> Iterator[tuple[str, str]]:
        context = type(command).context_class(
            command, info_name=name, parent=parent, terminal_width=100
        )
        yield context.command_path, command.get_help(context)
        for inner, part in getattr(command, "commands", {}).items():
            yield from walk(inner, part, context)

    yield from walk("beff", typer.main.get_command(make_app()), None)


def _engine(name: str) -> str:
    answer = subprocess.run(
        [PROGRAMS / name, "--help"], capture_output=True, text=True, check=True, env=ENVIRONMENT
    )
    return answer.stdout


def _stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
