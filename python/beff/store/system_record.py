"""What a system's row says: what people wrote about it, else what its published results tell.

The row is made anew from both with every change, so a result that is withdrawn or removed leaves
nothing behind, and one that waits changes nothing.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.store.audit import note
from beff.store.bounds import is_possible
from beff.store.hardware import Hardware, MachineFacts
from beff.store.owners import hardware_counts
from beff.store.tables import Entry, System

DESCRIBED = tuple(
    "memory_bytes" if name == "memory" else name for name in Hardware.model_fields if name != "name"
)
"""The columns of a system that its YAML file can give."""
_GROWING = ("nodes", "cores", "memory_bytes")
_FIRST_KNOWN = ("cpus", "file_system")


@dataclass(frozen=True)
class Difference:
    """A field of a system before and after a change; None is unknown."""

    field: str
    before: Any
    after: Any

    def __str__(self) -> str:
        """Say the change in one clause."""
        before, after = (
            "unknown" if value is None else value for value in (self.before, self.after)
        )
        return f"{self.field}: {before} → {after}"


def described(system: System) -> dict[str, Any]:
    """Return what people wrote about a system."""
    return told_in(system.described)


def told_in(text: str | None) -> dict[str, Any]:
    """Return the columns that a text of the database tells; none where it cannot be read."""
    try:
        fields = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _told_by_run(processes: int, text: str | None) -> "list[_Facts]":
    """Return what a result told of its machine; nothing where it cannot be read."""
    try:
        return [(processes, MachineFacts.model_validate_json(text or ""))]
    except ValueError:
        return []


def describe(system: System, told: dict[str, Any]) -> None:
    """Take over what people wrote; None clears a field. `settle` then makes the row."""
    fields = {**described(system), **told}
    kept = {name: value for name, value in fields.items() if value is not None}
    system.described = json.dumps(kept, sort_keys=True)


def told_by(hardware: Hardware) -> dict[str, Any]:
    """Return the columns that a YAML file gives; None for a line without a value."""
    given = hardware.model_dump(exclude_unset=True, exclude={"name"})
    return {"memory_bytes" if name == "memory" else name: value for name, value in given.items()}


def settle(session: Session, system: System, actor: str) -> list[Difference]:
    """Make the row of a system; a note in the log tells what changed."""
    session.flush()
    found = _differences(system, described(system), _published_facts(session, system))
    for difference in found:
        setattr(system, difference.field, difference.after)
    if found:
        note(session, actor, "hardware", f"system {system.name}", "; ".join(map(str, found)))
    return found


def differences_by(session: Session, entry: Entry) -> list[Difference]:
    """Return what publishing an entry would change about its system."""
    facts = _published_facts(session, entry.system)
    if entry.machine and not entry.published:
        facts += _told_by_run(entry.processes, entry.machine)
    told = described(entry.system)
    if entry.hardware is not None and hardware_counts(session, entry):
        told |= told_in(entry.hardware)
    return _differences(entry.system, told, facts)


_Facts = tuple[int, MachineFacts]


def _published_facts(session: Session, system: System) -> list[_Facts]:
    rows = session.execute(
        select(Entry.processes, Entry.machine)
        .where(Entry.system_id == system.id, Entry.published, Entry.machine.is_not(None))
        .order_by(Entry.id)
    )
    return [fact for processes, text in rows for fact in _told_by_run(processes, text)]


def _differences(system: System, told: dict[str, Any], facts: Iterable[_Facts]) -> list[Difference]:
    known = {name: value for name, value in told.items() if value is not None}
    wanted = _learned(list(facts)) | known
    return [
        Difference(name, getattr(system, name), wanted.get(name))
        for name in DESCRIBED
        if getattr(system, name) != wanted.get(name)
    ]


def _learned(facts: list[_Facts]) -> dict[str, Any]:
    """Return what results tell: first words, largest sizes, R_max of the largest run."""
    learned: dict[str, Any] = {}
    for name in _FIRST_KNOWN:
        learned[name] = next((v for _, m in facts if (v := getattr(m, name))), None)
    for name in _GROWING:
        values = [getattr(machine, name) for _, machine in facts]
        learned[name] = max((v for v in values if is_possible(name, v)), default=None) or None
    with_rmax = [
        (processes, machine.rmax_gflops)
        for processes, machine in facts
        if machine.rmax_gflops and is_possible("rmax_gflops", machine.rmax_gflops)
    ]
    learned["rmax_gflops"] = max(with_rmax)[1] if with_rmax else None
    return learned
