"""Format .tex: all tables for LaTeX (booktabs)."""

import unicodedata
from pathlib import Path

from beff.report.tables.sections import sections_of, title_of
from beff.report.tables.table import Column, Table, TableGroup
from beff.verify.subject import Subject

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


_PAGE_MM = 267
"""Text width of the landscape page."""
_MM_PER_SIGN = 1.75
"""Width of a sign at the size of the tables, rounded up."""
_MM_PER_BOLD_SIGN = 2.1
_GAP_MM = 2.2
_LONGEST_HEADING_WORD = 14


def table_lines(table: Table) -> list[str]:
    """Return the table with its title and notes; own rows are bold, long texts are broken."""
    shown = table.shown()
    widths = _widths_mm(table, shown)
    spec = "".join(map(_column_spec, table.columns, widths))
    heading = " & ".join(
        rf"\headcell{{{width:.1f}mm}}{{{_side(column)}}}{{{escape(column.heading)}}}"
        for column, width in zip(table.heads, widths, strict=True)
    )
    head = rf"\toprule {heading} \\ \midrule"
    title = rf"\multicolumn{{{len(widths)}}}{{@{{}}l@{{}}}}{{\tabletitle {escape(table.title)}}}"
    lines = [
        rf"\begin{{longtable}}{{@{{}}{spec}@{{}}}}",
        rf"{title} \\[1mm] {head} \endfirsthead",
        rf"{head} \endhead",
        r"\bottomrule \endfoot",
    ]
    for number, row in enumerate(shown):
        cells = [escape(cell) for cell in row]
        if table.mark(number) == "own":
            cells = [rf"\textbf{{{cell}}}" for cell in cells]
        lines.append(" & ".join(cells) + r" \\")
    lines.append(r"\end{longtable}")
    lines += [rf"\par\noindent {{\small {escape(note)}}}\par" for note in table.notes]
    return lines


def _column_spec(column: Column, width: float) -> str:
    return rf">{{{_side(column)}\arraybackslash}}p{{{width:.1f}mm}}"


def _side(column: Column) -> str:
    return r"\raggedright" if column.is_text else r"\raggedleft"


def _widths_mm(table: Table, shown: list[list[str]]) -> list[float]:
    """Give each column what its longest cell needs; the widest shrink where that is too much."""
    wanted = []
    for place, column in enumerate(table.heads):
        word = max(map(len, column.heading.split()), default=1)
        bold = [min(word, _LONGEST_HEADING_WORD)]
        bold += [len(row[place]) for row in shown[: table.own_rows]]
        plain = max((len(row[place]) for row in shown), default=0)
        wanted.append(max(max(bold) * _MM_PER_BOLD_SIGN, plain * _MM_PER_SIGN) + 1)
    room = _PAGE_MM - _GAP_MM * len(wanted)
    limit = _limit(wanted, room)
    return [min(width, limit) for width in wanted]


def _limit(wanted: list[float], room: float) -> float:
    """Return the width to which the widest columns are cut so that all fit."""
    left, fair = sorted(wanted), room
    for taken, width in enumerate(left):
        share = fair / (len(left) - taken)
        if width > share:
            return share
        fair -= width
    return max(wanted)


_PREAMBLE = r"""% Report of beff. Compile with:  pdflatex FILE.tex
\documentclass[10pt]{article}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage{booktabs,longtable,array,etoolbox}
\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}
\setlength{\tabcolsep}{1mm}\setlength{\LTleft}{0pt}\setlength{\LTright}{\fill}
\newcommand{\headcell}[3]{\parbox[b]{#1}{#2\bfseries\hspace{0pt}#3\strut}}
\newcommand{\tabletitle}{\normalsize\bfseries}
\AtBeginEnvironment{longtable}{\footnotesize}
\begin{document}"""


def write_latex(subject: Subject, path: Path) -> None:
    """Write the article: all tables. Diagrams are made by the format .pdf."""
    lines = [_PREAMBLE, rf"\section*{{{escape(title_of(subject))}}}"]
    for section in sections_of(subject):
        lines += _section_lines(section)
    path.write_text("\n".join([*lines, r"\end{document}", ""]), encoding="utf-8")


def _section_lines(section: TableGroup) -> list[str]:
    command = "section" if section.level == 1 else "subsection"
    lines = ["", rf"\{command}*{{{escape(section.title)}}}"]
    for sentence in section.paragraphs:
        lines += [escape(sentence), ""]
    for table in section.tables:
        lines += table_lines(table)
    return lines
