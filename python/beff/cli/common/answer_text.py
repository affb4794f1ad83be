"""The answer of each result on a terminal: few lines, broken between words, nothing cut."""

import textwrap
from collections.abc import Iterable, Sequence

from rich.text import Text

from beff.cli.common.rich_tables import STYLE_OF, output_console
from beff.report.parts.answer import Answer, answer_of
from beff.result.load import Document
from beff.result.plain_text import one_line
from beff.verify.analysis import Steadiness

LABEL_WIDTH = 11
_BETWEEN_DETAILS = " · "
_STYLES = {Steadiness.QUIET: "green", Steadiness.NOISY: "yellow"}

Atom = tuple[str, str]
"""Words that should stay in one line, and their style."""


def print_answers(
    documents: Sequence[Document],
    more: str = "--all",
    *,
    show_all: bool = False,
    ways_on: bool = True,
) -> None:
    """Print the answer of each result.

    Of several, file and time stand above each. With `ways_on` the command that makes a value of a
    glance follows it. `more` is what shows all.
    """
    console, has_more = output_console(), False
    for document in documents:
        answer = answer_of(document)
        if len(documents) > 1:
            console.print(Text(_which(document), "dim"), soft_wrap=True)
        for line in answer_lines(answer, console.width, show_all=show_all):
            console.print(line, soft_wrap=True)
        headline = answer.headline
        if ways_on and headline.command:
            print_command("", headline.command)
        has_more = has_more or headline.has_more
    if has_more and not show_all:
        print_command("", f"more: {more}")


def print_labelled(label: str, words: str, style: str = "") -> None:
    """Print a line whose label stands in the column of the benchmarks' names."""
    console = output_console()
    for line in flow(label, [(one_line(words), style)], " ", console.width):
        console.print(line, soft_wrap=True)


def print_command(label: str, command: str) -> None:
    """Print a label and a command to be copied: never broken."""
    line = Text().append(label.ljust(LABEL_WIDTH), "bold").append(one_line(command))
    output_console().print(line, soft_wrap=True)


def _which(document: Document) -> str:
    """Name the file, and when it was measured."""
    is_known = getattr(document.result.environment, "started_at", None) is not None
    when = f", {document.started_at:%Y-%m-%d %H:%M} UTC" if is_known else ""
    return f"{one_line(document.source)}{when}"


def answer_lines(answer: Answer, width: int, *, show_all: bool = False) -> list[Text]:
    """Return the lines of one result, each at most `width` wide but for words that are longer."""
    headline = answer.headline
    if not show_all:
        style = f"bold {STYLE_OF[headline.verdict]}"
        lines = flow(answer.benchmark, [(headline.text, style)], " ", width)
        return [
            *lines,
            *(part for one in headline.lines for part in flow("", [(one, "")], " ", width)),
        ]
    lines = flow(answer.benchmark, _head(answer), "   ", width)
    details = [(text, "") for text in answer.details]
    lines += flow("", details, _BETWEEN_DETAILS, width)
    lines += flow("", [(answer.limit, "")] if answer.limit else [], " ", width)
    for caution in answer.cautions:
        lines += flow("", [(f"caution: {caution}", "yellow")], " ", width)
    return lines


def _head(answer: Answer) -> list[Atom]:
    steady = []
    if answer.steadiness != Steadiness.UNKNOWN:
        steady = [(answer.steadiness.value, _STYLES[answer.steadiness])]
    spread = answer.spread if not answer.differ else f"{answer.differ} ({answer.spread})"
    steady += [(spread, "")] if spread else []
    if answer.valid:
        valid = [("VALID", "bold green"), *steady]
    else:
        why = f": {', '.join(answer.reasons)}" if answer.reasons else ""
        valid = [*steady, (f"NOT VALID{why}", "bold red")]
    judged = answer.judged
    hosts = [] if judged is None else [(judged.text, f"bold {STYLE_OF[judged.verdict]}")]
    return [*hosts, (answer.value, "bold"), (answer.on, ""), *valid]


def flow(label: str, atoms: Iterable[Atom], between: str, width: int) -> list[Text]:
    """Return a label and words behind it; further lines begin where the words of the first do."""
    indent = " " * LABEL_WIDTH
    lines = [Text().append(label.ljust(LABEL_WIDTH), "bold")]
    is_empty = True
    for words, style in atoms:
        room = width - len(lines[-1]) - (0 if is_empty else len(between))
        # words that fit no line begin in this one, if at least some of them do
        least = len(words) if len(words) <= width - LABEL_WIDTH else len(words.split(maxsplit=1)[0])
        if not is_empty and least > room:
            lines.append(Text(indent))
            is_empty, room = True, width - LABEL_WIDTH
        if not is_empty:
            lines[-1].append(between)
        first, *rest = _broken(words, room, width - LABEL_WIDTH)
        lines[-1].append(first, style)
        for line in rest:
            lines.append(Text(indent).append(line, style))
        is_empty = False
    return [] if is_empty and not label else lines


def _broken(words: str, first: int, others: int) -> list[str]:
    """Break words between blanks; the first line has so many columns, the others as many."""
    offset = max(0, others - first)
    broken = textwrap.wrap(
        words,
        max(others, 1),
        initial_indent="\0" * offset,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.lstrip("\0") for line in broken] or [""]
