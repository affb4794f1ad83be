"""How `beff store` shows entries, systems and trends."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from beff.model.numbers import change, counted, format_duration, format_size, number, rate
from beff.report.tables.table import Column, Table, column, mbps, text
from beff.store.system_record import Difference
from beff.store.tables import AuditNote, Entry, System, Token
from beff.store.trend import Series

_INTERNAL = {"id", "system_id", "measurement", "machine", "hardware"}


def _date(time: datetime | None, year: int | None = None) -> str:
    return time.strftime("%Y-%m-%d %H:%M") if time is not None else str(year or "")


def entries_table(entries: Iterable[Entry]) -> Table:
    """One line per entry."""
    columns = (
        Column("entry"),
        *map(text, ("system", "benchmark")),
        Column("processes"),
        *map(mbps, ("value", "at L_max")),
        *map(text, ("measured", "status")),
    )
    rows = tuple(
        (
            entry.id,
            entry.system.name,
            entry.benchmark,
            entry.processes,
            entry.value_MBps,
            entry.at_lmax_MBps,
            _date(entry.measured_at, entry.year),
            entry.status + ("" if entry.published else ", refused" if entry.refusal else ", waits"),
        )
        for entry in entries
    )
    return Table("entries", "", columns, rows)


def systems_table(systems: Iterable[tuple[System, int]]) -> Table:
    """One line per system with its hardware."""
    columns = (
        *map(text, ("system", "owner", "site")),
        *map(Column, ("nodes", "cores")),
        column("memory", "byte"),
        *map(text, ("CPUs", "interconnect")),
        Column("R_max", "GFLOP/s"),
        Column("entries"),
    )
    rows = tuple(
        (
            system.name,
            system.owner,
            system.site,
            system.nodes,
            system.cores,
            system.memory_bytes,
            system.cpus,
            system.interconnect,
            system.rmax_gflops,
            count,
        )
        for system, count in systems
    )
    return Table("systems", "", columns, rows)


def entry_fields(entry: Entry) -> dict[str, Any]:
    """Return all that is stored about an entry except its file, under the names of the columns."""
    fields: dict[str, Any] = {"entry": entry.id, "system": entry.system.name}
    for attribute in Entry.__mapper__.column_attrs:
        if attribute.key not in _INTERNAL:
            value = getattr(entry, attribute.key)
            fields[attribute.key] = value.isoformat() if isinstance(value, datetime) else value
    return fields


def entry_lines(entry: Entry) -> list[str]:
    """Return what is known about an entry and its system, a line each."""
    known = {name: value for name, value in entry_fields(entry).items() if value is not None}
    system = {
        f"system.{attribute.key}": getattr(entry.system, attribute.key)
        for attribute in System.__mapper__.column_attrs
        if attribute.key not in ("id", "name", "described", "owner")
    }
    known |= {name: value for name, value in system.items() if value is not None}
    width = max(len(name) for name in known)
    return [f"{name:{width}}  {_shown(name, value)}" for name, value in known.items()]


def _shown(name: str, value: Any) -> str:
    if name.endswith("_bytes"):
        return f"{value} ({format_size(value)})"
    if name == "io_time_s":
        return format_duration(value)
    if name.endswith("_MBps"):
        return rate(value)
    return number(value) if isinstance(value, float) else str(value)


def waiting_lines(
    entry: Entry, warnings: Iterable[str], differences: Iterable[Difference], signed: str
) -> list[str]:
    """Return what the operator looks at before publishing an entry."""
    name, by = entry.system.name, entry.submitted_by or "nobody known"
    return [
        f"entry {entry.id}: {entry.benchmark} {rate(entry.value_MBps)} with {entry.processes}"
        f" processes of system '{name}', {entry.status}, submitted by '{by}' at"
        f" {_date(entry.added_at)}",
        *([f"  {signed}"] if signed else []),
        *(f"  warning: {warning}" for warning in warnings),
        *(f"  would change {difference}" for difference in differences),
    ]


def series_table(series: Series) -> Table:
    """Return the runs of a series, oldest first; a step stands at the first run after it."""
    conditions = series.conditions
    size = series.memory_per_process_bytes
    memory = f", {format_size(size)} per process" if size else ""
    rows = []
    for index, entry in enumerate(series.entries):
        step, mark = series.step_at(index), ""
        if step is not None:
            levels = f"median {rate(step.before)} before, {rate(step.after)} since"
            mark = f"{change(step.ratio - 1)}: {levels}"
        rows.append((entry.id, _date(entry.measured_at), entry.value_MBps, mark))
    return Table(
        "series",
        f"{conditions.benchmark} {conditions.definition},"
        f" {counted(conditions.processes, 'process')} on"
        f" {counted(conditions.nodes, 'node')}{memory}",
        (Column("entry"), text("measured"), mbps("value"), text("change")),
        tuple(rows),
    )


def series_fields(series: Series) -> dict[str, Any]:
    """Return a series as JSON."""
    conditions = series.conditions
    return {
        "benchmark": conditions.benchmark,
        "definition": conditions.definition,
        "processes": conditions.processes,
        "nodes": conditions.nodes,
        "memory_per_process_bytes": series.memory_per_process_bytes,
        "runs": [_run(entry) for entry in series.entries],
        "change_points": [
            {"entry": series.entries[point.index].id, "before": point.before, "after": point.after}
            for point in series.change_points
        ],
    }


def _run(entry: Entry) -> dict[str, Any]:
    measured_at = entry.measured_at
    return {
        "entry": entry.id,
        "measured_at": measured_at.isoformat() if measured_at else None,
        "value_MBps": entry.value_MBps,
    }


def tokens_table(tokens: Iterable[Token]) -> Table:
    """One line per token, without its secret."""
    rows = tuple(
        (
            token.name,
            "operator" if token.operator else "submitting",
            _date(token.created_at),
            _date(token.revoked_at),
        )
        for token in tokens
    )
    return Table("tokens", "", tuple(map(text, ("token", "for", "made", "revoked"))), rows)


def log_table(notes: Iterable[AuditNote]) -> Table:
    """One line per change, the newest last."""
    columns = tuple(map(text, ("when", "who", "what", "of what", "detail")))
    rows = tuple(
        (_date(note.at), note.actor, note.action, note.subject, note.detail) for note in notes
    )
    return Table("log", "", columns, rows)
