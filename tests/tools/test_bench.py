"""Every bench starts: some do something small, those that need programs or minutes say what for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.reports import ROOT
from support.runs import environment

SMALL = {
    "check_power": ("--runs", "1", "--hosts", "8", "--only", "^nothing slow$"),
    "compare_power": ("1",),
    "list_build": ("1",),
    "scale": ("--only", "companion", "--largest", "10"),
}
"""Those that read no `--help`, and those that say something without delay."""
BENCHES = [*sorted((ROOT / "bench").glob("*.py")), ROOT / "bench" / "scale"]


@pytest.mark.parametrize("bench", BENCHES, ids=lambda bench: bench.stem)
def test_it_starts(bench: Path) -> None:
    command = [sys.executable, str(bench), *SMALL.get(bench.stem, ("--help",))]
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_what_starts_small_is_there() -> None:
    assert SMALL.keys() <= {bench.stem for bench in BENCHES}
