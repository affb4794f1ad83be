"""A table as data, and how its cells are written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from beff.result.numbers import MISSING, measured, number, percent, rate_unit
from beff.result.plain_text import one_line

Cell = str | int | float | None
Row = tuple[Cell, ...]

_RATE = "MB/s"


@dataclass(frozen=True)
class Column:
    """A column; `unit` may be empty, and that of a rate is MB/s. `write` makes text of a number."""

    title: str
    unit: str = ""
    write: Callable[[float], str] = number
    is_text: bool = False

    def show(self, cell: Cell) -> str:
        """Write a cell."""
        if cell is None:
            return MISSING
        if isinstance(cell, str):
            return cell
        return str(cell) if isinstance(cell, int) and self.write is number else self.write(cell)

    @property
    def heading(self) -> str:
        """Title and unit in one line."""
        return f"{self.title} [{self.unit}]" if self.unit else self.title


def text(title: str) -> Column:
    """Return a column of words."""
    return Column(title, is_text=True)


def mbps(title: str) -> Column:
    """Return a column of bandwidths in MB/s, shown in the unit that suits the table."""
    return Column(title, _RATE)


def column(title: str, unit: str) -> Column:
    """Return a column of figures; sizes and durations carry the unit in each cell."""
    if unit in ("byte", "s", "min"):
        return Column(title, write=lambda cell: measured(cell, unit))
    return Column(title, "µs" if unit == "us" else unit)


def share(title: str) -> Column:
    """Return a column of shares, written in per cent."""
    return Column(title, write=lambda cell: percent(cell, 1))


@dataclass(frozen=True)
class Table:
    """Rows of equal length under columns.

    `name` is unique within the tables of a result and fit for an anchor. `marks` are those of the
    first rows: `own` of the report's own results among others, `good`, `bad` or `open`. Rates stay
    in MB/s where `scaled` is false, as beside figures of papers, whose digits another unit loses.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    scaled: bool = True

    @property
    def heads(self) -> tuple[Column, ...]:
        """The columns as shown: all rates in one unit, which suits the largest."""
        if not self.scaled:
            return self.columns
        rates = [
            abs(cell)
            for row in self.rows
            for column, cell in zip(self.columns, row, strict=True)
            if column.unit == _RATE and isinstance(cell, int | float)
        ]
        length, unit = rate_unit(max(rates, default=1.0))

        def shown(column: Column) -> Column:
            return replace(column, unit=unit, write=lambda value: number(value / length))

        return tuple(shown(one) if one.unit == _RATE else one for one in self.columns)

    @property
    def own_rows(self) -> int:
        """How many rows, the first ones, are the report's own."""
        return self.marks.count("own")

    def mark(self, row: int) -> str:
        """Return what a row is marked as; empty for most."""
        return self.marks[row] if row < len(self.marks) else ""

    def shown(self) -> list[list[str]]:
        """Return all cells as they are written."""
        heads = self.heads
        return [
            [one_line(column.show(cell)) for column, cell in zip(heads, row, strict=True)]
            for row in self.rows
        ]


@dataclass(frozen=True)
class TableGroup:
    """A part of a report: a heading of level 1 or 2, sentences, tables."""

    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    level: int = 1


def facts(name: str, title: str, rows: Sequence[tuple[str, str | None]]) -> Table:
    """Return a table of names and what they stand for; rows without a text are left out."""
    known = tuple((key, value) for key, value in rows if value is not None)
    return Table(name, title, (text("what"), text("value")), known)


def own(rows: int) -> tuple[str, ...]:
    """Return the marks of a table whose first rows are the report's own results."""
    return ("own",) * rows
