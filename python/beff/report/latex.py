"""Format .tex: the figures as a table for LaTeX (booktabs), which a paper reads by input."""

import textwrap
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from beff.report.parts.sentences import cautions_of
from beff.report.tables.comparison import figures_table, side_by_side
from beff.report.tables.table import Table
from beff.verify.subject import LabelledResult, Subject

_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "'": "{'}",
    "`": "{`}",
    "-": r"{-}",
    ",": r"{,}",
    "[": r"{[}",
    "]": r"{]}",
    "\N{MICRO SIGN}": r"\ensuremath{\mu}",
}
"""Signs that LaTeX or its packages read as commands, options, lists or ligatures."""

_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0308": '"',
    "\u030a": "r",
    "\u0327": "c",
    "\u030c": "v",
}


def escape(text: str) -> str:
    """Write a text; a sign outside ASCII that is no accented letter shows as its code point."""
    return "".join(map(_sign, unicodedata.normalize("NFC", text)))


def _sign(sign: str) -> str:
    if sign in _SIGNS:
        return _SIGNS[sign]
    if " " <= sign <= "~":
        return sign
    if sign.isspace():
        return " "
    letter = unicodedata.normalize("NFD", sign)
    if len(letter) == 2 and "A" <= letter[0] <= "z" and letter[0].isalpha():
        accent = _ACCENTS.get(letter[1])
        base = {"i": r"\i", "j": r"\j"}.get(letter[0], letter[0])
        if accent is not None:
            return f"\\{accent}{{{base}}}"
    return f"{{[}}U+{ord(sign):04X}{{]}}"


_LONGEST_HEADING = 24


def _heading(text: str) -> str:
    """Write a heading, a long one in several lines."""
    lines = textwrap.wrap(text, _LONGEST_HEADING, break_long_words=False, break_on_hyphens=False)
    if len(lines) < 2:
        return escape(text)
    stacked = r" \\ ".join(map(escape, lines))
    return rf"\shortstack[r]{{{stacked}}}"


def write_latex(subject: Subject, path: Path) -> None:
    """Write a table of the figures for each benchmark, with its results side by side."""
    lines = [r"% Figures of beff. \input this file where the table stands; it needs booktabs."]
    for benchmark in dict.fromkeys(entry.document.benchmark for entry in subject.results):
        own = [entry for entry in subject.results if entry.document.benchmark == benchmark]
        for entry in own:
            lines += (f"% {escape(one)}" for one in remarks_of(entry))
        lines += table_lines(side_by_side(own) if own[1:] else figures_table(own[0]))
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


def remarks_of(entry: LabelledResult) -> Iterator[str]:
    """Yield what a reader must know of the figures of a result."""
    result = entry.document.result
    name = entry.label or entry.document.source
    imported = getattr(result, "imported", None)
    if imported is not None:
        yield f"{name}: imported from {imported.source} ({imported.format}), not valid"
    elif not result.valid:
        yield f"{name}: NOT VALID"
    yield from (f"{name}: {caution}" for caution in cautions_of(entry.document))


def table_lines(table: Table) -> list[str]:
    """Return the table, its notes as comments before it."""
    sides = "".join("l" if column.is_text else "r" for column in table.columns)
    rows = [" & ".join(map(escape, row)) + r" \\" for row in table.shown()]
    return [
        *(f"% {escape(note)}" for note in table.notes),
        rf"\begin{{tabular}}{{@{{}}{sides}@{{}}}}",
        r"\toprule",
        " & ".join(_heading(column.heading) for column in table.heads) + r" \\",
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
    ]
