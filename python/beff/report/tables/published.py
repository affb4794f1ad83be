"""The report's own results beside the published ones."""

from collections.abc import Iterable

from beff.model.b_eff_io_result import ACCESSES, RELEASES, BEffIoFigures
from beff.model.b_eff_result import BEffFigures
from beff.model.published import PublishedRow, published_results
from beff.model.published_io import PublishedIoRow, published_io_results
from beff.report.tables.table import Column, Row, Table, text
from beff.report.tables.validity import verdict


def b_eff_table_1(results: Iterable[tuple[str, BEffFigures]]) -> Table:
    """Show Table 1 of the IPDPS paper with a row for each result on top; MB/s throughout."""
    published = published_results()
    own = tuple(_own_row(label, result) for label, result in results)
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
            text("memory or validity"),
            Column("processes"),
            Column("b_eff", "MB/s"),
            Column("b_eff per process", "MB/s"),
            Column("L_max", is_size=True),
            Column("ping-pong", "MB/s"),
            Column("b_eff at L_max", "MB/s"),
            Column("at L_max per process", "MB/s"),
            Column("at L_max per process, rings only", "MB/s"),
        ),
        (*own, *map(_published_row, published.rows)),
        (*marked, f"Published rows: {published.source}."),
        own_rows=len(own),
    )


def _own_row(label: str, result: BEffFigures) -> Row:
    summary = result.summary
    return (
        label,
        verdict(result),
        result.environment.processes,
        summary.b_eff_MBps,
        summary.b_eff_per_process_MBps,
        summary.lmax_bytes,
        summary.pingpong_MBps,
        summary.at_lmax_MBps,
        summary.at_lmax_per_process_MBps,
        summary.rings_at_lmax_per_process_MBps,
    )


def _published_row(row: PublishedRow) -> Row:
    return (
        row.system + (" *" if row.note else ""),
        f"{row.memory} memory",
        row.processes,
        row.b_eff_MBps,
        row.b_eff_per_process_MBps,
        row.lmax_bytes,
        row.pingpong_MBps,
        row.at_lmax_MBps,
        row.at_lmax_per_process_MBps,
        row.rings_at_lmax_per_process_MBps,
    )


def b_eff_io_published(results: Iterable[tuple[str, BEffIoFigures]]) -> Table:
    """Show the values of all releases with their parts, above the published ones."""
    published = published_io_results()
    own: list[Row] = []
    for label, result in results:
        processes = result.summary.processes or result.environment.processes
        values = (result.summary.values.get(release) for release in RELEASES)
        counts = f"release {result.definition}"
        minutes = result.schedule.time_s / 60
        s = result.summary
        parts = (s.write_MBps, s.rewrite_MBps, s.read_MBps)
        on = f"{processes} process{'' if processes == 1 else 'es'}"
        own.append((label, verdict(result), on, minutes, *parts, *values, counts))
    return Table(
        "published-io",
        "b_eff_io beside published systems",
        (
            text("system"),
            text("validity"),
            text("on"),
            Column("T", "min"),
            *(Column(access, "MB/s") for access in ACCESSES),
            *(Column(f"release {release}", "MB/s") for release in RELEASES),
            text("value by"),
        ),
        (*own, *map(_published_io_row, published.rows)),
        (
            "Write, rewrite and read are the means over the pattern types, scatter counted twice.",
            f"Published values: {published.source}. {published.remark}",
        ),
        own_rows=len(own),
    )


def _published_io_row(row: PublishedIoRow) -> Row:
    return (
        row.system,
        "published",
        f"{row.count} {row.unit}",
        row.time_min,
        row.write_MBps,
        row.rewrite_MBps,
        row.read_MBps,
        *(row.b_eff_io_MBps if release == row.release else None for release in RELEASES),
        f"release {row.release}",
    )
