"""`beff history`: values of a system over time, and where they made a step."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from beff.charts.history import history_charts
from beff.cli.common import exit_codes
from beff.cli.common.files import existing_results
from beff.cli.common.options import argument, flag, option, overwrite_flag, taking
from beff.cli.common.rich_tables import output_console
from beff.cli.common.say import say, warn
from beff.report.pictures import draw
from beff.result.errors import BeffError, WrongUsageError
from beff.result.numbers import change, counted, rate
from beff.result.result_files import files_of
from beff.result.write import check_apart, made_beside, require_free
from beff.store.entry import Entry
from beff.store.reading_files import entries_of
from beff.store.trend import Series, series_of

_PICTURES = (".svg", ".png", ".pdf")
_MOST_RUNS = 20
"""The last ones of a series are printed."""
_BAR_WIDTH = 20
_EIGHTHS = " ▏▎▍▌▋▊▉"


@dataclass(frozen=True, kw_only=True)
class _Options:
    results: list[Path] | None = argument(
        "RESULT...", "Result files, or folders of them; else results.", default=None
    )
    as_json: bool = flag("Print it as a JSON array.", names="--json")
    output: Path | None = option(
        "FILE", f"Also draw it as {', '.join(_PICTURES)}.", names="--output -o"
    )
    overwrite: bool = overwrite_flag()


@taking(_Options)
def history(given: _Options) -> int:
    """Show runs over time, and where the system became faster or slower.

    Equal runs stand below each other, each with a bar of its value, and a mark where valid runs
    became faster or slower: at least three on either side, and a step beyond the noise. Equal are
    benchmark, definition, procedure, processes, nodes and memory, of quick runs repetitions too;
    what does not verify, and simulated runs, are left out.

    Examples:
      beff history
      beff history results -o history.svg
    """
    paths = given.results or [existing_results()]
    if given.output is not None:
        if given.output.suffix.lower() not in _PICTURES:
            raise WrongUsageError(
                f"--output {given.output}: the history is drawn; end its name in"
                f" {', '.join(_PICTURES)}"
            )
        require_free(given.output, overwrite=given.overwrite, option="--output")
        check_apart({"--output": given.output}, [file for path in paths for file in files_of(path)])
    entries, left_out = entries_of(paths)
    for sentence in left_out:
        warn(f"beff: left out: {sentence}")
    found = series_of(entries)
    if given.as_json:
        print(json.dumps([_fields(series) for series in found], indent=1))
    else:
        console = output_console()
        for line in (line for series in found for line in history_lines(series)):
            console.print(line, soft_wrap=True)
        if not found:
            say(f"{', '.join(map(str, paths))}: no run was measured on a machine")
    if given.output is not None:
        _draw(found, given.output)
    return exit_codes.OK


def _draw(found: Sequence[Series], target: Path) -> None:
    """Draw each series of several runs. Raises BeffError without any, or where none is written."""
    charts = history_charts(found)
    if not charts:
        raise BeffError(f"--output {target}: not written, as no two runs are equal")
    with made_beside(target) as folder:
        made = folder / target.name
        draw(charts, made, "history")
        made.replace(target)


def history_lines(series: Series) -> list[Text]:
    """Return a heading, then a line for each run: time, value, bar, stamps, a step before it."""
    first = max(0, len(series.entries) - _MOST_RUNS)
    before = f", {counted(first, 'earlier run')} not shown" if first else ""
    lines = [Text(f"{series.title}{before}", "bold")]
    shown = series.entries[first:]
    largest = max((run.value_MBps or 0.0 for run in shown), default=0.0)
    for index, run in enumerate(shown, first):
        value = run.value_MBps or 0.0
        line = Text(f"{_time(run)}  {rate(value):>12}  ")
        line.append(bar(value / largest if largest else 0.0).ljust(_BAR_WIDTH), "cyan")
        valid = run.status == "valid"
        stamps = ", ".join(filter(None, ("VALID" if valid else "NOT VALID", run.stamp)))
        line.append(f"  {stamps}", "green" if valid else "red")
        step = series.step_at(index)
        if step is not None:
            levels = f"{rate(step.before)} before, {rate(step.after)} since"
            line.append(f"  {change(step.ratio - 1)}, {step.verdict.value}: {levels}", "bold")
        lines.append(line)
    return lines


def bar(share: float) -> str:
    """Draw a share, from 0 to 1, in eighths of a column."""
    eighths = round(max(0.0, min(1.0, share)) * 8 * _BAR_WIDTH)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def _time(run: Entry) -> str:
    return f"{run.measured_at:%Y-%m-%d %H:%M}" if run.measured_at else ""


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
                "status": entry.status,
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
