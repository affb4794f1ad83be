"""Every bench starts, and has a short form; `make bench` runs these."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.reports import ROOT
from support.runs import environment

BENCHES = sorted({*(ROOT / "bench").glob("*.py")} - {ROOT / "bench" / "common.py"})


@pytest.mark.parametrize("bench", BENCHES, ids=lambda bench: bench.stem)
def test_it_starts(bench: Path) -> None:
    command = [sys.executable, str(bench), "--help"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    assert "--short" in done.stdout
