"""The sections that are tables, the same as in the other formats."""

from collections.abc import Sequence
from dataclasses import dataclass

from beff.report.page.sections.contents import Contents, Section, ShownResult
from beff.report.tables.balance import balance_tables
from beff.report.tables.sections import analysis_tables, published_tables, side_by_side_tables
from beff.report.tables.spread import spread_tables
from beff.report.tables.table import Table
from beff.result.b_eff_io_result import BEffIoFigures
from beff.result.b_eff_result import ImportedBEff
from beff.result.b_pairs_result import BPairsResult
from beff.verify.analysis import analysis_of
from beff.verify.b_eff_io.schedule import in_detail


@dataclass(frozen=True)
class Tables:
    """Tables with a sentence before them, by choice folded; then `opened` are unfolded at first."""

    tables: Sequence[Table]
    note: str = ""
    folded: bool = False
    opened: int = 0


def _section(key: str, title: str, data: Tables) -> Section | None:
    return Section(key, title, "tables.html.j2", data) if data.tables or data.note else None


def side_by_side(page: Contents) -> Section | None:
    """Build the section; None where no benchmark has several results."""
    tables = Tables(side_by_side_tables(page.subject))
    return _section("overview", "The results side by side", tables)


def balance(page: Contents) -> Section | None:
    """Build the section; None where no result has R_max."""
    found = balance_tables(page.subject.b_eff(), page.subject.b_eff_io())
    return _section("balance", "Balance", Tables(found))


def published(page: Contents) -> Section | None:
    """Build the section: one table per benchmark that has a result."""
    data = Tables(published_tables(page.subject), folded=True)
    return _section("published", "Beside published systems", data)


def analysis(shown: ShownResult) -> Section | None:
    """Build the section; None for a result without samples. Of many partitions some are shown."""
    result = shown.result
    chosen = in_detail(result) if isinstance(result, BEffIoFigures) else None
    data = Tables(analysis_tables(result, chosen), folded=True, opened=1)
    return _section(shown.anchor("analysis"), "Analysis", data)


def spread(shown: ShownResult) -> Section | None:
    """Build the section; None for a result without samples."""
    if isinstance(shown.result, ImportedBEff | BPairsResult) or not len(shown.result.samples):
        return None
    found = analysis_of(shown.document).spread
    note = found.note or ""
    sentence = f"{note[:1].upper()}{note[1:]}." if note else ""
    data = Tables(spread_tables(found), sentence)
    return _section(shown.anchor("spread"), "Spread of the repetitions", data)
