"""The formats of a report, and writing one; data as .csv and .json; charts as pictures."""
# ruff: noqa: PLC0415 - what draws and makes pages takes long to load

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beff.definition.subject import Subject, summary_figures, value_processes
from beff.judge.analysis import analysis_of
from beff.judge.conditions import memory_of
from beff.result.armour import TEXT_LENGTH, clean_text, csv_cell
from beff.result.b_eff_io_result import BEffIoFigures, file_samples
from beff.result.b_eff_result import BEffResult, loop_samples
from beff.result.contract import AnyResult
from beff.result.errors import BeffError, WrongUsageError
from beff.result.load import Document
from beff.show.parts.sentences import cautions_of, reasons
from beff.show.skampi import write_skampi
from beff.show.texts import write_latex, write_markdown, write_text

if TYPE_CHECKING:
    from beff.show.charts.spec import Chart


Row = dict[str, str | int | float | None]


def write_csv(subject: Subject, path: Path) -> None:
    """Write the samples of all results; columns that only the other benchmark has stay empty.

    Raises BeffError, which names the file, where there is none.
    """
    if not (rows := _headed(subject, lambda one: _samples_of(one.result))):
        raise BeffError(f"{path.name}: there is no row to write, as no result holds a sample")
    write_rows(rows, path)


def write_rows(rows: list[Row], path: Path) -> None:
    """Write rows, of which each may have columns of its own, with full precision.

    A text that looks like a formula gets an apostrophe in front.
    """
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: csv_cell(cell) for name, cell in row.items()})


def _headed(subject: Subject, rows_of: Callable[[Document], Iterable[Row]]) -> list[Row]:
    """Return the rows of each result behind what they begin with."""
    rows: list[Row] = []
    for label, document in ((entry.label, entry.document) for entry in subject.results):
        head: Row = {"result": label, "benchmark": document.benchmark}
        head["definition"] = document.result.definition
        head["valid"] = "true" if document.result.valid else "false"
        rows += [head | row for row in rows_of(document)]
    return rows


def _samples_of(result: AnyResult) -> Iterable[Row]:
    if isinstance(result, BEffResult):
        return loop_samples(result)
    return file_samples(result) if isinstance(result, BEffIoFigures) else ()


def write_summary(subject: Subject, path: Path) -> None:
    """Write a row for each figure of each result. Raises ResultError as `analysis_of` does."""

    def rows_of(document: Document) -> Iterable[Row]:
        processes = value_processes(document.result)
        return ({"processes": processes, **figure} for figure in _figures_of(document))

    write_rows(_headed(subject, rows_of), path)


def write_objects(subject: Subject, path: Path) -> None:
    """Write a JSON array with an object for each result. Raises ResultError."""
    objects = [summary_object(one.document) for one in subject.results]
    path.write_text(json.dumps(objects, indent=1) + "\n", encoding="utf-8")


def _figures_of(document: Document) -> list[Row]:
    """Return name, label, value and unit of each known figure, the value first.

    `low` and `high` are the figure by the worst and by the best repetition of each loop, of which
    the best counts; None where nothing repeats it.
    """
    spread = {one.value: one for one in analysis_of(document).spread}
    rows: list[Row] = []
    for figure in summary_figures(document.result):
        value, differs = figure.of(document.result), spread.get(figure)
        if value is None and rows:
            continue
        name = f"{figure.name}.{figure.part}" if figure.part else figure.name
        unit = "\N{MICRO SIGN}s" if figure.unit == "us" else figure.unit
        row: Row = {"name": name, "label": figure.label_in(document.result), "value": value}
        ends = (None, None) if differs is None else sorted((differs.worst, differs.official))
        rows.append(row | {"unit": unit, "low": ends[0], "high": ends[1]})
    return rows


def summary_object(document: Document) -> dict[str, Any]:
    """Return what belongs to the value of a result, fit for JSON. Raises ResultError."""
    result, analysis = document.result, analysis_of(document)
    environment, mpi = result.environment, getattr(result.environment, "mpi", None)
    started_at = None if document.is_imported else document.started_at.astimezone(timezone.utc)
    return {
        "file": document.source,
        "benchmark": document.benchmark,
        "definition": result.definition,
        "procedure": getattr(result, "procedure", None),
        "measured_at": started_at and f"{started_at:%Y-%m-%dT%H:%M:%SZ}",
        "processes": value_processes(result),
        "nodes": getattr(environment, "nodes", None),
        "hosts": environment.host_list,
        "mpi": clean_text(mpi.library, TEXT_LENGTH) if mpi else None,
        "memory": memory_of(result),
        "simulated": getattr(environment, "simulated", False),
        "complete": result.complete,
        "valid": result.valid,
        "reasons": reasons(result),
        "steadiness": analysis.steadiness.value,
        "cautions": cautions_of(document),
        "figures": _figures_of(document),
    }


@dataclass(frozen=True)
class Format:
    """How a report is written.

    `write` makes the file. It raises BeffError when the results have nothing that it shows.
    """

    ending: str
    description: str
    write: Callable[[Subject, Path], object]
    draw: Callable[..., list[str]] | None = None
    """`write_picture` of a format that is a picture."""


def write_picture(
    subject: Subject, path: Path, key: str | None = None, *, titled: bool = True
) -> list[str]:
    """Draw the chart with a key, or that names the file, else the first of what was measured.

    Returns its key, and behind the first those of the others. Raises BeffError where there is none,
    WrongUsageError where there is none such.
    """
    charts = _charts(subject, path, key)
    draw(charts[:1], path, titled=titled)
    return [chart.key for chart in charts]


def write_chart_data(subject: Subject, path: Path, key: str | None) -> None:
    """Write what write_picture draws as .csv: a row for each point. Raises as it does."""
    write_rows(_charts(subject, path, key)[0].rows, path)


def _charts(subject: Subject, path: Path, key: str | None) -> "list[Chart]":
    """Return a chart alone that is asked for, else all of what was measured."""
    from beff.show.charts.table import every_chart

    every = {chart.key: chart for chart in every_chart(subject)}
    if key is not None and key not in every:
        keys = ", ".join(every)
        raise WrongUsageError(f"--figure {key}: these results have no such chart; they have {keys}")
    if (chosen := every.get(key or path.stem.replace("-", "_"))) is not None:
        return [chosen]
    if not every:
        names = ", ".join(entry.document.source for entry in subject.results)
        raise BeffError(f"{names}: holds no measurement that a chart could show")
    return list(every.values())


def draw(charts: "Sequence[Chart]", path: Path, *, titled: bool = True) -> None:
    """Draw charts under each other by the file's ending. Raises OSError."""
    from beff.show.charts.drawing import drawn

    path.write_bytes(drawn(charts, path.suffix.lower(), titled=titled))


def write_page(subject: Subject, path: Path) -> None:
    """Write the page with everything. Raises OSError, ResultError as `page` does."""
    from beff.show.page.sections import page

    path.write_text(page(subject), encoding="utf-8")


FORMATS = (
    Format(".html", "one page with everything, which needs no network", write_page),
    Format(".pdf", "a chart", write_picture, write_picture),
    Format(".png", "a chart", write_picture, write_picture),
    Format(".svg", "a chart", write_picture, write_picture),
    Format(".md", "all tables in Markdown", write_markdown),
    Format(".txt", "all tables in plain text", write_text),
    Format(".tex", "the figures as a table for LaTeX (booktabs)", write_latex),
    Format(".csv", "one row per sample, for spreadsheets and statistics", write_csv),
    Format(".sko", "the measured times as SKaMPI writes them", write_skampi),
    Format(".json", "the figures, an object a result", write_objects),
)


def format_of(path: Path) -> Format | None:
    """Return the format that a file's name means by its ending; None for an unknown one."""
    if path.name.lower().endswith("summary.csv"):
        return Format(".csv", "one row per figure, with its unit and interval", write_summary)
    return next((entry for entry in FORMATS if entry.ending == path.suffix.lower()), None)
