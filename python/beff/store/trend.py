"""The history of a system: runs that can be compared with each other, in the order of time."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass, replace
from datetime import datetime, timezone
from itertools import groupby

from beff.judge.benchmarks import ASSUMED_NOISE
from beff.judge.conditions import SIZE_LEAP
from beff.judge.series import FIGURES, FigureOfDay, Step, figure_of, steps_of
from beff.result.numbers import counted, format_size
from beff.result.plain_figures import PlainFigures, joined
from beff.store.entry import Entry
from beff.store.plausibility import is_possible


@dataclass(frozen=True)
class Conditions:
    """What must be equal for two runs of a system to be one series."""

    benchmark: str
    definition: str
    processes: int
    nodes: int
    procedure: str
    buffers: str
    repetitions: int


@dataclass(frozen=True)
class Point:
    """A value and when it was measured; `counts` says whether it makes steps."""

    when: datetime | None
    value: float
    counts: bool = True
    stamps: str = ""


def _point(run: Entry) -> Point:
    is_valid = run.status == "valid"
    stamps = ", ".join(filter(None, ("VALID" if is_valid else "NOT VALID", run.stamp)))
    return Point(run.measured_at, run.value_MBps or 0.0, is_valid, stamps)


@dataclass(frozen=True)
class PlainHistory:
    """Plain figures over time, oldest first, and the steps between them."""

    title: str
    figure: FigureOfDay
    points: tuple[Point, ...]
    steps: tuple[Step, ...]


def plain_histories(files: Iterable[PlainFigures]) -> list[PlainHistory]:
    """Return the series of files of plain figures."""
    found = []
    for series in joined(files):
        figure = figure_of(series)
        points = tuple(
            Point(datetime.fromtimestamp(start, timezone.utc), value)
            for start, value in zip(series.starts, series.values, strict=True)
        )
        steps = tuple(steps_of(figure, series.starts, series.values))
        found.append(PlainHistory(series.title, figure, points, steps))
    return found


@dataclass(frozen=True)
class Series:
    """Runs under the same conditions, oldest first, and the steps between the valid ones."""

    conditions: Conditions
    entries: tuple[Entry, ...]
    steps: tuple[Step, ...]

    @property
    def figure(self) -> FigureOfDay:
        """What its values are."""
        return FIGURES[self.conditions.benchmark][0]

    @property
    def points(self) -> tuple[Point, ...]:
        """Its runs as they are shown."""
        return tuple(map(_point, self.entries))

    @property
    def memory_per_process_bytes(self) -> int | None:
        """The memory per process of the last run."""
        return self.entries[-1].memory_per_process_bytes

    @property
    def title(self) -> str:
        """What all runs have in common."""
        shared = self.conditions
        procedure = f" ({shared.procedure})" if shared.procedure else ""
        size = self.memory_per_process_bytes
        memory = f", {format_size(size)} per process" if size else ""
        runs = shared.repetitions
        memory += f", {counted(runs, 'repetition')}" if runs else ""
        memory += f", buffers on {shared.buffers}" if shared.buffers else ""
        return (
            f"{shared.benchmark} {shared.definition}{procedure},"
            f" {counted(shared.processes, 'process')} on {counted(shared.nodes, 'node')}{memory}"
        )


AnyHistory = Series | PlainHistory


def series_of(entries: Iterable[Entry]) -> list[Series]:
    """Return the series of the runs among entries of one system."""
    placed = sorted(filter(_has_place, entries), key=lambda entry: astuple(_conditions(entry)))
    found = []
    for conditions, members in groupby(placed, key=_conditions):
        found += [_series(conditions, alike) for alike in _with_like_memory(list(members))]
    return found


def _has_place(entry: Entry) -> bool:
    """Whether a machine was measured, with a time and a value that it may have."""
    value = entry.value_MBps
    is_placed = entry.measured_at and value and not entry.simulated
    return bool(is_placed and is_possible("value_MBps", value))


def _with_like_memory(members: list[Entry]) -> list[list[Entry]]:
    """Part runs where their memory per process, in order of size, makes a leap.

    An update of the operating system changes the memory that it reports a little, wherever that
    was, and must not end a series; what has SIZE_LEAP times the memory of the next smaller one
    begins another.
    """
    parts: list[list[Entry]] = []
    largest = 0
    by_size = [(entry.memory_per_process_bytes or 0, entry) for entry in members]
    for size, entry in sorted(by_size, key=lambda one: one[0]):
        if not parts or size > SIZE_LEAP * largest:
            parts.append([])
        parts[-1].append(entry)
        largest = size
    return parts


def _series(conditions: Conditions, members: list[Entry]) -> Series:
    in_time = tuple(sorted(members, key=lambda entry: (start_of(entry), entry.sha256 or "")))
    places = [place for place, entry in enumerate(in_time) if entry.status == "valid"]
    values = [in_time[place].value_MBps or 0.0 for place in places]
    starts = [start_of(in_time[place]) for place in places]
    benchmark = conditions.benchmark
    steps = steps_of(FIGURES[benchmark][0], starts, values, ASSUMED_NOISE[benchmark])
    return Series(
        conditions, in_time, tuple(replace(step, index=places[step.index]) for step in steps)
    )


def start_of(entry: Entry) -> float:
    """Return when a run that has a time started, in seconds."""
    return entry.measured_at.timestamp() if entry.measured_at else 0.0


def _conditions(entry: Entry) -> Conditions:
    return Conditions(
        entry.benchmark,
        entry.definition or "",
        entry.processes or 0,
        entry.nodes or 0,
        entry.procedure or "",
        entry.buffers or "",
        entry.repetitions or 0,
    )
