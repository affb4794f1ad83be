"""`beff run --numbering`: what to ask for, whether it was done, and what it is worth."""

from collections.abc import Iterable, Iterator

from beff.analysis.common.summary_figures import main_value
from beff.cli.run_benchmarks import Run
from beff.launch.numbering import Numbering, numberings_of
from beff.model.result_parts import Environment, Figure
from beff.report.tables.table import Column, Table, mbps

_MOST_RANKS = 16
"""Ranks whose nodes are named where the order is not that asked for."""


def is_on_one_node(run: Run) -> bool:
    """Whether a run left a result and all its processes were on one node."""
    return run.measured is not None and run.measured.result.environment.nodes == 1


def is_as_asked(run: Run) -> bool:
    """Whether the processes were numbered as asked; true where nobody asked or nobody knows."""
    if run.numbering is None or run.measured is None:
        return True
    return run.numbering in numberings_of(run.measured.result.environment.placement)


def numbering_remarks(run: Run) -> Iterator[str]:
    """Say of a run with a result what became of --numbering."""
    if run.numbering is None or run.measured is None:
        return
    environment = run.measured.result.environment
    asked = run.numbering.value
    if environment.nodes == 1:
        yield (
            f"numbering: all {environment.processes} processes are on one node, where sequential"
            " and round-robin are the same"
        )
    elif environment.nodes == environment.processes:
        yield ("numbering: every node has one process, so sequential and round-robin are the same")
    elif is_as_asked(run):
        yield f"numbering: {asked}, as asked"
    else:
        shown = " ".join(map(str, environment.placement[:_MOST_RANKS]))
        more = " …" if environment.processes > _MOST_RANKS else ""
        yield (
            f"numbering: NOT {asked}: the launcher did not do what --numbering asked for; the"
            f" nodes of rank 0, 1 … are {shown}{more}"
        )


def numbering_table(runs: list[Run]) -> Table | None:
    """Return the values of runs with both numberings and their ratio; None without such runs."""
    pairs = list(_pairs(runs))
    if not pairs:
        return None
    rows = []
    for sequential, round_robin in pairs:
        first, second = _value(sequential), _value(round_robin)
        ratio = first / second if first and second else None
        rows.append((sequential.processes, first, second, ratio))
    return Table(
        "numbering",
        f"{runs[0].benchmark.name} by the numbering of the processes",
        (
            Column("processes"),
            *(mbps(each.value) for each in Numbering),
            Column("ratio"),
        ),
        tuple(rows),
        tuple(_notes(pairs)),
    )


def _notes(pairs: Iterable[tuple[Run, Run]]) -> Iterator[str]:
    """Say what else than the numbering differs between the runs of a pair."""
    for sequential, round_robin in pairs:
        name = f"{sequential.benchmark.name} with {sequential.processes} processes"
        if not (is_as_asked(sequential) and is_as_asked(round_robin)):
            yield (
                f"{name}: the launcher did not number as asked, so the ratio is not that of the two"
                " numberings"
            )
        elif _per_host(sequential) != _per_host(round_robin):
            yield (
                f"{name}: the runs differ also in how many processes each node has"
                f" (sequential {_per_node(sequential)}; round-robin {_per_node(round_robin)})"
            )


def _pairs(runs: Iterable[Run]) -> Iterator[tuple[Run, Run]]:
    measured = {(run.processes, run.numbering): run for run in runs if run.measured is not None}
    for processes in dict.fromkeys(count for count, _ in measured):
        both = [measured.get((processes, each)) for each in Numbering]
        if both[0] is not None and both[1] is not None:
            yield both[0], both[1]


def _value(run: Run) -> Figure:
    return None if run.measured is None else main_value(run.measured.result)


def _environment(run: Run) -> Environment | None:
    return None if run.measured is None else run.measured.result.environment


def _per_host(run: Run) -> dict[str, int]:
    environment = _environment(run)
    return {} if environment is None else {h.name: h.processes for h in environment.hosts}


def _per_node(run: Run) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(_per_host(run).items()))
