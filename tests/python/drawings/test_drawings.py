"""Drawings of patterns and file layouts: what they show."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.reports import B_EFF, B_EFF_IO, ROOT, run_beff

from beff.analysis.b_eff.definition import (
    Draw,
    pattern_seed,
    patterns_for,
    random_order,
    ring_sizes,
    standard_ring_sizes,
)
from beff.analysis.subject import load_subject
from beff.charts.common.theme import PAGE, PAPER
from beff.drawings.files import draw_files
from beff.drawings.patterns import draw_patterns
from beff.report.page.html_file import page
from beff.report.parts.inline_svg import inline_svg

PICTURES = ROOT / "docs" / "pictures"
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(")


def texts_of(drawn: str) -> list[str]:
    root = ElementTree.fromstring(drawn)
    return [element.text or "" for element in root.iter() if element.tag.endswith("text")]


def dots(drawn: str) -> int:
    """Processes in all patterns together: the round ends of lines without length."""
    return sum(len(re.findall(r"h0", d)) for d in re.findall(r'd="([^"]*)"', drawn))


@settings(max_examples=30)
@given(st.integers(2, 32), st.integers(0, 2**53 - 1))
def test_every_pattern_has_its_place(n: int, seed: int) -> None:
    texts = texts_of(draw_patterns(n, Draw(seed), PAPER))
    drawn = {int(text.split(":")[0]) for text in texts if re.match(r"\d+: ", text)}
    assert drawn == {*range(9), *range(36, 49)}
    existing = patterns_for(n)
    assert texts.count("left out: extent 1") == len(drawn - set(existing))
    assert any(text.endswith(f"Random orders by seed {seed}.") for text in texts)


@pytest.mark.parametrize("n", range(2, 33))
def test_all_processes_are_drawn(n: int) -> None:
    drawn = draw_patterns(n, Draw(1), PAPER)
    grids = sum(p.processes for number, p in patterns_for(n).items() if number >= 40)
    # six patterns of rings, three random ones and the cycle; two bisections; the ping-pong
    assert dots(drawn) == 10 * n + 2 * n + 2 + grids


def test_sizes_of_rings_are_those_of_the_definition() -> None:
    texts = texts_of(draw_patterns(7, Draw(1), PAPER))
    assert "size 2, 2, 3" in texts
    assert texts.count("size 7") == 5
    texts = texts_of(draw_patterns(29, Draw(1), PAPER))
    assert ring_sizes(29, standard_ring_sizes(29)[2]) == [8, 7, 7, 7]
    assert "size 8, 7, 7, 7" in texts
    assert "3 pairs, rank 6 idle" in texts_of(draw_patterns(7, Draw(1), PAPER))


def test_random_orders_are_those_of_the_run() -> None:
    order = random_order(pattern_seed(1, 6), 12)
    said = ", ".join(map(str, order[:6]))
    assert f"{said}, …" in texts_of(draw_patterns(12, Draw(1), PAPER))
    assert draw_patterns(12, Draw(1), PAPER) != draw_patterns(12, Draw(2), PAPER)
    texts = texts_of(draw_patterns(12, None, PAPER))
    assert any(text.endswith("Random orders are examples.") for text in texts)


@pytest.mark.parametrize("n", [1, 2, 4, 5, 6, 12, 32])
def test_layouts_show_all_patterns_of_the_plan(n: int) -> None:
    texts = texts_of(draw_files(n, PAPER))
    numbers = [int(text.split(":")[0]) for text in texts if re.match(r"\d+: ", text)]
    assert numbers == list(range(43))
    said = [text for text in texts if "are not drawn" in text]
    assert len(said) == (n > 5)
    if said:
        assert f"{n - 4} of the {n} processes are not drawn." in said[0]


@pytest.mark.parametrize("drawn", [draw_patterns(12, Draw(1), PAGE), draw_files(12, PAGE)])
def test_a_drawing_for_the_page_leaves_the_colours_to_it(drawn: str) -> None:
    assert COLOUR.search(drawn) is None
    assert "var(--series-1)" in drawn
    assert 'id="' not in inline_svg(drawn, "patterns-1", "x")


@pytest.mark.parametrize("path", [B_EFF, B_EFF_IO], ids=lambda path: path.stem)
def test_the_page_shows_what_was_measured(path: Path) -> None:
    shown = page(load_subject([path]))
    assert 'id="patterns-1"' in shown
    assert ("The patterns with 2 processes" in shown) == (path == B_EFF)
    assert ('aria-label="Type 4: seg-coll"' in shown) == (path == B_EFF_IO)


@pytest.mark.parametrize(
    ("arguments", "picture"),
    [(("patterns", "-n", 12), "b_eff_patterns.svg"), (("files", "-n", 4), "b_eff_io_files.svg")],
)
def test_pictures_of_the_docs_are_current(
    arguments: tuple[object, ...], picture: str, tmp_path: Path
) -> None:
    answer = run_beff("figure", *arguments, "-o", tmp_path / "drawn.svg")
    assert answer.returncode == 0, answer.stderr
    made = (tmp_path / "drawn.svg").read_text(encoding="utf-8")
    assert made == (PICTURES / picture).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("patterns", "-n", "1"), 2, "--processes 1: give a number from 2 to"),
        (("patterns", "-n", "33"), 2, "--processes 33: give a number from 2 to 32"),
        (("files", "-n", "0"), 2, "--processes 0: give a number from 1 to"),
        (("patterns", "--seed", "-1"), 2, "--seed -1: give a number from 0 to"),
        (("patterns", "-o", "a.png"), 2, "--output a.png: a drawing is SVG"),
        (("patterns", "-o", "none/a.svg"), 2, "the folder none does not exist"),
        (("rings",), 2, "rings"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments: tuple[str, ...], code: int, sentence: str) -> None:
    answer = run_beff("figure", *arguments)
    assert answer.returncode == code
    assert sentence in answer.stderr
    assert len(answer.stderr.strip().splitlines()) == 1
