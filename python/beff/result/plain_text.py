"""Texts of others: without signs that a terminal, a page or a reader would misunderstand."""

import re
import unicodedata
from typing import Any, TypeVar

Cell = TypeVar("Cell")

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LONGEST_MESSAGE = 2_000
_LAST_CONTROL = "\x9f"


def one_line(text: str) -> str:
    """Return a text without signs that end a line, move a cursor, turn its direction or hide.

    A byte of a file name that is not UTF-8 is written by its number.
    """
    return text if text.isprintable() else "".join(map(_plain, text))


def _plain(sign: str) -> str:
    if sign.isprintable():
        return sign
    if "\udc80" <= sign <= "\udcff":
        return f"\\x{ord(sign) - 0xDC00:02x}"
    return " " if sign.isspace() and sign > _LAST_CONTROL else "?"


def message(text: str) -> str:
    """Return what is said of a file: its lines without such signs, and no more than a screen.

    What is longer keeps its beginning and, as a reason stands there, its end.
    """
    said = "\n".join(map(one_line, text.split("\n")))
    half = _LONGEST_MESSAGE // 2
    return said if len(said) <= _LONGEST_MESSAGE else f"{said[: half - 1]}…{said[-half:]}"


def cleaned(read: Any) -> Any:
    """Return what was read of JSON or YAML with every text and name in it as `one_line`."""
    if isinstance(read, str):
        return one_line(read)
    if isinstance(read, dict):
        return {cleaned(name): cleaned(value) for name, value in read.items()}
    if isinstance(read, list) and not {str, dict, list}.isdisjoint(map(type, read)):
        return [cleaned(value) for value in read]
    return read


def csv_cell(cell: Cell) -> Cell | str:
    """Put an apostrophe before a text that a spreadsheet program would compute as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


NAME_LENGTH = 120
TEXT_LENGTH = 500
_UNWANTED = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
"""Control characters, marks that turn the direction of writing, and halves of characters."""


def clean_text(text: str, longest: int) -> str:
    """Return one line of normal form C without what misleads or cannot be stored or seen."""
    line = unicodedata.normalize("NFC", _UNWANTED.sub(" ", text))
    line = "".join(letter for letter in line if unicodedata.category(letter) != "Cf")
    line = " ".join(line.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
