"""What cannot build is said before anything is installed or built."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
OF_CLANG_14 = """\
#!/bin/sh
for word in "$@"; do
  case "$word" in *.cpp) ! grep -q 'views::' "$word" || exit 1 ;; esac
done
exec c++ "$@"
"""
"""A compiler that fails at the views of GCC's library."""


def checked(folder: Path, compiler: str = "c++") -> subprocess.CompletedProcess[str]:
    place = folder / "tools"
    place.mkdir(parents=True)
    for name in ("check_prerequisites", "probe.cpp"):
        shutil.copy(TOOLS / name, place / name)
    return subprocess.run(
        [place / "check_prerequisites"],
        cwd=folder,
        env={**os.environ, "PYTHON": sys.executable, "CXX": compiler},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.parametrize("name", ["plain", "a+b@c=d~e%f-g_h.i", "é#", "with a blank"])
def test_what_can_build(tmp_path: Path, name: str) -> None:
    done = checked(tmp_path / name)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("sign", [*"\t\"'$&()<>[]\\`|,:;"])
def test_a_folder_whose_name_is_taken_apart(tmp_path: Path, sign: str) -> None:
    """By make, a shell or CMake's lists."""
    done = checked(tmp_path / f"a{sign}b")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert f"a{sign}b" in line
    assert f"at '{sign}'" in line


def test_a_compiler_that_lacks_views(tmp_path: Path) -> None:
    compiler = tmp_path / "clang++-14"
    compiler.write_text(OF_CLANG_14, encoding="utf-8")
    compiler.chmod(0o755)
    done = checked(tmp_path / "plain", str(compiler))
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert str(compiler) in line
    assert "Clang 16" in line


# --- tools/site_build ---


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("compiler", "wrapper", "missing"),
    [
        ("no-such-compiler", "true", {"compiler"}),
        ("c++", "no-such-wrapper", {"MPI"}),
        ("{0} c++ -O1", "no-such-wrapper", {"MPI"}),
        ("{0} no-such-compiler", "no-such-wrapper", {"compiler", "MPI"}),
        ("c++ -no-such-flag", "true", {"compiler"}),
    ],
)
def test_it_names_what_is_missing_and_builds_nothing(
    tmp_path: Path, compiler: str, wrapper: str, missing: set[str]
) -> None:
    """CXX may be several words as "ccache g++": a program that starts the rest of its line."""
    launcher = tmp_path / "launcher"
    launcher.write_text('#!/bin/sh\nexec "$@"\n', encoding="utf-8")
    launcher.chmod(0o755)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # of cmake
    given = {"CXX": compiler.format(launcher), "MPICC": wrapper, "PATH": path}
    done = subprocess.run(
        [TOOLS / "site_build", tmp_path / "prefix"],
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    found = {line.split()[0] for line in done.stdout.splitlines() if "MISSING" in line}
    assert found == missing, done.stderr
    assert ("installing.md" in done.stderr) == (compiler == "no-such-compiler")
    assert not (tmp_path / "prefix").exists()
