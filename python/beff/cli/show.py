"""`beff show`."""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from beff.cli.common import exit_codes
from beff.cli.common.answer_text import print_answers
from beff.cli.common.files import RESULTS, existing_results, load_with_progress, reading_progress
from beff.cli.common.options import argument, flag, taking
from beff.cli.common.rich_tables import output_console, print_table
from beff.report.summary_file import summary_object
from beff.report.tables.sections import published_tables
from beff.report.tables.table import Column, Table, mbps, text
from beff.result.errors import ResultError
from beff.result.numbers import counted
from beff.result.places import is_folder, modified
from beff.result.plain_text import one_line
from beff.result.result_files import files_of, no_result
from beff.store.overview import Line, overview

MOST_IN_FULL = 8
"""Files of folders; of more, answers would fill screens."""


@dataclass(frozen=True, kw_only=True)
class _Options:
    results: list[Path] | None = argument(
        "RESULT...", "Result files, or folders of them; else the newest in results.", default=None
    )
    published: bool = flag("Also show the published systems, of 1999 to 2001.")
    show_all: bool = flag("Show all of every answer, also of many results.", names="--all")
    as_json: bool = flag("Print a JSON array with an object a result.", names="--json")


@taking(_Options)
def show(given: _Options) -> int:
    """Show the answer of stored results, as beff run does at its end.

    Of folders with more than 8 files, each result is a line of a table, the newest first.

    Examples:
      beff show
      beff show results/monday
    """
    paths = given.results or [_newest_folder()]
    if not (given.show_all or given.published or given.as_json) and any(map(is_folder, paths)):
        files = [file for path in paths for file in files_of(path)]
        if len(files) > MOST_IN_FULL:
            return _show_overview(paths, files)
    subject = load_with_progress(paths)
    if given.as_json:
        print(json.dumps([summary_object(one.document) for one in subject.results], indent=1))
        return exit_codes.OK
    print_answers([one.document for one in subject.results], show_all=given.show_all)
    for table in published_tables(subject) if given.published else ():
        print_table(table)
    return exit_codes.OK


def _newest_folder() -> Path:
    """Return the folder of the newest file below `results` that may be a result."""
    files = files_of(existing_results())
    newest = max(files, key=lambda file: modified(file) or 0, default=None)
    return RESULTS if newest is None else newest.parent


def _show_overview(paths: Sequence[Path], files: Sequence[Path]) -> int:
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
