"""A comparison as JSON, and its verdict in sentences."""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any

from beff.judge.benchmarks import VALUES
from beff.judge.change import SIDE_BY_SIDE
from beff.judge.compare import ComparedTable, Comparison, Report
from beff.judge.day_rule import Word
from beff.judge.finding import OF_WORD
from beff.judge.series import JudgedFigure
from beff.report.parts.day_text import figure_fields
from beff.report.parts.headline import (
    LONGEST_LINE,
    MOST_LINES,
    Headline,
    clipped,
    fitting,
    listed_after,
)
from beff.result.numbers import change, counted, percent


def as_fields(record: object) -> dict[str, Any]:
    """Return a record of a comparison as json.dumps asks for it. Shares are B / A - 1."""
    if isinstance(record, JudgedFigure):
        return {"name": record.figure.name, "unit": record.figure.unit, **figure_fields(record)}
    if isinstance(record, ComparedTable):
        return {"name": record.name, "decides": record.decides, "rows": record.rows}
    if isinstance(record, Comparison):
        sides, word = record.sides, record.day.word
        return {
            "benchmark": sides.a[0].benchmark,
            "processes": sides.a[0].result.environment.processes,
            "verdict": None if word is None else word.value,
            "runs_a": [run.source for run in sides.a],
            "runs_b": [run.source for run in sides.b],
            "rests_on": "runs" if record.day.by_runs else "days",
            "is_assumed": is_assumed(record),
            "alternated": sides.alternated,
            "one_after_the_other": sides.one_after_the_other,
            **{name: getattr(record, name) for name in _LISTS},
            "tables": record.tables,
        }
    assert isinstance(record, Report)
    fields = {name: getattr(record, name) for name in _OF_REPORT}
    return {"headline": headline_of_report(record).text, "verdict": record.word.value, **fields}


_LISTS = "differences", "remarks", "far_off", "not_compared"
_OF_REPORT = "threshold", "comparisons", "refusals", "unpaired", "copies", "cautions", "disturbed"


def headline_of_report(report: Report) -> Headline:
    """Return the verdict over all comparisons, and what it rests on."""
    lines = tuple(_lines(report))[:MOST_LINES]
    return Headline(OF_WORD[report.word], _text(report), lines)


def _text(report: Report) -> str:
    if report.disturbed:
        return f"inconclusive: {report.disturbed[0]}"
    if not report.comparisons:
        return "A and B cannot be compared"
    if report.word is Word.SLOWER:
        return listed_after("B is slower: ", _named(report, Word.SLOWER))
    if not any(one.values for one in report.comparisons):
        return "inconclusive: no value was measured in all runs"
    threshold = f"{100 * report.threshold:g} %"
    if report.word is Word.OPEN and report.is_whole:
        first = next(one for one in report.comparisons if one.day.word in {Word.OPEN, None})
        value = first.day.worst
        text = f"inconclusive: {_of_figure(value)}"
        seen = percent(value.seen)
        loss = f"a loss below {seen}"
        unseen = f"{loss} would not be seen", f"{loss} is not seen", f"below {seen} unseen"
        return fitting([*(f"{text}, {words}" for words in unseen if value.seen < 1), text])
    text = f"no slowdown of B by {threshold}"
    text = text if report.is_whole else "no slowdown in what was compared"
    faster = _named(report, Word.FASTER)
    return listed_after(f"{text}; faster: ", faster) if faster else text


def _named(report: Report, word: Word) -> list[str]:
    """Name the figures with such a word, each with its change; message sizes are named as one."""
    names = []
    for comparison in report.comparisons:
        for table in comparison.tables:
            rows = [row for row in table.rows if table.decides and row.word is word]
            if rows and table.name != VALUES:
                names.append(_sizes(rows, len(table.rows)))
            else:
                names += map(_of_figure, rows)
    return names


def _of_figure(one: JudgedFigure) -> str:
    return f"{one.figure.name} {change(one.shares[1])}"


def _sizes(rows: Sequence[JudgedFigure], of: int) -> str:
    changes = sorted(row.shares[1] for row in rows)
    first, last = rows[0].figure.name, rows[-1].figure.name
    if len(rows) == 1:
        return f"messages of {first} {change(changes[0])}"
    return (
        f"{len(rows)} of {of} message sizes from {first} to {last}"
        f" {change(changes[0])} to {change(changes[-1])}"
    )


def _lines(report: Report) -> Iterator[str]:
    """Yield what hinders, what it rests on, and what to do next."""
    if report.disturbed:
        yield from report.disturbed[1:]
        yield "next: measure again, alone"
        return
    if report.refusals:
        yield report.refusals[0]
        if not report.comparisons:
            yield "next: --force compares anyway, and lists what differs"
    for comparison in report.comparisons[:1]:
        yield clipped(basis_text(comparison), LONGEST_LINE)
        if is_assumed(comparison):
            by_runs = comparison.day.by_runs
            yield f"next: {_MORE_RUNS if by_runs else _MORE_DAYS}"
        elif comparison.sides.one_after_the_other and comparison.day.by_runs:
            yield "a change of the machine between A and B would look the same"
            yield "next: alternate them (A B A B ...)"


_MORE_RUNS = "measure at least 3 of each side"
_MORE_DAYS = "name days of the machine by --history, or alternate A and B in a day"


def is_assumed(comparison: Comparison) -> bool:
    """Whether too few runs, or days, show how much these differ."""
    return any(one.change.assumed_error > 0 for one in comparison.values[:1])


def basis_text(comparison: Comparison) -> str:
    """Say what the verdict rests on."""
    sides = comparison.sides
    if not comparison.values:
        return "no figure that decides was measured"
    value = comparison.day.figures[0]
    runs = f"{counted(len(sides.a), 'run')} of A and {len(sides.b)} of B"
    if is_assumed(comparison):
        what = "runs" if comparison.day.by_runs else "days"
        return f"{runs} do not show how much {what} differ: it is assumed (--run-noise)"
    if comparison.day.by_runs:
        noise = percent(value.change.noise, 1)
        return f"{runs}: {value.figure.name} differs from run to run by {noise}"
    history = f", {len(sides.history)} of the history" if sides.history else ""
    noise = percent(value.change.error / sqrt(1 + 1 / len(comparison.day.before)), 1)
    return f"{runs}{history}: {value.figure.name} differs from day to day by {noise}"


def order_sentences(comparison: Comparison) -> Iterator[str]:
    """Say what the order of the runs in time leaves open."""
    sides = comparison.sides
    if sides.one_after_the_other and comparison.day.by_runs:
        yield (
            "All runs of one side were made before all of the other: a change of the machine in"
            " between looks the same as one of yours. Alternate them (A B A B ...) to find out."
        )
    if comparison.day.by_runs and not sides.alternated:
        order = (
            "Whether A and B alternated in time is not known"
            if sides.alternated is None
            else "A and B were measured one after the other in a session"
        )
        yield (
            f"{order}, and runs next to each other are alike: the intervals are"
            f" {SIDE_BY_SIDE:g} times as wide as those of sides that alternate."
        )
