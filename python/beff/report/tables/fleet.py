"""The table of the hosts of a fleet."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from beff.fleet.states import HostState
from beff.judge.finding import Verdict
from beff.maps.findings import SIZES
from beff.maps.pair_map import KINDS
from beff.report.tables.table import Column, Row, Table, share, text

if TYPE_CHECKING:
    from beff.judge.fleet import JudgedFleet

_MARKS = {Verdict.GOOD: "good", Verdict.UNKNOWN: "open", Verdict.BAD: "bad"}
_TIMES = "{:.2f}".format


def fleet_table(judged: "JudgedFleet", hosts: Sequence[HostState]) -> Table:
    """Return a row for each of some hosts of a fleet."""
    factors = (Column(SIZES[kind], "times", _TIMES) for kind in KINDS)
    measured = Column("measured", "days ago", "{:.0f}".format)
    columns = (text("host"), text("state"), *factors, share("error"), measured, text("last maps"))
    found = judged.checked.hosts
    marks = (_MARKS[found.get(one.name, Verdict.UNKNOWN)] for one in hosts)
    notes = (
        "short, long: how many times as long as usual messages take; error: one standard error",
        "last maps: the same of the length that takes longer, the newest map last",
    )
    rows = tuple(_row(judged, host) for host in hosts)
    return Table("hosts", "Hosts", columns, rows, notes, tuple(marks))


def _row(judged: "JudgedFleet", host: HostState) -> Row:
    factors = [host.factors.get(kind) for kind in KINDS]
    slower = max(host.factors, key=host.factors.__getitem__, default=KINDS[0])
    course = " ".join(map(_TIMES, host.course[slower]))
    error, days = (host.error, host.days) if host.factors else (None, None)
    return host.name, host.word(judged.days), *factors, error, days, course
