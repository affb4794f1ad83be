"""Format .tex: a paper can take it in, whatever the texts of a result are."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.reports import B_EFF, B_EFF_IO, STORED, document_of

from beff.report.latex import escape, write_latex
from beff.result.load import load_document
from beff.result.numbers import rate
from beff.verify.subject import LabelledResult, Subject, load_subject
from needed import GET_IT, needed

pytestmark = pytest.mark.thorough

EVIL = (
    "\\input{/etc/passwd} $x^2$ 100% #1 {a}_b & ~ <script> \"q\" 'r' `s` |t| [u] --- ,,"
    " \u00e4 \u00f1 \u4e2d \u202e"
)
ACTIVE = re.compile(r"(?<!\\)[$&#%_^~<>|\"]")


def needs_latex() -> None:
    needed("pdflatex")
    found = subprocess.run(
        ["kpsewhich", "booktabs.sty"],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    if not found.stdout.split():
        pytest.skip(f"booktabs is not installed; {GET_IT}")


PAPER = r"""\documentclass{article}\usepackage{booktabs}
\begin{document}\begin{table}\centering\footnotesize\input{%s}\end{table}\end{document}"""


def compile_tex(table: Path) -> str:
    """Put a table into a paper, run pdflatex without shell and network; returns its log."""
    source = table.with_name("paper.tex")
    source.write_text(PAPER % table.name)
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", source.name],
        cwd=source.parent,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=280,
        check=False,
        env={"PATH": "/usr/bin:/bin", "HOME": str(source.parent), "max_print_line": "1000"},
    )
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout


@pytest.mark.parametrize("files", [STORED[:1], STORED[2:]], ids=["b_eff", "io"])
def test_pdflatex_takes_the_table_into_a_paper(files: tuple[Path, ...], tmp_path: Path) -> None:
    needs_latex()
    target = tmp_path / "table.tex"
    write_latex(load_subject(files), target)
    log = compile_tex(target)
    assert "Overfull" not in log
    assert "Missing character" not in log
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF")


def test_it_is_nothing_but_a_table_for_each_benchmark(tmp_path: Path) -> None:
    target = tmp_path / "table.tex"
    write_latex(load_subject([B_EFF, B_EFF_IO]), target)
    lines = [line for line in target.read_text().splitlines() if not line.startswith("%")]
    begins = [place for place, line in enumerate(lines) if line.startswith(r"\begin{tabular}")]
    ends = [place for place, line in enumerate(lines) if line == r"\end{tabular}"]
    assert len(begins) == len(ends) == 2
    assert (begins[0], ends[0] + 1, ends[1] + 1) == (0, begins[1], len(lines))
    rows = [line.removesuffix(r" \\") for line in lines if line.startswith(r"b\_eff &")]
    value = document_of(B_EFF)["summary"]["b_eff_MBps"]
    assert rows == [rf"b\_eff & {rate(value)}"]


def test_pdflatex_shows_texts_as_they_are(tmp_path: Path) -> None:
    needs_latex()
    target = tmp_path / "evil.tex"
    write_latex(Subject((LabelledResult(EVIL, load_document(B_EFF)),)), target)
    log = compile_tex(target)
    assert "passwd" not in [part.strip("()") for part in log.split()]
    assert "Missing character" not in log


@given(st.text())
def test_escaped_text_has_no_active_sign(original: str) -> None:
    escaped = escape(original)
    assert escaped.isascii()
    assert "\n" not in escaped
    assert ACTIVE.search(re.sub(r"\\[\"^~'`rcv]\{\\?[A-Za-z]\}", "", escaped)) is None
    grouped = escaped.replace("\\{", "").replace("\\}", "")
    assert grouped.count("{") == grouped.count("}")
    commands = set(re.findall(r"\\([A-Za-z]+)", escaped))
    assert commands <= {
        *("textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater"),
        *("textbar", "char", "r", "c", "v", "i", "j", "ensuremath", "mu"),
    }


def test_escape_by_hand() -> None:
    assert escape("b_eff & 50 %") == r"b\_eff \& 50 \%"
    assert escape("J\u00fclich") == r"J\"{u}lich"
    assert escape("\u00b5s") == r"\ensuremath{\mu}s"
    assert escape("\u4e2d") == "{[}U+4E2D{]}"
