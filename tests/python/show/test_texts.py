"""Formats .txt, .md and .tex: every cell comes back, and no text becomes markup."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from support.changes import b_eff, changed, set_in
from support.reports import B_EFF, STORED, document_of, written

from beff.definition.subject import LabelledResult, Subject, load_subject
from beff.judge.compare import compare
from beff.result.errors import one_line
from beff.result.load import load_document
from beff.show.judged_files import write_comparison
from beff.show.tables.sections import sections_of
from beff.show.tables.table import Column, Table
from beff.show.texts import (
    latex,
    markdown,
    markdown_lines,
    markdown_paragraph,
    write_latex,
    write_markdown,
)
from needed import GET_IT, needed

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
SIGNS = st.text(st.sampled_from("ab1 \\`*_{}[]()<>#+-.!|&~$^:=/\n\t\"'ä") | st.characters())
EVIL = (
    "\\input{/etc/passwd} $x^2$ 100% #1 {a}_b & ~ <script> \"q\" 'r' `s` |t| [u] --- ,,"
    " \u00e4 \u00f1 \u4e2d \u202e"
)


def plain(token: Token) -> str:
    """The text of an inline token, which must hold nothing but text."""
    assert token.children is not None
    assert {child.type for child in token.children} <= {"text", "text_special"}
    return "".join(child.content for child in token.children)


def same(shown: str, original: str) -> bool:
    """Equal but for blanks and for signs that cannot be shown."""
    wanted = markdown(original).replace("\\\\", "\0").replace("\\", "").replace("\0", "\\")
    return " ".join(shown.split()) == " ".join(wanted.split())


@given(SIGNS)
def test_a_paragraph_is_one_paragraph_of_text(original: str) -> None:
    tokens = PARSER.parse(markdown_paragraph(original))
    assert bool(tokens) == bool(markdown(original))
    if tokens:
        assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
        assert same(plain(tokens[1]), original)


@given(st.lists(SIGNS, min_size=2, max_size=2))
def test_cells_stay_cells(cells: list[str]) -> None:
    table = Table("t", "t", [Column("one", is_text=True)] * 2, (tuple(cells),))
    tokens = PARSER.parse("\n".join(markdown_lines(table)))
    inline = [token for token in tokens if token.type == "inline"]
    assert len(inline) == 4
    for token, original in zip(inline[2:], cells, strict=True):
        assert same(plain(token), one_line(original))


def test_every_table_comes_back_and_no_text_is_html(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    document["cautions"] = [{"code": evil, "facts": {}}]
    document["environment"]["cpu"]["model"] = evil
    subject = load_subject([written(tmp_path, "evil.json", document), *STORED])
    target = tmp_path / "report.md"
    write_markdown(subject, target)
    source = target.read_text(encoding="utf-8")
    tokens = PARSER.parse(source)
    kinds = [token.type for token in tokens]
    tables = [table for section in sections_of(subject) for table in section.tables]
    assert kinds.count("table_open") == len(tables)
    assert kinds.count("td_open") == sum(len(row) for table in tables for row in table.rows)
    rendered = PARSER.render(source)
    assert "<script" not in rendered
    assert "<img" not in rendered


PAPER = r"""\documentclass{article}\usepackage{booktabs}
\begin{document}\begin{table}\centering\footnotesize\input{%s}\end{table}\end{document}"""


@pytest.mark.thorough
@pytest.mark.parametrize("evil", [False, True])
def test_pdflatex_takes_the_tables_into_a_paper(evil: bool, tmp_path: Path) -> None:
    """Tables of several results of both benchmarks; or texts as they are."""
    needed("pdflatex")
    found = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True, check=False)
    if not found.stdout.split():
        pytest.skip(f"booktabs is not installed; {GET_IT}")
    own = Subject((LabelledResult(EVIL, load_document(B_EFF)),))
    write_latex(own if evil else load_subject(STORED), tmp_path / "table.tex")
    (tmp_path / "paper.tex").write_text(PAPER % "table.tex")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=280,
        check=False,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "max_print_line": "1000"},
    )
    assert done.returncode == 0, done.stdout[-2000:]
    for complaint in ("Missing character", *(() if evil else (r"Overfull \hbox",))):
        assert complaint not in done.stdout
    assert "passwd" not in [part.strip("()") for part in done.stdout.split()]


@given(st.text())
def test_escaped_text_has_no_active_sign(original: str) -> None:
    escaped = latex(original)
    assert all(
        sign.isascii() or ("\u00c0" <= sign <= "\u00ff" and sign.isalpha()) for sign in escaped
    )
    assert "\n" not in escaped
    assert re.search(r"(?<!\\)[$&#%_^~<>|\"]", escaped) is None
    grouped = escaped.replace("\\{", "").replace("\\}", "")
    assert grouped.count("{") == grouped.count("}")


def test_page_runs_nothing_and_shows_text_as_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\" onload='x'"
    other = changed(set_in("environment", "host_list", evil))
    other.fields["patterns"][0]["name"] = evil
    mine = changed(lambda fields: fields["patterns"][0].update(name=evil), b_eff(evil))
    target = tmp_path / "changes.html"
    write_comparison(compare([mine], [other]), target)
    page = target.read_text("utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert page.count("<script") == 1
    assert not re.search(r"<[^>]* (src|on[a-z]+)=", page)
    assert "assumed (--run-noise)" in page
