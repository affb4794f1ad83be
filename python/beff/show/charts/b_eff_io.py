"""Charts of b_eff_io: bandwidth over chunk sizes and types."""

from collections import Counter
from collections.abc import Sequence

from beff.definition.b_eff_io_plan import SCATTER
from beff.definition.subject import deciding
from beff.result.b_eff_io_result import BEffIoFigures, file_samples
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.numbers import counted, duration, format_chunk, format_size, rate
from beff.show.charts import spec as vl
from beff.show.charts.spec import Chart, Row, Spec

RATE = "MBps"
SHORTEST_S = 0.01
"""A tick of the scheduler. What took less shows caches and the clock rather than a bandwidth."""


def best_of(result: BEffIoFigures) -> int:
    """Return the partition that gives the value; without one, that with most samples."""
    if (best := deciding(result)) is not None:
        return best
    rows = (row for row in file_samples(result) if row["bandwidth_MBps"] is not None)
    measured = Counter(row["partition"] for row in rows)
    return max(range(len(result.partitions)), key=measured.__getitem__)


def over_chunk_size(result: BEffIoFigures, partition: int) -> Chart:
    """Draw a partition as the papers do (IPDPS paper, Figure 3): a panel for each access method."""
    rows = [
        {"panel": row["access"], **row, "series": row["type"]}
        for row in chunk_rows(result, partition)
    ]
    measured = vl.series_in(row for row in rows if row[RATE] is not None)
    # the colours of the access methods are those of no type
    series = vl.coloured([*ACCESSES, *vl.series_in(rows)], measured)
    rows.sort(key=lambda row: ACCESSES.index(row["access"]))
    panels = vl.facets(rows, chunk_axes(rows) | series, vl.curves())
    count = result.partitions[partition].processes
    return vl.chart(
        "io_over_chunk_size", panels, part=partition, count=count, shortest_s=SHORTEST_S
    )


def chunk_rows(result: BEffIoFigures, partition: int) -> list[Row]:
    """Return a row for each reported pattern and access method.

    Rows are in the order of the axis. What was not measured has no bandwidth: a gap in its line.
    """
    names = {entry.type: f"type {entry.type}: {entry.name}" for entry in result.type_names}
    measured = (row for row in file_samples(result) if row["partition"] == partition)
    samples = {(row["pattern"], row["access"]): row for row in measured}
    reported = [(p.type, p.l_bytes, p) for p in result.patterns if p.reported and p.l_bytes]
    rows = []
    for kind, chunk, pattern in sorted(reported, key=lambda entry: entry[:2]):
        for access in ACCESSES:
            sample = samples.get((pattern.number, access))
            is_beside = pattern.position is None and kind == SCATTER
            row: Row = {"type": names[kind], "access": access, "chunk_bytes": chunk}
            row |= {"chunk": format_chunk(chunk), RATE: None, "text": ""}
            if sample is not None:
                row[RATE] = vl.positive(sample["bandwidth_MBps"])
                row["text"] = f"{names[kind]}, {describe(sample)}"
            if is_beside:
                row["look"] = "beside"
            elif sample and sample["repetitions"] and sample["time_s"] < SHORTEST_S:
                row["look"] = "hollow"
            rows.append(row)
    return rows


def chunk_axes(rows: Sequence[Row]) -> Spec:
    """Return the axes of bandwidth over chunk size; “+8” stands beside the size it follows."""
    chunks = {row["chunk_bytes"]: row["chunk"] for row in rows}
    scale = {"domain": [name for _, name in sorted(chunks.items())]}
    axis = {"labelAngle": 0, "labelExpr": "split(datum.value, ' + ')[1] ? '+8' : datum.value"}
    x = {"field": "chunk", "type": "ordinal", "title": "chunk size", "scale": scale, "axis": axis}
    return {"x": x, "y": vl.log_axis(rows, RATE, "bandwidth")}


def describe(sample: Row) -> str:
    """Describe a point: chunk and access, bandwidth, and how it was measured."""
    chunk, memory = sample["chunk_size_bytes"] or 0, sample["memory_size_bytes"]
    call = f" ({format_size(memory)} per call)" if memory and memory != chunk else ""
    shown = (
        f"{sample['access']}, chunk {format_chunk(chunk)}{call}:"
        f" {rate(sample['bandwidth_MBps'])} with {counted(sample['processes'], 'process')}"
    )
    if not sample["repetitions"]:  # or it was imported
        return shown
    cut = f", stopped by {sample['stop']}" if sample["stop"] in ("space", "max-data") else ""
    return (
        f"{shown}; {counted(sample['repetitions'], 'call')},"
        f" {format_size(sample['transferred_bytes'])} in {duration(sample['time_s'])}{cut}"
    )


def types(result: BEffIoFigures, partition: int) -> Chart:
    """Draw a bar for each access method of each type that was measured as a whole."""
    names = {entry.type: f"{entry.type}: {entry.name}" for entry in result.type_names}
    rows: list[Row] = []
    for sample in result.types.rows():
        if sample.partition == partition and sample.bandwidth_MBps is not None:
            text = f"type {names[sample.type]}, {sample.access}: {rate(sample.bandwidth_MBps)}"
            if hasattr(sample, "open_to_close_s"):
                took = duration(sample.open_to_close_s)
                text += f"; {format_size(sample.bytes)} in {took} from open to close"
            row = {"type": names[sample.type], RATE: sample.bandwidth_MBps, "series": sample.access}
            rows.append({**row, "text": text})
    rows.sort(key=lambda row: (row["type"], ACCESSES.index(row["series"])))
    kinds: Spec = {"field": "type", "type": "nominal", "title": "pattern type"}
    kinds |= {"axis": {"labelAngle": -40, "labelOverlap": False}}
    axes = {"x": kinds, "y": vl.linear_axis(rows, RATE, "bandwidth"), **vl.coloured(ACCESSES)}
    offset = {"field": "series", "type": "nominal", "scale": {"domain": ACCESSES}}
    panels = vl.facets(rows, axes | {"xOffset": offset, "shape": None}, vl.bars())
    count = result.partitions[partition].processes
    return vl.chart("io_types", panels, part=partition, count=count)
