#!/usr/bin/env python3
"""Multiply each number of the judging modules by 0.6 and by 1.6, and count whom tests notice.

In a copy of the checkout, one at a time; the judge of maps in b_pairs is left out. Not counted are
0 and 1, indices and the widths of formats. Numbers that nobody noticed are printed.
Usage: bench/mutants.py [--every N] [--only WORD]
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from common import ROOT, options_of, table

JUDGING = Path("python/beff/analysis")
FOLDERS = ("compare", "check", "series", "limits")
FACTORS = (0.6, 1.6)
TESTS = (
    *(f"tests/python/analysis/{folder}" for folder in FOLDERS),
    *("tests/python/analysis/test_spread.py", "tests/python/cli", "tests/golden"),
)
"""In the order in which they are asked, the first failure ends it."""


@dataclass(frozen=True)
class Number:
    """A number in a file; its place as in the tree of the language."""

    file: Path
    node: ast.Constant

    def changed(self, text: str, factor: float) -> str:
        """Return the file with this number multiplied."""
        lines = text.splitlines(keepends=True)
        line = lines[self.node.lineno - 1].encode()
        value = self.node.value * factor
        new = repr(round(value, 12) if isinstance(self.node.value, float) else round(value))
        before, after = line[: self.node.col_offset], line[self.node.end_col_offset :]
        lines[self.node.lineno - 1] = (before + new.encode() + after).decode()
        return "".join(lines)


def numbers() -> Iterator[Number]:
    """Yield the numbers of all judging modules."""
    for file in sorted(file for name in FOLDERS for file in (ROOT / JUDGING / name).glob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        skipped = {
            inner
            for outer in ast.walk(tree)
            for part in [getattr(outer, "slice", None), getattr(outer, "format_spec", None)]
            if part is not None
            for inner in ast.walk(part)
        }
        for node in ast.walk(tree):
            is_number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
            if is_number and node not in skipped and node.value not in (0, 1):
                yield Number(file.relative_to(ROOT), node)


def is_noticed(copy: Path, number: Number, factor: float) -> bool:
    """Return whether a test fails when a number is another one."""
    file = copy / number.file
    text = file.read_text(encoding="utf-8")
    file.write_text(number.changed(text, factor), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *TESTS]
    settings = {**os.environ, "PYTHONPATH": str(copy / "python")}
    done = subprocess.run(command, cwd=copy, env=settings, capture_output=True, check=False)
    file.write_text(text, encoding="utf-8")
    return done.returncode != 0


def rows(chosen: list[Number], copy: Path, noticed: list[bool]) -> Iterator[list[object]]:
    """Yield a row for each change that nobody noticed."""
    for number in chosen:
        for factor in FACTORS:
            noticed.append(is_noticed(copy, number, factor))
            if not noticed[-1]:
                yield [f"{number.file}:{number.node.lineno}", number.node.value, factor]


def main() -> None:
    """Print the numbers that nobody noticed, and how many were."""
    parser = options_of(__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one of N numbers")
    parser.add_argument("--only", default="", metavar="WORD", help="files with it in their path")
    given = parser.parse_args()
    chosen = [number for number in numbers() if given.only in str(number.file)]
    chosen = chosen[:1] if given.short else chosen[:: given.every]
    noticed: list[bool] = []
    with tempfile.TemporaryDirectory(prefix="beff-mutants-") as name:
        copy = Path(name) / "beff"
        ignored = shutil.ignore_patterns(".git", ".venv*", "build", "results", "__pycache__")
        shutil.copytree(ROOT, copy, ignore=ignored)
        for linked in (".venv", "build"):
            (copy / linked).symlink_to(ROOT / linked)
        table(["number", "is", "times"], rows(chosen, copy, noticed))
    print(f"{sum(noticed)} of {len(noticed)} changes noticed")


if __name__ == "__main__":
    main()
