"""The one kind of diagram that most figures are made of: points joined by lines."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
from altair.typing import ChartType

Row = Mapping[str, Any]
"""What a point shows: the fields of its axes, `series`, and `text` that describes it.

A value of None on an axis is a gap in the line.
"""


def inline(rows: Sequence[Row]) -> alt.Data:
    """Return rows as the data of a chart."""
    return alt.Data(values=[dict(row) for row in rows])  # type: ignore[no-untyped-call]


def line_panel(
    rows: Sequence[Row],
    x: alt.X,
    y: alt.Y,
    series: Sequence[str],
    *,
    legend: alt.Legend | None,
    width: int,
    height: int,
    title: str = "",
) -> ChartType:
    """Draw a line through the points of each series, in the order of `series` in the legend."""
    scale = alt.Scale(domain=list(series))
    base = alt.Chart(inline(rows)).encode(
        x=x, y=y, color=alt.Color("series:N", scale=scale, legend=legend)
    )
    points = base.mark_point().encode(
        shape=alt.Shape("series:N", scale=scale, legend=legend), description="text:N"
    )
    panel = alt.layer(base.mark_line(), points).properties(width=width, height=height)
    return panel.properties(title=title) if title else panel
