"""The whole article; pdflatex makes a PDF of it with the packages of any usual installation."""

from pathlib import Path

from beff.analysis.subject import Subject
from beff.report.latex.escape import escape
from beff.report.latex.tables import table_lines
from beff.report.tables.sections import sections_of, title_of
from beff.report.tables.table import Section

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


def _section_lines(section: Section) -> list[str]:
    command = "section" if section.level == 1 else "subsection"
    lines = ["", rf"\{command}*{{{escape(section.title)}}}"]
    for sentence in section.paragraphs:
        lines += [escape(sentence), ""]
    for table in section.tables:
        lines += table_lines(table)
    return lines
