"""The words in pictures of screens are those of the programs; make pictures draws them anew."""

from __future__ import annotations

import shutil
from pathlib import Path

from pictures_of_docs import held_by, tool


def test_the_terminal_says_what_show_prints() -> None:
    words = tool.terminal_words()
    assert "VALID" in words
    assert held_by("terminal") == {words}


def test_the_report_says_what_the_page_does(tmp_path: Path) -> None:
    page = tool.page_of(Path(shutil.copy(tool.REPORT, tmp_path / "b_eff_2p.json")))
    words = tool.words_in(page, "answer")
    assert "Valid" in words
    assert held_by("report") == {words}
