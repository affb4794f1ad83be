"""How the value of a result came about: the tables of its patterns, sizes, types and methods."""

from collections.abc import Callable
from itertools import groupby
from operator import attrgetter

from beff.definition.b_eff import areas_of, by_method, figure, figures, measured_of
from beff.definition.b_eff_io_plan import TYPE_NAMES
from beff.definition.common import known, logavg
from beff.result.b_eff_io_result import RELEASES, BEffIoFigures, BEffIoResult
from beff.result.b_eff_io_samples import ACCESSES, Access
from beff.result.b_eff_result import RULES, BEffResult, Pattern
from beff.result.bounds import OFFICIAL_TYPES, Figure
from beff.result.contract import AnyResult
from beff.result.numbers import counted, duration, percent, rate
from beff.show.parts.sentences import sentence, verdict
from beff.show.tables.table import Row, Table, facts, field_text, fields_of, table


def analysis_tables(result: AnyResult) -> list[Table]:
    """Return the tables that figures and samples of b_eff and b_eff_io give."""
    tables: list[Table] = []
    if isinstance(result, BEffResult) and len(result.samples):
        tables += [pattern_table(result), size_table(result), area_table(result)]
        tables += [_method_table(result), facts("time", [*fields_of(result.accounting)])]
    elif isinstance(result, BEffIoFigures):
        tables += [values_table(result), access_table(result)]
        tables += [position_table(result, index) for index in range(len(result.partitions))]
    if isinstance(result, BEffIoResult):
        tables += [weighted_table(result), medium_table(result), hint_table(result)]
    return [one for one in tables if one.rows]


# --- b_eff -------------------------------------------------------------------------------------

GROUPS = ("ring", "random")
_NO_OTHERS = 2


def pattern_table(result: BEffResult) -> Table:
    """Show each pattern averaged over the message sizes, by method, at L_max, and its latency.

    Random rings are one row, their average; with two processes, where all are the same exchange,
    so are the rings.
    """
    joined = GROUPS[1:] if result.environment.processes > _NO_OTHERS else GROUPS
    rows: list[Row] = []
    for group, members in groupby(result.patterns, key=attrgetter("group")):
        patterns = [*members]
        figures = [_figures(result, pattern) for pattern in patterns]
        if group in joined:
            averages = (known(logavg, column) for column in zip(*figures, strict=True))
            name = f"{'random rings' if group == 'random' else 'rings'}, average of"
            rows.append((f"{name} {len(patterns)}", "yes", *averages))
        else:
            words = ((one.name, "yes" if one.averaged else "no") for one in patterns)
            rows += [(*word, *of_one) for word, of_one in zip(words, figures, strict=True)]
        blank = (None,) * (len(result.methods) + 2)
        rows += [
            (f"{one.name} as release 3.6 has it", "no", value, value / one.processes, *blank)
            for one in patterns
            if (value := one.release_3_6_MBps) is not None
        ]
    return table("patterns", rows, methods=result.methods)


def _figures(result: BEffResult, pattern: Pattern) -> tuple[Figure, ...]:
    return (
        pattern.bandwidth_MBps,
        _divided(pattern.bandwidth_MBps, pattern.processes),
        *(pattern.bandwidth_by_method_MBps.get(name) for name in result.methods),
        pattern.bandwidth_by_size_MBps[-1] if pattern.bandwidth_by_size_MBps else None,
        pattern.latency_us,
    )


def size_table(result: BEffResult) -> Table:
    """Show worst, logarithmic average and best pattern of each group by size, and the value."""
    by_size = figures(measured_of(result).official.of_sizes.both)
    processes = result.environment.processes
    rows: list[Row] = []
    for index in sorted(set(result.samples.size.tolist())):
        spread: list[Figure] = []
        for group in GROUPS:
            of_group = (one for one in result.patterns if one.group == group)
            every = [one.bandwidth_by_size_MBps[index] for one in of_group]
            values = [rate for rate in every if rate is not None]
            spread += [min(values), logavg(values), max(values)] if values else [None] * 3
        both = (by_size[index], _divided(by_size[index], processes))
        rows.append((result.message_sizes_bytes[index], *spread, *both))
    which_of = ("worst", "average", "best")
    groups = [f"{group}, {which}" for group in ("rings", "random") for which in which_of]
    return table("sizes", rows, groups=groups)


def area_table(result: BEffResult) -> Table:
    """Take the value apart as the paper does; no rows where there is no value."""
    first = "rings" if RULES[result.definition].rings_first else "cyclic grids"
    areas = zip((first, "random rings", "b_eff"), areas_of(result).values(), strict=False)
    rows = [
        (name, area.processes, area.asymptotic_MBps, area.share, area.value_MBps)
        for name, area in areas
    ]
    return table("area", rows)


def _method_table(result: BEffResult) -> Table:
    """Show the value by one method alone."""
    rows = [
        (name, *map(figure, (value.both, value.first, value.random, at_lmax.both)))
        for name, alone in by_method(measured_of(result))
        for value, at_lmax in ((alone.value, alone.of_sizes.at(-1)),)
    ]
    return table("methods", rows)


def _divided(figure: Figure, count: int) -> Figure:
    return None if figure is None else figure / count


# --- b_eff_io ----------------------------------------------------------------------------------

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
        for position, chunk in sorted(chunks.items()):
            numbers = (at.get((kind.type, position), -1) for kind in kinds)
            keys = ((partition, number, access) for number in numbers)
            rows.append((position, chunk, access, *map(bandwidths.get, keys)))
        of_types = [totals.get((partition, kind.type, access)) for kind in kinds]
        rows.append((None, None, f"total-{access}", *of_types))
    n = result.partitions[partition].processes

    def listed(bandwidth_of: dict[Access, Figure]) -> str:
        return ", ".join(f"{rate(bandwidth_of.get(access))} {access}" for access in ACCESSES)

    beside = {one: bandwidths.get((partition, _BESIDE_TABLE, one)) for one in ACCESSES}
    return table(
        "partition",
        rows,
        name=f"partition-{n}",
        on=counted(n, "process"),
        types=[f"type {kind.type} {kind.name}" for kind in kinds],
        means=listed(result.partitions[partition].access),
        beside=listed(beside) if any(one is not None for one in beside.values()) else "",
    )


def _by_access(result: BEffIoFigures, cells: Callable[[int, Access], Row]) -> list[Row]:
    """Return a row for each access method of each partition, behind processes and access."""
    return [
        (str(one.processes) if access == ACCESSES[0] else "", access, *cells(index, access))
        for index, one in enumerate(result.partitions)
        for access in ACCESSES
    ]


def access_table(result: BEffIoFigures) -> Table:
    """Show the bandwidth of each access method and type, from opening to closing, by partition."""
    kinds, totals = result.type_names, result.types.bandwidth_of

    def cells(index: int, access: Access) -> Row:
        of_types = (totals.get((index, kind.type, access)) for kind in kinds)
        return (*of_types, result.partitions[index].access[access])

    return table(
        "access",
        _by_access(result, cells),
        on=counted(result.environment.processes, "process"),
        verdict=verdict(result),
        procedure=result.procedure,
        types=[kind.name for kind in kinds],
    )


def weighted_table(result: BEffIoResult) -> Table:
    """Show the average of each access method and type, weighted by the time units of patterns."""
    weighted = [one.weighted_MBps for one in result.partitions]
    rows = _by_access(result, lambda index, access: tuple(weighted[index][access]))
    return table("weighted", rows, types=[TYPE_NAMES[kind] for kind in OFFICIAL_TYPES])


def values_table(result: BEffIoFigures) -> Table:
    """Show the value of every partition by each release, and the maximum."""
    rows: list[Row] = [
        (str(one.processes), *map(one.access.get, ACCESSES), *map(one.values.get, RELEASES))
        for one in result.partitions
    ]
    blank = (None,) * len(ACCESSES)
    rows.append(("maximum", *blank, *map(result.summary.values.get, RELEASES)))
    releases, definition = RELEASES, result.definition
    return table("values", rows, accesses=ACCESSES, releases=releases, definition=definition)


def medium_table(result: BEffIoResult) -> Table:
    """Show what speaks for a bandwidth of disks, or of memory; the data; and what deciding cost."""
    rows: list[tuple[str, str | None]] = [
        ("medium", sentence(result.medium)),
        ("procedure", result.procedure),
        *(("page caches", field_text(partition)) for partition in result.cache),
        ("comparison of data", field_text(result.data_check)),
        ("pointers of type 1", result.pointer),
        ("rewrite of", f"{result.schedule.rewrite} types"),
    ]
    for partition in result.partitions:
        on, took = counted(partition.processes, "process"), duration(partition.decision_cost_s)
        cost = f"{took}, {percent(partition.decisions_share or 0.0, 1)} of the loops' time"
        rows.append((f"decisions of {on} when to stop", f"{partition.decisions} of {cost}"))
    return facts("medium", rows)


def hint_table(result: BEffIoResult) -> Table:
    """Show each hint to the MPI library and its answer; no rows where none was given."""
    processes = {index: entry.processes for index, entry in enumerate(result.partitions)}
    names = {entry.type: entry.name for entry in result.type_names}
    rows: list[Row] = []
    for hint in result.hints:
        kind = names.get(hint.type, str(hint.type))
        when = "on open" if hint.pattern is None else f"pattern {hint.pattern}"
        for key, value in hint.requested.items():
            answers = {None: "not reported by the library", value: "accepted"}
            answer = hint.accepted.get(key)
            words = f"{key}={value}", answers.get(answer, f"became {answer}")
            rows.append((processes.get(hint.partition), hint.access, kind, when, *words))
    return table("hints", rows)
