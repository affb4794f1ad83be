"""Diagrams as lines of points, read from the charts."""

from __future__ import annotations

import altair as alt
import pytest
from support.reports import B_EFF, B_EFF_3_1, B_EFF_IO, STORED

from beff.analysis.subject import load_subject
from beff.charts.b_eff.loops import loops_of, pattern_rows
from beff.charts.b_eff_io.chunks import chunk_rows
from beff.charts.b_eff_io.subject import io_subject
from beff.charts.common.axes import log_axis, size_axis
from beff.charts.common.figure import Figure
from beff.charts.common.panel import line_panel
from beff.charts.plots import Plot, plots_of, plots_of_figure
from beff.charts.table import figures_of


def drawn(rows: list[dict[str, object]], y: alt.Y) -> Plot:
    panel = line_panel(
        [{"text": "", **row} for row in rows],
        size_axis([1, 1024]),
        y,
        ["a", "b"],
        columns=1,
        size=(1, 1),
        title="panel",
    )
    (plot,) = plots_of_figure(Figure("a_key", "title", "", "", panel))
    return plot


def test_lines_axes_and_what_stands_beside_the_lines() -> None:
    rows: list[dict[str, object]] = [
        {"series": "a", "size_bytes": 1, "MBps": 2.0},
        {"series": "a", "size_bytes": 2, "MBps": None},
        {"series": "a", "size_bytes": 4, "MBps": 8.0},
        {"series": "b", "size_bytes": 1024, "MBps": 20.0},
        {"series": "b", "size_bytes": 1, "MBps": 5.0, "loose": True},
    ]
    plot = drawn(rows, log_axis([2.0, 20.0], "bandwidth"))
    assert (plot.name, plot.title) == ("a-key", "title: panel")
    assert [(line.label, line.points, line.is_joined) for line in plot.lines] == [
        ("a", ((1, 2.0), (4, 8.0)), True),
        ("b", ((1024, 20.0),), True),
        ("b", ((1, 5.0),), False),
    ]
    assert (plot.x.title, plot.x.low, plot.x.high, plot.x.is_log) == ("message size", 1, 1024, True)
    assert plot.x.ticks[0] == (1, "1 B")
    assert plot.x.ticks[-1] == (1024, "1 KiB")
    ticks = ((2.0, "2 MB/s"), (5.0, "5 MB/s"), (10.0, "10 MB/s"), (20.0, "20 MB/s"))
    assert plot.y.ticks == ticks
    assert plot.y.low == pytest.approx(2 / 1.1)


def test_a_line_leaves_out_what_a_logarithmic_axis_cannot_show() -> None:
    values = (None, 0.0, -1.0, 1e301, 1e-301, 3.0)
    rows = [{"series": "a", "size_bytes": 1, "MBps": value} for value in values]
    (line,) = drawn([*rows], log_axis([3.0], "bandwidth")).lines
    assert line.points == ((1, 3.0),)


def test_points_are_those_of_the_charts() -> None:
    subject = load_subject([B_EFF, B_EFF_IO])
    plots = {plot.name: plot for plot in plots_of(subject)}
    loops = loops_of(subject.b_eff()[0][1])
    ring = loops.patterns("ring")[0]
    first = plots["rings-against-random"].lines[0]
    assert first.label == ring.name
    points = [(row["size_bytes"], row["MBps"]) for row in pattern_rows(loops, loops.best, ring)]
    assert list(first.points) == points

    ((label, result),) = subject.b_eff_io()
    rows = chunk_rows(io_subject(label, result), 0)
    written = plots["io-over-chunk-size-0-1"]
    assert written.title.endswith(": write")
    scatter = [row for row in rows if row["kind"] == "type 0: scatter" and not row["loose"]]
    expected = tuple((r["chunk"], r["MBps"]) for r in scatter if r["access"] == "write")
    assert written.lines[0].points == expected
    assert [text for _, text in written.x.ticks[:4]] == ["1 KiB", "+8", "32 KiB", "+8"]


def test_every_diagram_but_bars_is_there_once() -> None:
    for path in STORED:
        subject = load_subject([path])
        names = [plot.name for plot in plots_of(subject)]
        assert len(set(names)) == len(names)
        for figure in figures_of(subject):
            bars = figure.key.startswith(("io_types", "area"))
            key = figure.key.replace("_", "-")
            assert any(name.startswith(key) for name in names) is not bars


def test_of_several_results_each_has_its_own_behind_the_shared_ones() -> None:
    names = [plot.name for plot in plots_of(load_subject([B_EFF, B_EFF_3_1]))]
    assert names[:4] == [
        *("overlay-1", "overlay-2"),
        *("b-eff-over-processes-1", "b-eff-over-processes-2"),
    ]
    assert {"1-rings-and-random", "2-rings-and-random", "2-methods-1"} <= set(names)
    assert "1-b-eff-over-processes-1" not in names
