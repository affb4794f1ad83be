"""The whole article; pdflatex makes a PDF of it with the packages of any usual installation."""

from pathlib import Path

from beff.analysis.subject import Subject
from beff.charts.plots import plots_of
from beff.report.latex.escape import escape
from beff.report.latex.plots import plot_lines
from beff.report.latex.tables import table_lines
from beff.report.tables.sections import sections_of, title_of
from beff.report.tables.table import Section

_PREAMBLE = r"""% Report of beff. Compile with:  pdflatex FILE.tex
\documentclass[10pt]{article}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage{booktabs,longtable,array,etoolbox}
\usepackage{pgfplots}
\pgfplotsset{compat=1.14}
\pgfplotscreateplotcyclelist{beff}{%
  {blue!70!black,mark=*},{red!75!black,mark=square*},{green!45!black,mark=triangle*},%
  {orange!90!black,mark=diamond*},{violet,mark=o},{brown!80!black,mark=square},%
  {teal,mark=triangle},{black,mark=diamond},{gray,mark=x},{magenta!80!black,mark=+},%
  {cyan!60!black,mark=star},{olive,mark=asterisk}}
\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}
\setlength{\tabcolsep}{1mm}\setlength{\LTleft}{0pt}\setlength{\LTright}{\fill}
\newcommand{\headcell}[3]{\parbox[b]{#1}{#2\bfseries\hspace{0pt}#3\strut}}
\newcommand{\tabletitle}{\normalsize\bfseries}
\AtBeginEnvironment{longtable}{\footnotesize}
\begin{document}"""


def write_latex(subject: Subject, path: Path) -> None:
    """Write the article: tables as sections, then all diagrams."""
    lines = [_PREAMBLE, rf"\section*{{{escape(title_of(subject))}}}"]
    for section in sections_of(subject):
        lines += _section_lines(section)
    plots = plots_of(subject)
    if plots:
        lines += [r"\clearpage", r"\section*{Diagrams}"]
    for plot in plots:
        lines += plot_lines(plot)
    path.write_text("\n".join([*lines, r"\end{document}", ""]), encoding="utf-8")


def _section_lines(section: Section) -> list[str]:
    command = "section" if section.level == 1 else "subsection"
    lines = ["", rf"\{command}*{{{escape(section.title)}}}"]
    for sentence in section.paragraphs:
        lines += [escape(sentence), ""]
    for table in section.tables:
        lines += table_lines(table)
    return lines
