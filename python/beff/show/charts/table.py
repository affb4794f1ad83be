"""Which charts there are: of a single result in detail, of several in one chart.

Lines of several results lie over each other, values stand side by side or over processes. A new
chart is a function, called here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import Any, TypeVar

from beff.definition.subject import (
    LabelledResult,
    Subject,
    in_detail,
    main_value,
    value_name,
    value_processes,
)
from beff.imports.published import as_printed, published_results
from beff.judge.analysis import analysis_of
from beff.judge.conditions import Use, differences
from beff.judge.hosts import check_hosts
from beff.maps.pair_map import pair_map
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.b_eff_result import BEffFigures, BEffResult, ImportedBEff, why_alone
from beff.result.b_pairs_result import BPairsResult
from beff.result.contract import AnyResult
from beff.result.load import Document
from beff.result.numbers import counted, format_duration, number, rate
from beff.result.result_parts import ImportedHead
from beff.show.charts import b_eff, b_eff_io, maps
from beff.show.charts import spec as vl
from beff.show.charts.b_eff import Loops
from beff.show.charts.b_eff_io import RATE, SHORTEST_S, best_of, chunk_axes, chunk_rows
from beff.show.charts.spec import Chart, Row, stamped

MOST_RESULTS = 12
"""More lines cannot be distinguished."""
_MOST_BARS = 40
"""More results of a benchmark are left to the table: nobody reads so many lines in a picture."""
_LARGE = 70
"""Area of a point that stands for a whole run."""
_MEDIANS = " A line of repeated runs is their median, its band from the slowest to the fastest."

Run = TypeVar("Run")
Lines = list[tuple[str, list[Run]]]
"""The name of each line, and its runs, at least one."""


def charts_of(subject: Subject) -> Iterator[Chart]:
    """Yield all charts that the results have data for, in the order of showing.

    A single result is shown in detail, several of a benchmark over each other. Captions say which
    results are not complete. Raises ResultError.
    """
    yield from _remarked([values_side_by_side(subject.results)], subject.results)
    for kind, charts in ((BEffFigures, _of_b_eff), (BEffIoFigures, _of_io)):
        entries = [entry for entry in subject.results if isinstance(entry.document.result, kind)]
        yield from _remarked(charts(entries), entries)


def _lines(
    entries: Sequence[LabelledResult], made: Callable[[AnyResult], Run | None]
) -> Lines[Run]:
    """Return what is made of the runs of each line, where anything is."""
    every = lines_of(entries)
    lines = [(label, [made(one.document.result) for one in runs]) for label, runs in every]
    return [(label, [*filter(None, runs)]) for label, runs in lines if any(runs)]


def _of_b_eff(entries: Sequence[LabelledResult]) -> Iterator[Chart]:
    lines = _lines(entries, lambda one: Loops(one) if isinstance(one, BEffResult) else None)
    if len(entries) == 1:
        yield from (draw(loops) for _, (loops,) in lines for draw in b_eff.CHARTS)
    else:
        yield overlay(lines)
    yield over_processes(entries)


def _of_io(entries: Sequence[LabelledResult]) -> Iterator[Chart]:
    lines: Lines[BEffIoFigures] = _lines(
        entries, lambda one: one if isinstance(one, BEffIoFigures) else None
    )
    if len(entries) == 1:
        _, (only,) = lines[0]
        partitions = dict.fromkeys((best_of(only), *in_detail(only)))
        for draw in (b_eff_io.over_chunk_size, b_eff_io.types):
            yield from (draw(only, partition) for partition in partitions)
    else:
        yield io_overlay(lines)
    yield value_over_processes(lines)


def _remarked(charts: Iterable[Chart], shown: Sequence[LabelledResult]) -> Iterator[Chart]:
    """Yield those with data, which say which of the results are not complete, or not valid."""
    partial = ", ".join(one.label for one in shown if not one.document.result.complete)
    which = f" ({partial})" if shown[1:] else ""
    remark = f" Not complete{which}: what was not measured is missing." if partial else ""
    every = lines_of(shown)
    labels = [label for label, runs in every if not runs[0].document.result.valid]
    of_these = None if len(labels) == len(every) else labels
    for chart in (chart for chart in charts if chart.panels):
        whole = replace(chart, caption=f"{chart.caption}{remark}")
        yield stamped(whole, of_these) if labels else whole


def charts_beside(document: Document) -> Iterator[Chart]:
    """Yield the charts that a single result alone has: maps of it."""
    result = document.result
    if isinstance(result, BEffFigures | BEffIoFigures):
        return
    charts = [maps.bisection(result)] if isinstance(result, BPairsResult) else []
    charts.append(maps.pairs_chart(pair_map(result), check_hosts(document).bad_hosts))
    yield from (chart if result.valid else stamped(chart) for chart in charts if chart)


def every_chart(subject: Subject) -> Iterator[Chart]:
    """Yield the charts of results, and of a single one also those beside. Raises ResultError."""
    yield from charts_of(subject)
    if len(subject.results) == 1:
        yield from charts_beside(subject.results[0].document)


# --- repeated runs of one configuration, which are one line with a band -------------------------


def lines_of(results: Sequence[LabelledResult]) -> Lines[LabelledResult]:
    """Fold runs of one benchmark that were named together and have one configuration.

    A line of several runs has the name of their folder, with that of a run where the same folder
    has several lines.
    """
    folded: list[list[LabelledResult]] = []
    for entry in results:
        if runs := next((runs for runs in folded if _belongs(entry, runs[0])), None):
            runs.append(entry)
        else:
            folded.append([entry])
    several = [runs[0].group for runs in folded if len(runs) > 1]

    def label(runs: Sequence[LabelledResult]) -> str:
        first, is_alone = runs[0], several.count(runs[0].group) == 1
        repeated = first.group if is_alone else f"{first.group}, as {first.label}"
        return _with_buffers(repeated if len(runs) > 1 else first.label, first.document.result)

    return [(label(runs), runs) for runs in folded]


def _with_buffers(name: str, result: AnyResult) -> str:
    """Return the name of a line, with the device that its buffers lay on."""
    buffers = None if isinstance(result, ImportedHead) else result.environment.buffers
    return name if buffers is None else f"{name}, buffers on {buffers.memory}"


def _belongs(entry: LabelledResult, first: LabelledResult) -> bool:
    """Whether it is a repetition, by all that comparing two sides looks at."""
    if not entry.group or entry.group != first.group:
        return False
    a, b = first.document, entry.document
    return a.benchmark == b.benchmark and not differences([a], [b], Use.SAME | Use.REMARK)


def _remarks(given: Lines[Any]) -> str:
    """Say what bands are, and which lines are left out."""
    medians = _MEDIANS if any(len(runs) > 1 for _, runs in given) else ""
    left_out = f" Shown are the first {MOST_RESULTS} of {len(given)} results."
    return f"{medians}{left_out if len(given) > MOST_RESULTS else ''}"


# --- over message and chunk sizes ----------------------------------------------------------------


def overlaid(lines: Lines[Run], rows_of: Callable[[Run], Sequence[Row]]) -> list[Row]:
    """Return the rows of the first lines, each with the name of its line as series."""
    return [
        {**row, "series": label, "text": f"{label}: {row['text']}"}
        for label, runs in lines[:MOST_RESULTS]
        for run in runs
        for row in rows_of(run)
    ]


def overlay(lines: Lines[Loops]) -> Chart:
    """Draw the average over rings, and over random patterns, of each line."""

    def rows_of(loops: Loops) -> list[Row]:
        on = counted(loops.result.environment.processes, "process")
        return [
            {"panel": name, **row}
            for name, of in loops.groups().items()
            for row in loops.curve(of, f"{on}, {name}")
        ]

    rows, layers = overlaid(lines, rows_of), vl.curves(b_eff.RATE)
    return b_eff.over_sizes("overlay", rows, layers=layers, remarks=_remarks(lines))


def io_overlay(lines: Lines[BEffIoFigures]) -> Chart:
    """Draw a panel for each type and access method with each line."""
    chunks = overlaid(lines, lambda run: chunk_rows(run, best_of(run)))
    rows = [{"panel": f"{row['type']}, {row['access']}", **row} for row in chunks]
    rows.sort(key=lambda row: (row["type"], ACCESSES.index(row["access"])))
    axes = chunk_axes(rows) | vl.coloured(vl.series_in(rows))
    panels = vl.facets(rows, axes, vl.curves(RATE))
    return vl.chart("io_overlay", panels, shortest_s=SHORTEST_S, remarks=_remarks(lines))


# --- values --------------------------------------------------------------------------------------


def values_side_by_side(results: Sequence[LabelledResult]) -> Chart:
    """Draw the value of each result, a panel for each kind that has two or more.

    Repeated runs are one bar. Raises ResultError.
    """
    of: dict[str, list[LabelledResult]] = {}
    for entry in results:
        if vl.positive(main_value(entry.document.result)):
            of.setdefault(value_name(entry.document.result), []).append(entry)
    ends = {"x": {"field": "low"}, "x2": {"field": "high"}, "color": None}
    layers = [*vl.bars(height=10, fillOpacity=0.5), vl.layer("rule", ends, strokeWidth=3)]
    panels = []
    for name, entries in of.items():
        lines = lines_of(entries)
        if len(entries) > 1 and len(lines) <= _MOST_BARS:
            rows = [_bar(*line) for line in lines]
            colour = {"color": vl.coloured([*of], legend=None)["color"]}
            axes = {"x": vl.linear_axis(rows, RATE, name), "y": vl.NAMES, **colour}
            panels += vl.facets(rows, axes, layers, height={"step": 24}, width=vl.WIDTH - 60)
    return vl.chart("values_side_by_side", panels, columns=1)


def _bar(label: str, runs: Sequence[LabelledResult]) -> Row:
    """Return the bar of a result, or of repeated runs, which are all valid or all not."""
    first = runs[0].document
    values = [value for run in runs if (value := main_value(run.document.result)) is not None]
    value, low, high, spread = median(values), min(values), max(values), ""
    if len(values) > 1:
        spread = f", the median of {counted(len(values), 'run')} from {rate(low)} to {rate(high)}"
    elif (repeated := analysis_of(first).spread) and repeated[0].worst:
        low = repeated[0].worst
        spread = f", {rate(low)} by the worst repetition"
    on = counted(value_processes(first.result), "process")
    text = f"{label}: {rate(value)} with {on}{spread}{_stamp(first.result)}"
    row = {"name": label, RATE: value, "low": low, "high": high}
    row["series"] = value_name(first.result)
    return {**row, "text": text, **({} if first.result.valid else {"look": "not valid"})}


def _stamp(result: AnyResult) -> str:
    return "" if result.valid else ", not valid for comparison"


# --- over the number of processes ----------------------------------------------------------------


def over_processes(results: Sequence[LabelledResult]) -> Chart:
    """Draw b_eff and b_eff per process of results, and of the paper's systems; and b_eff / R_max.

    The latter of at least two results that have R_max.
    """
    every = values_of(results)
    comparable = [row for row in every if not row["alone"]]
    beside = [*comparable, *published_rows()] if comparable else []
    balance = [row for row in every if row["byte_per_flop"] is not None]
    for row in balance:
        row["text"] = f"{number(row['byte_per_flop'])} byte/flop; {row['text']}"
    panels = []
    for title, rows, field in (
        ("b_eff", beside, "MBps"),
        ("b_eff per process", beside, "MBps_per_process"),
        ("b_eff / R_max", balance[1:] and balance, "byte_per_flop"),
    ):
        y = vl.log_axis(rows, field, "bandwidth")
        if rows is not beside:
            y = vl.linear_axis(rows, field, "byte/flop", vl.NUMBER)
        axes = {"x": vl.process_axis(rows), "y": y}
        _, line, *_ = vl.curves(field)
        layers = [line, *vl.points(_LARGE)]
        panels += vl.facets([{"panel": title, **row} for row in rows], axes, layers)
    alone = {one.document.result.definition for one in results} & {"3.1"}
    return vl.chart("b_eff_over_processes", panels, alone=[*alone])


def values_of(results: Sequence[LabelledResult]) -> list[Row]:
    """Return b_eff and its balance of each result that has a value, by machine and processes.

    What is not valid is beside the lines.
    """
    rows: list[Row] = []
    for entry in results:
        result = entry.document.result
        total, n = vl.positive(main_value(result)), result.environment.processes
        if not isinstance(result, BEffFigures) or total is None:
            continue
        each = f"{rate(total)}, {rate(total / n)} per process, with {n} processes"
        row: Row = {"processes": n, "MBps": total, "MBps_per_process": total / n}
        row |= {"byte_per_flop": result.summary.balance_bytes_per_flop}
        row |= {"alone": bool(why_alone(result.definition)), "series": _series(entry, result)}
        row |= {} if result.valid else {"look": "beside"}
        rows.append({**row, "text": f"{entry.label}: b_eff {each}{_stamp(result)}"})
    return sorted(rows, key=lambda row: (row["series"], row["processes"]))


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
    return _with_buffers(name, result)


def published_rows() -> Iterator[Row]:
    """Yield the systems of the paper's Table 1 and the value by 3.1, figures as printed."""
    published = published_results()
    line = published.earlier
    for row in (*published.rows, line):
        what = f"definition {line.definition}" if row is line else f"{row.memory} memory"
        total, each = row.b_eff_MBps, row.b_eff_per_process_MBps
        text = (
            f"published: {row.system}, {row.processes} processes, {what}: b_eff"
            f" {as_printed(total)} MB/s, {as_printed(each)} MB/s per process"
        )
        values = {"MBps": total, "MBps_per_process": each, "series": "published systems"}
        yield {"processes": row.processes, **values, "look": "beside", "text": text}


VALUE = "b_eff_io"


def value_over_processes(lines: Lines[BEffIoFigures]) -> Chart:
    """Draw the values of the partitions, a line for each name with its repeated runs.

    Of a single result also the three access methods.
    """
    is_single = sum(len(runs) for _, runs in lines) == 1
    rows: list[Row] = []
    for label, result in ((label, result) for label, results in lines for result in results):
        time = format_duration(result.schedule.time_s)
        name = VALUE if is_single else f"{label}, T = {time}, release {result.definition}"
        for of in sorted(result.partitions, key=lambda partition: partition.processes):
            values = {name: of.values.get(result.definition)}
            values |= {access: of.access.get(access) for access in ACCESSES if is_single}
            for series, value in values.items():
                text = f"{series}: {rate(value)} with {counted(of.processes, 'process')}"
                row = {"processes": of.processes, RATE: value, "series": series, "text": text}
                rows += [] if value is None else [row]
    present, counts = vl.series_in(rows), {row["processes"] for row in rows}
    of_one = (*ACCESSES, VALUE) if is_single else present
    axes = {"x": vl.process_axis(rows), "y": vl.linear_axis(rows, RATE, "bandwidth")}
    axes |= vl.coloured(of_one, present)
    is_compared = len(counts) > 1 or (len(present) > 1 and not is_single)
    panels = vl.facets(rows if is_compared else [], axes, vl.curves(RATE))
    return vl.chart("io_value_over_processes", panels, remarks=_remarks(lines))
