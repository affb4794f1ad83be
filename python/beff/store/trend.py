"""The history of one system: runs that can be compared with each other, in the order of time."""

import math
from dataclasses import astuple, dataclass
from itertools import groupby

from sqlalchemy.orm import Session

from beff.analysis.change_points import ChangePoint, change_points
from beff.store.queries import entries
from beff.store.tables import Entry


@dataclass(frozen=True)
class Conditions:
    """What must be equal for two runs of a system to be one series.

    `memory_class` is the memory per process in steps of 2^(1/10), 7 %: an update of the operating
    system changes the memory that it reports a little, and must not end a series.
    """

    benchmark: str
    definition: str
    processes: int
    nodes: int
    memory_class: int


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
        if entry.status == "valid" and entry.value_MBps and (entry.published or not published_only)
    ]
    valid.sort(key=lambda entry: (astuple(_conditions(entry)), entry.measured_at, entry.id))
    return [
        _series(conditions, tuple(members))
        for conditions, members in groupby(valid, key=_conditions)
    ]


def _series(conditions: Conditions, members: tuple[Entry, ...]) -> Series:
    values = [entry.value_MBps for entry in members]
    return Series(
        conditions, members, tuple(change_points([value for value in values if value is not None]))
    )


def _conditions(entry: Entry) -> Conditions:
    memory = entry.memory_per_process_bytes or 1
    return Conditions(
        entry.benchmark,
        entry.definition or "",
        entry.processes,
        entry.nodes or 0,
        round(10 * math.log2(memory)),
    )
