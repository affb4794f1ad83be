"""The rows of a comparison of two sides as a table."""

from collections.abc import Sequence

from beff.analysis.compare.report import ChangeVerdict, ComparedFigure
from beff.model.numbers import bound, change, measured
from beff.report.tables.table import Column, Table, text

_MARKS = {ChangeVerdict.SLOWER: "bad", ChangeVerdict.FASTER: "good"}


def changes_table(title: str, rows: Sequence[ComparedFigure]) -> Table:
    """Show the figures of both sides, the change with its interval, and what it means."""
    columns = (text("figure"), *map(Column, ("A", "B", "change", "between", "and")), text("B is"))
    return Table(
        "changes",
        title,
        columns,
        tuple(
            (
                row.quantity.name,
                measured(row.a, row.quantity.unit),
                measured(row.b, row.quantity.unit),
                change(row.change),
                *map(bound, row.interval.shares),
                row.verdict.value,
            )
            for row in rows
        ),
        marks=tuple(_MARKS.get(row.verdict, "") for row in rows),
    )
