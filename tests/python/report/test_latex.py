"""Format .tex: pdflatex takes it, whatever a result's texts are."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.reports import B_EFF, STORED, document_of, written

from beff.report.latex import escape, write_latex
from beff.verify.subject import load_subject
from needed import GET_IT, needed

EVIL = (
    "\\input{/etc/passwd} $x^2$ 100% #1 {a}_b & ~ <script> \"q\" 'r' `s` |t| [u] --- ,,"
    " \u00e4 \u00f1 \u4e2d \u202e"
)
ACTIVE = re.compile(r"(?<!\\)[$&#%_^~<>|\"]")


def needs_latex() -> None:
    needed("pdflatex")
    found = subprocess.run(
        ["kpsewhich", "booktabs.sty", "longtable.sty", "etoolbox.sty"],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    if len(found.stdout.split()) != 3:
        pytest.skip(f"booktabs is not installed; {GET_IT}")


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
    document["cautions"] = [{"code": EVIL, "facts": {}}]
    document["environment"]["cpu"]["model"] = EVIL
    document["patterns"][0]["name"] = EVIL[:40]
    target = tmp_path / "evil.tex"
    write_latex(load_subject([written(tmp_path, "evil_&_co$.json", document)]), target)
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
