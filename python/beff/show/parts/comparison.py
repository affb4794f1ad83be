"""A comparison as JSON, and its verdict in sentences."""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any

from beff.judge.benchmarks import DECIDING, VALUES
from beff.judge.change import JudgedFigure, Word
from beff.judge.compare import Comparison, Report
from beff.judge.finding import OF_WORD
from beff.result.numbers import change, counted, percent
from beff.show.parts import sentences
from beff.show.parts.day_text import figure_fields


def as_fields(record: object) -> dict[str, Any]:
    """Return a record of a comparison as json.dumps asks for it. Shares are B / A - 1."""
    if isinstance(record, JudgedFigure):
        return {"name": record.figure.name, "unit": record.figure.unit, **figure_fields(record)}
    if isinstance(record, Comparison):
        tables = [
            {"name": name, "decides": name in DECIDING, "rows": rows}
            for name, rows in record.tables.items()
        ]
        return {
            "benchmark": record.a[0].benchmark,
            "processes": record.a[0].result.environment.processes,
            "verdict": record.day.word,
            "runs_a": [run.source for run in record.a],
            "runs_b": [run.source for run in record.b],
            "rests_on": "runs" if record.day.by_runs else "days",
            "is_assumed": is_assumed(record),
            "alternated": record.alternated,
            "one_after_the_other": record.one_after_the_other,
            **record.notes,
            "tables": tables,
        }
    assert isinstance(record, Report)
    fields = {"headline": headline_of_report(record).text, "verdict": record.word.value}
    rests_on = {"threshold": record.threshold, "comparisons": record.comparisons}
    return {**fields, **rests_on, **record.notes}


def headline_of_report(report: Report) -> sentences.Headline:
    """Return the verdict over all comparisons, and what it rests on."""
    lines = tuple(_lines(report))[: sentences.MOST_LINES]
    return sentences.Headline(OF_WORD[report.word], _text(report), lines)


def _text(report: Report) -> str:
    if not report.comparisons:
        return "A and B cannot be compared"
    if report.notes["disturbed"]:
        return f"inconclusive: {report.notes['disturbed'][0]}"
    if report.word is Word.SLOWER:
        return sentences.listed_after("B is slower: ", _named(report, Word.SLOWER))
    if not any(one.values for one in report.comparisons):
        return "inconclusive: no value was measured in all runs"
    if report.word is Word.OPEN and report.is_whole:
        first = next(one for one in report.comparisons if one.day.word in {Word.OPEN, None})
        value = first.day.worst
        text, seen = f"inconclusive: {_of_figure(value)}", percent(value.seen)
        loss = f"a loss below {seen}"
        ways = (f"{loss} would not be seen", f"{loss} is not seen", f"below {seen} unseen")
        return sentences.fitting([*(f"{text}, {words}" for words in ways if value.seen < 1), text])
    text = "no slowdown in what was compared"
    if report.is_whole:
        text = f"no slowdown of B by {100 * report.threshold:g} %"
    faster = _named(report, Word.FASTER)
    return sentences.listed_after(f"{text}; faster: ", faster) if faster else text


def _named(report: Report, word: Word) -> list[str]:
    """Name the figures with such a word, each with its change; message sizes are named as one."""
    names: list[str] = []
    for name, table in (each for one in report.comparisons for each in one.tables.items()):
        rows = [row for row in table if row.word is word] if name in DECIDING else []
        if not rows or name == VALUES:
            names += map(_of_figure, rows)
            continue
        first, last = rows[0].figure.name, rows[-1].figure.name
        low, high = (change(end(row.shares[1] for row in rows)) for end in (min, max))
        sizes = f"{len(rows)} of {len(table)} message sizes from {first} to {last} {low} to"
        names.append(f"{sizes} {high}" if rows[1:] else f"messages of {first} {low}")
    return names


def _of_figure(judged: JudgedFigure) -> str:
    return f"{judged.figure.name} {change(judged.shares[1])}"


def _lines(report: Report) -> Iterator[str]:
    """Yield what hinders, what it rests on, and what to do next."""
    if report.notes["disturbed"] and report.comparisons:
        yield from report.notes["disturbed"][1:]
        yield "next: measure again, alone"
        return
    if report.notes["refusals"]:
        yield report.notes["refusals"][0]
        if not report.comparisons:
            yield "next: --force compares anyway, and lists what differs"
    for comparison in report.comparisons[:1]:
        yield sentences.clipped(basis_text(comparison), sentences.LONGEST_LINE)
        if is_assumed(comparison):
            more_days = "name days of the machine by --history, or alternate A and B in a day"
            by_runs = comparison.day.by_runs
            yield f"next: {'measure at least 3 of each side' if by_runs else more_days}"
        elif comparison.one_after_the_other and comparison.day.by_runs:
            yield "a change of the machine between A and B would look the same"
            yield "next: alternate them (A B A B ...)"


def is_assumed(comparison: Comparison) -> bool:
    """Whether too few runs, or days, show how much these differ."""
    return any(one.change.assumed_error > 0 for one in comparison.values[:1])


def basis_text(comparison: Comparison) -> str:
    """Say what the verdict rests on."""
    if not comparison.values:
        return "no figure that decides was measured"
    value = comparison.day.figures[0]
    runs = f"{counted(len(comparison.a), 'run')} of A and {len(comparison.b)} of B"
    if is_assumed(comparison):
        what = "runs" if comparison.day.by_runs else "days"
        return f"{runs} do not show how much {what} differ: assumed (--run-noise)"
    if comparison.day.by_runs:
        noise = percent(value.change.noise, 1)
        return f"{runs}: {value.figure.name} differs from run to run by {noise}"
    history = f", {len(comparison.history)} of the history" if comparison.history else ""
    noise = percent(value.change.error / sqrt(1 + 1 / len(comparison.day.before)), 1)
    return f"{runs}{history}: {value.figure.name} differs from day to day by {noise}"


def notes_of(of: Comparison | Report) -> list[tuple[str, Sequence[str]]]:
    """Return by title what else is to be said of a comparison, or of all together."""
    titles = sentences.WORDS["notes"]
    notes = {title: of.notes.get(name, ()) for name, title in titles.items()}
    if isinstance(of, Report) and not of.comparisons:
        notes["not compared"] = ()  # the refusals say so
    return [(title, lines) for title, lines in notes.items() if lines]
