"""PYTHONPATH with packages of another Python, as a site's module sets it."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import cycle
from pathlib import Path

import pytest
from support.reports import B_EFF

from beff.cli.common import exit_codes

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[3]
START = """\
import sys
sys.path.insert(0, {root!r})
from beff.cli.entry import main
sys.exit(main())
"""
COMMANDS = {
    "numpy": ("show", str(B_EFF), "-o", "out.html"),
    "scipy": ("compare", str(B_EFF), str(B_EFF)),
    "pydantic": ("show", str(B_EFF)),
    "typer": ("--help",),
    "rich": ("show", str(B_EFF)),
    "jinja2": ("show", str(B_EFF), "-o", "out.html"),
    "yaml": ("list", "build", "nowhere"),
    "vl_convert": ("show", str(B_EFF), "-o", "out.svg"),
}
"""Package → a command that needs it, some only late."""
FAULTS = [
    "raise ImportError('C extensions were built for CPython 3.8')",
    "print 'of Python 2'",
    "import sys; sys.no_such_thing",
]


def foreign(folder: Path, package: str, fault: str) -> Path:
    place = folder / "other" / package
    place.mkdir(parents=True)
    (place / "__init__.py").write_text(fault + "\n", encoding="utf-8")
    return place.parent


def run(
    command: list[str], folder: Path, python_path: str | None
) -> subprocess.CompletedProcess[str]:
    known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**known, **({} if python_path is None else {"PYTHONPATH": python_path})},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [*zip(dict.fromkeys(COMMANDS.values()), (0, exit_codes.NOT_VALID, 0, 0, 2, 0), strict=True)],
    ids=str,
)
def test_own_packages_win(tmp_path: Path, command: tuple[str, ...], code: int) -> None:
    """Where beff is installed elsewhere than in PYTHONPATH, and that has all of them."""
    for package in COMMANDS:
        other = foreign(tmp_path, package, FAULTS[0])
    done = run(["-c", START.format(root=str(ROOT / "python")), *command], tmp_path, str(other))
    assert (done.returncode, "PYTHONPATH" in done.stderr) == (code, False)


@pytest.mark.parametrize(("package", "fault"), [*zip(COMMANDS, cycle(FAULTS))])
def test_what_lies_before_beff_in_pythonpath_is_named(
    tmp_path: Path, package: str, fault: str
) -> None:
    """Where beff itself is taken from there: then nothing says which packages are its own."""
    other = foreign(tmp_path, package, fault)
    python_path = os.pathsep.join((str(other), str(ROOT / "python")))
    said = run(["-m", "beff", *COMMANDS[package]], tmp_path, python_path)
    assert said.returncode in {1, 2}
    (line,) = said.stderr.splitlines()
    assert line.startswith(f"beff: {package} was taken from {other}, ")
    assert f"env -u PYTHONPATH beff {COMMANDS[package][0]}" in line


def test_a_fault_of_beff_is_not_that_of_a_package(tmp_path: Path) -> None:
    """The path of a package is there, and what fails is called by beff."""
    place = foreign(tmp_path, "numpy", "from beff_numpy import *")
    (place / "beff_numpy.py").write_text("x = 1\n", encoding="utf-8")
    script = (
        "from beff.cli.entry import said_of_foreign_package as said\n"
        "import numpy\n"
        "for fault in ('numpy.x / 0', 'open(numpy.__file__ + chr(47))', 'import beff.no_module'):\n"
        "    try: exec(fault)\n"
        "    except Exception as problem: print(said(problem, []))\n"
    )
    python_path = os.pathsep.join((str(place), str(ROOT / "python")))
    assert run(["-c", script], tmp_path, python_path).stdout.split() == ["None"] * 3
