"""The analysis of a result of b_eff_io: its tables."""

from collections.abc import Sequence

from beff.definition.b_eff_io_patterns import TYPE_NAMES, patterns_of, wellformed_pairs
from beff.report.parts.sentences import sentence
from beff.report.tables.table import Column, Row, Table, facts, mbps, share, text
from beff.report.tables.validity import verdict
from beff.result.b_eff_io_result import RELEASES, BEffIoFigures, BEffIoResult
from beff.result.b_eff_io_samples import ACCESSES, Access, SampleKey, TypeKey
from beff.result.bounds import OFFICIAL_TYPES, Figure
from beff.result.numbers import counted, format_chunk, format_size, rate

_US = 1e6
_BESIDE_TABLE = 2
"""Pattern 2 has the chunk size of pattern 3 and stands beside the table."""


def position_table(result: BEffIoFigures, partition: int) -> Table:
    """Show rows by chunk size and access, columns by pattern type, totals beneath each access."""
    bandwidths, totals = result.samples.bandwidth_of, result.types.bandwidth_of
    kinds = result.type_names
    at: dict[tuple[int, int], int] = {}
    chunks: dict[int, int] = {}
    for pattern in result.patterns:
        if pattern.position is not None and pattern.reported:
            at.setdefault((pattern.type, pattern.position), pattern.number)
            chunks.setdefault(pattern.position, pattern.l_bytes or 0)
    rows: list[Row] = []
    for access in (access for access in ACCESSES if access in set(result.samples.access)):
        for position in sorted(chunks):
            cells = [
                bandwidths.get(SampleKey(partition, at[kind.type, position], access))
                if (kind.type, position) in at
                else None
                for kind in kinds
            ]
            rows.append((position, chunks[position], access, *cells))
        of_types = [totals.get(TypeKey(partition, kind.type, access)) for kind in kinds]
        rows.append((None, None, f"total-{access}", *of_types))
    n = result.partitions[partition].processes
    return Table(
        f"partition-{n}",
        f"Bandwidth on {counted(n, 'process')}, from opening to closing in the totals",
        (
            Column("pos"),
            Column("chunk size l", write=format_chunk),
            text("access"),
            *(mbps(f"type {kind.type} {kind.name}") for kind in kinds),
        ),
        tuple(rows),
        notes=_partition_notes(result, partition, bandwidths),
    )


def _partition_notes(
    result: BEffIoFigures, partition: int, bandwidths: dict[SampleKey, Figure]
) -> tuple[str, ...]:
    def listed(bandwidth_of: dict[Access, Figure]) -> str:
        return ", ".join(f"{rate(bandwidth_of.get(access))} {access}" for access in ACCESSES)

    beside = {
        access: bandwidths.get(SampleKey(partition, _BESIDE_TABLE, access)) for access in ACCESSES
    }
    access = result.partitions[partition].access
    notes = [f"Mean over the types, type 0 counted twice: {listed(access)}."]
    if any(value is not None for value in beside.values()):
        notes.append(f"Not in the table is pattern 2: {listed(beside)}.")
    return tuple(notes)


def access_table(result: BEffIoFigures) -> Table:
    """Show the bandwidth of each access method and type, from opening to closing, by partition."""
    kinds, totals = result.type_names, result.types.bandwidth_of
    rows = tuple(
        (
            str(partition.processes) if access == ACCESSES[0] else "",
            access,
            *(totals.get(TypeKey(index, kind.type, access)) for kind in kinds),
            partition.access[access],
            _best_type(partition.types[access]),
        )
        for index, partition in enumerate(result.partitions)
        for access in ACCESSES
    )
    names = (mbps(kind.name) for kind in kinds)
    columns = (Column("processes"), text("access"), *names, mbps("mean"), text("best type"))
    notes = ("The mean counts the first type twice.", f"Procedure {result.procedure}.")
    title = f"b_eff_io on {counted(result.environment.processes, 'process')}, {verdict(result)}"
    return Table("access", f"{title}: by access method and type", columns, rows, notes)


def _best_type(figures: Sequence[Figure]) -> str | None:
    known = [(figure, name) for figure, name in zip(figures, TYPE_NAMES, strict=False) if figure]
    return max(known)[1] if known else None


def weighted_table(result: BEffIoResult) -> Table:
    """Show the average of each access method and type, weighted by the time units of patterns."""
    rows = tuple(
        (
            str(partition.processes) if access == ACCESSES[0] else "",
            access,
            *partition.weighted_MBps[access],
        )
        for partition in result.partitions
        for access in ACCESSES
    )
    columns = (Column("processes"), text("access"), *(mbps(TYPE_NAMES[k]) for k in OFFICIAL_TYPES))
    return Table(
        "weighted", "Averages of the patterns, weighted by their time units U", columns, rows
    )


def alignment_table(result: BEffIoResult) -> Table:
    """Show what is left of the bandwidth with 8 more byte in each chunk, as ratios."""
    table = {pattern.number: pattern for pattern in result.patterns}
    bandwidths = result.samples.bandwidth_of
    pairs_of = wellformed_pairs(
        patterns_of([kind.type for kind in result.type_names], result.schedule.m_part_bytes)
    )
    chunks = sorted({table[number].l_bytes or 0 for number in pairs_of})

    def ratio(partition: int, access: Access, chunk: int, kind: int) -> Figure:
        for plus8, other in pairs_of.items():
            if (table[plus8].type, table[plus8].l_bytes) == (kind, chunk):
                above = bandwidths.get(SampleKey(partition, plus8, access))
                below = bandwidths.get(SampleKey(partition, other, access))
                return above / below if above is not None and below else None
        return None

    rows = tuple(
        (
            partition.processes,
            access,
            chunk,
            *(ratio(index, access, chunk, kind) for kind in OFFICIAL_TYPES),
        )
        for index, partition in enumerate(result.partitions)
        for access in ACCESSES
        for chunk in chunks
    )
    columns = (
        Column("processes"),
        text("access"),
        Column("chunk size l", write=format_chunk),
        *(Column(TYPE_NAMES[kind]) for kind in OFFICIAL_TYPES),
    )
    title = "Non-wellformed (+8) against wellformed chunks: ratio of the bandwidths"
    return Table("alignment", title, columns, rows)


def values_table(result: BEffIoFigures) -> Table:
    """Show the value of every partition by each release, and the maximum."""
    rows: list[Row] = [
        (
            str(partition.processes),
            *(partition.access.get(access) for access in ACCESSES),
            *(partition.values.get(release) for release in RELEASES),
        )
        for partition in result.partitions
    ]
    blank = (None,) * len(ACCESSES)
    rows.append(("maximum", *blank, *(result.summary.values.get(name) for name in RELEASES)))
    return Table(
        "values",
        "Value by number of processes",
        (
            text("processes"),
            *(mbps(access) for access in ACCESSES),
            *(mbps(f"release {release}") for release in RELEASES),
        ),
        tuple(rows),
        notes=(f"The value counts by release {result.definition}.",),
    )


def medium_table(result: BEffIoResult) -> Table:
    """Show what speaks for a bandwidth of disks, or of memory; and the comparison of the data."""
    rows: list[tuple[str, str | None]] = [
        ("medium", sentence(result.medium)),
        ("procedure", result.procedure),
    ]
    for state in result.cache:
        known = [f"{format_size(state.file_bytes)} of files"]
        if state.resident_before_bytes is not None:
            known.append(f"{format_size(state.resident_before_bytes)} in page caches before")
        if state.read_from_disk_bytes is not None:
            known.append(f"{format_size(state.read_from_disk_bytes)} read from disk")
        if state.read_by_devices_bytes is not None:
            known.append(f"{format_size(state.read_by_devices_bytes)} by the devices below")
        rows.append((f"{state.access}, partition {state.partition + 1}", ", ".join(known)))
    check = result.data_check
    compared = f"{check.chunks_checked} chunks compared ({check.mode}), {check.wrong_chunks} wrong"
    rows += [
        ("data", "not compared" if check.mode == "none" else compared),
        ("first wrong byte", check.first_error),
        ("pointers of type 1", result.pointer),
        ("rewrite of", f"{result.schedule.rewrite} types"),
    ]
    return facts("medium", "Medium and data", rows)


def decisions_table(result: BEffIoResult) -> Table:
    """Show what it cost the processes of each partition to agree on when to stop."""
    columns = (
        Column("processes"),
        Column("decisions"),
        Column("cost of one", "µs"),
        share("share of the loops' time"),
    )
    rows = tuple(
        (
            partition.processes,
            partition.decisions,
            _US * partition.decision_cost_s,
            partition.decisions_share or 0.0,
        )
        for partition in result.partitions
    )
    return Table("decisions", "Agreeing on when to stop", columns, rows)


def hint_tables(result: BEffIoResult) -> list[Table]:
    """Show each hint to the MPI library and its answer; no table where none was given."""
    processes = {index: entry.processes for index, entry in enumerate(result.partitions)}
    names = {entry.type: entry.name for entry in result.type_names}
    rows = tuple(
        (
            processes.get(hint.partition),
            hint.access,
            names.get(hint.type, str(hint.type)),
            "on open" if hint.pattern is None else f"pattern {hint.pattern}",
            f"{key}={value}",
            _answer(hint.accepted, key, value),
        )
        for hint in result.hints
        for key, value in hint.requested.items()
    )
    words = ("access", "type", "when", "hint", "answer")
    columns = (Column("processes"), *map(text, words))
    return [Table("hints", "Hints", columns, rows)] if rows else []


def _answer(accepted: dict[str, str], key: str, value: str) -> str:
    if key not in accepted:
        return "not reported by the library"
    return "accepted" if accepted[key] == value else f"became {accepted[key]}"


def analysis_tables(result: BEffIoFigures, chosen: Sequence[int] | None = None) -> list[Table]:
    """Return all tables: the values, the types, one per partition, what was read from where.

    `chosen` are the indices of the partitions that are shown; None stands for all.
    """
    shown = range(len(result.partitions)) if chosen is None else chosen
    tables = [
        values_table(result),
        access_table(result),
        *(position_table(result, index) for index in shown),
    ]
    if not isinstance(result, BEffIoResult):
        return tables
    return [
        *tables,
        weighted_table(result),
        alignment_table(result),
        medium_table(result),
        *hint_tables(result),
        decisions_table(result),
    ]
