"""`tools/site_build` on a machine that lacks something."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "site_build"


@pytest.mark.parametrize(
    ("compiler", "is_found"),
    [
        ("{0} c++", True),
        ("{0} c++ -O1", True),
        ("c++ -O1", True),
        ("{0} no-such-compiler", False),
        ("c++ -no-such-flag", False),
    ],
)
def test_a_compiler_may_be_several_words(tmp_path: Path, compiler: str, is_found: bool) -> None:
    """As CXX="ccache g++"; a launcher is a program that starts the rest of its line."""
    launcher = tmp_path / "launcher"
    launcher.write_text('#!/bin/sh\nexec "$@"\n', encoding="utf-8")
    launcher.chmod(0o755)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    given = {"CXX": compiler.format(launcher), "MPICC": "no-such-wrapper", "PATH": path}
    done = subprocess.run(
        [SCRIPT, "prefix"],
        env={**os.environ, **given},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    missing = {line.split()[0] for line in done.stdout.splitlines() if "MISSING" in line}
    assert missing == ({"MPI"} if is_found else {"MPI", "compiler"}), done.stderr


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
