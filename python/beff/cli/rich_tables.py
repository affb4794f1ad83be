"""Tables of the reports on a terminal."""

import textwrap

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from beff.report.tables.table import Table

_WIDTH_WITHOUT_TERMINAL = 110
_STYLES = {"own": "bold", "good": "green", "bad": "red", "open": "yellow"}
_WORDS = {"VALID": "green", "NOT VALID": "red"}


def output_console() -> Console:
    """Return standard output; wide enough for the tables where it is no terminal."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH_WITHOUT_TERMINAL)
    return console


def print_line(line: str, style: str = "") -> None:
    """Print a sentence, which may hold anything, names of hosts among it.

    It is broken between words on a terminal; paths and piped output stay whole.
    """
    console = output_console()
    if console.is_terminal:
        line = textwrap.fill(
            line,
            console.width,
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    console.print(Text(line, style), soft_wrap=True)


def print_table(table: Table) -> None:
    """Print a table and its notes."""
    output_console().print(rich_table(table))
    for note in table.notes:
        print_line(note, "dim")


def rich_table(table: Table) -> RichTable:
    """Return a table for a terminal; rows are styled as they are marked."""
    shown = RichTable(
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title=Text(table.title),
        title_justify="left",
    )
    for place, column in enumerate(table.heads):
        unit = f"\n{column.unit}" if column.unit else ""
        shown.add_column(
            Text(f"{column.title}{unit}"),
            justify="left" if column.is_text else "right",
            overflow="fold",
            no_wrap=place == 0,
            min_width=max(map(len, [*column.title.split(), column.unit])),
        )
    for number, row in enumerate(table.shown()):
        cells = (Text(cell, _WORDS.get(cell, "")) for cell in row)
        shown.add_row(*cells, style=_STYLES.get(table.mark(number)))
        if number == table.own_rows - 1:
            shown.add_section()
    return shown
