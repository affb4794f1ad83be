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


def test_no_folder_and_no_file_needs_one_that_needs_it() -> None:
    files: dict[Path, set[Path]] = {}
    for file in {*PACKAGE.glob("beff/**/*.py")} - {PACKAGE / "beff/cli/entry.py"}:  # starts app.py
        modules = map(Path, (one.replace(".", "/") for one in imported_modules(file)))
        used = (PACKAGE / one.with_suffix(".py") for one in modules)
        files[file] = {one for one in used if one.exists() and one != file}
    folders: dict[Path, set[Path]] = {}
    for file, others in files.items():
        folders.setdefault(file.parent, set()).update(
            other.parent for other in others if other.parent != file.parent
        )
    assert len(folders) > 20
    assert list(TopologicalSorter(files).static_order())  # raises CycleError, which names them
    order = list(TopologicalSorter(folders).static_order())
    assert order.index(PACKAGE / "beff/result") < order.index(PACKAGE / "beff/verify/common")
