"""Changes between two sides with their intervals, one line per figure: a forest plot."""

from collections.abc import Sequence
from math import exp, log, log1p

from beff.charts.chart import Axis, Chart, Marks, Panel, Part, Row
from beff.judge.change import EQUIVALENCE, ERROR_RATE, ChangeVerdict, confidence_text
from beff.judge.comparison import ComparedFigure, ComparedTable, Comparison, Report
from beff.result.numbers import bound, change, counted, measured

_LARGEST_SHARE = 4.0
"""Intervals are cut off beyond four times and a quarter."""
_TICKS_UP = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 3.0)
_TICKS_DOWN = (-0.01, -0.02, -0.05, -0.1, -0.2, -0.3, -0.5, -0.75)
_TICK_DISTANCE = 0.1
"""Of two neighbours, as a share of the axis."""
_SHAPES = {
    ChangeVerdict.SLOWER: "triangle-down",
    ChangeVerdict.FASTER: "triangle-up",
    ChangeVerdict.NO_CHANGE: "circle",
    ChangeVerdict.NOT_CLEAR: "diamond",
    ChangeVerdict.SLIGHTLY_SLOWER: "triangle-down",
    ChangeVerdict.SLIGHTLY_FASTER: "triangle-up",
    ChangeVerdict.NOT_SLOWER: "triangle-right",
    ChangeVerdict.NOT_FASTER: "triangle-left",
    ChangeVerdict.LIKELY_SLOWER: "cross",
    ChangeVerdict.LIKELY_FASTER: "square",
}
"""In the order of the legend: eight have a colour of their own, the last two those of the first."""
_LINE_PX = 18


def change_charts(report: Report, outcome: str) -> list[Chart]:
    """Return a chart for each comparison, the intervals of what decides; `outcome` is of all."""
    return [_chart(report, outcome, comparison) for comparison in report.comparisons]


def _chart(report: Report, outcome: str, comparison: Comparison) -> Chart:
    tables = [table for table in comparison.tables if table.decides and table.rows]
    rows = [row for table in tables for row in table.rows]
    ends = [max(abs(row.interval.low), abs(row.interval.high)) for row in rows]
    edge = min(_LARGEST_SHARE, exp(max(*ends, 2 * log1p(report.threshold), 0.02) * 1.05))
    found = {row.verdict for row in rows}
    shown = [verdict.value for verdict in _SHAPES if verdict in found]
    panels = [_panel(table, edge, report.threshold, shown) for table in tables]
    a, b = counted(len(comparison.runs_a), "run"), counted(len(comparison.runs_b), "run")
    values = "; ".join(_text(row) for row in comparison.values)
    return Chart(
        f"changes_{comparison.benchmark}_{comparison.processes}",
        f"B against A: {comparison.name}",
        f"Change of each figure that decides from A ({a}) to B ({b}) with its interval of"
        f" {confidence_text(EQUIVALENCE)}; of figures that are slower or faster it is of so much"
        f" more that any of a table is wrongly called slower with {100 * ERROR_RATE:g} % at most."
        f" Grey: the threshold of {100 * report.threshold:g} %. Of latencies, less is better.",
        f"{outcome}. {values}.",
        [Part(panels, 1)],
    )


def _panel(table: ComparedTable, edge: float, threshold: float, shown: Sequence[str]) -> Panel:
    rows = [
        Row(
            _within(1 + row.change, edge),
            row.quantity.name,
            row.verdict.value,
            _text(row),
            _within(exp(row.interval.low), edge),
            _within(exp(row.interval.high), edge),
        )
        for row in table.rows
    ]
    ticks = {1 + share: f"{100 * share:+g} %" if share else "0" for share in _ticks(edge)}
    margin = 1 + threshold
    return Panel(
        Axis("change of B against A", (1 / edge, edge), ticks, is_log=True),
        Axis(names=[row.quantity.name for row in table.rows]),
        [
            Marks("stripe", [Row(1 / margin, None, x2=margin)], "soft", opacity=0.15),
            Marks("upright", [Row(1.0, None)], "soft"),
            Marks("interval", rows, size=2),
            Marks("point", rows, size=50),
        ],
        [verdict.value for verdict in _SHAPES],
        (420, _LINE_PX * len(rows)),
        table.name,
        legend=3,
        shown=shown,
        named="B is",
        shapes=[*_SHAPES.values()],
    )


def _ticks(edge: float) -> list[float]:
    """Return changes from zero outwards, those left out that would be too close to the last."""
    distance = _TICK_DISTANCE * 2 * log(edge)
    found = [0.0]
    for ticks in (_TICKS_UP, _TICKS_DOWN):
        last = 0.0
        for share in ticks:
            place = abs(log1p(share))
            if last + distance <= place <= log(edge):
                found.append(share)
                last = place
    return sorted(found)


def _within(ratio: float, edge: float) -> float:
    return min(max(ratio, 1 / edge), edge)


def _text(row: ComparedFigure) -> str:
    low, high = map(bound, row.interval.shares)
    a, b = (measured(figure, row.quantity.unit) for figure in (row.a, row.b))
    moved = f"{change(row.change)} ({low} to {high}), {row.verdict.value}"
    return f"{row.quantity.name}: {a} to {b}, {moved}"
