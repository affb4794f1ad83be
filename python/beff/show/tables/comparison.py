"""Tables that compare: results side by side, and the changes between two sides."""

from collections.abc import Iterator, Sequence
from typing import Any

from beff.definition.subject import LabelledResult, SummaryFigure, summary_figures, value_name
from beff.judge.analysis import stamps
from beff.judge.change import JudgedFigure, Word
from beff.judge.compare import why_not
from beff.judge.conditions import Use, differences
from beff.result.numbers import MISSING, bound, change, change_from, measured
from beff.show.parts.sentences import cautions_of, verdict
from beff.show.tables.table import Row, Table, table

_MOST_COLUMNS = 4
"""Results that stand beside each other; more stand below each other."""
_FACTS = ("validity", "cautions", "definition", "processes")


def side_by_side(entries: Sequence[LabelledResult]) -> Table:
    """Show the figures of results by one name, and of several each change from the first.

    Of many results, which stand below each other, the change of the value alone.
    """
    first, *others = entries
    results = [entry.document.result for entry in entries]
    value, *beside = summary_figures(results[0])
    known = (one for one in beside if any(one.of(result) is not None for result in results))
    figures, name = [value, *known], value_name(results[0])
    alone = {one.label for one in others if why_not([first.document], [one.document])}

    def differs(entry: LabelledResult, figure: SummaryFigure) -> str:
        values = (figure.of(one.document.result) for one in (first, entry))
        return "" if entry is first or entry.label in alone else change_from(*values)

    shown: dict[str, Any] = {"name": f"side-by-side-{name.replace('_', '-').replace(' ', '-')}"}
    shown |= {"benchmark": name, "notes": [*_notes(entries)]}
    if len(entries) > _MOST_COLUMNS:
        every = [
            (_named(one), *_facts(one), *(it.of(result) for it in figures), differs(one, value))
            for one, result in zip(entries, results, strict=True)
        ]
        heads = [f"{figure.label_in(results[0])} [{figure.unit}]" for figure in figures]
        return table("below-each-other", every, figures=heads, value=[value.label], **shown)
    facts = zip(_FACTS, *map(_facts, entries), strict=True)
    rows: list[Row] = [(*fact, *[""] * len(others)) for fact in facts]
    for figure in figures:
        cells = [measured(figure.of(result), figure.unit) for result in results]
        if figure is value:
            cells = [
                cell if one.valid or cell == MISSING else f"{cell}, {verdict(one)}"
                for cell, one in zip(cells, results, strict=True)
            ]
        rows.append((figure.label_in(results[0]), *cells, *(differs(it, figure) for it in others)))
    changes = [f"{entry.label} against {first.label}" for entry in others]
    labels = [entry.label for entry in entries]
    return table("side-by-side", rows, labels=labels, changes=changes, **shown)


def _named(entry: LabelledResult) -> str:
    """Return the label, behind which a value counts only where it is valid."""
    result = entry.document.result
    return entry.label if result.valid else f"{entry.label}, {verdict(result)}"


def _facts(entry: LabelledResult) -> Row:
    """Return what stands above the figures, in the order of _FACTS."""
    result = entry.document.result
    cautions = len(cautions_of(entry.document))
    return stamps(entry.document), cautions, result.definition, result.environment.processes


def _notes(entries: Sequence[LabelledResult]) -> Iterator[str]:
    """Say what a reader must know before reading a difference as one of the machines."""
    if entries[1:]:
        yield "Differences are from the first result; beff compare separates them from noise."
    first, every = entries[0].document, Use.SAME | Use.REMARK
    names: list[str] = []
    for entry in entries[1:]:
        if why := why_not([first], [entry.document]):
            yield f"No difference is given of {entry.label}, as beff compare gives none: {why[0]}."
        sentences = differences([first], [entry.document], every)
        names += (sentence.partition(":")[0] for sentence in sentences)
    if names:
        differing = ", ".join(dict.fromkeys(names))
        yield f"The results differ in {differing}: a difference is not one of the machines alone."


_MARKS = {Word.SLOWER: "bad", Word.FASTER: "good"}


def changes_table(title: str, rows: Sequence[JudgedFigure], name: str = "changes") -> Table:
    """Show the figures of both sides, the change with its interval of 90 %, and what it means."""
    shown: list[Row] = []
    for row in rows:
        figure, both = row.figure, (row.change.a, row.change.b)
        values = (measured(figure.of_log(log), figure.unit) for log in both)
        shares = (change(row.shares[1]), *map(bound, row.shares[::2]))
        shown.append((figure.name, *values, *shares, row.word.value))
    marks = [_MARKS.get(row.word, "") for row in rows]
    return table("changes", shown, name=name, marks=marks, title=title)
