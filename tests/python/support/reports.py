"""Result files to make reports of, and runs of the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data"
B_EFF = DATA / "b_eff_2p_one_method.json"
B_EFF_3_1 = DATA / "b_eff_4p_definition_3.1.json"
B_EFF_IO = DATA / "b_eff_io_short.json"
STOPPED_IO = DATA / "b_eff_io_stopped.json"
STORED = (B_EFF, B_EFF_3_1, B_EFF_IO, STOPPED_IO)

_MAIN = "import sys; from beff.cli.app import main; sys.exit(main())"


def run_beff(
    *arguments: object, timeout: float = 240, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The command as a user starts it, of the sources."""
    return subprocess.run(
        [sys.executable, "-c", _MAIN, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "COLUMNS": "200", **(env or {})},
    )


def document_of(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def written(folder: Path, name: str, document: dict[str, Any]) -> Path:
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path
