"""Several results of a benchmark in one picture."""

from collections.abc import Sequence
from typing import Any

from beff.charts.b_eff.lines import GROUPS, PER_PROCESS, summary
from beff.charts.b_eff.loops import Loops, average_rows
from beff.charts.b_eff_io.chunks import chunk_axis, chunk_rows, hollow_points
from beff.charts.b_eff_io.subject import IoSubject
from beff.charts.common.axes import log_axis, size_axis
from beff.charts.common.panel import Figure, has_values, line_panel
from beff.charts.common.repeated import MEDIANS, median_rows
from beff.model.b_eff_io_samples import ACCESSES
from beff.model.numbers import counted, format_chunk, format_size

MOST_RESULTS = 12
"""More lines cannot be distinguished."""
LoopLines = Sequence[tuple[str, Sequence[Loops]]]
"""Lines by name, each with its repeated runs, at least one."""
IoLines = Sequence[tuple[str, Sequence[IoSubject]]]


def first_of(labels: Sequence[str]) -> tuple[list[str], str]:
    """Return the results that an overlay shows, and what its caption says when these are not all.

    The remark is empty or starts with a blank.
    """
    shown = list(labels[:MOST_RESULTS])
    if len(shown) == len(labels):
        return shown, ""
    return shown, f" Shown are the first {len(shown)} of {len(labels)} results."


def overlay(lines: LoopLines) -> Figure | None:
    """Draw the average over rings, and over random patterns, of each line; None of a single run."""
    of_lines = [(name, [one for one in runs if one.patterns(*GROUPS)]) for name, runs in lines]
    measured = [(name, runs) for name, runs in of_lines if runs]
    labels, remark = first_of([name for name, _ in measured])
    shown = measured[: len(labels)]
    if sum(len(runs) for _, runs in shown) < 2:
        return None
    rows_of: dict[str, list[dict[str, Any]]] = {
        name: [row for label, runs in shown for row in _rows(label, runs, group, name)]
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
        f" repetition.{_of_medians(shown)}{remark}",
        " ".join(f"{label}: {summary(runs[0])}" for label, runs in shown),
        {"hconcat": panels},
    )


def _rows(label: str, runs: Sequence[Loops], group: str, name: str) -> list[dict[str, Any]]:
    """Return the points of a line for one group of patterns."""
    found = []
    for loops in runs:
        patterns = loops.patterns(group)
        if patterns:
            processes = counted(loops.result.environment.processes, "process")
            text = f"{label}, {processes}, {name}"
            found.append(average_rows(loops, loops.best, patterns, text))
    rows = median_rows(
        found,
        lambda row: row["size_bytes"],
        lambda row: f"{row['series']}, {format_size(row['size_bytes'])}",
    )
    return [row | {"series": label} for row in rows]


def _of_medians(lines: Sequence[tuple[str, Sequence[object]]]) -> str:
    return MEDIANS if any(len(runs) > 1 for _, runs in lines) else ""


def io_overlay(lines: IoLines) -> Figure | None:
    """Draw a diagram for each type and access method with each line; None of a single run."""
    rows: list[dict[str, Any]] = []
    series: list[str] = []
    drawn = 0
    for label, runs in lines:
        found = [(one, one.best) for one in runs if one.best is not None]
        if not found:
            continue
        first, partition = found[0]
        processes = counted(first.result.partitions[partition].processes, "process")
        series.append(f"{label}, {processes}")
        of_runs = [chunk_rows(one, best) for one, best in found]
        drawn += sum(map(has_values, of_runs))
        for row in median_rows(of_runs, _point, _named):
            rows.append(row | {"series": series[-1], "text": f"{label}: {row['text']}"})
    shown_series, remark = first_of(series)
    rows = [row for row in rows if row["series"] in shown_series]
    if drawn < 2:
        return None
    y = log_axis((row["MBps"] for row in rows), "bandwidth")
    x = chunk_axis(rows)
    panels = []
    for kind in sorted({row["kind"] for row in rows}):
        for access in ACCESSES:
            chosen = [row for row in rows if row["kind"] == kind and row["access"] == access]
            if not has_values(chosen):
                continue
            title = f"{kind}, {access}"
            panels.append(
                line_panel(chosen, x, y, shown_series, columns=1, size=(250, 150), title=title)
            )
    return Figure(
        "io_overlay",
        "Results of b_eff_io over the chunk size",
        "Accumulated bandwidth over the chunk size, of each result with the partition that gives"
        " its value, by pattern type and access method."
        f"{_of_medians(lines)}{hollow_points(rows)}{remark}",
        f"One line for each of {', '.join(shown_series)}.",
        {"concat": panels, "columns": len(ACCESSES)},
    )


def _point(row: dict[str, Any]) -> tuple[str, str, int, bool]:
    return row["kind"], row["access"], row["chunk_bytes"], row["loose"]


def _named(row: dict[str, Any]) -> str:
    return f"{row['kind']}, {row['access']}, chunk {format_chunk(row['chunk_bytes'])}"
