"""The importers of results: a new one is a file and a row here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from beff.importers import b_eff_io_sum, b_eff_last_line, figures_csv, pairs
from beff.importers.printed import Printed
from beff.result.load import Document, check_document


@dataclass(frozen=True)
class Importer:
    """A format: whether a text has it, and the documents that it gives.

    `lacks` is what it may lack and a user may say.
    """

    description: str
    lacks: Literal["definition", "date"]
    recognises: Callable[[str], bool]
    read: Callable[[Printed], list[dict[str, Any]]]


IMPORTERS = (
    Importer(pairs.DESCRIPTION, "date", pairs.recognises, pairs.read),
    Importer(
        "b_eff_io 1.x and 2.1, *.sum", "definition", b_eff_io_sum.recognises, b_eff_io_sum.read
    ),
    Importer(
        "b_eff 3.x, last line and summary",
        "definition",
        b_eff_last_line.recognises,
        b_eff_last_line.read,
    ),
)
_FIGURES = "figures.csv, with columns figure, value, unit and when"


def importer_of(printed: Printed) -> Importer | None:
    """Return what reads results of a text, None for figures. Raises ResultError for other texts."""
    if figures_csv.recognises(printed.text):
        return None
    for importer in IMPORTERS:
        if importer.recognises(printed.text):
            return importer
    known = "; ".join([_FIGURES, *(importer.description for importer in IMPORTERS)])
    raise printed.problem(f"is not an output that can be imported (known: {known})")


def results_of(printed: Printed, importer: Importer) -> list[Document]:
    """Return the results that a text holds. Raises ResultError."""
    return [check_document(printed.source, fields) for fields in importer.read(printed)]
