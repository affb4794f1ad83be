"""Format .tex: pdflatex takes it, whatever a result's texts are."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.reports import B_EFF, B_EFF_IO, STORED, document_of, written

from beff.report.latex.escape import escape
from beff.report.latex.write import write_latex
from beff.report.plots.of_subject import plots_of
from beff.report.subject import load_subject

EVIL = (
    "\\input{/etc/passwd} $x^2$ 100% #1 {a}_b & ~ <script> \"q\" 'r' `s` |t| [u] --- ,,"
    " \u00e4 \u00f1 \u4e2d \u202e"
)
ACTIVE = re.compile(r"(?<!\\)[$&#%_^~<>|\"]")


def needs_latex() -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    found = subprocess.run(
        ["kpsewhich", "pgfplots.sty", "booktabs.sty", "longtable.sty", "etoolbox.sty"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if len(found.stdout.split()) != 4:
        pytest.skip("pgfplots or booktabs is not installed")


def compile_tex(source: Path) -> str:
    """Run pdflatex without shell and network; returns its log."""
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
def test_pdflatex_makes_a_pdf(files: tuple[Path, ...], tmp_path: Path) -> None:
    needs_latex()
    target = tmp_path / "report.tex"
    write_latex(load_subject(files), target)
    log = compile_tex(target)
    assert "Overfull" not in log
    assert "Missing character" not in log
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_pdflatex_shows_texts_as_they_are(tmp_path: Path) -> None:
    needs_latex()
    document = document_of(B_EFF)
    document["cautions"] = [EVIL]
    document["environment"]["cpu"]["model"] = EVIL
    document["patterns"][0]["name"] = EVIL[:40]
    target = tmp_path / "evil.tex"
    write_latex(load_subject([written(tmp_path, "evil_&_co$.json", document)]), target)
    log = compile_tex(target)
    assert "passwd" not in [part.strip("()") for part in log.split()]
    assert "Missing character" not in log


def test_figures_hold_every_series() -> None:
    subject = load_subject([B_EFF, B_EFF_IO])
    plots = plots_of(subject)
    names = [plot.name for plot in plots]
    assert len(names) == len(set(names))
    assert {"b-eff-1-patterns", "b-eff-io-2-write", "b-eff-io-2-type-4"} <= set(names)
    patterns = next(plot for plot in plots if plot.name == "b-eff-1-patterns")
    labels = [line.label for line in patterns.series]
    assert labels[:2] == ["rings of 2", "rings of 4"]
    assert labels[-3:] == ["random, worst", "random, average", "random, best"]
    (_, result), *_ = subject.b_eff()
    per_process = [value / 2 for value in result.patterns[0].bandwidth_by_size_MBps if value]
    assert [y for _, y in patterns.series[0].points] == per_process
    chunks = next(plot for plot in plots if plot.name == "b-eff-io-2-write")
    assert [label for _, label in chunks.ticks][:6] == ["1k", "+8", "32k", "+8", "1M", "+8"]
    assert [place for place, _ in chunks.ticks][:6] == [1, 2, 4, 5, 7, 8]


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
        *("textbar", "char", "r", "c", "v", "i", "j"),
    }


def test_escape_by_hand() -> None:
    assert escape("b_eff & 50 %") == r"b\_eff \& 50 \%"
    assert escape("J\u00fclich") == r"J\"{u}lich"
    assert escape("\u4e2d") == "{[}U+4E2D{]}"
