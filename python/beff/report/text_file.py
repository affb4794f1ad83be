"""Format .txt: all tables in plain text, and the line with which each run ended."""

from pathlib import Path

from beff.report.parts.last_line import last_line
from beff.report.tables.sections import overview, sections_of_result, title_of
from beff.report.tables.table import Table, TableGroup
from beff.result.plain_text import one_line
from beff.verify.subject import Subject


def write_text(subject: Subject, path: Path) -> None:
    """Write headings, sentences and tables."""
    lines = [*_heading(title_of(subject), "="), *_section_lines(overview(subject))]
    for entry in subject.results:
        for section in sections_of_result(entry):
            lines += _section_lines(section)
        end = last_line(entry.document)
        if end is not None:
            lines += [end, ""]
    path.write_text("".join(f"{one_line(line)}\n" for line in lines[:-1]), encoding="utf-8")


def table_lines(table: Table) -> list[str]:
    """Return a table with aligned columns, and its notes."""
    rows = [[column.heading for column in table.heads], *table.shown()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    written = [
        "  ".join(
            f"{cell:<{width}}" if column.is_text else f"{cell:>{width}}"
            for cell, width, column in zip(row, widths, table.columns, strict=True)
        ).rstrip()
        for row in rows
    ]
    return [*written, *table.notes]


def _section_lines(section: TableGroup) -> list[str]:
    lines = _heading(section.title, "=" if section.level == 1 else "-")
    for sentence in section.paragraphs:
        lines += [sentence, ""]
    for table in section.tables:
        lines += [*_heading(table.title, "-"), *table_lines(table), ""]
    return lines


def _heading(title: str, rule: str) -> list[str]:
    return [title, rule * len(title), ""]
