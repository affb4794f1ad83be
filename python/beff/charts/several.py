"""Several results in one chart: their lines over each other, their values side by side."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import median

from beff.charts.axes import linear_axis, log_axis, positive
from beff.charts.b_eff import averages
from beff.charts.b_eff_io import IoSubject, axis_position, chunk_axis, chunk_rows, hollow_points
from beff.charts.chart import (
    Axis,
    Chart,
    Marks,
    Panel,
    Part,
    Row,
    has_values,
    lines,
    renamed,
    series_in,
    texts,
)
from beff.charts.loops import GROUPS, Loops, average_rows, panels_over_sizes
from beff.charts.repeated import MEDIANS, Line, lines_of, median_rows
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.numbers import counted, format_chunk, format_size, rate
from beff.verify.analysis import analysis_of
from beff.verify.common.summary_figures import main_value, value_processes
from beff.verify.subject import Subject

MOST_RESULTS = 12
"""More lines cannot be distinguished."""
_MOST_BARS = 40
"""More results of a benchmark are left to the table: nobody reads so many lines in a picture."""
LoopLines = Sequence[tuple[str, Sequence[Loops]]]
"""Lines by name, each with its repeated runs, at least one."""
IoLines = Sequence[tuple[str, Sequence[IoSubject]]]


def overlay(given: LoopLines) -> Chart | None:
    """Draw the average over rings, and over random patterns, of each line; None of a single run."""
    measured = [(name, [one for one in runs if one.patterns(*GROUPS)]) for name, runs in given]
    every = [(name, runs) for name, runs in measured if runs]
    shown = every[:MOST_RESULTS]
    if sum(len(runs) for _, runs in shown) < 2:
        return None
    rows_of = {
        name: [row for label, runs in shown for row in _averages(label, runs, group, name)]
        for group, name in GROUPS.items()
    }
    if not any(map(has_values, rows_of.values())):
        return None
    labels = [label for label, _ in shown]
    return Chart(
        "overlay",
        "Results over the message size",
        "Logarithmic average over the patterns of the bandwidth per process, best method and"
        f" repetition.{_of_medians(shown)}{_first_of(every)}",
        " ".join(f"{label}: {averages(runs[0])}" for label, runs in shown),
        [Part(panels_over_sizes(rows_of, size=(360, 300), legend=2, series=labels))],
    )


def _averages(label: str, runs: Sequence[Loops], group: str, name: str) -> list[Row]:
    """Return the points of a line for one group of patterns."""
    found = []
    for loops in runs:
        patterns = loops.patterns(group)
        if patterns:
            processes = counted(loops.result.environment.processes, "process")
            text = f"{label}, {processes}, {name}"
            found.append(average_rows(loops, loops.best, patterns, text))
    rows = median_rows(found, lambda row: f"{row.series}, {format_size(int(row.x))}")
    return renamed(rows, label)


def _of_medians(shown: Sequence[tuple[str, Sequence[object]]]) -> str:
    return MEDIANS if any(len(runs) > 1 for _, runs in shown) else ""


def _first_of(every: Sequence[object]) -> str:
    if len(every) <= MOST_RESULTS:
        return ""
    return f" Shown are the first {MOST_RESULTS} of {len(every)} results."


def io_overlay(given: IoLines) -> Chart | None:
    """Draw a panel for each type and access method with each line; None of a single run."""
    measured = [(label, [run for run in runs if run.best is not None]) for label, runs in given]
    every = [(label, runs) for label, runs in measured if runs]
    shown = every[:MOST_RESULTS]
    rows_of: dict[tuple[str, str], list[Row]] = {}
    drawn = 0
    for label, runs in shown:
        series = f"{label}, {runs[0].processes(runs[0].best or 0)}"
        of_runs = [chunk_rows(run, run.best or 0) for run in runs]
        drawn += sum(any(map(has_values, of_run.values())) for of_run in of_runs)
        for line in of_runs[0]:
            rows = median_rows([of_run[line] for of_run in of_runs], partial(_chunk, runs[0], line))
            rows_of.setdefault(line, []).extend(
                replace(row, series=series, text=f"{label}: {row.text}") for row in rows
            )
    if drawn < 2:
        return None
    rows = [row for of_panel in rows_of.values() for row in of_panel]
    x = chunk_axis([run for _, runs in shown for run in runs])
    y, names = log_axis(rows, "bandwidth"), series_in(rows)
    panels = [
        Panel(x, y, lines(rows_of[line]), names, (250, 150), ", ".join(line), legend=1)
        for line in sorted(rows_of, key=lambda line: (line[0], ACCESSES.index(line[1])))
        if has_values(rows_of[line])
    ]
    return Chart(
        "io_overlay",
        "Results of b_eff_io over the chunk size",
        "Accumulated bandwidth over the chunk size, of each result with the partition that gives"
        " its value, by pattern type and access method."
        f"{_of_medians(given)}{hollow_points(rows)}{_first_of(every)}",
        f"One line for each of {', '.join(names)}.",
        [Part(panels, len(ACCESSES))],
    )


def _chunk(run: IoSubject, line: tuple[str, str], row: Row) -> str:
    """Name what a point of a type and access method is of."""
    sizes = {axis_position(p.l_bytes): p.l_bytes for p in run.result.patterns if p.l_bytes}
    return f"{', '.join(line)}, chunk {format_chunk(sizes[float(row.x)])}"


def values_side_by_side(subject: Subject) -> Chart | None:
    """Draw the value of each result, a panel for each benchmark that has two or more.

    Repeated runs are one bar. None where no benchmark has two results. Raises ResultError.
    """
    entries = [entry for entry in subject.results if positive(main_value(entry.document.result))]
    benchmarks = list(dict.fromkeys(entry.document.benchmark for entry in entries))
    panels, drawn, repeated = [], [], ""
    for benchmark in benchmarks:
        own = [entry for entry in entries if entry.document.benchmark == benchmark]
        runs_of = lines_of(own)
        if len(own) < 2 or len(runs_of) > _MOST_BARS:
            continue
        rows = list(map(_bar, runs_of))
        if len(runs_of) < len(own):
            repeated = (
                " Of repeated runs the bar is the median, grey from the slowest to the fastest."
            )
        marks = [
            Marks("bar", [row for row in rows if not row.look], size=10, opacity=0.5),
            Marks("frame", [row for row in rows if row.look], size=10),
            Marks("range", rows, "soft", 3),
        ]
        x, y = linear_axis(rows, benchmark), Axis(names=[str(row.y) for row in rows])
        panels.append(Panel(x, y, marks, benchmarks, (560, 24 * len(rows))))
        drawn += rows
    if not panels:
        return None
    return Chart(
        "values_side_by_side",
        "The values side by side",
        "A bar for each result, hollow where it is not valid. Grey: from the value by the worst"
        f" repetition to that by the best, which counts.{repeated}",
        texts(drawn),
        [Part(panels, 1)],
    )


def _bar(line: Line) -> Row:
    """Return the bar of a result, or of repeated runs, which are all valid or all not."""
    first = line.runs[0].document
    values = [value for result in line.results if (value := main_value(result)) is not None]
    value, low, high = median(values), min(values), max(values)
    spread = ""
    if len(values) > 1:
        spread = f", the median of {counted(len(values), 'run')} from {rate(low)} to {rate(high)}"
    elif (found := next(iter(analysis_of(first).spread.values), None)) is not None and found.worst:
        low = found.worst
        spread = f", {rate(low)} by the worst repetition"
    text = (
        f"{line.label}: {rate(value)} with {counted(value_processes(first.result), 'process')}"
        f"{spread}{'' if first.result.valid else ', not valid for comparison'}"
    )
    look = "" if first.result.valid else "hollow"
    return Row(value, line.label, first.benchmark, text, low, high, look)
