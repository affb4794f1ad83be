"""The commands of the README, one after the other in the state the ones before left."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from support.programs import Programs

ROOT = Path(__file__).resolve().parents[2]
SAID = {"run": {0, 3}, "check": {0, 3}, "compare": {0, 3}, "report": {0}, "job": {0}}
"""Exit codes that tell a stranger no command of the page is wrong."""


def commands() -> list[list[str]]:
    part = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## The commands\n")[2]
    (block,) = re.findall(r"^```\n(.*?)^```", part.partition("\n## ")[0], re.DOTALL | re.MULTILINE)
    return [shlex.split(line, comments=True) for line in block.splitlines()]


def test_the_commands_of_the_page_work_in_their_order(programs: Programs, tmp_path: Path) -> None:
    seen = []
    known = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
    for program, command, *arguments in commands():
        assert program == "beff"
        stand_ins = programs.options() if command == "run" else []
        done = subprocess.run(
            [sys.executable, "-m", "beff", command, *arguments, *stand_ins],
            cwd=tmp_path,
            env={**known, "PYTHONPATH": str(ROOT / "python"), "FAKE_ENGINE": "good"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode in SAID[command], (command, done.stdout, done.stderr)
        seen.append(command)
    assert set(seen) == set(SAID)
    assert (tmp_path / "monday.html").exists()
    assert (tmp_path / "job.sh").exists()


def test_the_page_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
