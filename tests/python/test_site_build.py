"""`tools/site_build` on a machine that lacks something."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "site_build"


@pytest.mark.parametrize(
    ("lacking", "missing", "more"),
    [
        ({"CXX": "no-such-compiler"}, {"compiler"}, "installing.md"),
        ({"MPICC": "no-such-wrapper"}, {"MPI"}, ""),
        ({"CXX": "no-such-compiler", "MPICC": "none"}, {"compiler", "MPI"}, "installing.md"),
    ],
)
def test_it_names_what_is_missing_and_builds_nothing(
    tmp_path: Path, lacking: dict[str, str], missing: set[str], more: str
) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # of cmake
    given = {"CXX": "c++", "MPICC": "true", "PATH": path}
    done = subprocess.run(
        [SCRIPT, tmp_path / "prefix"],
        env={**os.environ, **given, **lacking},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    found = {line.split()[0] for line in done.stdout.splitlines() if "MISSING" in line}
    assert found == missing
    assert ("installing.md" in done.stderr) == bool(more)
    assert not (tmp_path / "prefix").exists()
