"""Prints of the original programs, and small results of each kind in files of this process."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from beff.imports.originals import importer_of, results_of
from beff.imports.printed import printed_file
from beff.result.load import Document
from scripted_machine import run
from support.reports import ROOT, written

_PRINTS = ROOT / "tests" / "golden" / "given"
T3E, SUM = (
    (_PRINTS / name).read_text(encoding="utf-8").rstrip("\n")
    for name in ("t3e.txt", "release_2.1.sum")
)
"""A published last line; what b_eff_io 2.1 prints at its end."""


def import_file(path: Path, definition: str | None = None) -> list[Document]:
    """Return the results that a file holds. Raises ResultError."""
    printed = printed_file(path, definition)
    importer = importer_of(printed)
    assert importer is not None
    return results_of(printed, importer)


def on(processes: int, text: str = SUM) -> str:
    """Return a print of b_eff_io by another number of processes."""
    return re.sub(
        r" 4 (PEs|processes)", f" {processes} \\1", text.replace("-N  4", f"-N {processes}")
    )


def on_both(first: int, second: int) -> str:
    """Return a print of two numbers of processes, each scheduled for as long."""
    head, _, below = on(first).partition("Summary of")
    head = head.replace(f"-N {first} T=10", f"-N {first},{second} T=20")
    return f"{head}Summary of{below}\nSummary of{on(second).partition('Summary of')[2]}"


_FOLDER = TemporaryDirectory(prefix="beff-examples-")
_SHORT_PLAN = {
    "processes": 2,
    "memory_per_process": 1 << 20,
    "methods": ["sendrecv"],
    "pattern_ids": [5, 39],
    "size_indices": [0, 12, 20],
    "repetitions": 1,
}


def short_result() -> dict[str, Any]:
    """A run of b_eff of six loops, which has few figures."""
    document: dict[str, Any] = run(**_SHORT_PLAN).result
    return document


def _example(name: str, document: dict[str, Any]) -> Path:
    return written(Path(_FOLDER.name), f"{name}.json", document)


SHORT = _example("b_eff_shortened", short_result())
B_EFF_IMPORTED, B_EFF_IO_IMPORTED = (
    _example(f"{one.benchmark}_imported", one.fields)
    for name in ("t3e.txt", "release_2.1.sum")
    for one in import_file(_PRINTS / name)
)
EXAMPLES = (SHORT, B_EFF_IMPORTED, B_EFF_IO_IMPORTED)
