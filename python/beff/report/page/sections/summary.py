"""What belongs to the number itself: its parts, criteria, the papers' last line."""

from dataclasses import dataclass

from beff.report.last_line import last_line
from beff.report.page.section import Section, ShownResult
from beff.report.tables.sections import summary_table
from beff.report.tables.table import Table
from beff.report.tables.validity import criteria_table


@dataclass(frozen=True)
class Summary:
    """The figures reported with the value, and criteria, of which so many are met."""

    facts: Table
    criteria: Table
    met: int
    last_line: str | None
    """None for an imported result, whose system nobody knows in full."""


def summary(shown: ShownResult) -> Section:
    """Build the section."""
    result = shown.result
    data = Summary(
        facts=summary_table(result),
        criteria=criteria_table(result),
        met=sum(criterion.met for criterion in result.criteria),
        last_line=last_line(shown.document),
    )
    return Section(shown.anchor("summary"), "Summary", "summary.html.j2", data)
