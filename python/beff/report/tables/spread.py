"""How far the repetitions of a run differ (statistics.md), for the text formats."""

from beff.analysis.spread import Spread, spread_of
from beff.model.load import Document
from beff.model.result_parts import Figure
from beff.report.tables.table import Column, Section, Table, text


def spread_sections(document: Document) -> list[Section]:
    """Return the section on the spread; none where nothing was repeated. Raises ResultError."""
    found = spread_of(document)
    if not found.values:
        return []
    return [Section("Spread of the repetitions", tables=(spread_table(found),), level=2)]


def spread_table(found: Spread) -> Table:
    """Show each value by other choices of the repetition than the best."""
    columns = (
        text("value"),
        text("unit"),
        Column("best, which counts", decimals=3),
        Column("median", decimals=3),
        Column("worst", decimals=3),
        Column("median against best", "%", decimals=1),
        Column("range", "%", decimals=1),
        Column("last against first", "%", decimals=1),
    )
    rows = tuple(
        (
            value.value.label,
            value.value.unit,
            value.official,
            value.median,
            value.worst,
            _percent(value.median / value.official - 1),
            _percent(value.range),
            _percent(value.drift),
        )
        for value in found.values
    )
    return Table("spread", "Values by other repetitions", columns, rows)


def _percent(share: Figure) -> Figure:
    return None if share is None else 100 * share
