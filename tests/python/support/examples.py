"""Small results of each kind in files of this process; imported ones are of published prints."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scripted_machine import run
from support.printed import import_file
from support.reports import ROOT, written

_PRINTS = ROOT / "tests" / "golden" / "given"
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


def _imported(name: str) -> dict[str, Any]:
    (document,) = import_file(_PRINTS / name)
    return document.fields


def _example(name: str, document: dict[str, Any]) -> Path:
    return written(Path(_FOLDER.name), f"{name}.json", document)


SHORT = _example("b_eff_shortened", short_result())
B_EFF_IMPORTED = _example("b_eff_imported", _imported("t3e.txt"))
B_EFF_IO_IMPORTED = _example("b_eff_io_imported", _imported("release_2.1.sum"))
EXAMPLES = (SHORT, B_EFF_IMPORTED, B_EFF_IO_IMPORTED)
