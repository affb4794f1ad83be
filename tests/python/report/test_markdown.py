"""Format .md: parsed again, every cell is what was written, and no text becomes markup."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from support.reports import B_EFF, STORED, document_of, written

from beff.report.markdown import escape, paragraph, table_lines, write_markdown
from beff.report.tables.sections import sections_of
from beff.report.tables.table import Table, text
from beff.result.plain_text import one_line
from beff.verify.subject import load_subject

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
SIGNS = st.text(st.sampled_from("ab1 \\`*_{}[]()<>#+-.!|&~$^:=/\n\t\"'ä") | st.characters())


def tokens_of(source: str) -> list[Token]:
    return PARSER.parse(source)


def plain(token: Token) -> str:
    """The text of an inline token, which must hold nothing but text."""
    assert token.children is not None
    kinds = {child.type for child in token.children}
    assert kinds <= {"text", "text_special"}, kinds
    return "".join(child.content for child in token.children)


def same(shown: str, original: str) -> bool:
    """Equal but for blanks and for signs that cannot be shown."""
    wanted = escape(original)
    return " ".join(shown.split()) == " ".join(
        wanted.replace("\\\\", "\0").replace("\\", "").replace("\0", "\\").split()
    )


@given(SIGNS)
def test_a_paragraph_is_one_paragraph_of_text(original: str) -> None:
    tokens = tokens_of(paragraph(original))
    if not tokens:
        assert not escape(original)
        return
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert same(plain(tokens[1]), original)


@given(st.lists(SIGNS, min_size=2, max_size=2))
def test_cells_stay_cells(cells: list[str]) -> None:
    table = Table("t", "t", (text("one"), text("two")), ((cells[0], cells[1]),))
    tokens = tokens_of("\n".join(table_lines(table)))
    inline = [token for token in tokens if token.type == "inline"]
    assert len(inline) == 4
    for token, original in zip(inline[2:], cells, strict=True):
        assert same(plain(token), one_line(original))


@pytest.mark.parametrize("files", [STORED[:1], STORED[2:3], STORED], ids=["b_eff", "io", "all"])
def test_every_table_comes_back(files: tuple[Path, ...], tmp_path: Path) -> None:
    subject = load_subject(files)
    target = tmp_path / "report.md"
    write_markdown(subject, target)
    tokens = tokens_of(target.read_text(encoding="utf-8"))
    found: list[list[list[str]]] = []
    for index, token in enumerate(tokens):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type in {"th_open", "td_open"}:
            content = tokens[index + 1]
            assert content.children is not None
            cell = "".join(child.content for child in content.children)
            found[-1][-1].append(cell)
    expected = [
        [[column.heading for column in table.heads], *table.shown()]
        for section in sections_of(subject)
        for table in section.tables
    ]
    assert found == expected


def test_texts_of_a_result_are_no_html(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    document["cautions"] = [{"code": evil, "facts": {}}]
    document["environment"]["cpu"]["model"] = evil
    target = tmp_path / "report.md"
    write_markdown(load_subject([written(tmp_path, "evil.json", document)]), target)
    rendered = PARSER.render(target.read_text(encoding="utf-8"))
    assert "<script" not in rendered
    assert "<img" not in rendered
    assert rendered.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 2
