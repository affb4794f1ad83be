"""b_eff_io over the number of processes and the scheduled time (IPDPS paper, figures 2 and 4)."""

from collections.abc import Sequence
from typing import Any

from beff.charts.axes import linear_axis, process_axis
from beff.charts.b_eff_io.subject import IoSubject
from beff.charts.figure import Figure
from beff.charts.panel import line_panel, thinned
from beff.model.b_eff_io_samples import ACCESSES
from beff.model.numbers import counted, format_duration, rate


def value_over_processes(subjects: Sequence[IoSubject]) -> Figure | None:
    """Draw the values of the partitions; of a single result also the three access methods."""
    single = len(subjects) == 1
    rows = [row for subject in subjects for row in value_rows(subject, with_access=single)]
    rows = [row for row in rows if row["MBps"] is not None]
    places = {(row["series"], row["processes"]) for row in rows}
    if len(places) < 2 or (single and len({row["processes"] for row in rows}) < 2):
        return None
    values = [row for row in rows if row["is_value"]]
    return Figure(
        "io_value_over_processes",
        "b_eff_io over the number of processes",
        "Accumulated bandwidth of each partition over its number of processes. The largest value is"
        " that of the system."
        if single
        else "b_eff_io of each partition over its number of processes; T is the scheduled time of"
        " all partitions of a result.",
        _extremes(values),
        line_panel(
            thinned(rows),
            process_axis([row["processes"] for row in rows]),
            linear_axis((row["MBps"] for row in rows), "bandwidth"),
            list(dict.fromkeys(row["series"] for row in rows)),
            columns=4 if single else 1,
            size=(560, 320),
        ),
    )


def value_rows(subject: IoSubject, *, with_access: bool) -> list[dict[str, Any]]:
    """Return the value of each partition, by wish also its averages by access method."""
    result = subject.result
    release = f"release {result.definition}"
    name = "b_eff_io" if with_access else f"{subject.label}, {scheduled(subject)}, {release}"
    columns: dict[str, list[float | None]] = {
        name: [figures.values.get(result.definition) for figures in subject.result.partitions]
    }
    if with_access:
        for access in ACCESSES:
            columns[access] = [figures.access.get(access) for figures in subject.result.partitions]
    rows = []
    for series, values in columns.items():
        for figures, value in zip(subject.result.partitions, values, strict=True):
            shown = f"{name}, {release}" if series == name and with_access else series
            rows.append(
                {
                    "series": series,
                    "processes": figures.processes,
                    "MBps": value,
                    "is_value": series == name,
                    "text": f"{shown}: {rate(value)} with {counted(figures.processes, 'process')}",
                }
            )
    return sorted(rows, key=lambda row: row["processes"])


def scheduled(subject: IoSubject) -> str:
    """Write the scheduled time: `T = 30 min`."""
    return f"T = {format_duration(subject.result.schedule.time_s)}"


def _extremes(rows: Sequence[dict[str, Any]]) -> str:
    if not rows:
        return "No partition has a value; the averages by access method are shown."
    best = max(rows, key=lambda row: row["MBps"])
    return f"The largest of {len(rows)} values: {best['text']}."
