"""The words in pictures of screens are those of the programs; make pictures draws them anew."""

from __future__ import annotations

import shutil
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from simulated.support import needs_simgrid

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    loader = SourceFileLoader("make_pictures", str(ROOT / "tools" / "make_pictures"))
    spec = spec_from_loader("make_pictures", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def held_by(tool: ModuleType, name: str) -> set[str]:
    pictures = [ROOT / "docs" / "pictures" / f"{name}-{scheme}.png" for scheme in tool.SCHEMES]
    return {tool.description(picture.read_bytes()) for picture in pictures}


def test_the_terminal_says_what_show_prints(tool: ModuleType) -> None:
    words = tool.terminal_words()
    assert "VALID" in words
    assert held_by(tool, "terminal") == {words}


def test_the_report_says_what_the_page_does(tool: ModuleType, tmp_path: Path) -> None:
    page = tool.page_of(Path(shutil.copy(tool.REPORT, tmp_path / "b_eff_2p.json")))
    words = tool.words_in(page, "answer")
    assert "Valid" in words
    assert held_by(tool, "report") == {words}


@needs_simgrid
@pytest.mark.skipif(
    not (ROOT / "build" / "smpi" / ".built").exists(), reason="make test-cluster builds for SMPI"
)
def test_the_map_of_pairs_says_what_its_page_does(tool: ModuleType, tmp_path: Path) -> None:
    words = tool.words_in(tool.page_of(tool.simulated(tmp_path)), "pairs-1")
    assert f"n{tool.SLOW}" in words
    assert held_by(tool, "pairs") == {words}
