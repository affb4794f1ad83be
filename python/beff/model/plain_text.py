"""Texts of others in files that programs read."""

from typing import TypeVar

Cell = TypeVar("Cell")

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def one_line(text: str) -> str:
    """Return a text without signs that end a line, move a cursor or are not shown."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def csv_cell(cell: Cell) -> Cell | str:
    """Put an apostrophe before a text that a spreadsheet program would compute as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
