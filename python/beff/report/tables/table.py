"""A table as data, and how its cells are written."""

from collections.abc import Sequence
from dataclasses import dataclass

from beff.model.numbers import short
from beff.model.units import format_size

Cell = str | int | float | None
Row = tuple[Cell, ...]

MISSING = "-"
"""Stands where a figure does not exist."""


@dataclass(frozen=True)
class Column:
    """A column; `unit` may be empty.

    Numbers are written with `decimals`, or where that is None with three or four digits. A column
    of sizes holds bytes and is written as `94.25 MiB`.
    """

    title: str
    unit: str = ""
    decimals: int | None = None
    is_text: bool = False
    is_size: bool = False

    def show(self, cell: Cell) -> str:
        """Write a cell."""
        if cell is None:
            return MISSING
        if isinstance(cell, str):
            return cell
        if self.is_size:
            return format_size(int(cell))
        if isinstance(cell, int):
            return str(cell)
        return short(cell) if self.decimals is None else f"{cell:.{self.decimals}f}"

    @property
    def heading(self) -> str:
        """Title and unit in one line."""
        return f"{self.title} [{self.unit}]" if self.unit else self.title


def text(title: str) -> Column:
    """Return a column of words."""
    return Column(title, is_text=True)


def mbps(title: str) -> Column:
    """Return a column of bandwidths in MB/s with the decimals that the programs print."""
    return Column(title, "MB/s", decimals=3)


@dataclass(frozen=True)
class Table:
    """Rows of equal length under columns.

    `name` is unique within the tables of a result and fit for an anchor. The first `own_rows` are
    the report's own results among others, and worth emphasis.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    own_rows: int = 0

    def shown(self) -> list[list[str]]:
        """Return all cells as they are written."""
        return [
            [column.show(cell) for column, cell in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]


@dataclass(frozen=True)
class Section:
    """A part of a report: a heading of level 1 or 2, sentences, tables."""

    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    level: int = 1


def pairs(name: str, title: str, rows: Sequence[tuple[str, str | None]]) -> Table:
    """Return a table of names and what they stand for; rows without a text are left out."""
    known = tuple((key, value) for key, value in rows if value is not None)
    return Table(name, title, (text("what"), text("value")), known)
