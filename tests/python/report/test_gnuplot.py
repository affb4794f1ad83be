"""Format .gp: gnuplot draws it from the .csv; no text of a result becomes a command."""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from support.reports import B_EFF, B_EFF_IO, document_of, run_beff, written

from beff.charts.table import charts_of
from beff.report.gnuplot import quoted, write_gnuplot
from beff.verify.subject import load_subject
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


def test_gnuplot_draws_both_benchmarks(tmp_path: Path) -> None:
    write_gnuplot(load_subject([B_EFF, B_EFF_IO]), tmp_path / "all.gp")
    assert draw(tmp_path / "all.gp") == ""
    pictures = sorted(tmp_path.glob("*.png"))
    names = {path.name for path in pictures}
    assert {
        "all-rings_and_random.png",
        "all-additional_patterns-0.png",
        "all-io_over_chunk_size_0-7.png",
    } <= names
    for path in pictures:
        content = path.read_bytes()
        assert content.startswith(b"\x89PNG")
        assert struct.unpack(">II", content[16:24]) == (1000, 700)


def test_gnuplot_draws_every_point_of_a_chart_once(tmp_path: Path) -> None:
    """The key has one point of each series as well."""
    subject = load_subject([B_EFF])
    write_gnuplot(subject, tmp_path / "one.gp")
    draw(tmp_path / "one.gp", "-e", "ending='svg'")
    picture = (tmp_path / "one-time_per_message.svg").read_text(encoding="utf-8")
    (chart,) = (chart for chart in charts_of(subject) if chart.key == "time_per_message")
    (panel,) = chart.panels
    assert all(f">{series}<" in picture for series in panel.series)
    points = re.findall(r"<use xlink:href='#gpPt(\d+)' transform='[^']*scale\(([\d.]+)\)", picture)
    (line,) = (marks for marks in panel.marks if marks.kind == "line")
    assert len(points) == len(line.rows) + len(panel.series)
    shapes = dict.fromkeys(points)
    assert len({shape for shape, _ in shapes}) == len(shapes) == len(panel.series)
    sizes = [float(size) for _, size in shapes]
    assert sizes == sorted(sizes, reverse=True)  # a curve hides no point of those below


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
    assert "figures.gp: there is no chart" in answer.stderr
