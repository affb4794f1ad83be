"""How far the repetitions of a run differ, beside the maximum that counts."""

from dataclasses import dataclass

from beff.analysis.spread import Spread, ValueSpread, spread_of
from beff.model.b_eff_result import ImportedBEff
from beff.report.page.numbers import bandwidth, percent
from beff.report.page.section import Section, ShownResult
from beff.report.tables.table import Column, Table, text


@dataclass(frozen=True)
class SpreadShown:
    """Tables of the values and of the run's course; `note` stands where there are none."""

    tables: list[Table]
    note: str | None


def spread(shown: ShownResult) -> Section | None:
    """Build the section; None for a result without samples."""
    if isinstance(shown.result, ImportedBEff) or not len(shown.result.samples):
        return None
    found = spread_of(shown.document)
    tables = [_values(found)] if found.values else []
    if found.behind_over_run:
        tables.append(_course(found))
    data = SpreadShown(tables, found.note)
    return Section(shown.anchor("spread"), "Spread of the repetitions", "spread.html.j2", data)


def _values(found: Spread) -> Table:
    columns = (
        text("value"),
        Column("best, which counts"),
        Column("median"),
        Column("worst"),
        text("unit"),
        Column("median against best"),
        Column("range"),
        Column("drift"),
    )
    return Table("values", "Values by other repetitions", columns, tuple(map(_row, found.values)))


def _row(value: ValueSpread) -> tuple[str, ...]:
    return (
        value.value.label,
        bandwidth(value.official),
        bandwidth(value.median),
        bandwidth(value.worst),
        value.value.unit.replace("us", "µs"),
        percent(value.median / value.official - 1),
        percent(value.range).removeprefix("+"),
        percent(value.drift),
    )


def _course(found: Spread) -> Table:
    """Show the run in parts of equal numbers of loops, each with its distance from the best."""
    columns = tuple(Column(f"part {part}") for part, _ in enumerate(found.behind_over_run, start=1))
    row = tuple(percent(behind).removeprefix("+") for behind in found.behind_over_run)
    title = "How far loops are behind the best of their repetitions, in the order of the run"
    return Table("course", title, columns, (row,))
