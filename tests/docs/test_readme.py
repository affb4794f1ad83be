"""What the tutorial shows is what its commands print of recorded results."""

import json
import re
import shutil
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest
from pages_of_docs import DOCS, ROOT, part_of_page, text_of
from support.repeated import b_eff_runs
from support.reports import VALID, run_beff

from simulated.support import needs_simgrid

TUTORIAL = text_of(DOCS / "tutorial.md")


def squeezed(text: str) -> str:
    return " ".join(text.split())


def shown(*arguments: str | Path) -> str:
    return squeezed(run_beff(*map(str, arguments)).stdout)


def lines_of(heading: str, place: int = 0) -> list[str]:
    """What the tutorial shows in the part with this heading."""
    part = part_of_page(TUTORIAL, f"## {heading}")
    text = re.findall(r"^```text\n(.*?)^```", part, re.DOTALL | re.MULTILINE)[place]
    return [line for line in map(squeezed, text.splitlines()) if line]


def test_the_tutorial_shows_the_recorded_run(tmp_path: Path) -> None:
    target = tmp_path / "first.txt"
    shown("show", VALID, "-o", target)
    text = squeezed(target.read_text(encoding="utf-8"))
    assert [line for line in lines_of("Read the report") if line not in text] == []
    *answer, more, last = lines_of("First run")
    assert (more, last) == ("more: beff show --all results/first", "results results/first")
    assert shown("show", VALID) == f"{' '.join(answer)} more: --all"
    (expect,) = re.findall(r"<<'END'\n(.*?)^END$", TUTORIAL, re.DOTALL | re.MULTILINE)
    file = tmp_path / "machine.expect.yaml"
    file.write_text(expect)
    text = shown("check", VALID, "--expect", file, "--all")
    assert [line for line in lines_of("Check") if line not in text] == []


@pytest.mark.parametrize(("place", "runs"), [(0, 5), (1, 20)])
def test_the_tutorial_shows_recorded_comparisons(tmp_path: Path, place: int, runs: int) -> None:
    for side, session in (("quiet", "b_eff_priority"), ("busy", "b_eff_shared")):
        for number, run in enumerate(b_eff_runs(session)[:runs]):
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / f"{number}.json").write_text(json.dumps(run.fields))
    text = shown("compare", tmp_path / "quiet", tmp_path / "busy", "--all")
    assert [line for line in lines_of("Compare", place) if line not in text] == []


# --- the words in pictures of screens are those of the programs; make pictures draws them anew ---

_loader = SourceFileLoader("make_pictures", str(ROOT / "tools" / "make_pictures"))
_spec = spec_from_loader("make_pictures", _loader)
assert _spec is not None
tool = module_from_spec(_spec)
_loader.exec_module(tool)


def held_by(name: str) -> set[str]:
    """What the pictures of a name say, in light and dark."""
    pictures = [ROOT / "docs" / "pictures" / f"{name}-{scheme}.png" for scheme in tool.SCHEMES]
    return {tool.description(picture.read_bytes()) for picture in pictures}


def test_the_terminal_says_what_show_prints() -> None:
    words = tool.terminal_words()
    assert "VALID" in words
    assert held_by("terminal") == {words}


def test_the_report_says_what_the_page_does(tmp_path: Path) -> None:
    page = tool.page_of(Path(shutil.copy(tool.REPORT, tmp_path / "b_eff_2p.json")))
    words = tool.words_in(page, "answer")
    assert "Valid" in words
    assert held_by("report") == {words}


@pytest.mark.thorough
@needs_simgrid
def test_the_map_of_pairs_says_what_its_page_does(tmp_path: Path) -> None:
    words = tool.words_in(tool.page_of(tool.simulated(tmp_path)), "pairs-1")
    assert f"n{tool.SLOW}" in words
    assert held_by("pairs") == {words}
