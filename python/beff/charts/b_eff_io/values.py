"""The values of b_eff_io over processes and pattern types."""

from collections.abc import Sequence
from typing import Any

from beff.charts.b_eff_io.subject import IoSubject
from beff.charts.common.axes import linear_axis, process_axis
from beff.charts.common.panel import Figure, line_panel, thinned
from beff.charts.common.repeated import MEDIANS, median_rows
from beff.charts.common.vega_lite import Chart, channel, marks
from beff.model.b_eff_io_samples import ACCESSES, TypeKey, Types
from beff.model.numbers import counted, duration, format_duration, format_size, rate

VALUE = "b_eff_io"


def value_over_processes(lines: Sequence[tuple[str, Sequence[IoSubject]]]) -> Figure | None:
    """Draw the values of the partitions, a line for each name with its repeated runs.

    Of a single result also the three access methods.
    """
    single = sum(len(runs) for _, runs in lines) == 1
    folded = (
        median_rows(
            [value_rows(one, with_access=single) for one in runs],
            lambda row: (row["series"], row["processes"]),
            lambda row: f"{row['series']}, {counted(row['processes'], 'process')}",
        )
        for _, runs in lines
    )
    rows = [row for of_line in folded for row in of_line if row["MBps"] is not None]
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
        f" all partitions of a result.{MEDIANS if any('low' in row for row in rows) else ''}",
        _extremes(values),
        line_panel(
            thinned(rows),
            process_axis([row["processes"] for row in rows]),
            linear_axis((row["MBps"] for row in rows), "bandwidth"),
            [*ACCESSES, VALUE] if single else list(dict.fromkeys(row["series"] for row in rows)),
            columns=4 if single else 1,
            size=(560, 320),
            shown=[
                name for name in (*ACCESSES, VALUE) if any(row["series"] == name for row in rows)
            ]
            if single
            else None,
        ),
    )


def value_rows(subject: IoSubject, *, with_access: bool) -> list[dict[str, Any]]:
    """Return the value of each partition, by wish also its averages by access method."""
    result = subject.result
    release = f"release {result.definition}"
    name = VALUE if with_access else f"{subject.label}, {scheduled(subject)}, {release}"
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


def types(subject: IoSubject, partition: int) -> Figure | None:
    """Draw a bar for each type and access method of a partition."""
    rows = type_rows(subject, partition)
    if not rows:
        return None
    access = {"domain": list(ACCESSES)}
    bars: Chart = {
        "x": channel("type:N", title="pattern type", sort=None, axis={"labelAngle": 0}),
        "xOffset": channel("access:N", scale=access),
        "y": linear_axis((row["MBps"] for row in rows), "bandwidth"),
        "color": channel("access:N", title=None, scale=access),
        "description": "text:N",
    }
    chart = {**marks("bar", rows, bars), "width": 560, "height": 300}
    name = counted(subject.result.partitions[partition].processes, "process")
    return Figure(
        f"io_types_{partition}",
        f"Pattern types with {name}",
        "Accumulated bandwidth of each pattern type and access method: all bytes divided by the"
        " time from opening to closing the file.",
        "; ".join(f"{row['type']}, {row['access']}: {rate(row['MBps'])}" for row in rows)
        + f". {subject.averages(partition)}",
        chart,
    )


def type_rows(subject: IoSubject, partition: int) -> list[dict[str, Any]]:
    """Return the bandwidth of the types that were measured as a whole."""
    names = {entry.type: f"{entry.type}: {entry.name}" for entry in subject.result.type_names}
    table = subject.result.types
    rows = []
    moved = _moved(table) if isinstance(table, Types) else {}
    for key, bandwidth in table.bandwidth_of.items():
        if key.partition != partition or bandwidth is None:
            continue
        rows.append(
            {
                "type": names[key.type],
                "access": key.access,
                "MBps": bandwidth,
                "text": f"type {names[key.type]}, {key.access}: {rate(bandwidth)}"
                + moved.get(key, ""),
            }
        )
    return sorted(rows, key=lambda row: (row["type"], ACCESSES.index(row["access"])))


def _moved(table: Types) -> dict[TypeKey, str]:
    return {
        row.key: f"; {format_size(row.bytes)} in {duration(row.open_to_close_s)} from open to close"
        for row in table.rows()
    }
