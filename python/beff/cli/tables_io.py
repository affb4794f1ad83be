"""The tables of b_eff_io: partitions by access method and type, and published values."""

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.table import Table

from beff.model.b_eff_io_result import ACCESSES, RELEASES, BEffIoResult, TypeKey
from beff.model.load import Document, as_b_eff_io
from beff.model.numbers import short
from beff.model.published_io import PublishedIo
from beff.model.result_parts import Figure
from beff.model.units import format_duration

_MINUTE_S = 60


def _empty(title: str) -> Table:
    return Table(
        box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), title=title, title_justify="left"
    )


def access_table(document: Document) -> Table:
    """MB/s of each access method and type, from opening to closing the file, per partition."""
    result = as_b_eff_io(document)
    verdict = "[green]VALID[/]" if result.valid else "[red]NOT VALID[/]"
    table = _empty(
        f"b_eff_io on {result.environment.processes} processes, {verdict}: MB/s by access method"
        " and pattern type; the mean counts the first type twice"
    )
    table.add_column("processes", justify="right")
    table.add_column("access")
    for entry in result.type_names:
        table.add_column(entry.name, justify="right", no_wrap=True)
    table.add_column("mean", justify="right", no_wrap=True)
    bandwidths = _bandwidths(result)
    for index, partition in enumerate(result.partitions):
        table.add_section()
        for access in ACCESSES:
            cells = [
                short(bandwidths.get(TypeKey(index, entry.type, access)))
                for entry in result.type_names
            ]
            first = str(partition.processes) if access == ACCESSES[0] else ""
            table.add_row(first, access, *cells, short(partition.access[access]))
    return table


def _bandwidths(result: BEffIoResult) -> dict[TypeKey, Figure]:
    keys = (row.key for row in result.types.rows())
    return dict(zip(keys, result.types.bandwidth_MBps, strict=True))


def values_table(documents: Iterable[Document], published: PublishedIo) -> Table:
    """b_eff_io of each result by all releases, above the published values."""
    table = _empty("b_eff_io in MB/s (10^6 byte/s); the value counts by the release marked *")
    table.add_column("system", min_width=12)
    table.add_column("on", no_wrap=True)
    table.add_column("T", justify="right", no_wrap=True)
    for release in RELEASES:
        table.add_column(f"release {release}", justify="right", no_wrap=True)
    for document in documents:
        result = as_b_eff_io(document)
        verdict = "[green]VALID[/]" if result.valid else "[red]NOT VALID[/]"
        processes = result.summary.processes or result.environment.processes
        cells = [
            short(result.summary.values.get(release))
            + ("*" if release == result.definition else "")
            for release in RELEASES
        ]
        table.add_row(
            f"this machine, {verdict}",
            f"{processes} process{'' if processes == 1 else 'es'}",
            format_duration(result.schedule.time_s),
            *cells,
            style="bold",
        )
    table.add_section()
    for row in published.rows:
        time = format_duration(row.time_min * _MINUTE_S)
        values = (
            short(row.b_eff_io_MBps) if release == row.release else "" for release in RELEASES
        )
        table.add_row(row.system, f"{row.count} {row.unit}", time, *values)
    return table
