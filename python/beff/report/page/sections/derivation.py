"""How a value came about, from the top down to what decided each of its parts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from beff.definition.b_eff_parts import areas_of
from beff.definition.b_eff_patterns import OFFICIAL_METHODS
from beff.report.page.sections.contents import Data, ShownResult
from beff.report.parts.partitions import deciding, in_detail
from beff.report.tables.table import Column, Row, Table, column, mbps, text
from beff.result.b_eff_io_result import BEffIoFigures, BEffIoResult, PrintedType
from beff.result.b_eff_io_result import Pattern as IoPattern
from beff.result.b_eff_io_samples import ACCESSES, Access, TypeKey, TypeRow
from beff.result.b_eff_result import RULES, BEffResult, Pattern
from beff.result.bounds import OFFICIAL_TYPES, Figure
from beff.result.numbers import BYTES_PER_MB, counted, duration, format_chunk, number, rate
from beff.result.samples import Cell, FileSample, LoopSample, best_loops, file_samples


@dataclass(frozen=True)
class Step:
    """A part of a value: what it is, how much, and how it follows from the steps below it.

    The lowest ones have a table. `pattern` ties it to the samples embedded in the page, `times` is
    what a type took beside its patterns. `value` is empty for what enters no average.
    """

    name: str
    value: str
    formula: str
    steps: Sequence["Step"] = ()
    table: Table | None = None
    is_open: bool = False
    pattern: int | None = None
    times: str = ""


def derivation(shown: ShownResult) -> Data | None:
    """Derive b_eff; `area` is the value as the product that the paper describes."""
    result = shown.result
    if not isinstance(result, BEffResult) or not len(result.samples):
        return None
    best = best_loops(result)
    areas, s = areas_of(result), result.summary
    shares = {} if areas is None else areas.shares
    steps = {p.id: _pattern_step(result, p, best, shares.get(p.id)) for p in result.patterns}
    in_value = [p for p in result.patterns if p.averaged]
    groups = (
        (
            "Rings" if RULES[result.definition].rings_first else "Cyclic grids",
            rate(s.rings_MBps),
            [p for p in in_value if p.group != "random"],
        ),
        ("Random rings", rate(s.random_MBps), [p for p in in_value if p.group == "random"]),
        ("Additional patterns", "", [p for p in result.patterns if not p.averaged]),
    )
    both = None if areas is None else areas.both
    return {
        "number": shown.number,
        "value": rate(s.b_eff_MBps),
        "formula": f"√({rate(s.rings_MBps)} · {rate(s.random_MBps)})",
        "area": both
        and f"{counted(both.processes, 'process')} · {rate(both.asymptotic_MBps)}"
        f" · {number(both.share)}",
        "steps": [
            Step(
                name,
                value,
                f"geometric mean of {counted(len(patterns), 'pattern')}"
                if value
                else f"{counted(len(patterns), 'pattern')}, measured beside the value",
                [steps[p.id] for p in patterns],
                is_open=bool(value),
            )
            for name, value, patterns in groups
            if patterns
        ],
        "samples": len(result.samples),
    }


def _pattern_step(
    result: BEffResult, pattern: Pattern, best: dict[Cell, LoopSample], share: float | None
) -> Step:
    rows = tuple(_size_rows(result, pattern, best))
    columns = (
        column("size", "byte"),
        mbps("best"),
        text("by"),
        *map(Column, ("repetition", "loop length")),
        column("time of the slowest", "s"),
        *map(mbps, result.methods),
    )
    at_lmax = ""
    if share is not None:
        at_lmax = f": {rate(pattern.bandwidth_by_size_MBps[-1])} at L_max · {number(share)}"
    return Step(
        pattern.name,
        rate(pattern.bandwidth_MBps),
        f"mean over {counted(len(rows), 'message size')}{at_lmax}",
        table=Table(f"pattern-{pattern.id}", f"{pattern.name}, by message size", columns, rows),
        pattern=pattern.id,
    )


def _size_rows(result: BEffResult, pattern: Pattern, best: dict[Cell, LoopSample]) -> Iterator[Row]:
    for index, size in enumerate(result.message_sizes_bytes):
        loops = [best.get(Cell(pattern.id, index, method)) for method in result.methods]
        if not any(loops):
            continue
        official = [loop for loop in loops if loop is not None and loop.method in OFFICIAL_METHODS]
        winner = max(official, key=lambda loop: loop.bandwidth_MBps or 0, default=None)
        facts: Row = (None,) * 4
        if winner is not None:
            of_loop = (winner.loop_length, winner.time_max_s)
            facts = (winner.method, winner.repetition + 1, *of_loop)
        of_methods = (None if loop is None else loop.bandwidth_MBps for loop in loops)
        yield (size, pattern.bandwidth_by_size_MBps[index], *facts, *of_methods)


_WEIGHTS = {
    "0.5": "mean over the patterns of all access methods, weighted by their time units U",
    "1": "25 % write + 25 % rewrite + 50 % read",
    "2.1": "√(write, with the rewrite of scatter as its second weight · read)",
}


@dataclass(frozen=True)
class _Types:
    """The types of a result and their samples, looked up by what they belong to."""

    rows: dict[TypeKey, tuple[TypeRow | None, Figure]]
    samples: dict[TypeKey, list[FileSample]]


def derivation_io(shown: ShownResult) -> Data | None:
    """Derive b_eff_io; the steps are those partitions that are opened up, of all in the list."""
    result = shown.result
    if not isinstance(result, BEffIoFigures) or not len(result.samples):
        return None
    best = deciding(result)
    measured = (
        {row.key: row for row in result.types.rows} if isinstance(result, BEffIoResult) else {}
    )
    rows = {key: (measured.get(key), figure) for key, figure in result.types.bandwidth_of.items()}
    samples: dict[TypeKey, list[FileSample]] = {}
    for sample in file_samples(result):
        key = TypeKey(sample.key.partition, sample.pattern.type, sample.key.access)
        samples.setdefault(key, []).append(sample)
    types = _Types(rows, samples)
    partitions = [
        (counted(one.processes, "process"), rate(one.values.get(result.definition)), index == best)
        for index, one in enumerate(result.partitions)
    ]
    return {
        "value": rate(result.summary.b_eff_io_MBps),
        "release": result.definition,
        "partitions": partitions,
        "steps": [
            Step(
                title,
                value,
                _WEIGHTS[result.definition],
                [_access_step(result, types, index, access, decides) for access in ACCESSES],
                is_open=decides,
            )
            for index in in_detail(result)
            for title, value, decides in (partitions[index],)
        ],
    }


def _access_step(
    result: BEffIoFigures, types: _Types, index: int, access: Access, decides: bool
) -> Step:
    """Return the mean over the types of an access method, the scatter type twice."""
    partition = result.partitions[index]
    steps = [
        (entry, _type_step(types, entry, TypeKey(index, entry.type, access), partition.processes))
        for entry in result.type_names
        if TypeKey(index, entry.type, access) in types.rows
    ]
    official = [step.value for entry, step in steps if entry.official]
    whole = len(official) == len(OFFICIAL_TYPES)
    mean = f"(2 · {' + '.join(official)}) / 6" if whole else "no mean"
    of_types = [step for _, step in steps]
    return Step(access, rate(partition.access[access]), mean, of_types, is_open=decides)


def _type_step(types: _Types, entry: PrintedType, key: TypeKey, processes: int) -> Step:
    """Return a type: bytes over the time from opening to closing its file."""
    row, figure = types.rows[key]
    name = entry.name if entry.official else f"{entry.name} (enters no value)"
    samples = types.samples.get(key, [])
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
        return Step(name, rate(figure), "as printed", table=table, times="times not known")
    return Step(
        name if row.error is None else f"{name}: {row.error}",
        rate(figure),
        f"{number(row.bytes / BYTES_PER_MB)} MB / {duration(row.open_to_close_s)}",
        table=table,
        times=f"open {duration(row.open_s)}, close {duration(row.close_s)}",
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
    if sample is None or not isinstance(pattern, IoPattern):
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
