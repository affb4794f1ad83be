"""How far the repetitions of a run differ, beside the best that counts."""

from beff.report.tables.table import Column, Row, Table, TableGroup, text
from beff.result.load import Document
from beff.result.numbers import change, measured, number, percent, rate_unit
from beff.verify.analysis import Spread, ValueSpread, analysis_of

_HELP = (
    "The best repetition counts. Median and worst: the same averages with that repetition of each"
    " loop. Range: from worst to best, as a share of the median. Drift: by the last repetitions"
    " alone, against the first ones.",
)


def spread_sections(document: Document) -> list[TableGroup]:
    """Return the section on the spread; none where nothing was repeated. Raises ResultError."""
    tables = spread_tables(analysis_of(document).spread)
    return [TableGroup("Spread of the repetitions", tables=tables, level=2)] if tables else []


def range_text(document: Document) -> str | None:
    """Return the value by the best, the median and the worst repetition; None where it is unknown.

    Raises ResultError when nothing can be recomputed from the samples.
    """
    value = next(iter(analysis_of(document).spread.values), None)
    if value is None:
        return None
    length, unit = rate_unit(value.official)
    best, median, worst = (
        number(figure / length) for figure in (value.official, value.median, value.worst)
    )
    behind = change(value.median / value.official - 1)
    return f"best {best}, median {median} ({behind}), worst {worst} {unit}"


def spread_tables(found: Spread) -> tuple[Table, ...]:
    """Show each value by other choices of the repetition than the best, and the run's course."""
    if not found.values:
        return ()
    names = ("best, which counts", "median", "worst", "median against best", "range", "drift")
    columns = (text("value"), *map(Column, names))
    rows = tuple(map(_row, found.values))
    values = Table("spread", "Values by other repetitions", columns, rows, _HELP)
    return (values, _course(found)) if found.behind_over_run else (values,)


def _row(value: ValueSpread) -> Row:
    figures = (value.official, value.median, value.worst)
    return (
        value.value.label,
        *(measured(figure, value.value.unit) for figure in figures),
        change(value.median / value.official - 1),
        percent(value.range, 1),
        change(value.drift),
    )


def _course(found: Spread) -> Table:
    """Show the run in parts of equal numbers of loops, each with its distance from the best."""
    columns = tuple(Column(f"part {part}") for part, _ in enumerate(found.behind_over_run, start=1))
    row = tuple(percent(behind, 1) for behind in found.behind_over_run)
    title = "How far loops are behind the best of their repetitions, in the order of the run"
    return Table("course", title, columns, (row,))
