"""Several results of a benchmark in one picture."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from beff.charts.b_eff.lines import GROUPS, PER_PROCESS, summary
from beff.charts.b_eff.loops import Loops, average_rows
from beff.charts.b_eff_io.chunks import chunk_axis, chunk_rows, hollow_points
from beff.charts.b_eff_io.subject import IoSubject
from beff.charts.common.axes import log_axis, size_axis
from beff.charts.common.panel import Figure, has_values, line_panel
from beff.model.b_eff_io_samples import ACCESSES
from beff.model.numbers import counted

MOST_RESULTS = 12
"""More lines cannot be distinguished."""


def first_of(labels: Sequence[str]) -> tuple[list[str], str]:
    """Return the results that an overlay shows, and what its caption says when these are not all.

    The remark is empty or starts with a blank.
    """
    shown = list(labels[:MOST_RESULTS])
    if len(shown) == len(labels):
        return shown, ""
    return shown, f" Shown are the first {len(shown)} of {len(labels)} results."


def overlay(results: Sequence[tuple[str, Loops]]) -> Figure | None:
    """Draw the average over rings, and over random patterns, of each result."""
    measured = [(label, loops) for label, loops in results if loops.patterns(*GROUPS)]
    labels, remark = first_of([label for label, _ in measured])
    shown = measured[: len(labels)]
    if len(shown) < 2:
        return None
    rows_of: dict[str, list[dict[str, Any]]] = {
        name: [row for label, loops in shown for row in _rows(label, loops, group, name)]
        for group, name in GROUPS.items()
    }
    if not any(map(has_values, rows_of.values())):
        return None
    y = log_axis((row["MBps"] for rows in rows_of.values() for row in rows), PER_PROCESS)
    x = size_axis([row["size_bytes"] for rows in rows_of.values() for row in rows])
    panels = [
        line_panel(rows, x, y, labels, columns=2, size=(360, 300), title=name)
        for name, rows in rows_of.items()
        if rows
    ]
    return Figure(
        "overlay",
        "Results over the message size",
        "Logarithmic average over the patterns of the bandwidth per process, best method and"
        f" repetition.{remark}",
        " ".join(f"{label}: {summary(loops)}" for label, loops in shown),
        alt.hconcat(*panels),
    )


def _rows(label: str, loops: Loops, group: str, name: str) -> list[dict[str, Any]]:
    patterns = loops.patterns(group)
    if not patterns:
        return []
    n = loops.result.environment.processes
    rows = average_rows(loops, loops.best, patterns, f"{label}, {n} processes, {name}")
    return [row | {"series": label} for row in rows]


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
