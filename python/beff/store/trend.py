"""The history of a system: runs that can be compared with each other, in the order of time."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timezone

from beff.judge.benchmarks import ASSUMED_NOISE
from beff.judge.series import FIGURES, FigureOfDay, Step, figure_of, steps_of
from beff.result.numbers import counted, format_size
from beff.result.plain_figures import PlainFigures, joined
from beff.store.entry import Entry
from beff.store.plausibility import is_possible


@dataclass(frozen=True)
class Point:
    """A value and when it was measured; `counts` says whether it makes steps."""

    when: datetime
    value: float
    counts: bool = True
    stamps: str = ""


@dataclass(frozen=True)
class Series:
    """Values of runs under the same conditions, oldest first, and the steps between them.

    Steps are between points that count. `entries` are those of results, none of plain figures.
    """

    title: str
    figure: FigureOfDay
    points: tuple[Point, ...]
    steps: tuple[Step, ...]
    entries: tuple[Entry, ...] = ()


def plain_histories(files: Iterable[PlainFigures]) -> list[Series]:
    """Return the series of files of plain figures."""
    found = []
    for series in joined(files):
        figure = figure_of(series)
        points = tuple(
            Point(datetime.fromtimestamp(start, timezone.utc), value)
            for start, value in zip(series.starts, series.values, strict=True)
        )
        steps = tuple(steps_of(figure, series.starts, series.values))
        found.append(Series(series.title, figure, points, steps))
    return found


def series_of(entries: Iterable[Entry]) -> list[Series]:
    """Return the series of the runs among entries of one system.

    A run has a place where a machine was measured, with a value that it may have.
    """
    groups: dict[tuple[tuple[str, str], ...], list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.measured_at, entry.sha256 or "")):
        value = entry.value_MBps
        if value and not entry.simulated and is_possible("value_MBps", value):
            key = ("benchmark", entry.benchmark), *sorted(entry.key.items())
            groups.setdefault(key, []).append(entry)
    return [_series(groups[key]) for key in sorted(groups)]


def _series(entries: list[Entry]) -> Series:
    last, benchmark = entries[-1], entries[-1].benchmark
    points = tuple(
        Point(run.measured_at, run.value_MBps or 0.0, run.counts, run.stamps) for run in entries
    )
    places = [place for place, point in enumerate(points) if point.counts]
    steps = steps_of(
        FIGURES[benchmark][0],
        [points[place].when.timestamp() for place in places],
        [points[place].value for place in places],
        ASSUMED_NOISE[benchmark],
    )
    procedure = f" ({last.procedure})" if last.procedure else ""
    more = [format_size(last.memory_per_process_bytes or 0) + " per process"]
    more += [counted(last.repetitions, "repetition")] if last.repetitions else []
    more += [f"buffers on {last.buffers}"] if last.buffers else []
    title = (
        f"{benchmark} {last.definition}{procedure}, {counted(last.processes, 'process')} on"
        f" {counted(last.nodes, 'node')}, {', '.join(more)}"
    )
    in_place = (replace(step, index=places[step.index]) for step in steps)
    return Series(title, FIGURES[benchmark][0], points, tuple(in_place), tuple(entries))
