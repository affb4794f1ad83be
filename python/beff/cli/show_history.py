"""`beff show --history`: values of a system over time, and where they made a step."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from rich.text import Text

from beff.charts.history import history_charts
from beff.cli.common.rich_tables import output_console
from beff.cli.common.say import say, warn
from beff.fleet.states import LAST_MAPS
from beff.report.pictures import draw
from beff.result.errors import BeffError, ResultError, WrongUsageError
from beff.result.load import load_document
from beff.result.numbers import change, counted, measured, times
from beff.result.plain_figures import load_figures, parted
from beff.result.result_files import files_of
from beff.result.write import check_apart, made_whole, require_free
from beff.store.reading_files import read_stored
from beff.store.trend import AnyHistory, PlainHistory, Point, Series, plain_histories, series_of

_PICTURES = (".svg", ".png", ".pdf")
_MOST_RUNS = 20
"""The last ones of a series are printed."""
_BAR_WIDTH = 20
_DAYS = 30
"""For so long what is known of a host counts, as by `beff nodes --fleet`."""
_EIGHTHS = " ▏▎▍▌▋▊▉"
_LEVELS = "▁▂▃▄▅▆▇█"
_LEAST_SPAN = 0.2
"""What differs by less than this share of the largest is not drawn from bottom to top."""
_MOST_COLUMNS = 40
_MOST_HOSTS = 20


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
    and simulated runs, are left out. Of maps of pairs the hosts are rows; plain figures of beff
    import are rows, too.
    """
    if output is not None:
        if output.suffix.lower() not in _PICTURES:
            raise WrongUsageError(
                f"--output {output}: a history is drawn; end the name in {', '.join(_PICTURES)}"
            )
        require_free(output, overwrite=overwrite, option="--output")
        check_apart({"--output": output}, [file for path in paths for file in files_of(path)])
    others, files = parted(paths)
    plain = plain_histories(map(load_figures, files))
    stored = read_stored(others)
    if not stored.entries and not stored.maps and not plain:
        why = f" ({stored.left_out[0]})" if stored.left_out else ""
        raise ResultError(f"holds no result that can be used{why}", ", ".join(map(str, others)))
    for sentence in stored.left_out:
        warn(f"beff: left out: {sentence}")
    found = series_of(stored.entries)
    every: list[AnyHistory] = [*found, *plain]
    if as_json:
        fields = [*map(_fields, found), *map(_plain_fields, plain)]
        print(json.dumps(fields, indent=1))
    else:
        console = output_console()
        hosts = list(_host_rows(stored.maps, show_all=show_all))
        lines = history_rows(every)
        if show_all:
            lines = [line for series in every for line in history_lines(series)]
        for line in (*lines, *hosts):
            console.print(line, soft_wrap=True)
        if not every and not hosts:
            say(f"{', '.join(map(str, paths))}: no run was measured on a machine")
    if output is not None:
        _draw(every, output)


def _draw(found: Sequence[AnyHistory], target: Path) -> None:
    """Draw each series of several runs. Raises BeffError without any, or where none is written."""
    charts = history_charts(found)
    if not charts:
        raise BeffError(f"--output {target}: not written, as no two runs are equal")
    with made_whole(target) as made:
        draw(charts, made, "history")


def history_rows(found: Sequence[AnyHistory]) -> list[Text]:
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


def _host_rows(maps: Sequence[Path], *, show_all: bool) -> Iterator[Text]:
    """Yield a row for each host of maps of pairs, the worst first; nothing of a single map."""
    if len(maps) < 2:
        return
    from beff.judge.fleet import judge_fleet  # noqa: PLC0415 - takes long

    try:
        fleet = judge_fleet([*map(load_document, maps)], datetime.now(timezone.utc), _DAYS)
    except ResultError:
        return
    hosts = fleet.hosts()
    shown = hosts if show_all else hosts[:_MOST_HOSTS]
    width = max(len(host.name) for host in shown)
    yield Text(f"hosts by {counted(len(fleet.maps), 'map')} of pairs", "bold")
    for host in shown:
        kind = max(host.factors, key=host.factors.__getitem__, default="")
        took = f"{times(host.factors[kind])} as long" if kind else ""
        course = spark(host.course[kind], usual=1.0) if kind else ""
        row = Text(f"{host.name:{width}}  ").append(f"{course:>{LAST_MAPS}}", "cyan")
        yield row.append(f"  {host.word(_DAYS)}{took and f', {took}'}")
    if len(shown) < len(hosts):
        yield Text(f"and {counted(len(hosts) - len(shown), 'host')} more; --all shows them")


def spark(values: Sequence[float], usual: float | None = None) -> str:
    """Draw values as heights: from the largest down, or from what is usual up."""
    if not values:
        return ""
    low, high = min(values), max(values)
    if usual is None:
        low = min(low, (1 - _LEAST_SPAN) * high)
    else:
        low, high = min(low, usual), max(high, (1 + _LEAST_SPAN) * usual)
    steps = (len(_LEVELS) - 1) / (high - low or 1.0)
    return "".join(_LEVELS[round(steps * (value - low))] for value in values)


def history_lines(series: AnyHistory) -> list[Text]:
    """Return a heading, then a line for each run: time, value, bar, stamps, a step before it."""
    first = max(0, len(series.points) - _MOST_RUNS)
    before = f", {counted(first, 'earlier run')} not shown" if first else ""
    lines = [Text(f"{series.title}{before}", "bold")]
    shown, unit = series.points[first:], series.figure.unit
    largest = max((point.value for point in shown), default=0.0)
    steps = {step.index: step for step in series.steps}
    for index, point in enumerate(shown, first):
        line = Text(f"{_time(point)}  {measured(point.value, unit):>12}  ")
        line.append(bar(point.value / largest if largest else 0.0).ljust(_BAR_WIDTH), "cyan")
        if point.stamps:
            line.append(f"  {point.stamps}", "green" if point.counts else "red")
        if (step := steps.get(index)) is not None:
            levels = f"{measured(step.before, unit)} before, {measured(step.after, unit)} since"
            line.append(f"  {change(step.ratio - 1)}, {step.word.value}: {levels}", "bold")
        lines.append(line)
    return lines


def bar(share: float) -> str:
    """Draw a share, from 0 to 1, in eighths of a column."""
    eighths = round(max(0.0, min(1.0, share)) * 8 * _BAR_WIDTH)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def _time(point: Point) -> str:
    return f"{point.when:%Y-%m-%d %H:%M}" if point.when else ""


def _plain_fields(series: PlainHistory) -> dict[str, Any]:
    whens = [point.when.isoformat() if point.when else None for point in series.points]
    return {
        "figure": series.title,
        "unit": series.figure.unit,
        "more_is_better": series.figure.more_is_better,
        "runs": [
            {"measured_at": when, "value": point.value}
            for when, point in zip(whens, series.points, strict=True)
        ],
        "steps": _steps(series, "measured_at", whens),
    }


def _steps(series: AnyHistory, name: str, runs: Sequence[str | None]) -> list[dict[str, Any]]:
    """Return the steps, each with what names the first run behind it."""
    return [
        {name: runs[one.index], "before": one.before, "after": one.after, "verdict": one.word.value}
        for one in series.steps
    ]


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
        "steps": _steps(series, "result", [entry.file for entry in series.entries]),
    }
