"""A comparison as tables and sentences on the terminal."""

from collections import Counter
from math import log1p

from beff.analysis.compare.report import (
    ChangeVerdict,
    ComparedFigure,
    ComparedTable,
    Comparison,
    Report,
    noise_sentences,
    outcome,
)
from beff.cli.rich_tables import print_line, print_table
from beff.model.numbers import counted
from beff.report.tables.comparison import changes_table

_HINTS_SHOWN = 5
_CAUTIONS_SHOWN = 5


def print_report(report: Report, show_all: bool) -> None:
    """Print what was compared, why not, and the verdict as the last line."""
    for comparison in report.comparisons:
        _print_comparison(comparison, show_all)
    if report.refusals:
        _print_lines("cannot be compared (--force compares anyway):", report.refusals)
    if report.unpaired and report.comparisons:
        _print_lines("not compared:", report.unpaired)
    if report.copies:
        _print_lines("runs that are there twice:", report.copies)
    if report.cautions:
        shown = report.cautions if show_all else report.cautions[:_CAUTIONS_SHOWN]
        _print_lines("cautions:", shown)
        if len(report.cautions) > len(shown):
            print_line(f"  and {len(report.cautions) - len(shown)} more; --all shows them")
    print_line(outcome(report))


def _print_comparison(comparison: Comparison, show_all: bool) -> None:
    a, b = comparison.runs_a, comparison.runs_b
    print_line(f"{comparison.name}: {counted(len(a), 'run')} of A, {counted(len(b), 'run')} of B")
    if comparison.values:
        print_table(changes_table("", comparison.values))
    for sentence in noise_sentences(comparison):
        print_line(sentence)
    if comparison.far_off:
        _print_lines("far off the other runs of their side:", comparison.far_off)
    if comparison.differences:
        _print_lines("should not be compared (--force):", comparison.differences)
    if comparison.remarks:
        _print_lines("not the same on both sides:", comparison.remarks)
    if comparison.not_compared:
        _print_lines("what cannot be compared:", comparison.not_compared)
    for table in comparison.beside_values:
        what = "decides as well" if comparison.decides(table) else "hint"
        print_line(f"  {what}: {_counts(table)}")
        rows = table.rows if show_all else _remarkable(table)
        if rows:
            print_table(changes_table("", rows))
    print()


def _remarkable(table: ComparedTable) -> tuple[ComparedFigure, ...]:
    """Return the slower and faster rows with the largest changes."""
    found = table.with_verdict(ChangeVerdict.SLOWER, ChangeVerdict.FASTER)
    return tuple(sorted(found, key=lambda row: -abs(log1p(row.change)))[:_HINTS_SHOWN])


def _counts(table: ComparedTable) -> str:
    counts = Counter(row.verdict for row in table.rows)
    parts = [f"{counts[verdict]} {verdict.value}" for verdict in ChangeVerdict if counts[verdict]]
    return f"{table.name}: {len(table.rows)} compared, {', '.join(parts)}"


def _print_lines(title: str, lines: tuple[str, ...]) -> None:
    print_line(title)
    for line in lines:
        print_line(f"  {line}")
