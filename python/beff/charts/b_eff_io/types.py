"""Bandwidth of each pattern type from opening to closing its file: what the value is made of."""

from typing import Any

import altair as alt

from beff.charts.axes import linear_axis
from beff.charts.b_eff_io.subject import IoSubject
from beff.charts.figure import Figure
from beff.charts.panel import inline
from beff.model.b_eff_io_samples import ACCESSES, TypeKey, Types
from beff.model.numbers import counted, duration, format_size, rate


def types(subject: IoSubject, partition: int) -> Figure | None:
    """Draw a bar for each type and access method of a partition."""
    rows = type_rows(subject, partition)
    if not rows:
        return None
    access = alt.Scale(domain=list(ACCESSES))
    chart = (
        alt.Chart(inline(rows))
        .mark_bar()
        .encode(
            x=alt.X("type:N", title="pattern type", sort=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("access:N", scale=access),
            y=linear_axis((row["MBps"] for row in rows), "bandwidth"),
            color=alt.Color("access:N", title=None, scale=access),
            description="text:N",
        )
        .properties(width=560, height=300)
    )
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
