"""A table as data, and how its cells are written; the fields of a model as rows."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple

from beff.result.bounds import Record
from beff.result.errors import one_line
from beff.result.numbers import MISSING, format_chunk, measured, number, percent, rate_unit, unit_of
from beff.show.parts.sentences import WORDS, filled

Cell = str | int | float | None
Row = tuple[Cell, ...]

_RATE = "MB/s"


@dataclass(frozen=True)
class Column:
    """A column; `unit` may be empty. `write` makes text of a number."""

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


_KINDS: Mapping[str, tuple[str, Callable[[float], str]]] = {
    **{unit: ("", partial(measured, unit=unit)) for unit in ("byte", "s", "min")},
    "text": ("", number),
    "us": ("µs", number),
    "chunk": ("", format_chunk),
    "share": ("", partial(percent, decimals=1)),
    "times": ("times", "{:.2f}".format),
    "days ago": ("days ago", "{:.0f}".format),
}
"""Unit and writing of columns that are no plain figures; some carry the unit in each cell."""


@dataclass(frozen=True)
class Table:
    """Rows of equal length under columns.

    `name` is unique within the tables of a result and fit for an anchor. `marks` are those of the
    first rows: `own` of the report's own results among others, `good`, `bad` or `open`.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    notes: Sequence[str] = ()
    marks: Sequence[str] = ()

    @property
    def own_rows(self) -> int:
        """How many rows, the first ones, are the report's own."""
        return [*self.marks].count("own")

    def mark(self, row: int) -> str:
        """Return what a row is marked as; empty for most."""
        return self.marks[row] if row < len(self.marks) else ""

    def parts(self, widths: Sequence[int], room: int, gap: int) -> "list[Table]":
        """Return its columns in as many tables as have room, each with the first one.

        `gap` stands behind each column; the notes are those of the last table.
        """
        chosen = [[0]]
        for place in range(1, len(self.columns)):
            wide = sum(widths[one] + gap for one in (*chosen[-1], place))
            if wide > room and len(chosen[-1]) > 1:
                chosen.append([0])
            chosen[-1].append(place)
        parts = [
            replace(
                self,
                columns=[self.columns[one] for one in places],
                rows=[tuple(row[one] for one in places) for row in self.rows],
                notes=self.notes if places is chosen[-1] else (),
            )
            for places in chosen
        ]
        return parts if parts[1:] else [self]

    def shown(self) -> list[list[str]]:
        """Return all cells as they are written."""
        return [
            [one_line(column.show(cell)) for column, cell in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]


class Section(NamedTuple):
    """A part of a report, of a page or a text, which has no diagrams.

    `key` is its anchor in the page. There it stands on the `first` screen, `open` below that,
    `folded`, or folded and only where there is one result. `cards` are answers of results. In a
    text `level` is that of its heading, 1 or 2.
    """

    key: str
    title: str
    sentences: Sequence[str] = ()
    tables: Sequence[Table] = ()
    diagrams: Sequence[Any] = ()
    place: Literal["first", "open", "folded", "alone"] = "folded"
    cards: Sequence[Any] = ()
    level: int = 2


def table(
    key: str,
    rows: Sequence[Row],
    *,
    name: str = "",
    notes: Sequence[str] = (),
    marks: Sequence[str] = (),
    scaled: bool = True,
    **facts: Any,
) -> Table:
    """Return a table whose title, headings and notes the table of sentences has, filled with facts.

    A heading is `title [kind]`: the kind is a unit or one of _KINDS, and may be left out. One that
    names a fact is that of a column for each entry of this list. `notes` come before the others.

    All rates are in one unit, which suits the largest. They stay in MB/s where they are not
    `scaled`, as beside figures of papers, whose digits another unit loses.
    """
    words, headings = WORDS["tables"][key], list[str]()
    for heading in words["heads"]:
        fact = re.search(r"\{(\w+)\}", heading)
        headings += [heading.replace(fact[0], it) for it in facts[fact[1]]] if fact else [heading]
    kinds = [heading.rpartition(" [")[2][:-1] if heading[-1] == "]" else "" for heading in headings]
    rates = [
        abs(cell)
        for row in rows
        for kind, cell in zip(kinds, row, strict=True)
        if kind == _RATE and isinstance(cell, int | float)
    ]
    length, rate = rate_unit(max(rates, default=1.0)) if scaled else (1.0, _RATE)
    written = {**_KINDS, _RATE: (rate, lambda value: number(value / length))}
    columns = [
        Column(
            heading.removesuffix(f" [{kind}]"), *written.get(kind, (kind, number)), kind == "text"
        )
        for heading, kind in zip(headings, kinds, strict=True)
    ]
    below = filter(None, (filled(note, facts) for note in words.get("notes", ())))
    return Table(name or key, filled(words["title"], facts), columns, rows, [*notes, *below], marks)


def facts(key: str, rows: Sequence[tuple[str, str | None]], **shown: Any) -> Table:
    """Return a table of names and what they stand for; rows without a text are left out."""
    return table(key, [(name, value) for name, value in rows if value is not None], **shown)


_IN_TOPOLOGY = {"caches", "packages", "first_node"}
_UNITS = {"MB/s", "s", "byte"}


def fields_of(record: Record) -> Iterator[tuple[str, str]]:
    """Yield name and text of each field of a model that holds something."""
    for name in type(record).model_fields:
        value = getattr(record, name)
        if name == "command_line":
            value = " ".join(value)
        if value not in (None, "", [], {}) and name not in _IN_TOPOLOGY:
            unit = unit_of(name) if unit_of(name) in _UNITS else ""
            label = name.rpartition("_")[0] if unit else name
            yield label.replace("_", " "), field_text(value, unit)


def field_text(value: Any, unit: str = "") -> str:
    """Write what a field of a model holds; a model by the names of its fields."""
    if isinstance(value, Record):
        return ", ".join(f"{name} {text}" for name, text in fields_of(value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return measured(value, unit) if unit or isinstance(value, float) else str(value)
    if isinstance(value, list | tuple):
        between = "; " if isinstance(value[0], Record) else ", "
        return between.join(field_text(one, unit) for one in value)
    return str(value)
