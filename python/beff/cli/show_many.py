"""`beff show` of folders with many results: a table with a line for each, the newest first."""

from collections.abc import Iterator, Sequence
from datetime import timezone
from pathlib import Path

from rich.text import Text

from beff.cli.common.files import name_left_out, reading_progress
from beff.cli.common.rich_tables import output_console
from beff.judge.conditions import memory_of
from beff.report.tables.table import Column, Row, Table, mbps, text
from beff.report.tables.validity import stamps
from beff.report.text_file import table_lines
from beff.result.errors import ResultError
from beff.result.load import Document, ForeignFileError
from beff.result.numbers import counted
from beff.result.plain_text import one_line
from beff.result.result_files import no_result
from beff.store.side_by_side import many_at_once
from beff.verify.common.summary_figures import main_value, value_processes
from beff.verify.subject import load_sound_document

_HEADS = (
    *(text("measured, UTC"), text("benchmark"), mbps("value")),
    *(Column("processes"), Column("nodes"), text("validity"), text("file")),
)


def show_many(folder: Path, files: Sequence[Path]) -> None:
    """Print the table, and why files that should be results are not in it.

    `folder` is named where none holds a result: then ResultError is raised.
    """
    rows: list[Row] = []
    problems: list[ResultError] = []
    with reading_progress() as show:
        for done, told in enumerate(many_at_once(_row_of, files), start=1):
            if isinstance(told, ResultError):
                problems.append(told)
            elif told is not None:
                rows.append(told)
            show(done, len(files))
    for problem in problems:
        name_left_out(problem)
    if not rows:
        raise no_result(folder, problems)
    rows.sort(key=lambda row: str(row[-1]))
    rows.sort(key=lambda row: str(row[0] or ""), reverse=True)
    note = f"{counted(len(rows), 'result')}; name some of them to see their answers"
    table = Table("results", "Results", _HEADS, tuple(rows), notes=(note,))
    console = output_console()
    for number, line in enumerate(table_lines(table)):
        console.print(Text(line, "" if number else "bold"), soft_wrap=True)


def _row_of(file: Path) -> Row | ResultError | None:
    """Return the row of a file, or why it has none; None for what is no result."""
    try:
        document = load_sound_document(file)
        stamped = ", ".join(_stamps(document))
    except ForeignFileError:
        return None
    except ResultError as problem:
        return problem
    result, started_at = document.result, None
    if not document.is_imported:
        started_at = f"{document.started_at.astimezone(timezone.utc):%Y-%m-%d %H:%M:%S}"
    return (
        started_at,
        document.benchmark,
        main_value(result),
        value_processes(result),
        getattr(result.environment, "nodes", None),
        stamped,
        one_line(document.source),
    )


def _stamps(document: Document) -> Iterator[str]:
    valid, *steadiness = stamps(document).split(", ")
    yield valid
    if getattr(document.result.environment, "simulated", False):
        yield "simulated"
    if (memory := memory_of(document.result)) != "host":
        yield f"buffers on {memory}"
    if document.is_imported:
        yield "imported"
    if not document.result.complete:
        yield "partial"
    yield from steadiness
