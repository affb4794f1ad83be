"""What each system has to show in a ranking: its best run of each benchmark, and their spread."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.analysis.ranking import CRITERIA, Candidate
from beff.model.units import BYTES_PER_MB
from beff.store.tables import RANKED, Entry, System

_COLUMNS: dict[str, Any] = {
    "b_eff": Entry.b_eff_MBps,
    "per_process": Entry.b_eff_per_process_MBps,
    "at_lmax": Entry.at_lmax_MBps,
    "latency": Entry.latency_us,
    "exchange": Entry.total_memory_exchange_s,
    "io": Entry.io_value_1_MBps,
}
"""Criterion → the column of an entry that it is. R_max is the system's, balance follows."""
_GFLOP = 1e9


@dataclass(frozen=True)
class Standing:
    """A system in the list; `figures`, `low` and `high` are in the order of CRITERIA.

    `processes` is of its best run of b_eff, else of b_eff_io; `runs` counts all that are ranked.
    `year` is of its newest ranked run. `historic` tells that no ranked run can be recomputed.
    """

    id: int
    name: str
    site: str | None
    year: int | None
    interconnect: str | None
    nodes: int | None
    cores: int | None
    processes: int
    runs: int
    historic: bool
    io_write_MBps: float | None  # noqa: N815 - named as in the result file
    io_rewrite_MBps: float | None  # noqa: N815
    io_read_MBps: float | None  # noqa: N815
    figures: tuple[float | None, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]

    @property
    def candidate(self) -> Candidate:
        """What the ranking needs."""
        return Candidate(self.id, self.figures, self.low, self.high)

    def figure(self, key: str) -> float | None:
        """Return the figure of a criterion."""
        return self.figures[_PLACES[key]]


_PLACES = {criterion.key: place for place, criterion in enumerate(CRITERIA)}


def standings(session: Session) -> list[Standing]:
    """Return all systems with a published run that is ranked, by name.

    The best run of a benchmark is that with the highest value. Its spread is the range over the
    runs with as many processes.
    """
    rows = session.execute(
        select(
            Entry.system_id,
            Entry.benchmark,
            Entry.processes,
            Entry.year,
            Entry.status,
            Entry.io_write_MBps,
            Entry.io_rewrite_MBps,
            Entry.io_read_MBps,
            *_COLUMNS.values(),
        )
        .where(Entry.published, Entry.status.in_(RANKED))
        .order_by(Entry.system_id, Entry.id)
    ).all()
    runs = {number: list(group) for number, group in groupby(rows, key=attrgetter("system_id"))}
    systems = session.execute(
        select(
            System.id,
            System.name,
            System.site,
            System.interconnect,
            System.nodes,
            System.cores,
            System.rmax_gflops,
        ).order_by(System.name)
    )
    return [_standing(system, runs[system.id]) for system in systems if system.id in runs]


def _standing(system: Any, runs: list[Any]) -> Standing:
    messages = [run for run in runs if run.benchmark == "b_eff" and run.b_eff_MBps]
    files = [run for run in runs if run.benchmark == "b_eff_io" and run.io_value_1_MBps]
    best = max(messages, key=attrgetter("b_eff_MBps"), default=None)
    best_io = max(files, key=attrgetter("io_value_1_MBps"), default=None)
    spread = {
        "messages": [run for run in messages if best and run.processes == best.processes],
        "files": [run for run in files if best_io and run.processes == best_io.processes],
    }
    figures: list[float | None] = []
    low: list[float | None] = []
    high: list[float | None] = []
    for criterion in CRITERIA:
        value, alike = _value(criterion.key, best, best_io, system.rmax_gflops, spread)
        worst_first = sorted(alike, reverse=criterion.less_is_better)
        figures.append(value)
        low.append(worst_first[0] if worst_first else value)
        high.append(worst_first[-1] if worst_first else value)
    shown = best or best_io or runs[0]
    return Standing(
        id=system.id,
        name=system.name,
        site=system.site,
        year=max((run.year for run in runs if run.year), default=None),
        interconnect=system.interconnect,
        nodes=system.nodes,
        cores=system.cores,
        processes=shown.processes,
        runs=len(runs),
        historic=all(run.status == "historic" for run in runs),
        io_write_MBps=best_io.io_write_MBps if best_io else None,
        io_rewrite_MBps=best_io.io_rewrite_MBps if best_io else None,
        io_read_MBps=best_io.io_read_MBps if best_io else None,
        figures=tuple(figures),
        low=tuple(low),
        high=tuple(high),
    )


def _value(
    key: str,
    best: Any,
    best_io: Any,
    rmax_gflops: float | None,
    spread: dict[str, list[Any]],
) -> tuple[float | None, list[float]]:
    """Return a criterion's figure of the best run, and the figures of all runs like it."""
    if key == "rmax":
        return rmax_gflops, []
    if key == "balance":
        return _balance(best, rmax_gflops), [
            balance
            for run in spread["messages"]
            if (balance := _balance(run, rmax_gflops)) is not None
        ]
    name = _COLUMNS[key].key
    run, alike = (best_io, spread["files"]) if key == "io" else (best, spread["messages"])
    value = None if run is None else getattr(run, name)
    return value, _known(getattr(other, name) for other in alike)


def _balance(run: Any, rmax_gflops: float | None) -> float | None:
    if run is None or not rmax_gflops:
        return None
    return float(run.b_eff_MBps * BYTES_PER_MB / (rmax_gflops * _GFLOP))


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]
