"""Charts of b_eff_io: bandwidth over chunk sizes and types, and values over processes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

from beff.charts.axes import linear_axis, log_axis, positive, process_axis
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
    thinned,
)
from beff.charts.repeated import MEDIANS, median_rows
from beff.definition.b_eff_io_patterns import SCATTER
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_io_samples import ACCESSES, Types
from beff.result.bounds import Figure
from beff.result.numbers import MIB, counted, duration, format_duration, format_size, rate
from beff.result.samples import FileSample, file_samples

_KIB = 1 << 10
_OCTAVE = 0.6
_NON_WELLFORMED_STEP = 1.25
_SHORTEST_S = 0.01
"""A tick of the scheduler. What took less shows caches and the clock rather than a bandwidth."""


@dataclass(frozen=True)
class IoSubject:
    """A result of b_eff_io; samples are by the index of the partition."""

    label: str
    result: BEffIoFigures
    samples: Mapping[int, Sequence[FileSample]]

    @property
    def best(self) -> int | None:
        """The partition that gives the value; without one, that with most samples."""
        processes = self.result.summary.processes
        measured = {
            partition: sum(sample.bandwidth_MBps is not None for sample in samples)
            for partition, samples in self.samples.items()
        }
        with_data = [partition for partition, count in measured.items() if count]

        def rank(partition: int) -> tuple[bool, int]:
            chosen = self.result.partitions[partition].processes == processes
            return chosen, measured[partition]

        return max(with_data, key=rank, default=None)

    def processes(self, partition: int) -> str:
        """Say how many processes a partition has."""
        return counted(self.result.partitions[partition].processes, "process")

    def averages(self, partition: int) -> str:
        """Write the averages of the access methods."""
        access = self.result.partitions[partition].access
        known = [name for name in ACCESSES if access.get(name) is not None]
        if not known:
            return "No access method was measured with all types."
        return f"Averages: {', '.join(f'{name} {rate(access[name])}' for name in known)}."


def io_subject(label: str, result: BEffIoFigures) -> IoSubject:
    """Gather what charts need of a result."""
    samples: dict[int, list[FileSample]] = {p: [] for p in range(len(result.partitions))}
    for sample in file_samples(result):
        samples[sample.key.partition].append(sample)
    return IoSubject(label, result, samples)


def by_access_and_type(subject: IoSubject, partition: int) -> Chart | None:
    """Draw a partition as the papers do (IPDPS paper, Figure 3).

    A panel for each access method, below one for each type.
    """
    rows_of = chunk_rows(subject, partition)
    rows = [row for of_line in rows_of.values() for row in of_line]
    if not has_values(rows):
        return None
    x, y = chunk_axis([subject]), log_axis(rows, "bandwidth")
    kinds = list(dict.fromkeys(kind for kind, _ in rows_of))
    of_access = {
        str(access): [row for kind in kinds for row in renamed(rows_of[kind, access], kind)]
        for access in ACCESSES
    }
    of_kind = {
        kind: [row for access in ACCESSES for row in renamed(rows_of[kind, access], access)]
        for kind in kinds
    }

    def panels(
        named: Mapping[str, Sequence[Row]], names: Sequence[str], before: Sequence[str] = ()
    ) -> list[Panel]:
        measured = series_in(row for drawn in named.values() for row in drawn if row.y is not None)
        shown = [name for name in names if name in measured]
        series = [*before, *names]
        return [
            Panel(x, y, lines(drawn), series, (250, 200), title, legend=len(names), shown=shown)
            for title, drawn in named.items()
            if has_values(drawn)
        ]

    # the colours of the access methods are those of no type
    top, below = panels(of_access, kinds, before=ACCESSES), panels(of_kind, ACCESSES)
    return Chart(
        f"io_over_chunk_size_{partition}",
        f"File I/O with {subject.processes(partition)}",
        "Accumulated bandwidth over the size of the chunks on disk, on a pseudo-logarithmic axis:"
        " by access method, below by pattern type. “+8” are the non-wellformed chunks, 8 byte"
        f" longer than the size beside them.{hollow_points(rows)}",
        f"{counted(len(top), 'panel')} by access method, {len(below)} by pattern type."
        f" {subject.averages(partition)}",
        [Part(top, 3), Part(below, 3)],
    )


def chunk_rows(subject: IoSubject, partition: int) -> dict[tuple[str, str], list[Row]]:
    """Return a row for each reported pattern, by pattern type and access method.

    Rows are in the order of the axis. What was not measured has no bandwidth: a gap in its line.
    """
    result = subject.result
    names = {entry.type: entry.name for entry in result.type_names}
    samples = {(s.pattern.number, s.key.access): s for s in subject.samples[partition]}
    reported = [p for p in result.patterns if p.reported and p.l_bytes is not None]
    rows: dict[tuple[str, str], list[Row]] = {}
    for pattern in sorted(reported, key=lambda pattern: (pattern.type, pattern.l_bytes)):
        kind = f"type {pattern.type}: {names[pattern.type]}"
        for access in ACCESSES:
            sample = samples.get((pattern.number, access))
            value = None if sample is None else positive(sample.bandwidth_MBps)
            text = "" if sample is None else f"{kind}, {describe(sample)}"
            look = "hollow" if _is_short(sample) else ""
            if pattern.position is None and pattern.type == SCATTER:
                look = "beside"
            x = axis_position(pattern.l_bytes or 0)
            rows.setdefault((kind, access), []).append(Row(x, value, kind, text, look=look))
    return rows


def hollow_points(rows: Sequence[Row]) -> str:
    """Say which points are drawn hollow."""
    shown = [row for row in rows if row.y is not None]
    short = sum(row.look == "hollow" for row in shown)
    texts = []
    if any(row.look == "beside" for row in shown):
        texts.append(" The hollow point beside the lines is pattern 2, two chunks to a call.")
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


def chunk_axis(subjects: Sequence[IoSubject]) -> Axis:
    """Return the axis with a tick at each chunk size that is reported."""
    patterns = [p for subject in subjects for p in subject.result.patterns]
    sizes = sorted({p.l_bytes for p in patterns if p.reported and p.l_bytes})
    ticks = {
        axis_position(size): format_size(size)
        if size % _KIB == 0 or size < _KIB
        else f"+{size % _KIB}"
        for size in sizes
    }
    return Axis("chunk size", (min(ticks) - 0.5, max(ticks) + 0.5), ticks)


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


VALUE = "b_eff_io"


def value_over_processes(lines_of: Sequence[tuple[str, Sequence[IoSubject]]]) -> Chart | None:
    """Draw the values of the partitions, a line for each name with its repeated runs.

    Of a single result also the three access methods.
    """
    single = sum(len(runs) for _, runs in lines_of) == 1
    rows = [
        row
        for _, runs in lines_of
        for row in median_rows(
            [value_rows(run, with_access=single) for run in runs],
            lambda row: f"{row.series}, {counted(int(row.x), 'process')}",
        )
        if row.y is not None
    ]
    places = {(row.series, row.x) for row in rows}
    if len(places) < 2 or (single and len({row.x for row in rows}) < 2):
        return None
    values = [row for row in rows if not single or row.series == VALUE]
    best = max(values, key=lambda row: row.value, default=None)
    medians = MEDIANS if any(row.low is not None for row in rows) else ""
    x, y = process_axis(float(row.x) for row in rows), linear_axis(rows, "bandwidth")
    of_one = (*ACCESSES, VALUE)
    panel = Panel(
        x,
        y,
        lines(thinned(rows)),
        of_one if single else series_in(rows),
        (560, 320),
        legend=4 if single else 1,
        shown=[name for name in of_one if name in series_in(rows)] if single else None,
    )
    return Chart(
        "io_value_over_processes",
        "b_eff_io over the number of processes",
        "Accumulated bandwidth of each partition over its number of processes. The largest value is"
        " that of the system."
        if single
        else "b_eff_io of each partition over its number of processes; T is the scheduled time of"
        f" all partitions of a result.{medians}",
        "No partition has a value; the averages by access method are shown."
        if best is None
        else f"The largest of {len(values)} values: {best.text}.",
        [Part([panel])],
    )


def value_rows(subject: IoSubject, *, with_access: bool) -> list[Row]:
    """Return the value of each partition, by wish also its averages by access method."""
    result = subject.result
    release = f"release {result.definition}"
    time = format_duration(result.schedule.time_s)
    name = VALUE if with_access else f"{subject.label}, T = {time}, {release}"
    columns: dict[str, list[Figure]] = {
        name: [figures.values.get(result.definition) for figures in result.partitions]
    }
    if with_access:
        for access in ACCESSES:
            columns[access] = [figures.access.get(access) for figures in result.partitions]
    rows = []
    for series, values in columns.items():
        said = f"{VALUE}, {release}" if series == VALUE else series
        for figures, value in zip(result.partitions, values, strict=True):
            text = f"{said}: {rate(value)} with {counted(figures.processes, 'process')}"
            rows.append(Row(figures.processes, value, series, text))
    return sorted(rows, key=lambda row: float(row.x))


def types(subject: IoSubject, partition: int) -> Chart | None:
    """Draw a bar for each type and access method of a partition."""
    rows = type_rows(subject, partition)
    if not rows:
        return None
    x = Axis("pattern type", names=list(dict.fromkeys(str(row.x) for row in rows)))
    panel = Panel(
        x, linear_axis(rows, "bandwidth"), [Marks("group", rows)], ACCESSES, (560, 300), legend=3
    )
    values = "; ".join(f"{row.x}, {row.series}: {rate(row.value)}" for row in rows)
    return Chart(
        f"io_types_{partition}",
        f"Pattern types with {subject.processes(partition)}",
        "Accumulated bandwidth of each pattern type and access method: all bytes divided by the"
        " time from opening to closing the file.",
        f"{values}. {subject.averages(partition)}",
        [Part([panel])],
    )


def type_rows(subject: IoSubject, partition: int) -> list[Row]:
    """Return the bandwidth of the types that were measured as a whole."""
    names = {entry.type: f"{entry.type}: {entry.name}" for entry in subject.result.type_names}
    table = subject.result.types
    moved = {
        row.key: f"; {format_size(row.bytes)} in {duration(row.open_to_close_s)} from open to close"
        for row in (table.rows if isinstance(table, Types) else ())
    }
    rows = [
        Row(
            names[key.type],
            bandwidth,
            key.access,
            f"type {names[key.type]}, {key.access}: {rate(bandwidth)}{moved.get(key, '')}",
        )
        for key, bandwidth in table.bandwidth_of.items()
        if key.partition == partition and bandwidth is not None
    ]
    return sorted(rows, key=lambda row: (row.x, ACCESSES.index(row.series)))
