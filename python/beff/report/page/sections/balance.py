"""The balance of the machines: bandwidth over Linpack's R_max, and the time for the memory."""

from collections.abc import Sequence

from beff.model.b_eff_io_result import BEffIoFigures
from beff.model.b_eff_result import BEffFigures
from beff.report.page.section import Section, ShownResult
from beff.report.tables.balance import balance_tables


def balance(results: Sequence[ShownResult]) -> Section | None:
    """Build the section; None where no result tells R_max."""
    b_eff = [(s.label, s.result) for s in results if isinstance(s.result, BEffFigures)]
    b_eff_io = [(s.label, s.result) for s in results if isinstance(s.result, BEffIoFigures)]
    tables = balance_tables(b_eff, b_eff_io)
    return Section("balance", "Balance", "tables.html.j2", tables) if tables else None
