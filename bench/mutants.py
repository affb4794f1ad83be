#!/usr/bin/env python3
"""Multiply each number of the judging modules by 0.6 and by 1.6, and count whom tests notice.

In a copy of the checkout, one at a time; without the judge of maps in b_pairs, 0 and 1, indices and
widths of formats. Numbers that nobody noticed are printed.
Usage: bench/mutants.py [--every N]
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from common import ROOT, options_of, table

JUDGING = "judge/*.py"
FACTORS = (0.6, 1.6)
TESTS = ("tests/python/judge", "tests/python/cli", "tests/golden")
"""In the order in which they are asked, the first failure ends it."""


Number = tuple[Path, ast.Constant]
"""The file within the checkout, and the number where it stands there."""


def changed(text: str, node: ast.Constant, factor: float) -> str:
    """Return the text of a file with a number multiplied."""
    lines = text.splitlines(keepends=True)
    line, value = lines[node.lineno - 1].encode(), node.value * factor
    new = repr(round(value, 12) if isinstance(node.value, float) else round(value))
    whole = line[: node.col_offset] + new.encode() + line[node.end_col_offset :]
    lines[node.lineno - 1] = whole.decode()
    return "".join(lines)


def numbers() -> Iterator[Number]:
    """Yield the numbers of all judging modules."""
    beff = ROOT / "python" / "beff"
    for file in sorted(file for files in JUDGING for file in beff.glob(files)):
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
                yield file.relative_to(ROOT), node


def is_noticed(copy: Path, number: Number, factor: float, tests: tuple[str, ...]) -> bool:
    """Return whether a test fails when a number is another one."""
    file = copy / number[0]
    text = file.read_text(encoding="utf-8")
    file.write_text(changed(text, number[1], factor), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    settings = {**os.environ, "PYTHONPATH": str(copy / "python")}
    done = subprocess.run(command, cwd=copy, env=settings, capture_output=True, check=False)
    file.write_text(text, encoding="utf-8")
    return done.returncode != 0


def rows(
    chosen: list[Number], copy: Path, tests: tuple[str, ...], noticed: list[bool]
) -> Iterator[list[object]]:
    """Yield a row for each change that nobody noticed."""
    for number in chosen:
        for factor in FACTORS:
            noticed.append(is_noticed(copy, number, factor, tests))
            if not noticed[-1]:
                yield [f"{number[0]}:{number[1].lineno}", number[1].value, factor]


def main() -> None:
    """Print the numbers that nobody noticed, and how many were."""
    parser = options_of(__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one of N numbers")
    given = parser.parse_args()
    chosen = [*numbers()][:1] if given.short else [*numbers()][:: given.every]
    tests = TESTS[1:2] if given.short else TESTS
    noticed: list[bool] = []
    with tempfile.TemporaryDirectory(prefix="beff-mutants-") as name:
        copy = Path(name) / "beff"
        ignored = shutil.ignore_patterns(".git", ".venv*", "build", "results", "__pycache__")
        shutil.copytree(ROOT, copy, ignore=ignored)
        (copy / ".venv").symlink_to(ROOT / ".venv")
        (copy / "build").symlink_to(ROOT / "build")
        table(["number", "is", "times"], rows(chosen, copy, tests, noticed))
    print(f"{sum(noticed)} of {len(noticed)} changes noticed")


if __name__ == "__main__":
    main()
