"""`beff show --history`: values of a system over time, and where they made a step."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from beff.cli.common.files import chosen_targets, name_left_out
from beff.cli.common.say import say, warn
from beff.cli.common.terminal import output_console
from beff.cli.show_file import ShowOptions
from beff.judge.runs import Run, Series, plain_histories, read_runs, series_of
from beff.result.errors import BeffError, ResultError
from beff.result.load import ForeignFileError, files_of, no_result
from beff.result.numbers import change, counted, measured
from beff.result.places import check_apart, made_whole
from beff.result.plain_figures import load_figures, parted
from beff.show.charts.judged import history_chart
from beff.show.formats import draw

_PICTURES = (".svg", ".png", ".pdf")
_LEVELS = "▁▂▃▄▅▆▇█"
_LEAST_SPAN = 0.2
"""What differs by less than this share of the largest is not drawn from bottom to top."""
_MOST_COLUMNS = 40
_TIME = "%Y-%m-%d %H:%M"


def show_history(given: ShowOptions, paths: Sequence[Path]) -> None:
    """Print runs over time, and draw them into a file. Raises BeffError.

    Equal runs are a row with a line of their values, the newest one, and since when valid runs are
    slower or faster: for three days at least, by the rule of `beff today`. What does not verify,
    and simulated runs, are left out, as are maps of pairs; plain figures of beff import are rows.
    """
    output = given.output
    targets = chosen_targets(given, "output", endings=_PICTURES)
    check_apart(targets, [one for path in paths for one in files_of(path)])
    others, files = parted(paths)
    plain = plain_histories(load_figures(one, name_left_out) for one in files)
    problems: list[ResultError] = []
    runs = read_runs(others, problems.append)
    if not runs and not plain:
        raise no_result(paths[0], problems)
    meant = (problem for problem in problems if not isinstance(problem, ForeignFileError))
    warn(*(f"beff: left out: {problem}" for problem in meant))
    every, console = [*series_of(runs), *plain], output_console()
    if given.as_json:
        print(json.dumps([*map(_fields, every)], indent=1))
    elif not every:
        say(f"{', '.join(map(str, paths))}: no run was measured on a machine")
    else:
        for line in history_lines(every) if given.show_all else history_rows(every):
            console.print(line, soft_wrap=not console.is_terminal)
    if output is not None:
        charts = [history_chart(at, one) for at, one in enumerate(every, 1) if one.points[1:]]
        if not charts:
            raise BeffError(f"--output {output}: not written, as no two runs are equal")
        with made_whole(output) as made:
            draw(charts, made)


def history_rows(histories: Sequence[Series]) -> Iterator[Text]:
    """Yield a row for each series: its values, the newest, and its last step."""
    width = max(len(series.title) for series in histories)
    columns = max(len(series.points[-_MOST_COLUMNS:]) for series in histories)
    for series in histories:
        last = series.points[-1]
        values = [point.value for point in series.points[-_MOST_COLUMNS:]]
        row = Text(f"{series.title:{width}}  ").append(f"{spark(values):>{columns}}", "cyan")
        row.append(f"  {measured(last.value, series.figure.unit):>10}")
        if isinstance(last, Run) and last.status != "valid":
            row.append(", NOT VALID", "red")
        if series.steps:
            step = series.steps[-1]
            since = f"{step.word.value} since {series.points[step.index].when:{_TIME}}"
            row.append(f"  {change(step.ratio - 1)}, {since}", "bold")
        else:
            row.append(f"  {counted(len(series.points), 'run')}, the last of {last.when:{_TIME}}")
        yield row


def spark(values: Sequence[float]) -> str:
    """Draw values as heights, from the largest down."""
    high = max(values)
    low = min(*values, (1 - _LEAST_SPAN) * high)
    steps = (len(_LEVELS) - 1) / (high - low or 1.0)
    return "".join(_LEVELS[round(steps * (value - low))] for value in values)


def history_lines(histories: Sequence[Series]) -> Iterator[Text]:
    """Yield headings, below each a line for each run: time, value, stamps, a step before it."""
    for series in histories:
        yield Text(series.title, "bold")
        unit, steps = series.figure.unit, {step.index: step for step in series.steps}
        for index, point in enumerate(series.points):
            line = Text(f"{point.when:{_TIME}}  {measured(point.value, unit):>12}  ")
            if point.stamps:
                line.append(f"  {point.stamps}", "green" if point.counts else "red")
            if (step := steps.get(index)) is not None:
                levels = f"{measured(step.before, unit)} before, {measured(step.after, unit)} since"
                line.append(f"  {change(step.ratio - 1)}, {step.word.value}: {levels}", "bold")
            yield line


def _fields(series: Series) -> dict[str, Any]:
    last, runs = series.points[-1], list[dict[str, Any]]()
    for run in series.points:
        runs.append({"measured_at": run.when.isoformat(), "value": run.value})
        if isinstance(run, Run):
            name = Path(run.source).name
            runs[-1] |= {"result": name, "sha256": run.sha256, "status": run.status}
    steps = [
        {"run": one.index, "before": one.before, "after": one.after, "verdict": one.word.value}
        for one in series.steps
    ]
    return {
        "figure": series.title,
        "unit": series.figure.unit,
        "more_is_better": series.figure.more_is_better,
        "key": dict(last.alike) if isinstance(last, Run) else None,
        "runs": runs,
        "steps": steps,
    }
