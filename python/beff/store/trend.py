"""The history of one system: runs that can be compared with each other, in the order of time."""

from dataclasses import astuple, dataclass
from itertools import groupby

from sqlalchemy.orm import Session

from beff.analysis.change_points import ChangePoint, change_points
from beff.store.bounds import is_possible
from beff.store.queries import entries
from beff.store.tables import Entry

MEMORY_LEAP = 1.07
"""Runs with so many times the memory per process of the next smaller one begin another series."""


@dataclass(frozen=True)
class Conditions:
    """What must be equal for two runs of a system to be one series."""

    benchmark: str
    definition: str
    processes: int
    nodes: int


@dataclass(frozen=True)
class Series:
    """Runs under the same conditions, oldest first, and the steps between them."""

    conditions: Conditions
    entries: tuple[Entry, ...]
    change_points: tuple[ChangePoint, ...]

    @property
    def memory_per_process_bytes(self) -> int | None:
        """The memory per process of the last run."""
        return self.entries[-1].memory_per_process_bytes

    def step_at(self, index: int) -> ChangePoint | None:
        """Return the step whose first run stands at this index."""
        return next((point for point in self.change_points if point.index == index), None)


def trends(
    session: Session, system: str, benchmark: str | None = None, *, published_only: bool = False
) -> list[Series]:
    """Return the series of a system's valid runs; historic figures have no time, so no place."""
    valid = [
        entry
        for entry in entries(session, benchmark=benchmark, system=system, ranked_only=True)
        if entry.status == "valid" and _has_place(entry) and (entry.published or not published_only)
    ]
    valid.sort(key=lambda entry: astuple(_conditions(entry)))
    found = []
    for conditions, members in groupby(valid, key=_conditions):
        found += [_series(conditions, alike) for alike in _with_like_memory(list(members))]
    return found


def _has_place(entry: Entry) -> bool:
    """Whether a run has a time and a value that a machine may have."""
    value = entry.value_MBps
    return bool(entry.measured_at and value and is_possible("value_MBps", value))


def _with_like_memory(members: list[Entry]) -> list[list[Entry]]:
    """Part runs where their memory per process, in order of size, makes a leap.

    An update of the operating system changes the memory that it reports a little, wherever that
    was, and must not end a series.
    """
    parts: list[list[Entry]] = []
    largest = 0
    for entry in sorted(members, key=_memory_bytes):
        if not parts or _memory_bytes(entry) > MEMORY_LEAP * largest:
            parts.append([])
        parts[-1].append(entry)
        largest = _memory_bytes(entry)
    return parts


def _memory_bytes(entry: Entry) -> int:
    return entry.memory_per_process_bytes or 0


def _series(conditions: Conditions, members: list[Entry]) -> Series:
    in_time = tuple(sorted(members, key=lambda entry: (entry.measured_at, entry.id)))
    values = [entry.value_MBps for entry in in_time]
    points = change_points([value for value in values if value is not None])
    return Series(conditions, in_time, tuple(points))


def _conditions(entry: Entry) -> Conditions:
    return Conditions(
        entry.benchmark,
        entry.definition or "",
        entry.processes,
        entry.nodes or 0,
    )
