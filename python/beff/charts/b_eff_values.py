"""b_eff, b_eff per process and balance over the number of processes (slides 22 to 26)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from beff.charts.axes import linear_axis, log_axis, plain_tick, positive, process_axis
from beff.charts.chart import Chart, Marks, Panel, Part, Row, lines, series_in, texts
from beff.charts.repeated import with_buffers
from beff.importers.published import PublishedLine, PublishedRow, as_printed, published_results
from beff.result.b_eff_result import BEffFigures, ImportedBEff
from beff.result.numbers import number, rate
from beff.result.result_parts import Figure
from beff.verify.subject import LabelledResult

_LARGE = 70
"""Area of a point that stands for a whole run."""


@dataclass(frozen=True)
class Value:
    """The row of a value, b_eff over the processes, and its balance in byte/flop."""

    row: Row
    balance: Figure


def beside_published(results: Sequence[LabelledResult]) -> Chart | None:
    """Draw b_eff and b_eff per process of results, and of the paper's systems."""
    own = [value.row for value in values_of(results)]
    if not own:
        return None
    remarks = ""
    if any(row.look for row in own):
        remarks = (
            " Of runs of one machine with equal processes the line goes through the one in the"
            " middle, the slower of two; the others are hollow."
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
    rows = [
        replace(row, y=share, text=f"{number(share)} byte/flop; {row.text}")
        for row, share in ((value.row, value.balance) for value in values_of(results))
        if share is not None
    ]
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


def values_of(results: Sequence[LabelledResult]) -> list[Value]:
    """Return the value of each result that has one, sorted by machine and processes.

    A line goes through the middle of runs with equal ones; the others are beside it.
    """
    values = []
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
        values.append(Value(row, result.summary.balance_bytes_per_flop))

    def place(value: Value) -> tuple[str, float]:
        return value.row.series, float(value.row.x)

    found = []
    for _, equal in groupby(sorted(values, key=place), key=place):
        runs = sorted(equal, key=lambda value: value.row.value)
        middle = runs[(len(runs) - 1) // 2]
        found += [
            value if value is middle else replace(value, row=replace(value.row, look="beside"))
            for value in runs
        ]
    return found


def _series(entry: LabelledResult, result: BEffFigures) -> str:
    """Name the line of a value: the label that the user gave, else what it was measured on.

    That is processor and MPI library; an imported result is alone.
    """
    if entry.is_given:
        name = entry.group
    elif isinstance(result, ImportedBEff):
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
