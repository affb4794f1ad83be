"""Several results of one benchmark in one table, with the differences from the first."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.b_eff_result import BEffFigures
from beff.model.contract import AnyResult
from beff.model.result_parts import Figure
from beff.report.tables.table import Cell, Column, Row, Table, text
from beff.report.tables.validity import verdict

_MOST_COLUMNS = 4
"""Results that stand beside each other; more stand below each other."""

Result = TypeVar("Result", bound=AnyResult)
Entry = tuple[str, str, Callable[[Result], Figure]]
"""Name, unit and figure of a row."""

_B_EFF: tuple[Entry[BEffFigures], ...] = (
    ("b_eff", "MB/s", lambda r: r.summary.b_eff_MBps),
    ("b_eff per process", "MB/s", lambda r: r.summary.b_eff_per_process_MBps),
    ("rings", "MB/s", lambda r: r.summary.rings_MBps),
    ("random rings", "MB/s", lambda r: r.summary.random_MBps),
    ("b_eff at L_max", "MB/s", lambda r: r.summary.at_lmax_MBps),
    ("at L_max per process", "MB/s", lambda r: r.summary.at_lmax_per_process_MBps),
    ("at L_max, rings only", "MB/s", lambda r: r.summary.rings_at_lmax_MBps),
    ("latency, rings and random", "us", lambda r: r.summary.latency_us),
    ("latency, rings only", "us", lambda r: r.summary.rings_latency_us),
    ("ping-pong latency", "us", lambda r: r.summary.pingpong_latency_us),
    ("ping-pong at L_max", "MB/s", lambda r: r.summary.pingpong_MBps),
    ("total memory / b_eff", "s", lambda r: r.summary.total_memory_exchange_s),
)
_B_EFF_IO: tuple[Entry[BEffIoFigures], ...] = (
    ("b_eff_io", "MB/s", lambda r: r.summary.b_eff_io_MBps),
    ("by release 0.5", "MB/s", lambda r: r.summary.values.get("0.5")),
    ("by release 1", "MB/s", lambda r: r.summary.values.get("1")),
    ("by release 2.1", "MB/s", lambda r: r.summary.values.get("2.1")),
    ("initial write", "MB/s", lambda r: r.summary.write_MBps),
    ("rewrite", "MB/s", lambda r: r.summary.rewrite_MBps),
    ("read", "MB/s", lambda r: r.summary.read_MBps),
    ("total memory / b_eff_io", "min", lambda r: r.summary.total_memory_write_min),
)


def b_eff_side_by_side(results: Sequence[tuple[str, BEffFigures]]) -> Table:
    """Figures of b_eff: a column per result, and one for each change from the first."""
    return _side_by_side("b_eff", results, _B_EFF)


def b_eff_io_side_by_side(results: Sequence[tuple[str, BEffIoFigures]]) -> Table:
    """Figures of b_eff_io: a column per result, and one for each change from the first."""
    return _side_by_side("b_eff_io", results, _B_EFF_IO)


def _side_by_side(
    benchmark: str, results: Sequence[tuple[str, Result]], entries: Sequence[Entry[Result]]
) -> Table:
    notes = ["Differences are in percent of the first result; beff compare judges them."]
    if len({result.environment.processes for _, result in results}) > 1:
        notes.append("The numbers of processes differ, and so do accumulated bandwidths.")
    fill = _a_column_each if len(results) <= _MOST_COLUMNS else _a_row_each
    columns, rows = fill(results, entries)
    return Table(
        f"side-by-side-{benchmark.replace('_', '-')}",
        f"Results of {benchmark} side by side",
        tuple(columns),
        tuple(rows),
        tuple(notes),
    )


def _a_column_each(
    results: Sequence[tuple[str, Result]], entries: Sequence[Entry[Result]]
) -> tuple[list[Column], list[Row]]:
    columns = [text("figure"), text("unit")]
    columns += [Column(label, decimals=3) for label, _ in results]
    columns += [text(f"{label} against {results[0][0]}") for label, _ in results[1:]]
    blank: tuple[Cell, ...] = ("",) * (len(results) - 1)
    rows: list[Row] = [
        ("validity", "", *(verdict(result) for _, result in results), *blank),
        ("definition", "", *(result.definition for _, result in results), *blank),
        ("processes", "", *(result.environment.processes for _, result in results), *blank),
    ]
    for name, unit, figure_of in entries:
        figures = [figure_of(result) for _, result in results]
        changes = [_change(figures[0], figure) for figure in figures[1:]]
        rows.append((name, unit, *figures, *changes))
    return columns, rows


def _a_row_each(
    results: Sequence[tuple[str, Result]], entries: Sequence[Entry[Result]]
) -> tuple[list[Column], list[Row]]:
    """Keep the table narrow: the change of the value alone."""
    columns = [text("result"), text("validity"), text("definition"), Column("processes")]
    columns += [Column(name, unit, decimals=3) for name, unit, _ in entries]
    value, _, value_of = entries[0]
    columns.append(text(f"{value} against the first"))
    first = value_of(results[0][1])
    rows: list[Row] = [
        (
            label,
            verdict(result),
            result.definition,
            result.environment.processes,
            *(figure_of(result) for _, _, figure_of in entries),
            _change(first, value_of(result)) if place else "",
        )
        for place, (label, result) in enumerate(results)
    ]
    return columns, rows


def _change(first: Figure, other: Figure) -> str | None:
    if first is None or other is None or first == 0:
        return None
    return f"{100 * (other / first - 1):+.1f} %"
