"""What is known of the hosts of a fleet: a table, metrics, a drawing, a page, a row a host."""
# ruff: noqa: PLC0415 - the drawing library is imported only when something is drawn

import json
from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beff.definition.imported_pairs import KINDS
from beff.fleet.states import DUE, HostState, State
from beff.judge.finding import Verdict
from beff.maps.findings import SIZES
from beff.report.check_files import Family, metrics_text
from beff.report.csv_file import write_rows
from beff.report.parts.checked import headline_of
from beff.report.parts.findings import sentence_of
from beff.report.pictures import draw
from beff.report.tables.table import Column, Row, Table, share, text
from beff.result.write import made_whole

if TYPE_CHECKING:
    from beff.judge.fleet import JudgedFleet

FLEET_ENDINGS = (".html", ".svg", ".png", ".pdf", ".csv", ".json", ".prom")
_TITLE = "beff nodes --fleet"
_MARKS = {Verdict.GOOD: "good", Verdict.UNKNOWN: "open", Verdict.BAD: "bad"}
_TIMES = "{:.2f}".format


def write_fleet(judged: "JudgedFleet", hosts: Sequence[HostState], target: Path) -> None:
    """Write a file by its ending, one of FLEET_ENDINGS; pictures and the page show all hosts.

    Raises BeffError where it cannot be written.
    """
    ending = target.suffix.lower()
    with made_whole(target) as made:
        if ending == ".html":
            made.write_text(_page(judged), encoding="utf-8")
        elif ending == ".csv":
            write_rows([_flat(record) for record in _records(judged, hosts)], made)
        elif ending == ".json":
            text = json.dumps({"hosts": [*_records(judged, hosts)]}, indent=1, allow_nan=False)
            made.write_text(f"{text}\n", encoding="utf-8")
        elif ending == ".prom":
            made.write_text(metrics_text(_metrics(judged, hosts)), encoding="utf-8")
        else:
            from beff.charts.fleet import fleet_chart

            draw([fleet_chart(judged)], made, _TITLE)


def _records(judged: "JudgedFleet", hosts: Sequence[HostState]) -> Iterator[dict[str, Any]]:
    """Yield what is known of each host; None of what is not."""
    for host in hosts:
        yield {
            "host": host.name,
            "state": host.word(judged.days),
            "since": _moment(judged, host.first),
            **{f"{SIZES[kind]}_messages_factor": host.factors.get(kind) for kind in KINDS},
            "factor_error": host.error if isfinite(host.error) else None,
            "measured_at": _moment(judged, host.last),
            "measured_ago_days": host.days if isfinite(host.days) else None,
            "leaf": host.leaf,
            **{f"{SIZES[kind]}_messages_last_factors": host.course[kind] for kind in KINDS},
        }


def _moment(judged: "JudgedFleet", place: int) -> str | None:
    """Return when a map was measured; None where there is none."""
    return judged.maps[place].started_at.isoformat() if place >= 0 else None


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    return {
        name: " ".join(map(repr, it)) if isinstance(it, tuple) else it
        for name, it in record.items()
    }


def _metrics(judged: "JudgedFleet", hosts: Sequence[HostState]) -> list[Family]:
    states = Family("beff_fleet_host_state", "Whether this is known of the host by all maps.")
    factors = Family(
        "beff_fleet_host_factor_ratio", "How long its messages take beside what is usual.", "ratio"
    )
    measured = Family(
        "beff_fleet_host_measured_timestamp_seconds", "When a map measured it last.", "seconds"
    )
    for host in hosts:
        of_host, word = {"host": host.name}, host.word(judged.days)
        states.samples += [
            ({**of_host, "state": one}, float(one == word))
            for one in (*(state.value for state in State), DUE)
        ]
        factors.samples += [
            ({**of_host, "messages": SIZES[kind]}, factor) for kind, factor in host.factors.items()
        ]
        if host.last >= 0:
            measured.samples.append((of_host, judged.maps[host.last].started_at.timestamp()))
    return [states, factors, measured]


def _page(judged: "JudgedFleet") -> str:
    from beff.charts.fleet import fleet_chart
    from beff.charts.render import why_no_pictures
    from beff.report.page.html_file import page_of
    from beff.report.page.sections.charts import diagram_of
    from beff.report.page.sections.contents import Section
    from beff.report.page.sections.tables import tables_data

    reason, verdict = why_no_pictures(), headline_of(judged.checked).text
    table = fleet_table(judged, judged.hosts())
    sections = [Section("hosts", "All hosts", "tables.html.j2", tables_data([table]))]
    if reason is None:
        drawn = [diagram_of(fleet_chart(judged))]
        sections.insert(0, Section("figures", "Hosts by leaf", "figures.html.j2", drawn))
    return page_of(
        sections=sections,
        title=_TITLE,
        heading=f"{verdict[:1].upper()}{verdict[1:]}.",
        setting=next(sentence_of(one) for one in judged.checked.findings if one.code == "fleet"),
        why_no_pictures=reason,
    )


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
    rows = tuple(_host_row(judged, host) for host in hosts)
    return Table("hosts", "Hosts", columns, rows, notes, tuple(marks))


def _host_row(judged: "JudgedFleet", host: HostState) -> Row:
    factors = [host.factors.get(kind) for kind in KINDS]
    slower = max(host.factors, key=host.factors.__getitem__, default=KINDS[0])
    course = " ".join(map(_TIMES, host.course[slower]))
    error, days = (host.error, host.days) if host.factors else (None, None)
    return host.name, host.word(judged.days), *factors, error, days, course
