"""The analysis of a result of b_eff: its tables."""

from beff.definition.averages import logavg
from beff.definition.b_eff import measured_of
from beff.definition.b_eff_parts import Slices, areas_of, by_method, by_repetition
from beff.report.tables.table import Column, Row, Table, column, mbps, share, text
from beff.result.b_eff_result import RULES, BEffFigures, BEffResult
from beff.result.bounds import Figure

GROUPS = ("ring", "random")
_SPREAD = ("worst", "average", "best")


def pattern_table(result: BEffResult) -> Table:
    """Show each pattern averaged over the message sizes, by method, at L_max, and its latency."""
    columns = (
        Column("id"),
        text("pattern"),
        text("in the value"),
        mbps("bandwidth"),
        mbps("per process"),
        *(mbps(name) for name in result.methods),
        mbps("at L_max"),
        Column("latency", "µs"),
    )
    rows: list[Row] = []
    for pattern in result.patterns:
        row = (
            pattern.id,
            pattern.name,
            "yes" if pattern.averaged else "no",
            pattern.bandwidth_MBps,
            _divided(pattern.bandwidth_MBps, pattern.processes),
            *(pattern.bandwidth_by_method_MBps.get(name) for name in result.methods),
            pattern.bandwidth_by_size_MBps[-1] if pattern.bandwidth_by_size_MBps else None,
            pattern.latency_us,
        )
        rows.append(row)
        if pattern.release_3_6_by_size_MBps is not None:
            value = pattern.release_3_6_MBps
            shown = (pattern.id, "as release 3.6 has it", "no", value)
            per_process = _divided(value, pattern.processes)
            rows.append((*shown, per_process, *[None] * (len(columns) - len(shown) - 1)))
    title = "Bandwidth by pattern (average over message sizes)"
    return Table("patterns", title, columns, tuple(rows))


def size_table(result: BEffResult) -> Table:
    """Show worst, logarithmic average and best pattern of each group by size, and the value."""
    by_size = measured_of(result).official.by_size
    measured = sorted(set(result.samples.size))
    rows: list[Row] = []
    for index in measured:
        spread: list[Figure] = []
        for group in GROUPS:
            spread += spread_at(result, group, index)
        both = by_size[index].both
        per_process = _divided(both, result.environment.processes)
        rows.append((result.message_sizes_bytes[index], *spread, both, per_process))
    return Table(
        "sizes",
        "Accumulated bandwidth by message size",
        (
            column("message size", "byte"),
            *(mbps(f"{group}, {which}") for group in ("rings", "random") for which in _SPREAD),
            *map(mbps, ("both", "both per process")),
        ),
        tuple(rows),
    )


def spread_at(result: BEffResult, group: str, size: int) -> tuple[Figure, Figure, Figure]:
    """Worst, logarithmic average and best bandwidth of a group of patterns at a size, in MB/s."""
    found = (
        pattern.bandwidth_by_size_MBps[size]
        for pattern in result.patterns
        if pattern.group == group
    )
    values = [value for value in found if value is not None]
    return (min(values), logavg(values), max(values)) if values else (None, None, None)


def method_table(result: BEffResult) -> Table:
    """Show the value by one method alone."""
    return _slice_table("methods", "By method", "method", by_method(measured_of(result)))


def repetition_table(result: BEffResult) -> Table:
    """Show the value by one repetition alone."""
    slices = by_repetition(measured_of(result))
    return _slice_table("repetitions", "By repetition", "repetition", slices)


def area_table(result: BEffResult) -> list[Table]:
    """Take the value apart as the paper does; no table where there is no value."""
    areas = areas_of(result)
    if areas is None:
        return []
    first = "rings" if RULES[result.definition].rings_first else "cyclic grids"
    parts = {first: areas.first, "random rings": areas.random, "b_eff": areas.both}
    columns = (
        text("average over"),
        Column("processes"),
        mbps("asymptotic bandwidth per process"),
        Column("area / rectangle"),
        mbps("product"),
    )
    rows = tuple(
        (name, area.processes, area.asymptotic_MBps, area.share, area.value_MBps)
        for name, area in parts.items()
    )
    notes = (
        "Area under the bandwidth over the 21 sizes at equal distances, over the rectangle with the"
        " asymptotic bandwidth, which is that at L_max; both averaged logarithmically over the"
        " patterns.",
    )
    return [Table("area", "The value as an area under the curve", columns, rows, notes)]


def time_table(result: BEffResult) -> Table:
    """Show where the elapsed time went."""
    a = result.accounting
    parts = [
        ("elapsed", a.elapsed_s),
        ("loops", a.loops_s),
        ("latency", a.latency_s),
        ("warm-up", a.warm_up_s),
        ("preparation and checks", a.preparation_and_checks_s),
        ("waiting and barriers", a.unaccounted_s),
    ]
    rows = [(name, s, s / a.elapsed_s if a.elapsed_s > 0 else None) for name, s in parts]
    columns = (text("part"), column("time", "s"), share("share"))
    return Table("time", "Time", columns, tuple(rows))


def analysis_tables(result: BEffFigures) -> list[Table]:
    """Return all tables that the samples give; none for a result without samples."""
    if not isinstance(result, BEffResult) or not len(result.samples):
        return []
    return [
        pattern_table(result),
        size_table(result),
        *area_table(result),
        method_table(result),
        repetition_table(result),
        time_table(result),
    ]


def _slice_table(name: str, title: str, what: str, slices: Slices) -> Table:
    names = ("b_eff", "rings", "random", "at L_max")
    columns = (text(what), *map(mbps, names), Column("best in"))
    rows = tuple(
        (name, value.both, value.first, value.random, figures.at_lmax.both, best_in)
        for name, figures, best_in in slices
        for value in (figures.b_eff,)
    )
    return Table(name, title, columns, rows)


def _divided(figure: Figure, count: int) -> Figure:
    return None if figure is None else figure / count
