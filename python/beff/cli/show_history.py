"""`beff show --history`: values of a system over time, and where they made a step."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from beff.charts.history import history_charts
from beff.cli.common.files import name_left_out
from beff.cli.common.rich_tables import output_console
from beff.cli.common.say import say, warn
from beff.report.pictures import draw
from beff.result.errors import BeffError, ResultError, WrongUsageError
from beff.result.numbers import change, counted, measured
from beff.result.plain_figures import load_figures, parted
from beff.result.result_files import files_of
from beff.result.write import check_apart, made_whole, require_free
from beff.store.reading_files import read_stored
from beff.store.trend import Point, Series, plain_histories, series_of

_PICTURES = (".svg", ".png", ".pdf")
_MOST_RUNS = 20
"""The last ones of a series are printed."""
_LEVELS = "▁▂▃▄▅▆▇█"
_LEAST_SPAN = 0.2
"""What differs by less than this share of the largest is not drawn from bottom to top."""
_MOST_COLUMNS = 40
_OF_MAPS = "maps of pairs have no value; beff nodes --fleet FOLDER --show has their hosts"


def show_history(
    paths: Sequence[Path],
    output: Path | None,
    *,
    overwrite: bool,
    show_all: bool,
    as_json: bool,
) -> None:
    """Print runs over time, and draw them into a file. Raises BeffError.

    Equal runs are a row with a line of their values, the newest one, and since when valid runs are
    slower or faster: for three days at least, by the rule of `beff today`. What does not verify,
    and simulated runs, are left out, as are maps of pairs; plain figures of beff import are rows.
    """
    if output is not None:
        if output.suffix.lower() not in _PICTURES:
            raise WrongUsageError(
                f"--output {output}: a history is drawn; end the name in {', '.join(_PICTURES)}"
            )
        require_free(output, overwrite=overwrite, option="--output")
        check_apart({"--output": output}, [file for path in paths for file in files_of(path)])
    others, files = parted(paths)
    plain = plain_histories(load_figures(one, name_left_out) for one in files)
    stored = read_stored(others)
    if not stored.entries and not plain:
        left_out = [*stored.left_out, *([_OF_MAPS] if stored.maps else [])]
        why = f" ({left_out[0]})" if left_out else ""
        raise ResultError(f"holds no result that can be used{why}", ", ".join(map(str, others)))
    for sentence in stored.left_out:
        warn(f"beff: left out: {sentence}")
    every = [*series_of(stored.entries), *plain]
    if as_json:
        print(json.dumps(list(map(_fields, every)), indent=1))
    else:
        console = output_console()
        lines = history_rows(every)
        if show_all:
            lines = [line for series in every for line in history_lines(series)]
        for line in lines:
            console.print(line, soft_wrap=True)
        if not every:
            say(f"{', '.join(map(str, paths))}: no run was measured on a machine")
    if output is not None:
        charts = history_charts(every)
        if not charts:
            raise BeffError(f"--output {output}: not written, as no two runs are equal")
        with made_whole(output) as made:
            draw(charts, made, "history")


def history_rows(found: Sequence[Series]) -> list[Text]:
    """Return a row for each series: its values, the newest, and its last step."""
    width = max((len(series.title) for series in found), default=0)
    columns = max((len(series.points[-_MOST_COLUMNS:]) for series in found), default=0)
    rows = []
    for series in found:
        last = series.points[-1]
        values = [point.value for point in series.points[-_MOST_COLUMNS:]]
        row = Text(f"{series.title:{width}}  ").append(f"{spark(values):>{columns}}", "cyan")
        row.append(f"  {measured(last.value, series.figure.unit):>10}")
        if series.steps:
            step = series.steps[-1]
            since = _time(series.points[step.index])
            row.append(f"  {change(step.ratio - 1)}, {step.word.value} since {since}", "bold")
        else:
            row.append(f"  {counted(len(series.points), 'run')}, the last of {_time(last)}")
        rows.append(row)
    return rows


def spark(values: Sequence[float]) -> str:
    """Draw values as heights, from the largest down."""
    if not values:
        return ""
    high = max(values)
    low = min(*values, (1 - _LEAST_SPAN) * high)
    steps = (len(_LEVELS) - 1) / (high - low or 1.0)
    return "".join(_LEVELS[round(steps * (value - low))] for value in values)


def history_lines(series: Series) -> list[Text]:
    """Return a heading, then a line for each run: time, value, stamps, a step before it."""
    first = max(0, len(series.points) - _MOST_RUNS)
    before = f", {counted(first, 'earlier run')} not shown" if first else ""
    lines = [Text(f"{series.title}{before}", "bold")]
    shown, unit = series.points[first:], series.figure.unit
    steps = {step.index: step for step in series.steps}
    for index, point in enumerate(shown, first):
        line = Text(f"{_time(point)}  {measured(point.value, unit):>12}  ")
        if point.stamps:
            line.append(f"  {point.stamps}", "green" if point.counts else "red")
        if (step := steps.get(index)) is not None:
            levels = f"{measured(step.before, unit)} before, {measured(step.after, unit)} since"
            line.append(f"  {change(step.ratio - 1)}, {step.word.value}: {levels}", "bold")
        lines.append(line)
    return lines


def _time(point: Point) -> str:
    return f"{point.when:%Y-%m-%d %H:%M}"


def _fields(series: Series) -> dict[str, Any]:
    runs = [
        {"measured_at": point.when.isoformat(), "value": point.value} for point in series.points
    ]
    for run, entry in zip(runs, series.entries, strict=False):
        run |= {"result": entry.file, "sha256": entry.sha256, "status": entry.status}
    return {
        "figure": series.title,
        "unit": series.figure.unit,
        "more_is_better": series.figure.more_is_better,
        "key": series.entries[-1].key if series.entries else None,
        "runs": runs,
        "steps": [
            {
                "run": step.index,
                **{"before": step.before, "after": step.after, "verdict": step.word.value},
            }
            for step in series.steps
        ],
    }
