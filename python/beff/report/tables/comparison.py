"""Tables that compare: results side by side, and the changes between two sides."""

from collections.abc import Iterator, Sequence

from beff.judge.compare import why_not
from beff.judge.conditions import Use, differences
from beff.judge.day_rule import Word
from beff.judge.series import JudgedFigure
from beff.report.parts.sentences import cautions_of
from beff.report.tables.table import Column, Row, Table, column, text
from beff.report.tables.validity import stamps
from beff.result.contract import AnyResult
from beff.result.numbers import bound, change, change_from, measured
from beff.verify.common.summary_figures import SummaryFigure, main_value, summary_figures
from beff.verify.subject import LabelledResult

_MOST_COLUMNS = 4
"""Results that stand beside each other; more stand below each other."""
_FACTS = ("validity", "cautions", "definition", "processes")


def side_by_side(entries: Sequence[LabelledResult]) -> Table:
    """Show the figures of results of one benchmark, and each change from the first."""
    first = entries[0].document
    fill = _a_column_each if len(entries) <= _MOST_COLUMNS else _a_row_each
    columns, rows = fill(entries)
    return Table(
        f"side-by-side-{first.benchmark.replace('_', '-')}",
        f"Results of {first.benchmark} side by side",
        tuple(columns),
        tuple(rows),
        tuple(_notes(entries)),
    )


def figures_table(entry: LabelledResult) -> Table:
    """Show the figures of a single result as those of several are shown."""
    columns, rows = _a_column_each([entry])
    name = entry.document.benchmark
    return Table(f"figures-{name.replace('_', '-')}", name, tuple(columns), tuple(rows))


def _facts(entry: LabelledResult) -> Row:
    """Return what stands above the figures, in the order of _FACTS."""
    result = entry.document.result
    cautions = len(cautions_of(entry.document))
    return stamps(entry.document), cautions, result.definition, result.environment.processes


def _a_column_each(entries: Sequence[LabelledResult]) -> tuple[list[Column], list[Row]]:
    labels = [entry.label for entry in entries]
    results = [entry.document.result for entry in entries]
    columns = [text("figure"), *map(Column, labels)]
    columns += [Column(f"{label} against {labels[0]}") for label in labels[1:]]
    blank = ("",) * (len(entries) - 1)
    facts = zip(_FACTS, *map(_facts, entries), strict=True)
    rows: list[Row] = [(*fact, *blank) for fact in facts]
    compared = [not why_not(entries[0].document, entry.document) for entry in entries[1:]]
    for figure in _known(results):
        found = [figure.of(result) for result in results]
        cells = (measured(value, figure.unit) for value in found)
        changes = (
            change_from(found[0], value) if may else ""
            for value, may in zip(found[1:], compared, strict=True)
        )
        rows.append((figure.label_in(results[0]), *cells, *changes))
    return columns, rows


def _a_row_each(entries: Sequence[LabelledResult]) -> tuple[list[Column], list[Row]]:
    """Keep the table narrow: the change of the value alone."""
    document = entries[0].document
    first = document.result
    figures = _known([entry.document.result for entry in entries])
    columns = [text("result"), text("validity"), *map(Column, _FACTS[1:])]
    columns += [column(figure.label_in(first), figure.unit) for figure in figures]
    columns.append(Column(f"{figures[0].label} against the first"))
    rows: list[Row] = [
        (
            entry.label,
            *_facts(entry),
            *(figure.of(entry.document.result) for figure in figures),
            change_from(main_value(first), main_value(entry.document.result))
            if place and not why_not(document, entry.document)
            else "",
        )
        for place, entry in enumerate(entries)
    ]
    return columns, rows


def _known(results: Sequence[AnyResult]) -> list[SummaryFigure]:
    """Return the figures that at least one of the results has; the value in any case."""
    value, *others = summary_figures(results[0])
    return [value, *(one for one in others if any(one.of(r) is not None for r in results))]


def _notes(entries: Sequence[LabelledResult]) -> Iterator[str]:
    """Say what a reader must know before reading a difference as one of the machines."""
    yield "Differences are from the first result; beff compare separates them from noise."
    first = entries[0]
    reasons = [(entry.label, why_not(first.document, entry.document)) for entry in entries[1:]]
    for label, why in reasons:
        if why:
            yield f"No difference is given of {label}, as beff compare gives none: {why[0]}."
    others = ([entry.document] for entry in entries[1:])
    every = Use.SAME | Use.REMARK
    sentences = (one for other in others for one in differences([first.document], other, every))
    names = ", ".join(dict.fromkeys(one.partition(":")[0] for one in sentences))
    if names:
        yield f"The results differ in {names}: a difference is not one of the machines alone."


_MARKS = {Word.SLOWER: "bad", Word.FASTER: "good"}


def changes_table(title: str, rows: Sequence[JudgedFigure]) -> Table:
    """Show the figures of both sides, the change with its interval of 90 %, and what it means."""
    heads = ("A", "B", "change", "between", "and")
    columns = (text("figure"), *map(Column, heads), text("B is"))
    return Table(
        "changes",
        title,
        columns,
        tuple(
            (
                row.figure.name,
                measured(row.figure.of_log(row.change.a), row.figure.unit),
                measured(row.figure.of_log(row.change.b), row.figure.unit),
                change(row.shares[1]),
                *map(bound, row.shares[::2]),
                row.word.value,
            )
            for row in rows
        ),
        marks=tuple(_MARKS.get(row.word, "") for row in rows),
    )
