"""Headlines, sentences and tables on a terminal."""

import textwrap
from typing import NoReturn

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from beff.judge.finding import Verdict
from beff.report.parts.headline import Headline
from beff.report.tables.table import Table
from beff.result.plain_text import one_line

_WIDTH_WITHOUT_TERMINAL = 110
_LONGEST_WORD = 20
"""Longer ones, such as paths, may be broken within."""
_STYLES = {"own": "bold", "good": "green", "bad": "red", "open": "yellow"}
_WORDS = {"VALID": "green", "NOT VALID": "red"}
STYLE_OF = {Verdict.GOOD: "green", Verdict.UNKNOWN: "yellow", Verdict.BAD: "red"}


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        """Leave it to the one place where errors become exit codes."""
        raise BrokenPipeError


def output_console() -> Console:
    """Return standard output; wide enough for the tables where it is no terminal."""
    console = _Console(highlight=False)
    if not console.is_terminal:
        console = _Console(highlight=False, width=_WIDTH_WITHOUT_TERMINAL)
    return console


def print_line(line: str, style: str = "") -> None:
    """Print a sentence, which may hold anything, names of hosts among it.

    It is broken between words on a terminal; paths and piped output stay whole.
    """
    console, line = output_console(), one_line(line)
    if console.is_terminal:
        line = textwrap.fill(
            line,
            console.width,
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    console.print(Text(line, style), soft_wrap=True)


def print_whole(line: str) -> None:
    """Print a line to be copied, such as a command: never broken."""
    output_console().print(Text(one_line(line)), soft_wrap=True)


def print_table(table: Table) -> None:
    """Print a table and its notes; on a narrow terminal its lines are longer, never cut."""
    shown, console = rich_table(table), output_console()
    borders = 2 * len(shown.columns) + 2
    least = sum(column.width or column.min_width or 0 for column in shown.columns) + borders
    console.width = max(console.width, least)
    console.print(shown, crop=False)
    for note in table.notes:
        print_line(note, "dim")


def rich_table(table: Table) -> RichTable:
    """Return a table for a terminal; rows are styled as they are marked.

    Words may be broken between lines, figures never.
    """
    shown = RichTable(
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title=Text(table.title),
        title_justify="left",
    )
    rows = table.shown()
    for place, column in enumerate(table.heads):
        cells = [row[place] for row in rows]
        unit = f"\n{column.unit}" if column.unit else ""
        heading = f"{column.title}{unit}"
        parts = " ".join(cells).split() if column.is_text else cells
        widest = max(map(len, [*heading.split(), *parts]))
        shown.add_column(
            Text(heading),
            justify="left" if column.is_text else "right",
            overflow="fold",
            width=None if column.is_text else widest,
            min_width=min(widest, _LONGEST_WORD),
        )
    for number, row in enumerate(rows):
        texts = [Text(cell, _WORDS.get(cell, "")) for cell in row]
        shown.add_row(*texts, style=_STYLES.get(table.mark(number)))
        if number == table.own_rows - 1:
            shown.add_section()
    return shown


def print_headline(headline: Headline, more: str = "--all") -> None:
    """Print it, its lines, and how to see `more` where there is more; nothing of that without."""
    print_line(headline.text, f"bold {STYLE_OF[headline.verdict]}")
    for line in headline.lines:
        print_line(line)
    if headline.command:
        print_whole(headline.command)
    if more and headline.has_more:
        print_whole(f"more: {more}")
