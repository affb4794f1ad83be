"""Folders of the companion need one another one way: see docs/contributing/architecture.md."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "python"


def imported_modules(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_folder_needs_one_that_needs_it() -> None:
    uses: dict[Path, set[Path]] = {}
    for file in PACKAGE.glob("beff/**/*.py"):
        for module in imported_modules(file):
            used = PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
            if used.exists() and used.parent != file.parent:
                uses.setdefault(file.parent, set()).add(used.parent)
    assert len(uses) > 20
    order = list(TopologicalSorter(uses).static_order())  # raises CycleError, which names them
    assert order.index(PACKAGE / "beff/model") < order.index(PACKAGE / "beff/analysis/common")
