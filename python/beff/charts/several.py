"""Several results in one chart: lines over each other, values side by side or over processes."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from statistics import median

from beff.charts.axes import linear_axis, log_axis, plain_tick, positive, process_axis
from beff.charts.b_eff import GROUPS, Loops, average_rows, averages, over_sizes
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
from beff.charts.repeated import MEDIANS, Line, lines_of, median_rows, with_buffers
from beff.importers.published import PublishedLine, PublishedRow, as_printed, published_results
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.b_eff_result import BEffFigures, ImportedBEff, why_alone
from beff.result.bounds import Figure
from beff.result.numbers import counted, format_chunk, format_size, number, rate
from beff.verify.analysis import analysis_of
from beff.verify.common.summary_figures import main_value, value_processes
from beff.verify.subject import LabelledResult, Subject

MOST_RESULTS = 12
"""More lines cannot be distinguished."""
_MOST_BARS = 40
"""More results of a benchmark are left to the table: nobody reads so many lines in a picture."""
_LARGE = 70
"""Area of a point that stands for a whole run."""
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
    return over_sizes(
        "overlay",
        "Results over the message size",
        "Logarithmic average over the patterns of the bandwidth per process, best method and"
        f" repetition.{_remarks(shown, every)}",
        " ".join(f"{label}: {averages(runs[0])}" for label, runs in shown),
        {
            name: [row for label, runs in shown for row in _averages(label, runs, group, name)]
            for group, name in GROUPS.items()
        },
        size=(360, 300),
        legend=2,
        series=[label for label, _ in shown],
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


def _remarks(
    shown: Sequence[tuple[str, Sequence[object]]], every: Sequence[object], hollow: str = ""
) -> str:
    """Say what bands and hollow points are, and which lines are left out."""
    medians = MEDIANS if any(len(runs) > 1 for _, runs in shown) else ""
    left_out = f" Shown are the first {MOST_RESULTS} of {len(every)} results."
    return f"{medians}{hollow}{left_out if len(every) > MOST_RESULTS else ''}"


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
        f"{_remarks(given, every, hollow_points(rows))}",
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


def beside_published(results: Sequence[LabelledResult]) -> Chart | None:
    """Draw b_eff and b_eff per process of results, and of the paper's systems."""
    own = values_of([one for one in results if not why_alone(one.document.result.definition)])
    if not own:
        return None
    remarks = ""
    if any(row.look for row in own):
        remarks = (
            " Of valid runs of one machine with equal processes the line goes through the one in"
            " the middle, the slower of two; all others are hollow."
        )
    if any(entry.document.result.definition == "3.1" for entry in results):
        remarks += " Results by definition 3.1 have only one equal among them, that of 3.1."
    each = [replace(row, y=row.value / float(row.x)) for row in own]
    x = process_axis(float(row.x) for row in own + published_rows())
    panels = []
    for title, rows, beside in (
        ("b_eff", own, published_rows()),
        ("b_eff per process", each, published_rows(per_process=True)),
    ):
        y = log_axis(rows + beside, title.replace("b_eff", "bandwidth"))
        marks = [Marks("beside", beside, "soft", 36), *lines(rows, _LARGE)]
        panels.append(Panel(x, y, marks, series_in(rows), (360, 300), title, legend=1))
    return Chart(
        "b_eff_over_processes",
        "b_eff over the number of processes",
        "b_eff, and b_eff divided by the number of processes, beside the systems of Table 1 of the"
        f" paper (1999 to 2001) and a value by definition 3.1, the hollow grey points.{remarks}",
        texts(own),
        [Part(panels)],
    )


def balance(results: Sequence[LabelledResult]) -> Chart | None:
    """Draw b_eff / R_max of the results that have R_max."""
    rows = values_of(results, balance=True)
    if len(rows) < 2:
        return None
    x = process_axis(float(row.x) for row in rows)
    y = linear_axis(rows, "byte/flop", plain_tick)
    panel = Panel(x, y, lines(rows, _LARGE), series_in(rows), (560, 320), legend=1)
    return Chart(
        "balance_over_processes",
        "Balance over the number of processes",
        "b_eff divided by the Linpack performance R_max, in byte per floating-point operation.",
        texts(rows),
        [Part([panel])],
    )


def values_of(results: Sequence[LabelledResult], *, balance: bool = False) -> list[Row]:
    """Return the value of each result that has one, sorted by machine and processes.

    That is b_eff over the processes, or its balance in byte/flop, where that is known. A line goes
    through the middle by b_eff of valid runs with equal ones; all others are beside it.
    """
    values: list[tuple[Row, Figure, bool]] = []
    for entry in results:
        label, result = entry.label, entry.document.result
        if not isinstance(result, BEffFigures):
            continue
        total, n = positive(result.summary.b_eff_MBps), result.environment.processes
        if total is None:
            continue
        text = (
            f"{label}: b_eff {rate(total)}, {rate(total / n)} per process, with {n} processes"
            f"{'' if result.valid else ', not valid for comparison'}"
        )
        row = Row(n, total, _series(entry, result), text)
        values.append((row, result.summary.balance_bytes_per_flop, result.valid))

    def place(value: tuple[Row, Figure, bool]) -> tuple[str, float]:
        return value[0].series, float(value[0].x)

    found = []
    for _, equal in groupby(sorted(values, key=place), key=place):
        runs = sorted(equal, key=lambda value: (not value[2], value[0].value))
        valid = sum(is_valid for *_, is_valid in runs)
        for at, (row, share, is_valid) in enumerate(runs):
            look = "" if is_valid and at == (valid - 1) // 2 else "beside"
            if not balance:
                found.append(replace(row, look=look))
            elif share is not None:
                text = f"{number(share)} byte/flop; {row.text}"
                found.append(replace(row, y=share, text=text, look=look))
    return found


def _series(entry: LabelledResult, result: BEffFigures) -> str:
    """Name the line of a value by what it was measured on, processor and MPI library.

    An imported result is alone.
    """
    if isinstance(result, ImportedBEff):
        name = f"{entry.label}, imported"
    else:
        library = result.environment.mpi.library
        parts = (result.environment.cpu.model, library.splitlines()[0] if library else "")
        name = ", ".join(part.strip() for part in parts if part.strip()) or "unknown machine"
    if result.definition != "3.5":
        name = f"{name}, definition {result.definition}"
    return with_buffers(name, result)


def published_rows(*, per_process: bool = False) -> list[Row]:
    """Return the systems of the paper's Table 1 and the value by 3.1, figures as printed."""
    published = published_results()
    earlier = published.earlier
    rows: list[tuple[PublishedRow | PublishedLine, str]] = [
        *((row, f"{row.memory} memory") for row in published.rows),
        (earlier, f"definition {earlier.definition}"),
    ]
    return [
        Row(
            row.processes,
            row.b_eff_per_process_MBps if per_process else row.b_eff_MBps,
            text=f"published: {row.system}, {row.processes} processes, {what}:"
            f" b_eff {as_printed(row.b_eff_MBps)} MB/s,"
            f" {as_printed(row.b_eff_per_process_MBps)} MB/s per process",
        )
        for row, what in rows
    ]
