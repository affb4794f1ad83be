"""How b_eff_io came about: partitions, access methods, types, patterns."""

from dataclasses import dataclass

from beff.report.page.sections.contents import Section, ShownResult
from beff.report.tables.table import Column, Row, Table, column, mbps, text
from beff.result.b_eff_io_result import BEffIoFigures, BEffIoResult, Pattern, PrintedType
from beff.result.b_eff_io_samples import ACCESSES, Access, TypeKey, TypeRow
from beff.result.bounds import OFFICIAL_TYPES
from beff.result.numbers import BYTES_PER_MB, counted, duration, format_chunk, number, rate
from beff.result.result_parts import Figure
from beff.result.samples import FileSample, file_samples
from beff.verify.b_eff_io.schedule import deciding, in_detail

_WEIGHTS = {
    "0.5": "mean over the patterns of all access methods, weighted by their time units U",
    "1": "25 % write + 25 % rewrite + 50 % read",
    "2.1": "√(write, with the rewrite of scatter as its second weight · read)",
}


@dataclass(frozen=True)
class TypeStep:
    """A type: bytes over the time from opening to closing its file."""

    name: str
    value: str
    formula: str
    times: str
    table: Table


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
        value=rate(result.summary.b_eff_io_MBps),
        release=result.definition,
        partitions_in_all=len(result.partitions),
        overview=[
            (
                counted(entry.processes, "process"),
                rate(entry.values.get(result.definition)),
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
        title=counted(figures.processes, "process"),
        value=rate(figures.values.get(result.definition)),
        formula=_WEIGHTS[result.definition],
        decides=decides,
        accesses=[_access_step(result, rows, index, access) for access in ACCESSES],
    )


def _access_step(result: BEffIoFigures, rows: _Rows, index: int, access: Access) -> AccessStep:
    processes = result.partitions[index].processes
    steps = [
        (entry, _type_step(rows, entry, TypeKey(index, entry.type, access), processes))
        for entry in result.type_names
        if TypeKey(index, entry.type, access) in rows.types
    ]
    official = [step.value for entry, step in steps if entry.official]
    whole = len(official) == len(OFFICIAL_TYPES)
    mean = f"(2 · {' + '.join(official)}) / 6" if whole else "no mean"
    return AccessStep(
        name=access,
        value=rate(result.partitions[index].access[access]),
        formula=mean,
        types=[step for _, step in steps],
    )


def _type_step(rows: _Rows, entry: PrintedType, key: TypeKey, processes: int) -> TypeStep:
    row, figure = rows.types[key]
    name = entry.name if entry.official else f"{entry.name} (enters no value)"
    samples = rows.samples.get(key, [])
    table = Table(
        f"type-{key.partition}-{key.type}-{key.access}",
        f"{entry.name}, {key.access}, {counted(processes, 'process')}",
        _COLUMNS,
        tuple(map(_pattern_row, samples)),
        tuple(
            f"Pattern {one.pattern.number}: {one.sample.error}"
            for one in samples
            if one.sample is not None and one.sample.error is not None
        ),
    )
    if row is None:
        return TypeStep(name, rate(figure), "as printed", "times not known", table)
    return TypeStep(
        name=name if row.error is None else f"{name}: {row.error}",
        value=rate(figure),
        formula=f"{number(row.bytes / BYTES_PER_MB)} MB / {duration(row.open_to_close_s)}",
        times=f"open {duration(row.open_s)}, close {duration(row.close_s)}",
        table=table,
    )


_COLUMNS = (
    Column("pattern"),
    Column("chunk l", write=format_chunk),
    Column("memory L", write=format_chunk),
    *map(Column, ("U", "calls")),
    column("moved", "byte"),
    column("time", "s"),
    mbps("bandwidth"),
    text("ended by"),
)


def _pattern_row(entry: FileSample) -> Row:
    pattern, sample = entry.pattern, entry.sample
    if sample is None or not isinstance(pattern, Pattern):
        blank = (None,) * 5
        return (pattern.number, pattern.l_bytes, *blank, entry.bandwidth_MBps, None)
    return (
        pattern.number,
        "rest" if pattern.l_bytes is None else pattern.l_bytes,
        "rest" if pattern.L_bytes is None else pattern.L_bytes,
        pattern.U,
        sample.repetitions,
        sample.bytes,
        sample.time_s,
        entry.bandwidth_MBps,
        sample.stop if sample.status == "measured" else sample.status,
    )
