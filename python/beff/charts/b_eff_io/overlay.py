"""Several results of b_eff_io in one picture."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from beff.charts.axes import log_axis
from beff.charts.b_eff_io.chunks import chunk_axis, chunk_rows, hollow_points
from beff.charts.b_eff_io.subject import IoSubject
from beff.charts.figure import Figure
from beff.charts.overlay import first_of
from beff.charts.panel import has_values, line_panel
from beff.model.b_eff_io_samples import ACCESSES
from beff.model.numbers import counted


def io_overlay(subjects: Sequence[IoSubject]) -> Figure | None:
    """Draw a diagram for each type and access method with a line for each result."""
    rows: list[dict[str, Any]] = []
    series: list[str] = []
    for subject in subjects:
        if subject.best is None:
            continue
        processes = subject.result.partitions[subject.best].processes
        series.append(f"{subject.label}, {counted(processes, 'process')}")
        shown = {"series": series[-1]}
        for row in chunk_rows(subject, subject.best):
            text = {"text": f"{subject.label}: {row['text']}"}
            rows.append(row | shown | text)
    shown_series, remark = first_of(series)
    rows = [row for row in rows if row["series"] in shown_series]
    if len({row["series"] for row in rows if row["MBps"] is not None}) < 2:
        return None
    y = log_axis((row["MBps"] for row in rows), "bandwidth")
    x = chunk_axis(rows)
    panels = []
    for kind in sorted({row["kind"] for row in rows}):
        for access in ACCESSES:
            chosen = [row for row in rows if row["kind"] == kind and row["access"] == access]
            if not has_values(chosen):
                continue
            panels.append(
                line_panel(
                    chosen,
                    x,
                    y,
                    shown_series,
                    columns=1,
                    size=(250, 150),
                    title=f"{kind}, {access}",
                )
            )
    return Figure(
        "io_overlay",
        "Results of b_eff_io over the chunk size",
        "Accumulated bandwidth over the chunk size, of each result with the partition that gives"
        f" its value, by pattern type and access method.{hollow_points(rows)}{remark}",
        f"One line for each of {', '.join(shown_series)}.",
        alt.concat(*panels, columns=len(ACCESSES)),
    )
