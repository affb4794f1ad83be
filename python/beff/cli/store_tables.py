"""How `beff store` shows entries, systems and trends."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from beff.model.numbers import short
from beff.model.units import format_duration, format_size
from beff.store.system_record import Difference
from beff.store.tables import AuditNote, Entry, System, Token
from beff.store.trend import Series

_INTERNAL = {"id", "system_id", "measurement", "machine", "hardware"}


def _table(title: str | None = None) -> Table:
    return Table(
        box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), title=title, title_justify="left"
    )


def _date(time: datetime | None, year: int | None = None) -> str:
    return time.strftime("%Y-%m-%d %H:%M") if time is not None else str(year or "")


def entries_table(entries: Iterable[Entry]) -> Table:
    """One line per entry; values in MB/s."""
    table = _table("values in MB/s (10^6 byte/s)")
    for name in ("entry", "system", "benchmark", "processes", "value", "at L_max", "measured"):
        right = name in ("entry", "processes", "value", "at L_max")
        table.add_column(name, justify="right" if right else "left", no_wrap=name != "system")
    table.add_column("status")
    for entry in entries:
        table.add_row(
            str(entry.id),
            escape(entry.system.name),
            entry.benchmark,
            str(entry.processes),
            short(entry.value_MBps),
            short(entry.at_lmax_MBps),
            _date(entry.measured_at, entry.year),
            entry.status + ("" if entry.published else ", refused" if entry.refusal else ", waits"),
        )
    return table


def systems_table(systems: Iterable[tuple[System, int]]) -> Table:
    """One line per system with its hardware."""
    table = _table()
    for name in ("system", "owner", "site", "nodes", "cores", "memory", "CPUs", "interconnect"):
        table.add_column(name, justify="right" if name in ("nodes", "cores", "memory") else "left")
    table.add_column("R_max, Gflop/s", justify="right")
    table.add_column("entries", justify="right")
    for system, count in systems:
        table.add_row(
            escape(system.name),
            escape(system.owner or ""),
            escape(system.site or ""),
            str(system.nodes or ""),
            str(system.cores or ""),
            format_size(system.memory_bytes) if system.memory_bytes else "",
            escape(system.cpus or ""),
            escape(system.interconnect or ""),
            short(system.rmax_gflops) if system.rmax_gflops else "",
            str(count),
        )
    return table


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
    return short(value) if isinstance(value, float) else str(value)


def waiting_lines(entry: Entry, differences: Iterable[Difference], signed: str) -> list[str]:
    """Return what the operator looks at before publishing an entry."""
    name, by = entry.system.name, entry.submitted_by or "nobody known"
    value = short(entry.value_MBps)
    return [
        f"entry {entry.id}: {entry.benchmark} {value} MB/s with {entry.processes} processes of"
        f" system '{name}', {entry.status}, submitted by '{by}' at {_date(entry.added_at)}",
        *([f"  {signed}"] if signed else []),
        *(f"  warning: {warning}" for warning in (entry.warnings or "").splitlines()),
        *(f"  would change {difference}" for difference in differences),
    ]


def series_table(series: Series) -> Table:
    """Return the runs of a series, oldest first; a step stands at the first run after it."""
    conditions = series.conditions
    size = series.memory_per_process_bytes
    memory = f", {format_size(size)} per process" if size else ""
    table = _table(
        f"{conditions.benchmark} {conditions.definition}, {conditions.processes} processes"
        f" on {conditions.nodes} node{'' if conditions.nodes == 1 else 's'}{memory}; MB/s"
    )
    table.add_column("entry", justify="right")
    table.add_column("measured")
    table.add_column("value", justify="right")
    table.add_column("change")
    for index, entry in enumerate(series.entries):
        step = series.step_at(index)
        mark = ""
        if step is not None:
            mark = (
                f"{'+' if step.ratio > 1 else '-'}{abs(step.ratio - 1) * 100:.1f} %: median"
                f" {short(step.before)} before, {short(step.after)} since"
            )
        table.add_row(str(entry.id), _date(entry.measured_at), short(entry.value_MBps), mark)
    return table


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
    table = _table()
    for name in ("token", "for", "made", "revoked"):
        table.add_column(name)
    for token in tokens:
        kind = "operator" if token.operator else "submitting"
        table.add_row(escape(token.name), kind, _date(token.created_at), _date(token.revoked_at))
    return table


def log_table(notes: Iterable[AuditNote]) -> Table:
    """One line per change, the newest last."""
    table = _table()
    for name in ("when", "who", "what", "of what", "detail"):
        table.add_column(name, overflow="fold")
    for note in notes:
        table.add_row(
            _date(note.at),
            escape(note.actor),
            note.action,
            escape(note.subject),
            escape(note.detail or ""),
        )
    return table
