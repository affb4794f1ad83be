"""Which hosts, processes or links are slow, as the result states it, with the evidence."""

from dataclasses import dataclass

from beff.model.b_eff_result import BEffResult, SlowHosts, SlowPart
from beff.report.page.numbers import percent, ranges
from beff.report.page.section import Section, ShownResult
from beff.report.tables.table import Column, Table, text


@dataclass(frozen=True)
class SlowShown:
    """The statement, and a table of what was found."""

    statement: str
    is_found: bool
    table: Table | None
    examined: list[str]


def slow_hosts(shown: ShownResult) -> Section | None:
    """Build the section; None for a result that does not say anything about it."""
    result = shown.result
    if not isinstance(result, BEffResult) or result.slow_hosts is None:
        return None
    stated = result.slow_hosts
    data = SlowShown(
        statement=stated.statement,
        is_found=bool(stated.found),
        table=_table(stated) if stated.found else None,
        examined=[
            f"{entry.messages} messages, {_PLACES[entry.where]}: {entry.patterns} patterns over"
            f" {entry.units} {_UNITS[stated.unit]}"
            for entry in stated.examined
        ],
    )
    return Section(shown.anchor("slow-hosts"), "Slow hosts", "slow_hosts.html.j2", data)


_PLACES = {"network": "in the network", "inside": "inside the hosts"}
_UNITS = {"host": "hosts", "process": "processes"}


def _table(stated: SlowHosts) -> Table:
    columns = (
        text("kind"),
        text("name"),
        text("ranks"),
        text("seen in"),
        Column("slower by"),
        text("confidence"),
        Column("patterns"),
        Column("sweeps"),
        Column("by chance", decimals=1),
        text("it could also be"),
    )
    rows = tuple(map(_row, stated.found))
    return Table("found", "What is slow, and what speaks for it", columns, rows)


def _row(part: SlowPart) -> tuple[str | float, ...]:
    return (
        part.kind,
        part.name,
        ranges(part.ranks),
        f"{part.messages} messages, {_PLACES[part.where]}",
        percent(part.factor - 1).removeprefix("+"),
        part.confidence,
        f"{part.patterns_slow} of {part.patterns}",
        f"{part.sweeps_slow} of {part.sweeps}",
        part.sweeps_by_chance,
        ", ".join(part.alternatives),
    )
