"""The words in the picture of a map of pairs are those of the page of the same simulated hosts."""

from __future__ import annotations

from pathlib import Path

from pictures_of_docs import held_by, tool

from simulated.support import needs_simgrid


@needs_simgrid
def test_the_map_of_pairs_says_what_its_page_does(tmp_path: Path) -> None:
    words = tool.words_in(tool.page_of(tool.simulated(tmp_path)), "pairs-1")
    assert f"n{tool.SLOW}" in words
    assert held_by("pairs") == {words}
