"""What each system has to show in a ranking: its usual run of each benchmark, and their spread."""

from dataclasses import dataclass
from itertools import groupby
from math import inf
from operator import attrgetter
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.analysis.ranking import Candidate
from beff.store.bounds import is_possible
from beff.store.system_figures import ACCESSES, FIGURES, WHOLE, used_share
from beff.store.tables import RANKED, Entry, System

Used = Literal["whole", "half", "any"]
"""How much of its machine a run must have used to count."""
LEAST_SHARE: dict[Used, float] = {"whole": WHOLE, "half": 0.5, "any": 0.0}
_VALUE_COLUMNS = {"b_eff": "b_eff_MBps", "b_eff_io": "io_value_1_MBps"}
"""Benchmark → the value by which its run is chosen."""
NEWEST = 5
"""So many runs at most tell what is usual."""
_OF_SYSTEM = (
    *("id", "name", "site", "cpus", "accelerators", "interconnect", "file_system"),
    *("nodes", "cores"),
)
_COLUMNS = tuple(
    getattr(Entry, name)
    for figure in FIGURES
    if figure.benchmark
    for name in (figure.field, *figure.beside)
)


@dataclass(frozen=True)
class Standing(Candidate):
    """A system in the list.

    `processes` is of its usual run of b_eff, else of b_eff_io, and `share` how much of the machine
    that run used, as far as its size is known. `runs` counts all that are ranked. `year` is of its
    newest ranked run. `historic` tells that no ranked run can be recomputed. `impossible` has the
    keys of figures beyond any machine, which count as missing.
    """

    name: str
    site: str | None
    year: int | None
    cpus: str | None
    accelerators: str | None
    interconnect: str | None
    file_system: str | None
    nodes: int | None
    cores: int | None
    processes: int
    share: float | None
    runs: int
    historic: bool
    io_write_MBps: float | None  # noqa: N815 - named as in the result file
    io_rewrite_MBps: float | None  # noqa: N815
    io_read_MBps: float | None  # noqa: N815
    impossible: tuple[str, ...]

    def figure(self, key: str) -> float | None:
        """Return the figure of a key."""
        return self.figures[_PLACES[key]]


_PLACES = {figure.key: place for place, figure in enumerate(FIGURES)}


def standings(session: Session, used: Used = "any", *, historic: bool = True) -> list[Standing]:
    """Return all systems with a published run that is ranked, by name.

    The run of a benchmark is the usual one among those that used enough of the machine; where the
    size of a machine is unknown, its runs count unless the whole is asked for. Its spread is the
    range over the newest runs like it.
    """
    statuses = RANKED if historic else ("valid",)
    rows = session.execute(
        select(
            *(Entry.system_id, Entry.benchmark, Entry.processes, Entry.year, Entry.status),
            *(Entry.nodes, Entry.measured_at, Entry.id, *_COLUMNS),
        )
        .where(Entry.published, Entry.status.in_(statuses))
        .order_by(Entry.system_id, Entry.id)
    ).all()
    runs = {number: list(group) for number, group in groupby(rows, key=attrgetter("system_id"))}
    found = []
    for system in session.scalars(select(System).order_by(System.name)):
        counting = [run for run in runs.get(system.id, []) if _is_enough(run, system, used)]
        if counting:
            found.append(_standing(system, counting))
    return found


def _is_enough(run: Any, system: System, used: Used) -> bool:
    share = used_share(run, system)
    return used != "whole" if share is None else share >= LEAST_SHARE[used]


def _standing(system: System, runs: list[Any]) -> Standing:
    messages, files = (usual_and_newest(runs, benchmark) for benchmark in _VALUE_COLUMNS)
    sources = {"b_eff": messages, "b_eff_io": files, None: [system]}
    figures: list[float | None] = []
    low: list[float | None] = []
    high: list[float | None] = []
    impossible = []
    for figure in FIGURES:
        values = [figure.of(source, system) for source in sources[figure.benchmark]]
        if not all(is_possible(figure.field, value) for value in values):
            impossible.append(figure.key)
            values = []
        worst_first = sorted(
            (value for value in values if value is not None), reverse=figure.less_is_better
        )
        figures.append(values[0] if values else None)
        low.append(worst_first[0] if worst_first else None)
        high.append(worst_first[-1] if worst_first else None)
    usual = (messages or files or runs)[0]
    copied: dict[str, Any] = {name: getattr(system, name) for name in _OF_SYSTEM}
    copied |= {name: getattr(files[0], name) if files else None for name in ACCESSES}
    return Standing(
        **copied,
        year=max((run.year for run in runs if run.year), default=None),
        processes=usual.processes,
        share=used_share(usual, system),
        runs=len(runs),
        historic=all(run.status == "historic" for run in runs),
        impossible=tuple(impossible),
        figures=tuple(figures),
        low=tuple(low),
        high=tuple(high),
    )


def usual_and_newest(runs: list[Any], benchmark: str) -> list[Any]:
    """Return the usual run of a benchmark, and after it the newest five with as many processes.

    That is the one in the middle by value of the newest five, three or one: an odd number, so that
    equal systems win half each, however many runs they have. Of several numbers of processes (or
    nodes) that with the highest such run counts. A run whose value no machine has is the usual one
    only where there is no other.
    """
    name = _VALUE_COLUMNS[benchmark]
    value = attrgetter(name)
    found = [run for run in runs if run.benchmark == benchmark and value(run)]
    found = [run for run in found if is_possible(name, value(run))] or found
    alike = attrgetter("processes", "nodes")
    groups: dict[Any, list[Any]] = {}
    for run in sorted(found, key=_age, reverse=True):
        groups.setdefault(alike(run), []).append(run)
    candidates = []
    for group in groups.values():
        newest = group[:NEWEST]
        odd = sorted(newest[: len(newest) - (len(newest) + 1) % 2], key=value)
        candidates.append([odd[len(odd) // 2], *newest])
    return max(candidates, key=lambda candidate: value(candidate[0]), default=[])


def _age(run: Any) -> tuple[float, int]:
    """Return what orders runs by time; historic figures, which have none, come first."""
    return (run.measured_at.timestamp() if run.measured_at else -inf, run.id)
