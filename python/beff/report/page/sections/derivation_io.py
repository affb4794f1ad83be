"""How b_eff_io came about: partitions, access methods, types, patterns."""

from dataclasses import dataclass

from beff.model.b_eff_io_result import (
    ACCESSES,
    Access,
    BEffIoFigures,
    BEffIoResult,
    Pattern,
    PrintedType,
    TypeKey,
    TypeRow,
)
from beff.model.result_parts import Figure
from beff.model.samples import FileSample, file_samples
from beff.model.units import format_duration, format_size
from beff.report.page.numbers import MISSING, bandwidth, count, grouped
from beff.report.page.partitions import deciding, in_detail
from beff.report.page.section import Section, ShownResult

_OFFICIAL_TYPES = 5
_WEIGHTS = {
    "0.5": "mean over the patterns of all access methods, weighted by their time units U",
    "1": "25 % write + 25 % rewrite + 50 % read",
    "2.1": "√(write, with the rewrite of scatter as its second weight · read)",
}


@dataclass(frozen=True)
class PatternRow:
    """One pattern of a type as cells: number, l, L, U, calls, bytes, time, MB/s, what ended it."""

    cells: list[str]
    error: str | None


@dataclass(frozen=True)
class TypeStep:
    """A type: bytes over the time from opening to closing its file."""

    name: str
    value: str
    formula: str
    times: str
    rows: list[PatternRow]


@dataclass(frozen=True)
class AccessStep:
    """An access method: the mean over its types, the scatter type twice."""

    name: str
    value: str
    formula: str
    types: list[TypeStep]


@dataclass(frozen=True)
class PartitionStep:
    """A number of processes."""

    title: str
    value: str
    formula: str
    decides: bool
    accesses: list[AccessStep]


@dataclass(frozen=True)
class IoDerivation:
    """The steps from the top down; `partitions` are those opened up out of `partitions_in_all`."""

    value: str
    release: str
    partitions_in_all: int
    overview: list[tuple[str, str, bool]]
    partitions: list[PartitionStep]


@dataclass(frozen=True)
class _Rows:
    """The rows of a result, looked up by what they belong to."""

    types: dict[TypeKey, tuple[TypeRow | None, Figure]]
    samples: dict[TypeKey, list[FileSample]]


def derivation_io(shown: ShownResult, result: BEffIoFigures) -> Section:
    """Build the section from a result of sound structure."""
    best = deciding(result)
    rows = _rows_of(result)
    chosen = in_detail(result)
    data = IoDerivation(
        value=bandwidth(result.summary.b_eff_io_MBps),
        release=result.definition,
        partitions_in_all=len(result.partitions),
        overview=[
            (
                count(entry.processes, "process", "processes"),
                bandwidth(entry.values.get(result.definition)),
                index == best,
            )
            for index, entry in enumerate(result.partitions)
        ],
        partitions=[_partition_step(result, rows, index, index == best) for index in chosen],
    )
    return Section(
        shown.anchor("derivation"), "How the number came about", "derivation_io.html.j2", data
    )


def _rows_of(result: BEffIoFigures) -> _Rows:
    measured = (
        {row.key: row for row in result.types.rows()} if isinstance(result, BEffIoResult) else {}
    )
    types = {key: (measured.get(key), figure) for key, figure in result.types.bandwidth_of.items()}
    samples: dict[TypeKey, list[FileSample]] = {}
    for sample in file_samples(result):
        key = TypeKey(sample.key.partition, sample.pattern.type, sample.key.access)
        samples.setdefault(key, []).append(sample)
    return _Rows(types, samples)


def _partition_step(result: BEffIoFigures, rows: _Rows, index: int, decides: bool) -> PartitionStep:
    figures = result.partitions[index]
    return PartitionStep(
        title=count(figures.processes, "process", "processes"),
        value=bandwidth(figures.values.get(result.definition)),
        formula=_WEIGHTS[result.definition],
        decides=decides,
        accesses=[_access_step(result, rows, index, access) for access in ACCESSES],
    )


def _access_step(result: BEffIoFigures, rows: _Rows, index: int, access: Access) -> AccessStep:
    steps = [
        (entry, _type_step(rows, entry, TypeKey(index, entry.type, access)))
        for entry in result.type_names
        if TypeKey(index, entry.type, access) in rows.types
    ]
    official = [step.value for entry, step in steps if entry.official]
    mean = f"(2 · {' + '.join(official)}) / 6" if len(official) == _OFFICIAL_TYPES else "no mean"
    return AccessStep(
        name=access,
        value=bandwidth(result.partitions[index].access[access]),
        formula=mean,
        types=[step for _, step in steps],
    )


def _type_step(rows: _Rows, entry: PrintedType, key: TypeKey) -> TypeStep:
    row, figure = rows.types[key]
    name = entry.name if entry.official else f"{entry.name} (enters no value)"
    patterns = [_pattern_row(sample) for sample in rows.samples.get(key, [])]
    if row is None:
        return TypeStep(name, bandwidth(figure), "as printed", "times not known", patterns)
    return TypeStep(
        name=name if row.error is None else f"{name}: {row.error}",
        value=bandwidth(figure),
        formula=f"{row.bytes / 1e6:.1f} MB / {row.open_to_close_s:.4g} s",
        times=f"open {format_duration(row.open_s)}, close {format_duration(row.close_s)}",
        rows=patterns,
    )


def _pattern_row(entry: FileSample) -> PatternRow:
    pattern, sample = entry.pattern, entry.sample
    value = bandwidth(entry.bandwidth_MBps)
    if sample is None or not isinstance(pattern, Pattern):
        size = MISSING if pattern.l_bytes is None else chunk(pattern.l_bytes)
        blank = [MISSING] * 5
        return PatternRow([str(pattern.number), size, *blank, value, MISSING], None)
    return PatternRow(
        cells=[
            str(pattern.number),
            "rest" if pattern.l_bytes is None else chunk(pattern.l_bytes),
            "rest" if pattern.L_bytes is None else chunk(pattern.L_bytes),
            str(pattern.U),
            grouped(sample.repetitions),
            format_size(sample.bytes),
            format_duration(sample.time_s),
            value,
            (sample.stop or MISSING) if sample.status == "measured" else sample.status,
        ],
        error=sample.error,
    )


def chunk(size_bytes: int) -> str:
    """Write a chunk size as the papers do: `32 KiB`, `32 KiB + 8`."""
    kib = 1 << 10
    odd = size_bytes % kib
    if size_bytes < kib or odd == 0 or odd % 8 != 0:
        return format_size(size_bytes)
    return f"{format_size(size_bytes - odd)} + {odd}"
