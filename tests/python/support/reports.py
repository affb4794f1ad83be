"""Result files to make reports of, and runs of the command."""

import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from beff.cli.app import main
from beff.cli.common import exit_codes

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data"
VALID = DATA / "b_eff_2p_valid.json"
B_EFF = DATA / "b_eff_2p_one_method.json"
B_EFF_3_1 = DATA / "b_eff_4p_definition_3.1.json"
B_EFF_IO = DATA / "b_eff_io_short.json"
STOPPED_IO = DATA / "b_eff_io_stopped.json"
STORED = (B_EFF, B_EFF_3_1, B_EFF_IO, STOPPED_IO)


def run_beff(
    *arguments: object, folder: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """The command in this process, started in a folder and with variables of the environment.

    A fault of the command fails the test.
    """
    line = [str(argument) for argument in arguments]
    said, warned = io.StringIO(), io.StringIO()
    before = Path.cwd()
    os.chdir(folder or before)
    try:
        with (
            patch.dict(os.environ, {"COLUMNS": "200", **variables}),
            redirect_stdout(said),
            redirect_stderr(warned),
        ):
            code = main(line)
    finally:
        os.chdir(before)
    trace = re.search(r"traceback in (\S+)", warned.getvalue())
    assert code != exit_codes.UNFORESEEN, Path(trace[1]).read_text("utf-8") if trace else warned
    return subprocess.CompletedProcess(line, code, said.getvalue(), warned.getvalue())


def beff_process(*arguments: object, **more: Any) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own; `more` is what subprocess.run() takes."""
    line = [sys.executable, "-m", "beff", *map(str, arguments)]
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    return subprocess.run(line, text=True, timeout=300, check=False, **(pipes | more))


def document_of(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def written(folder: Path, name: str, document: dict[str, Any]) -> Path:
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def beside(journal: Path | str) -> str:
    """Return the name of the result of a journal."""
    return f"{str(journal).removesuffix('.journal.jsonl')}.json"
