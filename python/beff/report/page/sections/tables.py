"""The sections that are tables, most the same as in the other formats."""

from collections.abc import Sequence

from beff.report.page.sections.contents import Contents, Data, ShownResult
from beff.report.parts.partitions import in_detail
from beff.report.tables.balance import balance_tables
from beff.report.tables.environment import environment_table
from beff.report.tables.sections import analysis_tables, published_tables, side_by_side_tables
from beff.report.tables.spread import spread_tables
from beff.report.tables.table import Column, Table, text
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_result import ImportedBEff
from beff.result.imported_pairs import MapResult
from beff.result.numbers import ranges
from beff.result.result_parts import ImportedHead
from beff.verify.analysis import analysis_of

_MOST_HOSTS = 256
"""Hosts whose ranks are listed; a page of thousands of lines would be read by nobody."""


def tables_data(
    tables: Sequence[Table], note: str = "", *, folded: bool = False, opened: int = 0
) -> Data | None:
    """Return tables with a sentence before them, by choice folded; then some unfolded at first."""
    shown = {"tables": tables, "note": note, "folded": folded, "opened": opened}
    return shown if tables or note else None


def side_by_side(page: Contents) -> Data | None:
    """Compare the results; None where no benchmark has several."""
    return tables_data(side_by_side_tables(page.subject))


def balance(page: Contents) -> Data | None:
    """Return the balance; None where no result has R_max."""
    return tables_data(balance_tables(page.subject.b_eff(), page.subject.b_eff_io()))


def published(page: Contents) -> Data | None:
    """Return one table per benchmark that has a result."""
    return tables_data(published_tables(page.subject))


def analysis(shown: ShownResult) -> Data | None:
    """Analyse the samples; None for a result without. Of many partitions some are shown."""
    result = shown.result
    chosen = in_detail(result) if isinstance(result, BEffIoFigures) else None
    return tables_data(analysis_tables(result, chosen), folded=True, opened=1)


def spread(shown: ShownResult) -> Data | None:
    """Say how far repetitions differ; None for a result without samples."""
    if isinstance(shown.result, ImportedBEff | MapResult) or not len(shown.result.samples):
        return None
    found = analysis_of(shown.document).spread
    note = found.note or ""
    return tables_data(spread_tables(found), f"{note[:1].upper()}{note[1:]}." if note else "")


def environment(shown: ShownResult) -> Data:
    """Say where and how the run took place: machine, MPI, and which rank ran on which host."""
    measured = None if isinstance(shown.result, ImportedHead) else shown.result.environment
    ranks: dict[int, list[int]] = {}
    for rank, node in enumerate(() if measured is None else measured.placement):
        ranks.setdefault(node, []).append(rank)
    hosts = [] if measured is None else measured.hosts
    rows = tuple(
        (host.name, host.processes, ranges(ranks.get(node, [])))
        for node, host in enumerate(hosts[:_MOST_HOSTS])
    )
    columns = (text("host"), Column("processes"), text("ranks"))
    variables = {} if measured is None else measured.environment_variables_of_mpi
    return {
        "facts": environment_table(shown.result),
        "file": shown.document.source,
        "hosts": Table("hosts", "Placement", columns, rows),
        "hosts_left_out": len(hosts) - len(rows),
        "variables": sorted(variables.items()),
    }
