"""`tools/site_build` on a machine that lacks something."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

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


_CMAKE = """\
#!/bin/sh
case $1 in
  --version) echo "cmake version 99.1" ;;
  --build) printf '[ 10%%] a\\n[ 10%%] b\\n%s[100%%] c\\n' "$WARNING"; exit "$CODE" ;;
  --install) mkdir -p "$PREFIX/bin" && ln -s /bin/true "$PREFIX/bin/b_eff" ;;
esac
"""


@pytest.mark.parametrize("code", [0, 2])
def test_it_says_how_far_it_is_and_how_it_ended(tmp_path: Path, code: int) -> None:
    stand_in = tmp_path / "cmake"
    stand_in.write_text(_CMAKE, encoding="utf-8")
    stand_in.chmod(0o755)
    given = {
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        "PREFIX": str(tmp_path / "prefix"),
        "WARNING": "an error, in a warning\n",
        "CODE": str(code),
        "MPICC": "true",
        "PYTHON": "no-such-python",
    }
    done = subprocess.run(
        [SCRIPT, tmp_path / "prefix"],
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == (1 if code else 0), done.stderr
    (building,) = [line for line in done.stdout.splitlines() if line.startswith("Building")]
    assert re.findall(r"\d+%", building) == ["10%", "100%"]
    assert ("Built:" in done.stdout) == (code == 0)


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
