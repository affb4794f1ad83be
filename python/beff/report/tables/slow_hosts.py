"""Which hosts, processes or links are slow, and what says so."""

from beff.model.b_eff_result import BEffResult, SlowPart
from beff.report.tables.table import Column, Row, Table, text

SLOW_HOSTS = "slow-hosts"
NOT_EXAMINED = "The program that measured this did not look for slow hosts."


def slow_hosts_table(result: BEffResult) -> Table:
    """Return the findings with their evidence, none or more, and the statement as a note."""
    slow = result.slow_hosts
    columns = (
        text("slow"),
        text("name"),
        text("messages"),
        text("where"),
        Column("factor", decimals=2),
        text("confidence"),
        text("slow in patterns"),
        text("slowest in sweeps"),
        Column("sweeps by chance", decimals=1),
        text("or else"),
    )
    if slow is None:
        rows, note = [_nothing("not examined")], NOT_EXAMINED
    else:
        rows, note = [_row(part) for part in slow.found] or [_nothing(slow.verdict)], slow.statement
    return Table(SLOW_HOSTS, "Slow hosts and links", columns, tuple(rows), notes=(note,))


def _nothing(verdict: str) -> Row:
    return (verdict, *[None] * 9)


def _row(part: SlowPart) -> Row:
    return (
        part.kind,
        part.name,
        part.messages,
        part.where,
        part.factor,
        part.confidence,
        f"{part.patterns_slow} of {part.patterns}",
        f"{part.sweeps_slow} of {part.sweeps}",
        part.sweeps_by_chance,
        ", ".join(part.alternatives) or None,
    )
