"""The row of Table 1 for each result, beside the published systems."""

from collections.abc import Sequence

from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.b_eff_result import BEffFigures
from beff.report.page.section import Section, ShownResult
from beff.report.tables.published import b_eff_io_published, b_eff_table_1


def published(results: Sequence[ShownResult]) -> Section:
    """Build the section: one table per benchmark that has a result."""
    b_eff = [(s.label, s.result) for s in results if isinstance(s.result, BEffFigures)]
    b_eff_io = [(s.label, s.result) for s in results if isinstance(s.result, BEffIoFigures)]
    tables = [
        *([b_eff_table_1(b_eff)] if b_eff else []),
        *([b_eff_io_published(b_eff_io)] if b_eff_io else []),
    ]
    return Section("published", "Beside published systems", "folded.html.j2", tables)
