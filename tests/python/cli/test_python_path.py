"""PYTHONPATH with packages of another Python, as a site's module sets it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.reports import B_EFF

from beff.cli.common import exit_codes

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[3]
START = """\
import sys
sys.path.insert(0, {root!r})
from beff.__main__ import main
sys.exit(main())
"""
PACKAGES = ("numpy", "scipy", "pydantic", "cyclopts", "rich", "jinja2", "yaml", "vl_convert")
FAULT = "raise ImportError('C extensions were built for CPython 3.8')\n"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"show {B_EFF} -o out.html", 0),
        (f"compare {B_EFF} {B_EFF}", exit_codes.NOT_VALID),
        (f"show {B_EFF}", 0),
        ("run --help", 0),
        ("list build nowhere", 2),
        (f"show {B_EFF} -o out.svg", 0),
    ],
)
def test_own_packages_win(tmp_path: Path, line: str, code: int) -> None:
    """Where beff is installed elsewhere than in PYTHONPATH, and that has all of them."""
    other = tmp_path / "other"
    for package in PACKAGES:
        (other / package).mkdir(parents=True)
        (other / package / "__init__.py").write_text(FAULT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", START.format(root=str(ROOT / "python")), *line.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(other)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (done.returncode, "PYTHONPATH" in done.stderr) == (code, False)
