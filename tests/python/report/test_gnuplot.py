"""Formats .gp and .dat: gnuplot draws them; no text of a result becomes a command."""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.reports import B_EFF, B_EFF_IO, STORED, document_of, run_beff, written

from beff.analysis.subject import load_subject
from beff.charts.plots import plots_of
from beff.report.gnuplot import quoted, write_gnuplot
from needed import needed


def draw(script: Path, *options: str) -> str:
    needed("gnuplot")
    done = subprocess.run(
        ["gnuplot", *options, script.name],
        cwd=script.parent,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def blocks_of(data: Path) -> list[list[tuple[float, float]]]:
    """The data as gnuplot counts it: blocks behind two empty lines."""
    blocks = []
    for block in data.read_text(encoding="utf-8").split("\n\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        blocks.append([(float(x), float(y)) for x, y in (line.split() for line in lines)])
    return blocks


@pytest.mark.parametrize("ending", [".gp", ".dat"])
def test_script_and_data_come_together(ending: str, tmp_path: Path) -> None:
    answer = run_beff("report", B_EFF, "-o", tmp_path / f"figures{ending}")
    assert answer.returncode == 0, answer.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figures.dat", "figures.gp"]


def test_data_are_the_series(tmp_path: Path) -> None:
    subject = load_subject(STORED)
    write_gnuplot(subject, tmp_path / "all.gp")
    expected = [list(line.points) for plot in plots_of(subject) for line in plot.lines]
    assert blocks_of(tmp_path / "all.dat") == expected
    script = (tmp_path / "all.gp").read_text(encoding="utf-8")
    indices = [int(number) for number in re.findall(r" index (\d+) using 1:2", script)]
    assert indices == list(range(len(expected)))


def test_gnuplot_draws_every_diagram(tmp_path: Path) -> None:
    subject = load_subject([B_EFF, B_EFF_IO])
    write_gnuplot(subject, tmp_path / "all.gp")
    assert draw(tmp_path / "all.gp") == ""
    pictures = sorted(tmp_path.glob("*.png"))
    assert [path.name for path in pictures] == sorted(
        f"all-{plot.name}.png" for plot in plots_of(subject)
    )
    for path in pictures:
        content = path.read_bytes()
        assert content.startswith(b"\x89PNG")
        assert struct.unpack(">II", content[16:24]) == (1000, 700)


def test_gnuplot_draws_svg_with_the_names_of_the_papers(tmp_path: Path) -> None:
    write_gnuplot(load_subject([B_EFF]), tmp_path / "one.gp")
    draw(tmp_path / "one.gp", "-e", "ending='svg'")
    picture = (tmp_path / "one-rings-against-random.svg").read_text(encoding="utf-8")
    words = ("rings of 2", "one ring", "random, average", "message size", "1 GB/s")
    for expected in (*words, "bandwidth per process"):
        assert expected in picture


def test_texts_run_nothing(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    stain = tmp_path / "stain"
    evil = f"a' ; system('touch {stain}') # `touch {stain}` @x \\ \"$(touch {stain})\""
    document["patterns"][0]["name"] = evil
    write_gnuplot(load_subject([written(tmp_path, "it's.json", document)]), tmp_path / "it's.gp")
    draw(tmp_path / "it's.gp")
    assert not stain.exists()
    assert list(tmp_path.glob("it's-*.png"))


@given(st.text())
def test_a_quoted_text_is_one_string(text: str) -> None:
    inner = quoted(text)
    assert inner[0] == inner[-1] == "'"
    assert "'" not in inner[1:-1].replace("''", "")
    assert len(inner.splitlines()) == 1
    assert "`" not in inner


def test_nothing_to_draw_is_said(tmp_path: Path) -> None:
    document = document_of(B_EFF)
    document["samples"] = {name: [] for name in document["samples"]}
    document["summary"]["b_eff_MBps"] = None
    answer = run_beff(
        "report", written(tmp_path, "empty.json", document), "-o", tmp_path / "figures.gp"
    )
    assert answer.returncode == 1
    assert "nothing to draw" in answer.stderr
