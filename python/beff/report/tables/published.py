"""The report's own results beside the published ones."""

from collections.abc import Iterable
from operator import attrgetter

from beff.definition.b_eff_plan import MEMORY_PER_LMAX
from beff.importers.published import (
    PublishedIoRow,
    PublishedRow,
    as_printed,
    published_io_results,
    published_results,
)
from beff.report.tables.table import Column, Row, Table, column, mbps, own, text
from beff.report.tables.validity import verdict
from beff.result.b_eff_io_result import RELEASES, BEffIoFigures
from beff.result.b_eff_io_samples import ACCESSES
from beff.result.b_eff_result import BEffFigures
from beff.result.numbers import counted
from beff.verify.common.summary_figures import value_processes

_FIGURES = attrgetter(
    "b_eff_MBps",
    "b_eff_per_process_MBps",
    "lmax_bytes",
    "pingpong_MBps",
    "at_lmax_MBps",
    "at_lmax_per_process_MBps",
    "rings_at_lmax_per_process_MBps",
)
"""Fields that the summary of a result and a row of the paper's table have in common."""
_ACCESSES = attrgetter("write_MBps", "rewrite_MBps", "read_MBps")
_OTHER_DEFINITION = "\N{DAGGER}"
"""Marks rows by definition 3.1, which are no equals of Table 1."""


def b_eff_table_1(results: Iterable[tuple[str, BEffFigures]]) -> Table:
    """Show Table 1 of the IPDPS paper with a row for each result on top.

    Published rows hold what was printed. The last one is a value by definition 3.1.
    """
    published = published_results()
    rows = [
        (
            f"{label}, {verdict(result)}"
            + ("" if result.definition == "3.5" else f" {_OTHER_DEFINITION}"),
            result.environment.processes,
            *_FIGURES(result.summary),
        )
        for label, result in results
    ]
    line = published.earlier
    earlier = (
        f"{line.system} {_OTHER_DEFINITION}",
        line.processes,
        *map(as_printed, (line.b_eff_MBps, line.b_eff_per_process_MBps)),
        line.memory_per_process_bytes // MEMORY_PER_LMAX,
        *[None] * 4,
    )
    shared = dict.fromkeys(row.system for row in published.rows if row.memory == "shared")
    marked = tuple(
        f"* {row.system}, {row.processes} processes: {row.note}"
        for row in published.rows
        if row.note is not None
    )
    return Table(
        "published",
        "b_eff beside published systems",
        (
            text("system"),
            Column("processes"),
            mbps("b_eff"),
            mbps("b_eff per process"),
            column("L_max", "byte"),
            mbps("ping-pong"),
            mbps("b_eff at L_max"),
            mbps("at L_max per process"),
            mbps("at L_max per process, rings only"),
        ),
        (*rows, *map(_published_row, published.rows), earlier),
        (
            *marked,
            f"{_OTHER_DEFINITION} by definition 3.1: cyclic grids stand in the place of rings, so"
            " it is no equal of Table 1.",
            f"With shared memory: {', '.join(shared)}; the other published systems: distributed.",
            f"Published rows, as printed: {published.source}; by definition 3.1: {line.source}.",
        ),
        own(len(rows)),
        scaled=False,
    )


def _published_row(row: PublishedRow) -> Row:
    value, each, lmax, *others = _FIGURES(row)
    name = row.system + (" *" if row.note else "")
    return (name, row.processes, *map(as_printed, (value, each)), lmax, *map(as_printed, others))


def b_eff_io_published(results: Iterable[tuple[str, BEffIoFigures]]) -> Table:
    """Show the values of all releases with their parts, above the published ones."""
    published = published_io_results()
    rows: list[Row] = [
        (
            f"{label}, {verdict(result)}",
            counted(value_processes(result), "process"),
            result.schedule.time_s / len(result.partitions) / 60,
            *_ACCESSES(result.summary),
            *map(result.summary.values.get, RELEASES),
            str(result.definition),
        )
        for label, result in results
    ]
    return Table(
        "published-io",
        "b_eff_io beside published systems",
        (
            text("system"),
            text("on"),
            column("T of a partition", "min"),
            *map(mbps, ACCESSES),
            *(mbps(f"release {release}") for release in RELEASES),
            text("value by release"),
        ),
        (*rows, *map(_published_io_row, published.rows)),
        (
            "Write, rewrite and read are the means over the pattern types, scatter counted twice.",
            f"Published values: {published.source}. {published.remark}",
        ),
        own(len(rows)),
        scaled=False,
    )


def _published_io_row(row: PublishedIoRow) -> Row:
    value = as_printed(row.b_eff_io_MBps)
    return (
        row.system,
        f"{row.count} {row.unit}",
        row.time_min,
        *map(as_printed, _ACCESSES(row)),
        *(value if release == row.release else None for release in RELEASES),
        row.release,
    )
