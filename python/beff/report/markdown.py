"""Format .md: all tables in GitHub-flavoured Markdown, without any text becoming markup."""

import re
from pathlib import Path

from beff.report.tables.sections import sections_of, title_of
from beff.report.tables.table import Table, TableGroup
from beff.verify.subject import Subject

_INLINE = re.compile(r"[\\`*_\[\]<>&~$|]|:(?=//)")
_WITHIN_A_WORD = re.compile(r"(?<=[^\W_])\\_(?=[^\W_])")
_BLOCK_START = re.compile(r"^(?:[#+=-]|\d+(?=[.)]))")
_BLANKS = re.compile(r"\s+")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def write_markdown(subject: Subject, path: Path) -> None:
    """Write headings, sentences and tables."""
    lines = [f"# {escape(title_of(subject))}", ""]
    for section in sections_of(subject):
        lines += _section_lines(section)
    path.write_text("\n".join(lines), encoding="utf-8")


def escape(text: str) -> str:
    """Write a text so that it shows as it is within a line; names_like_this stay readable."""
    one_line = _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", _BLANKS.sub(" ", text).strip())
    return _WITHIN_A_WORD.sub("_", _INLINE.sub(r"\\\g<0>", one_line))


def paragraph(text: str) -> str:
    """Write a text as a paragraph, also one that begins like a heading or an item of a list."""
    line = escape(text)
    start = _BLOCK_START.match(line)
    if start is None:
        return line
    if start.group().isdigit():
        return f"{start.group()}\\{line[start.end() :]}"
    return f"\\{line}"


def _section_lines(section: TableGroup) -> list[str]:
    lines = [f"{'#' * (section.level + 1)} {escape(section.title)}", ""]
    for sentence in section.paragraphs:
        lines += [paragraph(sentence), ""]
    for table in section.tables:
        lines += [f"{'#' * (section.level + 2)} {escape(table.title)}", "", *table_lines(table), ""]
    return lines


def table_lines(table: Table) -> list[str]:
    """Return a table and its notes as Markdown; own rows are strong."""
    headings = [escape(column.heading) for column in table.heads]
    rules = ["---" if column.is_text else "--:" for column in table.columns]
    rows = [[escape(cell) for cell in row] for row in table.shown()]
    for row in rows[: table.own_rows]:
        row[0] = f"**{row[0]}**"
    lines = [_row(headings), _row(rules), *map(_row, rows)]
    for note in table.notes:
        lines += ["", paragraph(note)]
    return lines


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
