"""The figures of results as data: a row each in summary.csv, an object a result in JSON."""

import json
from pathlib import Path
from typing import Any

from beff.report.csv_file import Row, write_rows
from beff.report.parts.sentences import cautions_of, reasons
from beff.result.load import Document
from beff.verify.analysis import analysis_of
from beff.verify.common.summary_figures import summary_figures, value_processes
from beff.verify.subject import Subject


def write_summary(subject: Subject, path: Path) -> None:
    """Write a row for each figure of each result. Raises ResultError as `analysis_of` does."""
    rows: list[Row] = []
    for entry in subject.results:
        result = entry.document.result
        head: Row = {
            "result": entry.label,
            "benchmark": entry.document.benchmark,
            "definition": result.definition,
            "valid": "true" if result.valid else "false",
            "processes": value_processes(result),
        }
        rows += [{**head, **figure} for figure in figures_of(entry.document)]
    write_rows(rows, path)


def objects_text(subject: Subject) -> str:
    """Return a JSON array with an object for each result. Raises ResultError."""
    return json.dumps([summary_object(one.document) for one in subject.results], indent=1)


def write_objects(subject: Subject, path: Path) -> None:
    """Write what `objects_text` returns. Raises as it does."""
    path.write_text(objects_text(subject) + "\n", encoding="utf-8")


def figures_of(document: Document) -> list[Row]:
    """Return name, label, value and unit of each known figure, the value first.

    `low` and `high` are the figure by the worst and by the best repetition of each loop, of which
    the best counts; None where nothing repeats it.
    """
    spread = {one.value: one for one in analysis_of(document).spread.values}
    found: list[Row] = []
    for figure in summary_figures(document.result):
        value, differs = figure.of(document.result), spread.get(figure)
        if value is None and found:
            continue
        ends = () if differs is None else sorted((differs.worst, differs.official))
        found.append(
            {
                "name": f"{figure.name}.{figure.part}" if figure.part else figure.name,
                "label": figure.label_in(document.result),
                "value": value,
                "unit": "\N{MICRO SIGN}s" if figure.unit == "us" else figure.unit,
                "low": ends[0] if ends else None,
                "high": ends[1] if ends else None,
            }
        )
    return found


def summary_object(document: Document) -> dict[str, Any]:
    """Return what belongs to the value of a result, fit for JSON. Raises ResultError."""
    result, analysis = document.result, analysis_of(document)
    return {
        "file": document.source,
        "benchmark": document.benchmark,
        "definition": result.definition,
        "processes": value_processes(result),
        "hosts": result.environment.host_list,
        "valid": result.valid,
        "reasons": list(reasons(result)),
        "steadiness": analysis.steadiness.value,
        "cautions": list(cautions_of(document)),
        "figures": figures_of(document),
    }
