"""Outputs of the original programs, as tests/golden/given holds them, and with other figures."""

import re
from pathlib import Path

from beff.imports.originals import importer_of, results_of
from beff.imports.printed import printed_file
from beff.result.load import Document

_GIVEN = Path(__file__).parents[2] / "golden" / "given"
T3E, SUM = (
    (_GIVEN / name).read_text(encoding="utf-8").rstrip("\n")
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
