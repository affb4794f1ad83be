"""The analysis tables, the same as in the protocol and in the other formats."""

from beff.model.b_eff_result import BEffResult
from beff.report.page.section import Section, ShownResult
from beff.report.tables import b_eff, b_eff_io


def analysis(shown: ShownResult) -> Section | None:
    """Build the section; None for a result without samples."""
    result = shown.result
    tables = (
        b_eff.analysis_tables(result)
        if isinstance(result, BEffResult)
        else b_eff_io.analysis_tables(shown.document, result)
    )
    if not tables:
        return None
    return Section(shown.anchor("analysis"), "Analysis", "analysis.html.j2", tables)
