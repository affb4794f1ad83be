"""`beff show` of many results: a table, a line for each."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.text import Text

from beff.cli.common import exit_codes
from beff.cli.common.files import reading_progress
from beff.cli.common.rich_tables import output_console
from beff.report.tables.table import Column, Table, mbps, text
from beff.result.errors import ResultError
from beff.result.numbers import counted
from beff.result.plain_text import one_line
from beff.result.result_files import no_result
from beff.store.overview import Line, overview


def show_overview(paths: Sequence[Path], files: Sequence[Path]) -> int:
    """Print the table of files, and why others of them are not in it.

    Raises ResultError where none holds a result.
    """
    with reading_progress() as show:
        found = overview(files, show)
    for problem in found.problems:
        print(f"beff: {one_line(problem)}; it is left out", file=sys.stderr)
    if not found.lines:
        raise no_result(paths[0], [ResultError(one) for one in found.problems])
    _print_lines(_table(found.lines))
    return exit_codes.OK


def _print_lines(table: Table) -> None:
    """Print a line for each row, however long it is."""
    console = output_console()
    heads, rows = [one.heading for one in table.heads], table.shown()
    widths = [max(map(len, cells)) for cells in zip(heads, *rows, strict=True)]
    aligned = [str.ljust if one.is_text else str.rjust for one in table.columns]
    for cells, style in ((heads, "bold"), *((row, "") for row in rows)):
        padded = (
            align(cell, width) for align, cell, width in zip(aligned, cells, widths, strict=True)
        )
        console.print(Text("  ".join(padded).rstrip(), style), soft_wrap=True)
    for note in table.notes:
        console.print(Text(note, "dim"), soft_wrap=True)


def _table(lines: Sequence[Line]) -> Table:
    columns = (text("measured, UTC"), text("benchmark"), mbps("value"))
    sizes = (Column("processes"), Column("nodes"))
    rows = tuple(
        (
            line.started_at,
            line.benchmark,
            line.value_MBps,
            line.processes,
            line.nodes,
            ", ".join(_stamps(line)),
            one_line(line.path),
        )
        for line in lines
    )
    note = f"{counted(len(lines), 'result')}; name some of them to see their answers"
    heads = (*columns, *sizes, text("validity"), text("file"))
    return Table("results", "Results", heads, rows, notes=(note,))


def _stamps(line: Line) -> Iterator[str]:
    yield "VALID" if line.valid else "NOT VALID"
    if line.simulated:
        yield "simulated"
    if line.buffers:
        yield f"buffers on {line.buffers}"
    if line.imported:
        yield "imported"
    if not line.complete:
        yield "partial"
    if line.steadiness is not None:
        yield line.steadiness
