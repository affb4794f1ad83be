"""Format .txt: the protocol of each result, and of several results what they are side by side."""

from collections.abc import Callable
from pathlib import Path

from beff.model.load import Document
from beff.report.protocol.b_eff import b_eff_protocol
from beff.report.protocol.b_eff_io import b_eff_io_protocol
from beff.report.protocol.text import plain
from beff.report.subject import LabelledResult, Subject
from beff.report.tables.sections import comparison_tables, sections_of_result
from beff.report.tables.table import Table

_PROTOCOLS: dict[str, Callable[[Document], list[str]]] = {
    "b_eff": b_eff_protocol,
    "b_eff_io": b_eff_io_protocol,
}


def write_protocol(subject: Subject, path: Path) -> None:
    """Write the protocol; of several results a heading for each, with the comparison first."""
    lines: list[str] = []
    if len(subject.results) > 1:
        for table in comparison_tables(subject):
            lines += [*table_lines(table), ""]
    for entry in subject.results:
        if len(subject.results) > 1:
            title = f"Result {entry.label}"
            lines += ["", "=" * len(title), title, "=" * len(title), ""]
        lines += _lines_of(entry)
    path.write_text("".join(f"{plain(line)}\n" for line in lines), encoding="utf-8")


def _lines_of(entry: LabelledResult) -> list[str]:
    """Return the protocol; of an imported result, which has none, its tables."""
    if not entry.document.is_imported:
        return _PROTOCOLS[entry.document.benchmark](entry.document)
    lines = []
    for section in sections_of_result(entry):
        lines += [*section.paragraphs, ""]
        for table in section.tables:
            lines += [*table_lines(table), ""]
    return lines


def table_lines(table: Table) -> list[str]:
    """Return a table with aligned columns."""
    rows = [[column.heading for column in table.columns], *table.shown()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    written = [
        "  ".join(
            f"{cell:<{width}}" if column.is_text else f"{cell:>{width}}"
            for cell, width, column in zip(row, widths, table.columns, strict=True)
        ).rstrip()
        for row in rows
    ]
    rule = "-" * len(table.title)
    return [table.title, rule, *written, *table.notes]
