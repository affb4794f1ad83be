"""Formats .txt, .md and .tex: tables as text, without any text of a result becoming markup."""

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from beff.definition.subject import LabelledResult, Subject, by_key, value_name
from beff.result.errors import one_line
from beff.result.result_parts import ImportedHead
from beff.show.parts.sentences import cautions_of, verdict
from beff.show.tables.comparison import side_by_side
from beff.show.tables.sections import sections_of
from beff.show.tables.table import Table

_INLINE = re.compile(r"[\\`*_\[\]<>&~$|]|:(?=//)")
_WITHIN_A_WORD = re.compile(r"(?<=[^\W_])\\_(?=[^\W_])")
_BLOCK_START = re.compile(r"^(?:(?=[#+=-])|(\d+)(?=[.)]))")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def write_text(subject: Subject, path: Path) -> None:
    """Write headings, sentences and tables in plain text."""

    def heading(title: str, level: int) -> list[str]:
        return [title, ("=" if level < 2 else "-") * len(title), ""]

    lines = _report(subject, heading, str, text_lines)[:-1]
    path.write_text("".join(f"{one_line(line)}\n" for line in lines), encoding="utf-8")


def write_markdown(subject: Subject, path: Path) -> None:
    """Write headings, sentences and tables in GitHub-flavoured Markdown."""

    def heading(title: str, level: int) -> list[str]:
        return [f"{'#' * (level + 1)} {markdown(title)}", ""]

    lines = _report(subject, heading, markdown_paragraph, markdown_lines)
    path.write_text("\n".join(lines), encoding="utf-8")


def _report(
    subject: Subject,
    heading: Callable[[str, int], list[str]],
    paragraph: Callable[[str], str],
    lines_of: Callable[[Table], list[str]],
) -> list[str]:
    first, *more = subject.results
    name = f"{value_name(first.document.result)}: {first.label}"
    lines = heading(f"Report of {1 + len(more)} results" if more else name, 0)
    for section in sections_of(subject):
        lines += heading(section.title, section.level)
        for sentence in section.sentences:
            lines += [paragraph(sentence), ""]
        for table in section.tables:
            lines += [*heading(table.title, section.level + 1), *lines_of(table), ""]
    return lines


def text_lines(table: Table) -> list[str]:
    """Return a table with aligned columns, and its notes."""
    rows = [[column.heading for column in table.columns], *table.shown()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = ["<" if column.is_text else ">" for column in table.columns]
    written = [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths)).rstrip()  # noqa: B905
        for row in rows
    ]
    return [*written, *table.notes]


def markdown(text: str) -> str:
    """Write a text so that it shows as it is within a line; names_like_this stay readable."""
    line = _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))
    return _WITHIN_A_WORD.sub("_", _INLINE.sub(r"\\\g<0>", line))


def markdown_paragraph(text: str) -> str:
    """Write a text as a paragraph, also one that begins like a heading or an item of a list."""
    return _BLOCK_START.sub(r"\1\\", markdown(text))


def markdown_lines(table: Table) -> list[str]:
    """Return a table and its notes; own rows are strong."""
    rows = [[markdown(cell) for cell in row] for row in table.shown()]
    for row in rows[: table.own_rows]:
        row[0] = f"**{row[0]}**"
    headings = [markdown(column.heading) for column in table.columns]
    rules = ["---" if column.is_text else "--:" for column in table.columns]
    lines = [f"| {' | '.join(row)} |" for row in (headings, rules, *rows)]
    for note in table.notes:
        lines += ["", markdown_paragraph(note)]
    return lines


_SIGNS = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "\N{MICRO SIGN}": r"\ensuremath{\mu}",
    **{sign: f"\\{sign}" for sign in "{}$&#%_"},
    **{sign: f"{{{sign}}}" for sign in "'`-,["},
}
"""Signs that LaTeX or its packages read as commands, options, lists or ligatures."""
_LONGEST_HEADING = 24
_LATEX_ROOM = 84
"""Characters beside each other in the text width of an article, at the size of footnotes."""
_LATEX_GAP = 3
"""Characters that the space between two columns takes."""


def latex(text: str) -> str:
    """Write a text; a sign that is no letter of Western Europe shows as its code point."""
    return "".join(map(_latex_sign, unicodedata.normalize("NFC", text)))


def _latex_sign(sign: str) -> str:
    if sign in _SIGNS or " " <= sign <= "~" or ("\u00c0" <= sign <= "\u00ff" and sign.isalpha()):
        return _SIGNS.get(sign, sign)
    return " " if sign.isspace() else f"{{[}}U+{ord(sign):04X}{{]}}"


def write_latex(subject: Subject, path: Path) -> None:
    """Write the figures of each benchmark, its results side by side, with booktabs.

    Tables stand below each other; one that is too wide is parted.
    """
    lines = [r"% Figures of beff. \input this file where the table stands; it needs booktabs."]
    tables: list[str] = []
    for entries in by_key(
        (value_name(one.document.result), one) for one in subject.results
    ).values():
        lines += [f"% {latex(remark)}" for entry in entries for remark in _remarks(entry)]
        table = side_by_side(entries)
        lines += [f"% {latex(note)}" for note in table.notes]
        cells = zip(*table.shown(), strict=True)
        widths = [
            max(min(len(column.heading), _LONGEST_HEADING), *map(len, below))
            for column, below in zip(table.columns, cells, strict=True)
        ]
        parts = table.parts(widths, _LATEX_ROOM, _LATEX_GAP)
        tables += ["\n".join(latex_lines(part)) for part in parts]
    path.write_text("\n".join([*lines, "\n\\par\\bigskip\n".join(tables), ""]), encoding="utf-8")


def _remarks(entry: LabelledResult) -> Iterator[str]:
    """Yield what a reader must know of the figures of a result."""
    result = entry.document.result
    if isinstance(result, ImportedHead):
        yield f"{entry.label}: imported from {result.imported.source} ({result.imported.format})"
    if not result.valid:
        yield f"{entry.label}: {verdict(result)}"
    yield from (f"{entry.label}: {caution}" for caution in cautions_of(entry.document))


def latex_lines(table: Table) -> list[str]:
    """Return the table; long headings have several lines."""

    def heading(text: str) -> str:
        lines = textwrap.wrap(text, _LONGEST_HEADING, break_long_words=False)
        stacked = r" \\ ".join(map(latex, lines))
        return rf"\shortstack[r]{{{stacked}}}" if len(lines) > 1 else latex(text)

    sides = "".join("l" if column.is_text else "r" for column in table.columns)
    return [
        rf"\begin{{tabular}}{{@{{}}{sides}@{{}}}}",
        r"\toprule",
        " & ".join(heading(column.heading) for column in table.columns) + r" \\",
        r"\midrule",
        *(" & ".join(map(latex, row)) + r" \\" for row in table.shown()),
        r"\bottomrule",
        r"\end{tabular}",
    ]
