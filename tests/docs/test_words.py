"""Words that pages, help texts and messages do without: others are plainer in this field."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pages_of_docs import PAGES, ROOT, text_of, without_code

BANNED = ("told", "tell", "tells", "whom", "of whose", "by itself", "for want of", "let wait")
SOURCES = sorted((ROOT / "python" / "beff").rglob("*.py"))
PROGRAMS = sorted(path for part in ("core", "engines") for path in (ROOT / part).rglob("*.[ch]pp"))
DATA = {"told"}
"""A kind of number in result files."""


def banned_in(text: str) -> list[str]:
    """Return the banned words of a text outside code marks, wherever lines are broken."""
    joined = " ".join(re.sub(r"`[^`\n]*`", "", text).split())
    return [word for word in BANNED if re.search(rf"(?<![\w-]){word}(?![\w-])", joined, re.I)]


def texts_of(source: Path) -> Iterator[str]:
    """Yield messages and doc comments of a module."""
    for node in ast.walk(ast.parse(text_of(source))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_they_are_found() -> None:
    assert banned_in("Whom it\nis by\nitself, untold") == ["whom", "by itself"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages(page: Path) -> None:
    assert banned_in(without_code(text_of(page))) == []


def test_help_of_the_programs() -> None:
    assert banned_in(text_of(ROOT / "docs" / "reference" / "cli.md")) == []


def test_messages() -> None:
    found = {
        (str(source.relative_to(ROOT)), text): words
        for source in SOURCES
        for text in texts_of(source)
        if text not in DATA and (words := banned_in(text))
    }
    assert found == {}


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: str(source.relative_to(ROOT)))
def test_comments_and_messages_of_the_programs(source: Path) -> None:
    assert banned_in(text_of(source).replace("///", " ").replace("//", " ")) == []
