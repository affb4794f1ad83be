"""The importers: a new one is a file and a row here."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beff.importers import b_eff_io_sum, b_eff_last_line
from beff.importers.printed import Printed
from beff.result.load import Document, check_document
from beff.result.strict_json import read_text


@dataclass(frozen=True)
class Importer:
    """A printed format: whether a text has it, and the documents that it gives."""

    description: str
    recognises: Callable[[str], bool]
    read: Callable[[Printed], list[dict[str, Any]]]


IMPORTERS = (
    Importer("b_eff_io 1.x and 2.1, *.sum", b_eff_io_sum.recognises, b_eff_io_sum.read),
    Importer("b_eff 3.x, last line and summary", b_eff_last_line.recognises, b_eff_last_line.read),
)


def import_file(path: Path, definition: str | None) -> list[Document]:
    """Return the results that a file holds. Raises ResultError when no importer knows it."""
    printed = Printed(str(path), path.name, read_text(path), definition)
    for importer in IMPORTERS:
        if importer.recognises(printed.text):
            return [check_document(str(path), fields) for fields in importer.read(printed)]
    known = "; ".join(importer.description for importer in IMPORTERS)
    raise printed.problem(f"is not an output that can be imported (known: {known})")
