"""The analysis tables, the same as in the other formats."""

from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.b_eff_result import BEffFigures
from beff.report.page.partitions import in_detail
from beff.report.page.section import Section, ShownResult
from beff.report.tables import b_eff, b_eff_io
from beff.report.tables.table import Table


def analysis(shown: ShownResult) -> Section | None:
    """Build the section; None for a result without samples."""
    result = shown.result
    tables = (
        b_eff.analysis_tables(result) if isinstance(result, BEffFigures) else _io_tables(result)
    )
    if not tables:
        return None
    return Section(shown.anchor("analysis"), "Analysis", "analysis.html.j2", tables)


def _io_tables(result: BEffIoFigures) -> list[Table]:
    """Return all tables, those of a partition only for the ones that are shown in detail."""
    return b_eff_io.analysis_tables(result, in_detail(result))
