"""`beff trend`."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from beff.cli import exit_codes
from beff.cli.options import argument, flag, option
from beff.cli.rich_tables import print_table
from beff.model.numbers import change, counted, format_size, rate
from beff.report.tables.table import Table, mbps, text
from beff.store.entry import Entry
from beff.store.reading_files import entries_of
from beff.store.trend import Series, series_of


def trend(
    folder: Annotated[Path, argument("FOLDER", "Results of one system, with all inside.")],
    benchmark: Annotated[
        Literal["b_eff", "b_eff_io"] | None, option("--benchmark", None, "Only this benchmark.")
    ] = None,
    as_json: Annotated[bool, flag("--json", "Print a JSON array.")] = False,
) -> int:
    """Show the valid runs of a system over time, and mark where it became faster or slower.

    Runs with equal benchmark, definition, procedure, processes, nodes and memory make one series.
    A mark needs at least three runs on either side and a step beyond the noise of the series.

    \b
    Example:
      beff trend results --benchmark b_eff
    """  # noqa: D301 - \b keeps the lines of the example apart
    entries, left_out = entries_of(folder)
    for sentence in left_out:
        print(f"beff: left out: {sentence}", file=sys.stderr)
    found = series_of(one for one in entries if benchmark in (None, one.benchmark))
    if as_json:
        print(json.dumps([_fields(series) for series in found], indent=1))
        return exit_codes.OK
    if not found:
        print(f"{folder}: no result is valid")
    for series in found:
        print_table(_table(series))
    return exit_codes.OK


def _date(entry: Entry) -> str:
    return f"{entry.measured_at:%Y-%m-%d %H:%M}" if entry.measured_at else ""


def _table(series: Series) -> Table:
    """Return the runs of a series, oldest first; a step stands at the first run after it."""
    conditions = series.conditions
    size = series.memory_per_process_bytes
    memory = f", {format_size(size)} per process" if size else ""
    rows = []
    for index, entry in enumerate(series.entries):
        step, mark = series.step_at(index), ""
        if step is not None:
            levels = f"{rate(step.before)} before, {rate(step.after)} since"
            mark = f"{change(step.ratio - 1)}, {step.verdict.value}: {levels}"
        rows.append((_date(entry), entry.file, entry.value_MBps, mark))
    procedure = f" ({conditions.procedure})" if conditions.procedure else ""
    return Table(
        "series",
        f"{conditions.benchmark} {conditions.definition}{procedure},"
        f" {counted(conditions.processes, 'process')} on"
        f" {counted(conditions.nodes, 'node')}{memory}",
        (text("measured"), text("result"), mbps("value"), text("change")),
        tuple(rows),
    )


def _fields(series: Series) -> dict[str, Any]:
    conditions = series.conditions
    return {
        "benchmark": conditions.benchmark,
        "definition": conditions.definition,
        "procedure": conditions.procedure or None,
        "processes": conditions.processes,
        "nodes": conditions.nodes,
        "memory_per_process_bytes": series.memory_per_process_bytes,
        "runs": [
            {
                "result": entry.file,
                "sha256": entry.sha256,
                "measured_at": entry.measured_at.isoformat() if entry.measured_at else None,
                "value_MBps": entry.value_MBps,
            }
            for entry in series.entries
        ],
        "steps": [
            {
                "result": series.entries[step.index].file,
                "before": step.before,
                "after": step.after,
                "verdict": step.verdict.value,
            }
            for step in series.steps
        ],
    }
