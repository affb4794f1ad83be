"""One's own results beside the published ones, and the balance: bandwidths over R_max."""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter

from beff.definition.b_eff_plan import MEMORY_PER_LMAX
from beff.definition.common import COFFEE_CUP_MIN, balance_of
from beff.definition.subject import Subject, value_processes
from beff.imports.published import as_printed, published_results
from beff.result.b_eff_io_result import RELEASES, BEffIoFigures
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.b_eff_result import BEffFigures, why_alone
from beff.result.bounds import Figure
from beff.result.numbers import counted
from beff.show.parts.sentences import verdict
from beff.show.tables.table import Row, Table, table

_FIGURES = (
    *("b_eff_MBps", "b_eff_per_process_MBps", "lmax_bytes", "pingpong_MBps", "at_lmax_MBps"),
    *("at_lmax_per_process_MBps", "rings_at_lmax_per_process_MBps"),
)
"""Fields that the summary of a result and a row of the paper's table have in common."""
_ACCESSES = ("write_MBps", "rewrite_MBps", "read_MBps")
_OTHER_DEFINITION = "\N{DAGGER}"
"""Marks rows by definition 3.1, which are no equals of Table 1."""


def b_eff_table_1(results: Iterable[tuple[str, BEffFigures]]) -> Table:
    """Show Table 1 of the IPDPS paper with a row for each result on top.

    Published rows hold what was printed. The last one is a value by definition 3.1.
    """
    published, rows = published_results(), list[Row]()
    for label, result in results:
        mark = "" if result.definition == "3.5" else f" {_OTHER_DEFINITION}"
        name = f"{label}, {verdict(result)}{mark}"
        rows.append((name, result.environment.processes, *attrgetter(*_FIGURES)(result.summary)))
    marks, line = ["own"] * len(rows), published.earlier
    for row in (*published.rows, line):
        mark = f" {_OTHER_DEFINITION}" if row is line else " *" if row.note else ""
        rows.append((f"{row.system}{mark}", row.processes, *_printed(row, _FIGURES)))
    notes = [
        f"* {row.system}, {row.processes} processes: {row.note}"
        for row in published.rows
        if row.note is not None
    ]
    shared = [*dict.fromkeys(row.system for row in published.rows if row.memory == "shared")]
    shown = {"mark": _OTHER_DEFINITION, "source": published.source, "earlier": line.source}
    return table("published", rows, notes=notes, marks=marks, scaled=False, shared=shared, **shown)


def _printed(row: object, names: Sequence[str]) -> Row:
    """Return figures of a published row, rates as they are printed."""
    cells = ((name, getattr(row, name)) for name in names)
    return tuple(as_printed(it) if name.endswith("MBps") else it for name, it in cells)


def b_eff_io_published(results: Iterable[tuple[str, BEffIoFigures]]) -> Table:
    """Show the values of all releases with their parts, above the published ones."""
    published = published_results().b_eff_io
    rows: list[Row] = []
    for label, result in results:
        s, on = result.summary, counted(value_processes(result), "process")
        minutes = result.schedule.time_s / len(result.partitions) / 60
        rates = (*attrgetter(*_ACCESSES)(s), *map(s.values.get, RELEASES))
        rows.append((f"{label}, {verdict(result)}", on, minutes, *rates, str(result.definition)))
    marks = ["own"] * len(rows)
    for row in published.rows:
        value = as_printed(row.b_eff_io_MBps)
        values = (value if release == row.release else None for release in RELEASES)
        parts, on = _printed(row, ("time_min", *_ACCESSES)), f"{row.count} {row.unit}"
        rows.append((row.system, on, *parts, *values, row.release))
    shown = {"source": published.source, "remark": published.remark}
    shown |= {"accesses": ACCESSES, "releases": RELEASES}
    return table("published-io", rows, marks=marks, scaled=False, **shown)


def published_tables(subject: Subject) -> list[Table]:
    """Return a table with the published systems for each benchmark that has a result."""
    of_b_eff = [one for one in subject.b_eff() if not why_alone(one[1].definition)]
    tables = [b_eff_table_1(of_b_eff)] if of_b_eff else []
    return [*tables, *([b_eff_io_published(files)] if (files := subject.b_eff_io()) else [])]


_RELEASE = "1"
"""The release of b_eff_io whose published values the table of the balance shows."""
Result = BEffFigures | BEffIoFigures


def systems_of(results: Iterable[tuple[str, Result]]) -> list[tuple[str, list[Result]]]:
    """Pair the results of both benchmarks on the same hosts with as many processes, in order."""
    systems: dict[tuple[str, int, int], tuple[str, list[Result]]] = {}
    seen = Counter[tuple[str, str, int]]()
    for label, result in results:
        e = result.environment
        key = result.benchmark, e.host_list, e.processes
        systems.setdefault((e.host_list, e.processes, seen[key]), (label, []))[1].append(result)
        seen[key] += 1
    return list(systems.values())


def balance_tables(subject: Subject) -> list[Table]:
    """Show the balance of every pair of results above what the papers print.

    None where no result holds R_max.
    """
    systems = systems_of([*subject.b_eff(), *subject.b_eff_io()])
    if all(one.summary.rmax_gflops is None for _, results in systems for one in results):
        return []
    rows = [_own_row(label, results) for label, results in systems]
    published, published_io = published_results(), published_results().b_eff_io
    # the papers print no R_max; their rates are as they stand
    for row in published.rows:
        known = as_printed(row.b_eff_MBps), None, row.total_memory_exchange_s
        rows.append((row.system, str(row.processes), None, *known, None, None, None, ""))
    for row in (row for row in published_io.rows if row.release == _RELEASE):
        value, minutes = as_printed(row.b_eff_io_MBps), row.total_memory_write_min
        behind = (value, None, minutes, _cup(minutes))
        rows.append((row.system, f"{row.count} {row.unit}", *[None] * 4, *behind))
    return [
        table(
            "balance",
            rows,
            notes=[f"{label}: {_origin(results)}" for label, results in systems],
            marks=["own"] * len(systems),
            scaled=False,
            within=COFFEE_CUP_MIN,
            memory=MEMORY_PER_LMAX,
            source=published.source,
            source_io=published_io.source,
        )
    ]


def _own_row(label: str, results: Sequence[Result]) -> Row:
    known = {
        name: value for one in reversed(results) for name, value in one.summary if value is not None
    }
    rmax, minutes = known.get("rmax_gflops"), known.get("total_memory_write_min")
    b_eff, b_eff_io = known.get("b_eff_MBps"), known.get("b_eff_io_MBps")
    words = (f"{one.benchmark} {verdict(one)}" for one in results)
    return (
        ", ".join((label, *words)),
        str(results[0].environment.processes),
        *(rmax, b_eff, balance_of(b_eff, rmax), known.get("total_memory_exchange_s")),
        *(b_eff_io, balance_of(b_eff_io, rmax), minutes, _cup(minutes)),
    )


def _origin(results: Sequence[Result]) -> str:
    """Say where R_max comes from."""
    if all(one.summary.rmax_gflops is None for one in results):
        return "R_max is not known."
    rmax = next((one.rmax for one in results if one.rmax is not None), None)
    if rmax is None or rmax.origin == "given":
        return "R_max as given by the user."
    return (
        f"R_max by {rmax.source}: N = {rmax.n}, NB = {rmax.nb}, P x Q = {rmax.p} x {rmax.q},"
        f" {rmax.time_s} s, scaled residual {rmax.residual} PASSED."
    )


def _cup(minutes: Figure) -> str:
    return "" if minutes is None else "kept" if minutes <= COFFEE_CUP_MIN else "broken"
