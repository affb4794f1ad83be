"""The values of several results, a bar for each."""

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt
from altair.typing import ChartType

from beff.analysis.common.summary_figures import main_value, value_processes
from beff.analysis.spread import spread_of
from beff.analysis.subject import LabelledResult, Subject
from beff.charts.common.axes import linear_x_axis, positive
from beff.charts.common.panel import Figure, inline
from beff.model.numbers import counted, rate

_MOST_BARS = 40
"""More results of a benchmark are left to the table: nobody reads so many lines in a picture."""
_LINE_PX = 24


def values_side_by_side(subject: Subject) -> Figure | None:
    """Draw the value of each result, a panel for each benchmark that has two or more.

    None where no benchmark has. Raises ResultError.
    """
    shown = [entry for entry in subject.results if positive(main_value(entry.document.result))]
    panels, rows = [], []
    for benchmark in dict.fromkeys(entry.document.benchmark for entry in shown):
        own = [entry for entry in shown if entry.document.benchmark == benchmark]
        if 2 <= len(own) <= _MOST_BARS:
            bars = list(_rows(own))
            panels.append(_panel(benchmark, bars))
            rows += bars
    if not panels:
        return None
    return Figure(
        "values_side_by_side",
        "The values side by side",
        "A bar for each result, hollow where it is not valid. Grey: from the value by the worst"
        " repetition to that by the best, which counts.",
        "; ".join(row["text"] for row in rows) + ".",
        alt.vconcat(*panels, spacing=14),
    )


def _rows(results: Sequence[LabelledResult]) -> Iterator[dict[str, Any]]:
    for entry in results:
        result = entry.document.result
        value = main_value(result)
        spread = next(iter(spread_of(entry.document).values), None)
        processes = counted(value_processes(result), "process")
        yield {
            "label": entry.label,
            "benchmark": entry.document.benchmark,
            "MBps": value,
            "worst": value if spread is None else spread.worst,
            "valid": result.valid,
            "text": f"{entry.label}: {rate(value)} with {processes}"
            f"{'' if spread is None else f', {rate(spread.worst)} by the worst repetition'}"
            f"{'' if result.valid else ', not valid for comparison'}",
        }


def _panel(benchmark: str, rows: list[dict[str, Any]]) -> ChartType:
    x = linear_x_axis((row["MBps"] for row in rows), benchmark)
    y = alt.Y(
        "label:N",
        title=None,
        sort=[row["label"] for row in rows],
        axis=alt.Axis(labelLimit=260, minExtent=190),
    )
    colour = alt.Color("benchmark:N", legend=None)

    def bars(chosen: list[dict[str, Any]]) -> alt.Chart:
        return alt.Chart(inline(chosen)).encode(x=x, y=y, color=colour, description="text:N")

    valid = bars([row for row in rows if row["valid"]]).mark_bar(height=10, opacity=0.5)
    hollow = bars([row for row in rows if not row["valid"]]).mark_bar(height=10, filled=False)
    spread = alt.Chart(inline(rows)).mark_rule(strokeWidth=3, aria=False)
    layers = alt.layer(valid, hollow, spread.encode(x=alt.X("worst:Q"), x2="MBps:Q", y=y))
    return layers.properties(width=560, height=_LINE_PX * len(rows))
