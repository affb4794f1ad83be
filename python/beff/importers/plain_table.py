"""What pairs.csv and figures.csv have in common: the one reader of plain tables.

The first line that is neither empty nor a comment names the columns, in any order and case. Cells
are separated by commas, semicolons or tabs; where by semicolons, numbers may have decimal commas.
"""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from io import StringIO

from beff.importers.printed import Printed
from beff.result.bounds import LARGEST_FIGURE, LONGEST_HOST_NAME

Row = dict[str, str]
"""The cells of a line by the names of their columns."""
_SEPARATORS = ",;\t"
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SHOWN = 40


def headings_of(text: str) -> set[str]:
    """Return the names in the first line of a table, in lower case; none where it is no table."""
    line = _first_line(text)
    try:
        return {name.strip().lower() for name in next(csv.reader([line], delimiter=_between(line)))}
    except csv.Error:
        return set()


def whole(what: str, text: str, most: int) -> int:
    """Read a whole number of a table. Raises ValueError naming what it is."""
    value = int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else -1
    if not 0 <= value <= most:
        raise ValueError(f"{what} is '{text[:_SHOWN]}', not a whole number up to {most:.0e}")
    return value


class PlainTable:
    """A table, read line by line.

    `written` are the headings of its columns by the names under which they are known.
    """

    def __init__(self, printed: Printed, known: Sequence[str]) -> None:
        """Read the headings. Raises ResultError where one is there twice."""
        self._printed = printed
        self._separator = _between(_first_line(printed.text))
        self._rows = self._read()
        self._number = 1
        self._decimal_sign = ""
        self._hosts: dict[str, str] = {}
        self._spellings: set[str] = set()
        self.written: dict[str, str] = {}
        self._headings = next(self._rows)
        names = {name.lower(): name for name in known}
        self._columns = [names.get(heading.lower()) for heading in self._headings]
        for place, (heading, name) in enumerate(
            zip(self._headings, self._columns, strict=True), start=1
        ):
            if name is None:
                what = f"column '{heading}'" if heading else f"column {place}, without a name,"
                printed.remarks.append(f"{what} is left out; known are {', '.join(known)}")
            elif name in self.written:
                raise printed.problem(f"line {self._number}: names '{heading}' twice")
            else:
                self.written[name] = heading

    def each(self, take: Callable[[Row], None]) -> None:
        """Hand over each line. Raises ResultError naming the first that is refused by ValueError.

        The headings may be there again, as in tables that were joined.
        """
        for cells in self._rows:
            if cells == self._headings:
                continue
            try:
                if len(cells) != len(self._columns):
                    raise ValueError(f"has {len(cells)} columns, the headings {len(self._columns)}")
                row = zip(self._columns, cells, strict=True)
                take({name: cell for name, cell in row if name is not None})
            except ValueError as problem:
                raise self._printed.problem(f"line {self._number}: {problem}") from None

    def positive(self, text: str) -> float:
        """Read a figure. Raises ValueError for what is none, or 0, or has another decimal sign."""
        plain = text
        if self._separator == ";" and (sign := "".join(set(text) & set(",."))):
            self._decimal_sign = self._decimal_sign or sign
            if sign != self._decimal_sign:
                raise ValueError(
                    f"'{text[:_SHOWN]}' has not the decimal sign '{self._decimal_sign}' of those"
                    " above"
                )
            plain = text.replace(",", ".")
        value = float(plain) if _NUMBER.fullmatch(plain) else 0.0
        if not 0 < value <= LARGEST_FIGURE:
            raise ValueError(f"'{text[:_SHOWN]}' is no positive number up to {LARGEST_FIGURE:g}")
        return value

    def host(self, text: str) -> str:
        """Return a host's name as it is spelt first: case does not matter in names of hosts.

        Raises ValueError for a name that is too long.
        """
        if len(text) > LONGEST_HOST_NAME:
            raise ValueError(f"'{text[:_SHOWN]}...' is no name of a host")
        first = self._hosts.setdefault(text.lower(), text)
        if text != first and text not in self._spellings:
            self._spellings.add(text)
            self._printed.remarks.append(
                f"line {self._number}: '{text}' and '{first}' are one host"
            )
        return first

    def _read(self) -> Iterator[list[str]]:
        """Yield the cells of lines that hold any. Raises ResultError for what is no line."""
        lines = csv.reader(_lines(self._printed.text), delimiter=self._separator, strict=True)
        try:
            for cells in lines:
                row = [cell.strip() for cell in cells]
                if any(row):
                    yield row
                self._number = lines.line_num + 1
        except csv.Error as problem:
            why = f"line {self._number}: is no line of a table: {problem}"
            raise self._printed.problem(why) from None


def _lines(text: str) -> Iterator[str]:
    """Yield lines as an editor counts them; comments are empty ones."""
    for line in StringIO(text, newline=None):
        yield "\n" if line.lstrip().startswith("#") else line


def _first_line(text: str) -> str:
    return next((line for line in _lines(text) if line.strip()), "")


def _between(line: str) -> str:
    return max(_SEPARATORS, key=line.count)
