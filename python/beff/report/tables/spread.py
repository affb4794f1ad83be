"""How far the repetitions of a run differ, beside the best that counts."""

from beff.report.tables.table import Column, Row, Table, TableGroup, text
from beff.result.load import Document
from beff.result.numbers import change, measured, percent
from beff.verify.analysis import Spread, ValueSpread, analysis_of

_HELP = (
    "The best repetition counts. Median and worst: the same averages with that repetition of each"
    " loop. Range: from worst to best, as a share of the median.",
)


def spread_sections(document: Document) -> list[TableGroup]:
    """Return the section on the spread; none where nothing was repeated. Raises ResultError."""
    tables = spread_tables(analysis_of(document).spread)
    return [TableGroup("Spread of the repetitions", tables=tables, level=2)] if tables else []


def spread_tables(found: Spread) -> tuple[Table, ...]:
    """Show each value by other choices of the repetition than the best."""
    if not found.values:
        return ()
    names = ("best, which counts", "median", "worst", "median against best", "range")
    columns = (text("value"), *map(Column, names))
    rows = tuple(map(_row, found.values))
    return (Table("spread", "Values by other repetitions", columns, rows, _HELP),)


def _row(value: ValueSpread) -> Row:
    figures = (value.official, value.median, value.worst)
    return (
        value.value.label,
        *(measured(figure, value.value.unit) for figure in figures),
        change(value.median / value.official - 1),
        percent(value.range, 1),
    )
