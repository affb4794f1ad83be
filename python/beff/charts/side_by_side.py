"""The values of several results, a bar for each."""

from statistics import median
from typing import Any

from beff.analysis.analysis import analysis_of
from beff.analysis.common.summary_figures import main_value, value_processes
from beff.analysis.subject import Subject
from beff.charts.common.axes import linear_axis, positive
from beff.charts.common.panel import Figure
from beff.charts.common.repeated import Line, lines_of
from beff.charts.common.vega_lite import Chart, channel, marks
from beff.model.numbers import counted, rate

_MOST_BARS = 40
"""More results of a benchmark are left to the table: nobody reads so many lines in a picture."""
_LINE_PX = 24


def values_side_by_side(subject: Subject) -> Figure | None:
    """Draw the value of each result, a panel for each benchmark that has two or more.

    Repeated runs are one bar. None where no benchmark has two results. Raises ResultError.
    """
    shown = [entry for entry in subject.results if positive(main_value(entry.document.result))]
    panels, rows, repeated = [], [], False
    for benchmark in dict.fromkeys(entry.document.benchmark for entry in shown):
        own = [entry for entry in shown if entry.document.benchmark == benchmark]
        lines = lines_of(own)
        if len(own) >= 2 and len(lines) <= _MOST_BARS:
            bars = list(map(_row, lines))
            repeated = repeated or len(lines) < len(own)
            panels.append(_panel(benchmark, bars))
            rows += bars
    if not panels:
        return None
    return Figure(
        "values_side_by_side",
        "The values side by side",
        "A bar for each result, hollow where it is not valid. Grey: from the value by the worst"
        f" repetition to that by the best, which counts.{_MEDIANS if repeated else ''}",
        "; ".join(row["text"] for row in rows) + ".",
        {"vconcat": panels, "spacing": 14},
    )


_MEDIANS = " Of repeated runs the bar is the median, grey from the slowest to the fastest."


def _row(line: Line) -> dict[str, Any]:
    """Return the bar of a result, or of repeated runs, which are all valid or all not."""
    first = line.runs[0].document
    values = [value for one in line.runs if (value := main_value(one.document.result)) is not None]
    value, low, high = median(values), min(values), max(values)
    if len(values) > 1:
        spread = f", the median of {counted(len(values), 'run')} from {rate(low)} to {rate(high)}"
    elif (found := next(iter(analysis_of(first).spread.values), None)) is not None:
        low = found.worst
        spread = f", {rate(low)} by the worst repetition"
    else:
        spread = ""
    return {
        "label": line.label,
        "benchmark": first.benchmark,
        "MBps": value,
        "low": low,
        "high": high,
        "valid": first.result.valid,
        "text": f"{line.label}: {rate(value)} with"
        f" {counted(value_processes(first.result), 'process')}{spread}"
        f"{'' if first.result.valid else ', not valid for comparison'}",
    }


def _panel(benchmark: str, rows: list[dict[str, Any]]) -> Chart:
    lines = {
        "x": linear_axis((row["high"] for row in rows), benchmark),
        "y": channel(
            "label:N",
            title=None,
            sort=[row["label"] for row in rows],
            axis={"labelLimit": 260, "minExtent": 190},
        ),
    }
    bars: Chart = {
        **lines,
        "color": channel("benchmark:N", legend=None),
        "description": "text:N",
    }
    spread: Chart = {**lines, "x": "low:Q", "x2": "high:Q"}
    layers = [
        marks("bar", [row for row in rows if row["valid"]], bars, height=10, opacity=0.5),
        marks("bar", [row for row in rows if not row["valid"]], bars, height=10, filled=False),
        marks("rule", rows, spread, strokeWidth=3, aria=False),
    ]
    return {"layer": layers, "width": 560, "height": _LINE_PX * len(rows)}
