"""Plays scenes: the lines of the files in `expected` that begin with `$`, with what they print."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from golden.clock import frozen
from golden.commands import run
from golden.inputs import FILES, HERE, make
from golden.normalise import SETTINGS, normalised

EXPECTED = HERE / "expected"
_PROMPT = "$ "
Scenes = dict[str, str]
"""The texts of files by their names within `expected`."""


def stored() -> Scenes:
    """Return what `expected` holds."""
    files = sorted(EXPECTED.rglob("*.txt"))
    return {path.relative_to(EXPECTED).as_posix(): path.read_text("utf-8") for path in files}


def play(scenes: Scenes, folder: Path) -> Scenes:
    """Return the scenes as they are now, each played in a folder of its own within the given."""
    here, own = Path.cwd(), {"PATH": os.environ["PATH"], "HOME": str(folder), **SETTINGS}
    try:
        with patch.dict(os.environ, own, clear=True), frozen():
            time.tzset()
            return {name: _played(name, text, folder) for name, text in scenes.items()}
    finally:
        os.chdir(here)
        time.tzset()


def _played(name: str, text: str, folder: Path) -> str:
    marked = [line for line in text.splitlines() if line.startswith(_PROMPT)]
    lines = [line.removeprefix(_PROMPT) for line in marked]
    words = {word for line in lines for word in line.split()}
    stage = folder / "scenes" / name
    for file in FILES:
        if words & {file, file.split("/")[0]}:
            made = folder / "inputs" / file
            if not made.exists():
                make(made, file)
            (stage / file).parent.mkdir(parents=True, exist_ok=True)
            os.link(made, stage / file)
    os.chdir(stage)
    return "\n".join(_said(lines, str(stage)))


def _said(lines: list[str], folder: str) -> Iterator[str]:
    """Yield each line with what it prints, or with the line before that printed the same."""
    before: dict[tuple[int, str], str] = {}
    for line in lines:
        code, text = run(line)
        same = before.setdefault((code, text), line)
        said = normalised(text, folder) if same == line else f"as {same}\n"
        yield f"{_PROMPT}{line}\n{said}" + (f"exit code {code}\n" if code else "")
