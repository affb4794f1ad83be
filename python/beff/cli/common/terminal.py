"""Headlines, sentences, answers and tables on a terminal: broken between words, nothing cut."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from textwrap import wrap
from typing import TYPE_CHECKING, Literal, NoReturn

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from beff.judge.analysis import Steadiness
from beff.judge.finding import Verdict
from beff.result.errors import one_line
from beff.result.load import Document
from beff.show.parts.sentences import Headline
from beff.show.tables.table import Table

if TYPE_CHECKING:
    from beff.show.parts.answer import Answer

LABEL_WIDTH = 13
"""Columns before an answer, for the name of the benchmark."""
_WIDTH_WITHOUT_TERMINAL = 110
_SHORT, _NO_BREAK = 40, "\N{NO-BREAK SPACE}"
_LONGEST_WORD = 20
"""Longer ones, such as paths, may be broken within."""
_STYLES = {"own": "bold", "good": "green", "bad": "red", "open": "yellow"}
_WORDS = {"VALID": "green", "NOT VALID": "red"}
STYLE_OF = {Verdict.GOOD: "green", Verdict.UNKNOWN: "yellow", Verdict.BAD: "red"}


_wrapped = partial(wrap, break_long_words=False, break_on_hyphens=False)


class _Console(Console):
    def on_broken_pipe(self) -> NoReturn:
        """Leave it to the one place where errors become exit codes."""
        raise BrokenPipeError


def output_console() -> Console:
    """Return standard output; wide enough for the tables where it is no terminal."""
    console = _Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH_WITHOUT_TERMINAL
    return console


def print_lines(lines: Iterable[str], style: str = "") -> None:
    """Print sentences, which may hold anything, names of hosts among it.

    They are broken between words on a terminal; paths and piped output stay whole.
    """
    console = output_console()
    for line in map(one_line, lines):
        is_broken, width = console.is_terminal, console.width
        parts = _wrapped(line, width, subsequent_indent="    ") if is_broken else [line]
        console.print(Text("\n".join(parts), style), soft_wrap=True)


def print_whole(line: str, label: str = "") -> None:
    """Print a line to be copied, such as a command: never broken."""
    text = Text.assemble((label and label.ljust(LABEL_WIDTH), "bold"), one_line(line))
    output_console().print(text, soft_wrap=True)


def print_labelled(label: str, words: str) -> None:
    """Print a line whose label stands in the column of the benchmarks' names."""
    console = output_console()
    for line in _flow(label, one_line(words), "", console.width):
        console.print(line, soft_wrap=True)


def _flow(label: str, words: str, style: str, width: int) -> list[Text]:
    """Return a label and words behind it; further lines begin where the words of the first do."""
    first, later = label.ljust(LABEL_WIDTH), " " * LABEL_WIDTH
    wide = max(width, LABEL_WIDTH + 1)
    lines = _wrapped(words, wide, initial_indent=first, subsequent_indent=later)
    parts = ((line[:LABEL_WIDTH], line[LABEL_WIDTH:].replace(_NO_BREAK, " ")) for line in lines)
    return [Text.assemble((label, "bold"), (part, style)) for label, part in parts]


def print_table(table: Table) -> None:
    """Print a table and its notes; one that is too wide in parts, below each other."""
    console = output_console()
    widths = [column.width or column.min_width or 0 for column in rich_table(table).columns]
    for part in table.parts(widths, console.width - 2, 2):
        console.print(rich_table(part), crop=False)
    print_lines(table.notes, "dim")


def rich_table(table: Table) -> RichTable:
    """Return a table for a terminal; rows are styled as they are marked.

    Words may be broken between lines, figures never.
    """
    shown = RichTable(title=Text(table.title), title_justify="left", box=SIMPLE_HEAD)
    shown.pad_edge, shown.padding = False, (0, 1, 0, 0)
    rows = table.shown()
    for place, column in enumerate(table.columns):
        cells = [row[place] for row in rows]
        heading = f"{column.title}\n{column.unit}" if column.unit else column.title
        parts = " ".join(cells).split() if column.is_text else cells
        widest = max(map(len, [*heading.split(), *parts]))
        width, least = None if column.is_text else widest, min(widest, _LONGEST_WORD)
        side: Literal["left", "right"] = "left" if column.is_text else "right"
        shown.add_column(Text(heading), justify=side, overflow="fold", width=width, min_width=least)
    for number, row in enumerate(rows):
        texts = [Text(cell, _WORDS.get(cell, "")) for cell in row]
        shown.add_row(*texts, style=_STYLES.get(table.mark(number)))
        if number == table.own_rows - 1:
            shown.add_section()
    return shown


def print_headline(headline: Headline, more: str = "--all") -> None:
    """Print it, its lines, and how to see `more` where there is more; nothing of that without."""
    print_lines([headline.text], f"bold {STYLE_OF[headline.verdict]}")
    print_lines(headline.lines)
    if headline.command:
        print_whole(headline.command)
    if more and headline.has_more:
        print_whole(f"more: {more}")


def print_answers(
    documents: Sequence[Document], more: str = "--all", *, show_all: bool = False
) -> None:
    """Print the answer of each result, and the command that makes a value of a glance.

    Of several, file and time stand above each. `more` is what shows all.
    """
    from beff.show.parts.answer import Answer  # noqa: PLC0415 - few commands need it

    console, has_more = output_console(), False
    for document in documents:
        answer = Answer(document)
        if len(documents) > 1:
            is_known = getattr(document.result.environment, "started_at", None) is not None
            when = f", {document.started_at:%Y-%m-%d %H:%M} UTC" if is_known else ""
            console.print(Text(f"{one_line(document.source)}{when}", "dim"), soft_wrap=True)
        for line in answer_lines(answer, console.width, show_all=show_all):
            console.print(line, soft_wrap=True)
        if answer.headline.command:
            print_whole(answer.headline.command, " ")
        has_more = has_more or answer.headline.has_more
    if has_more and not show_all:
        print_whole(f"more: {more}", " ")


def answer_lines(answer: "Answer", width: int, *, show_all: bool = False) -> list[Text]:
    """Return the lines of one result, each at most `width` wide but for words that are longer."""
    style = f"bold {STYLE_OF[answer.headline.verdict]}"
    parts = [(answer.headline.text, style), *((line, "") for line in answer.headline.lines)]
    if show_all:
        parts = [(_joined("   ", _head(answer)), style), (_joined(" · ", answer.details), "")]
        parts += [(answer.limit, ""), *((f"caution: {one}", "yellow") for one in answer.cautions)]
    labels = [answer.name] + [""] * len(parts)
    lines = (_flow(label, *part, width) for label, part in zip(labels, parts, strict=False))
    return [*chain.from_iterable(lines)]


def _joined(between: str, parts: Iterable[str]) -> str:
    """Join parts, of which short ones stay in one line."""
    return between.join(
        part.replace(" ", _NO_BREAK) if len(part) <= _SHORT else part for part in parts if part
    )


def _head(answer: "Answer") -> list[str]:
    why = f": {', '.join(answer.reasons)}" if answer.reasons else ""
    valid = ["VALID" if answer.valid else f"NOT{_NO_BREAK}VALID{why}"]
    known = [] if answer.steadiness == Steadiness.UNKNOWN else [answer.steadiness.value]
    known += [f"{answer.differ} ({answer.spread})" if answer.differ else answer.spread]
    judged = "" if answer.judged is None else answer.judged.text
    return [judged, answer.value, answer.on, *(valid + known if answer.valid else known + valid)]
