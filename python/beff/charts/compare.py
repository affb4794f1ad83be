"""Changes between two sides with their intervals, one line per figure: a forest plot."""

from collections.abc import Sequence
from math import exp, log, log1p

from beff.charts.chart import Axis, Chart, Marks, Panel, Part, Row
from beff.judge.compare import ComparedTable, Comparison, Report
from beff.judge.day_rule import Word
from beff.judge.series import JudgedFigure
from beff.result.numbers import bound, change, counted, measured

_LARGEST_SHARE = 4.0
"""Intervals are cut off beyond four times and a quarter."""
_TICKS_UP = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 3.0)
_TICKS_DOWN = (-0.01, -0.02, -0.05, -0.1, -0.2, -0.3, -0.5, -0.75)
_SHAPES = {
    Word.SLOWER: "triangle-down",
    Word.FASTER: "triangle-up",
    Word.AS_FAST: "circle",
    Word.OPEN: "diamond",
}
"""In the order of the legend."""
_LINE_PX = 18


def change_charts(report: Report, outcome: str) -> list[Chart]:
    """Return a chart for each comparison, the intervals of what decides; `outcome` is of all."""
    return [_chart(report, outcome, comparison) for comparison in report.comparisons]


def _chart(report: Report, outcome: str, comparison: Comparison) -> Chart:
    tables = [table for table in comparison.tables if table.decides and table.rows]
    rows = [row for table in tables for row in table.rows]
    ends = [abs(log1p(share)) for row in rows for share in row.shares[::2]]
    edge = min(_LARGEST_SHARE, exp(max(*ends, 2 * log1p(report.threshold), 0.02) * 1.05))
    words = {row.word for row in rows}
    shown = [word.value for word in _SHAPES if word in words]
    panels = [_panel(table, edge, report.threshold, shown) for table in tables]
    runs_a, runs_b = comparison.sides.a, comparison.sides.b
    a, b = counted(len(runs_a), "run"), counted(len(runs_b), "run")
    values = "; ".join(_text(row) for row in comparison.values)
    return Chart(
        f"changes_{runs_a[0].benchmark}_{runs_a[0].result.environment.processes}",
        f"B against A: {comparison.name}",
        f"Change of each figure that decides from A ({a}) to B ({b}) with its interval of"
        f" 90 %. Grey: the threshold of {100 * report.threshold:g} %. Of latencies, less is"
        " better.",
        f"{outcome}. {values}.",
        [Part(panels, 1)],
    )


def _panel(table: ComparedTable, edge: float, threshold: float, shown: Sequence[str]) -> Panel:
    rows = [
        Row(
            _within(1 + row.shares[1], edge),
            row.figure.name,
            row.word.value,
            _text(row),
            _within(1 + row.shares[0], edge),
            _within(1 + row.shares[2], edge),
        )
        for row in table.rows
    ]
    ticks = {1 + share: f"{100 * share:+g} %" if share else "0" for share in _ticks(edge)}
    margin = 1 + threshold
    return Panel(
        Axis("change of B against A", (1 / edge, edge), ticks, is_log=True),
        Axis(names=[row.figure.name for row in table.rows]),
        [
            Marks("stripe", [Row(1 / margin, None, x2=margin)], "soft", opacity=0.15),
            Marks("upright", [Row(1.0, None)], "soft"),
            Marks("interval", rows, size=2),
            Marks("point", rows, size=50),
        ],
        [word.value for word in _SHAPES],
        (420, _LINE_PX * len(rows)),
        table.name,
        legend=3,
        shown=shown,
        named="B is",
        shapes=[*_SHAPES.values()],
    )


def _ticks(edge: float) -> list[float]:
    """Return changes up to the edge, without those that would be too close to zero."""
    least, most = log(edge) / 5, log(edge)
    return [0.0, *(one for one in (*_TICKS_UP, *_TICKS_DOWN) if least < abs(log1p(one)) <= most)]


def _within(ratio: float, edge: float) -> float:
    return min(max(ratio, 1 / edge), edge)


def _text(row: JudgedFigure) -> str:
    figure, (low, middle, high) = row.figure, row.shares
    a, b = (measured(figure.of_log(log), figure.unit) for log in (row.change.a, row.change.b))
    moved = f"{change(middle)} ({bound(low)} to {bound(high)}), {row.word.value}"
    return f"{figure.name}: {a} to {b}, {moved}"
