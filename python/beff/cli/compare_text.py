"""A comparison as tables and sentences on the terminal."""

from collections import Counter

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as TextTable

from beff.analysis.compare.report import Comparison, Report, Row, Table
from beff.analysis.compare.sentences import noise_sentences, outcome, percent, runs
from beff.analysis.compare.verdict import Verdict
from beff.cli.tables import output_console
from beff.model.numbers import short

_HINTS_SHOWN = 5
_CAUTIONS_SHOWN = 5
_STYLES = {Verdict.SLOWER: "red", Verdict.FASTER: "green"}


def print_report(report: Report, show_all: bool) -> None:
    """Print what was compared, why not, and the verdict as the last line."""
    console = output_console()
    for comparison in report.comparisons:
        _print_comparison(console, comparison, show_all)
    if report.refusals:
        _print_lines(console, "cannot be compared (--force compares anyway):", report.refusals)
    if report.unpaired and report.comparisons:
        _print_lines(console, "not compared:", report.unpaired)
    if report.copies:
        _print_lines(console, "runs that are there twice:", report.copies)
    if report.cautions:
        shown = report.cautions if show_all else report.cautions[:_CAUTIONS_SHOWN]
        _print_lines(console, "cautions:", shown)
        if len(report.cautions) > len(shown):
            _print(console, f"  and {len(report.cautions) - len(shown)} more; --all shows them")
    _print(console, outcome(report))


def _print_comparison(console: Console, comparison: Comparison, show_all: bool) -> None:
    a, b = comparison.runs_a, comparison.runs_b
    _print(console, f"{comparison.name}: {runs(len(a))} of A, {runs(len(b))} of B")
    if comparison.values:
        console.print(_text_table(comparison.values))
    for sentence in noise_sentences(comparison):
        _print(console, sentence)
    if comparison.differences:
        _print_lines(console, "should not be compared (--force):", comparison.differences)
    if comparison.remarks:
        _print_lines(console, "not the same on both sides:", comparison.remarks)
    if comparison.not_compared:
        _print_lines(console, "what cannot be compared:", comparison.not_compared)
    for table in comparison.beside_values:
        what = "decides as well" if comparison.decides(table) else "hint"
        _print(console, f"  {what}: {_counts(table)}")
        rows = table.rows if show_all else _remarkable(table)
        if rows:
            console.print(_text_table(rows))
    print()


def _remarkable(table: Table) -> tuple[Row, ...]:
    """Return the slower and faster rows with the largest changes."""
    found = table.with_verdict(Verdict.SLOWER, Verdict.FASTER)
    return tuple(sorted(found, key=lambda row: -abs(row.interval.estimate))[:_HINTS_SHOWN])


def _counts(table: Table) -> str:
    counts = Counter(row.verdict for row in table.rows)
    parts = [f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict]]
    return f"{table.name}: {len(table.rows)} compared, {', '.join(parts)}"


def _text_table(rows: tuple[Row, ...]) -> TextTable:
    table = TextTable(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", min_width=24)
    for name in ("A", "B", "change", "between", "and"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("B is")
    for row in rows:
        change, low, high = row.interval.shares
        table.add_row(
            row.quantity.name,
            f"{short(row.a)} {row.quantity.unit}",
            f"{short(row.b)} {row.quantity.unit}",
            percent(change),
            percent(low),
            percent(high),
            row.verdict.value,
            style=_STYLES.get(row.verdict, ""),
        )
    return table


def _print_lines(console: Console, title: str, lines: tuple[str, ...]) -> None:
    _print(console, title)
    for line in lines:
        _print(console, f"  {line}")


def _print(console: Console, line: str) -> None:
    """Print text that may hold anything, names of hosts among it."""
    console.print(line, markup=False, soft_wrap=not console.is_terminal)
