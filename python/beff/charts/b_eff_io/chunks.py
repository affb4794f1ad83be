"""The papers' page of 3 + 5 diagrams: bandwidth over the chunk size (IPDPS paper, Figure 3)."""

from collections.abc import Sequence
from math import log2
from typing import Any

from beff.analysis.b_eff_io.definition import SCATTER
from beff.charts.b_eff_io.subject import IoSubject
from beff.charts.common.axes import labels, log_axis, positive
from beff.charts.common.panel import Figure, has_values, line_panel
from beff.charts.common.vega_lite import Chart, channel, independent
from beff.model.b_eff_io_samples import ACCESSES
from beff.model.numbers import MIB, counted, duration, format_size, rate
from beff.model.samples import FileSample

_KIB = 1 << 10
_OCTAVE = 0.6
_NON_WELLFORMED_STEP = 1.25
_SHORTEST_S = 0.01
"""A tick of the scheduler. What took less shows caches and the clock rather than a bandwidth."""


def by_access_and_type(subject: IoSubject, partition: int) -> Figure | None:
    """Draw a partition: a diagram for each access method, below one for each type."""
    rows = chunk_rows(subject, partition)
    if not has_values(rows):
        return None
    y = log_axis((row["MBps"] for row in rows), "bandwidth")
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    top = _panels(rows, y, panel="access", series="kind", names=kinds)
    below = _panels(rows, y, panel="kind", series="access", names=ACCESSES)
    name = counted(subject.result.partitions[partition].processes, "process")
    return Figure(
        f"io_over_chunk_size_{partition}",
        f"File I/O with {name}",
        "Accumulated bandwidth over the size of the chunks on disk, on a pseudo-logarithmic axis:"
        " by access method, below by pattern type. “+8” are the non-wellformed chunks, 8 byte"
        f" longer than the size beside them.{hollow_points(rows)}",
        f"{counted(len(top), 'diagram')} by access method, {len(below)} by pattern type."
        f" {_extremes(rows)} {subject.averages(partition)}",
        {
            "vconcat": [{"concat": panels, "columns": 3} for panels in (top, below)],
            "spacing": 24,
            **independent("color", "shape"),
        },
    )


def chunk_rows(subject: IoSubject, partition: int) -> list[dict[str, Any]]:
    """Return a row for each reported pattern and access method, in the order of the axis.

    What was not measured has no bandwidth: a gap in its line.
    """
    result, measured = subject.result, subject.samples[partition]
    names = {entry.type: entry.name for entry in result.type_names}
    by_key = {(s.pattern.number, s.key.access): s for s in measured}
    rows = []
    for pattern in result.patterns:
        if not pattern.reported or pattern.l_bytes is None:
            continue
        kind = f"type {pattern.type}: {names[pattern.type]}"
        for access in ACCESSES:
            sample = by_key.get((pattern.number, access))
            rows.append(
                {
                    "chunk": axis_position(pattern.l_bytes),
                    "chunk_bytes": pattern.l_bytes,
                    "MBps": None if sample is None else positive(sample.bandwidth_MBps),
                    "kind": kind,
                    "access": access,
                    "loose": pattern.position is None and pattern.type == SCATTER,
                    "short": _is_short(sample),
                    "text": "" if sample is None else f"{kind}, {describe(sample)}",
                }
            )
    return sorted(rows, key=lambda row: (row["kind"], row["access"], row["chunk_bytes"]))


def hollow_points(rows: Sequence[dict[str, Any]]) -> str:
    """Say which points are drawn hollow."""
    shown = [row for row in rows if row["MBps"] is not None]
    short = sum(row["short"] for row in shown)
    texts = [" The hollow point beside the lines is pattern 2, two chunks to a call."]
    if not any(row["loose"] for row in shown):
        texts.clear()
    if short:
        texts.append(
            f" Hollow points on the lines, {short} of {len(shown)}, moved their data in less than"
            f" {duration(_SHORTEST_S)}: caches and the clock count there."
        )
    return "".join(texts)


def _is_short(sample: FileSample | None) -> bool:
    measured = None if sample is None else sample.sample
    return measured is not None and measured.repetitions > 0 and measured.time_s < _SHORTEST_S


def axis_position(chunk_bytes: int) -> float:
    """Place on the pseudo-logarithmic axis: octaves above 1 KiB, “+8” a step beside its size.

    What is larger than 1 MiB + 8 byte keeps clear of it, however close it is.
    """
    wellformed = chunk_bytes - chunk_bytes % _KIB or chunk_bytes
    place = _OCTAVE * log2(wellformed / _KIB)
    if wellformed != chunk_bytes:
        return place + _NON_WELLFORMED_STEP
    least = _OCTAVE * log2(MIB / _KIB) + 2 * _NON_WELLFORMED_STEP
    return max(place, least) if chunk_bytes > MIB else place


def chunk_axis(rows: Sequence[dict[str, Any]]) -> Chart:
    """Return the axis with a tick at each chunk size that occurs."""
    ticks = {row["chunk"]: row["chunk_bytes"] for row in rows}
    texts = {
        place: format_size(size) if size % _KIB == 0 or size < _KIB else f"+{size % _KIB}"
        for place, size in ticks.items()
    }
    return channel(
        "chunk:Q",
        title="chunk size",
        scale={"domain": [min(ticks) - 0.5, max(ticks) + 0.5], "nice": False},
        axis={
            "values": sorted(ticks),
            "labelExpr": labels(texts),
            "labelFontSize": 10,
            "grid": True,
        },
    )


def describe(sample: FileSample) -> str:
    """Describe a point: chunk and access, bandwidth, and how it was measured."""
    chunk, measured = sample.pattern.l_bytes or 0, sample.sample
    size = format_size(chunk - chunk % _KIB) + f" + {chunk % _KIB} B" if chunk % _KIB else None
    memory = sample.pattern.L_bytes
    call = f" ({format_size(memory)} per call)" if memory and memory != chunk else ""
    shown = (
        f"{sample.key.access}, chunk {size or format_size(chunk)}{call}:"
        f" {rate(sample.bandwidth_MBps)} with {counted(sample.partition.processes, 'process')}"
    )
    if measured is None or measured.repetitions == 0:  # of an imported result
        return shown
    cut = f", stopped by {measured.stop}" if measured.stop in ("space", "max-data") else ""
    return (
        f"{shown}; {counted(measured.repetitions, 'call')}, {format_size(measured.bytes)} in"
        f" {duration(measured.time_s)}{cut}"
    )


def _panels(
    rows: Sequence[dict[str, Any]], y: Chart, *, panel: str, series: str, names: Sequence[str]
) -> list[Chart]:
    """Return a diagram for each `panel`; the colours of the access methods are those of no type."""
    shown = [name for name in names if has_values(row for row in rows if row[series] == name)]
    order = ACCESSES if panel == "access" else sorted({row[panel] for row in rows})
    by_panel = {title: [row for row in rows if row[panel] == title] for title in order}
    return [
        line_panel(
            [row | {"series": row[series]} for row in chosen],
            chunk_axis(rows),
            y,
            names if series == "access" else [*ACCESSES, *names],
            columns=len(names),
            size=(250, 200),
            shown=shown,
            title=title,
        )
        for title, chosen in by_panel.items()
        if has_values(chosen)
    ]


def _extremes(rows: Sequence[dict[str, Any]]) -> str:
    """Write the slowest and the fastest point of each access method."""
    parts = []
    for access in ACCESSES:
        known = [row for row in rows if row["access"] == access and row["MBps"] is not None]
        if known:
            values = [row["MBps"] for row in known]
            parts.append(f"{access} {rate(min(values))} to {rate(max(values))}")
    return f"Single patterns: {'; '.join(parts)}."
