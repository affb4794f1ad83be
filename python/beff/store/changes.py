"""Changes of the store: take in, replace, remove. Each runs in the caller's transaction."""

import json
from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from beff.store.audit import COMMAND_LINE, note
from beff.store.errors import DuplicateError, RefusedError
from beff.store.hardware import Hardware
from beff.store.reading import ReadResult
from beff.store.system_record import Difference, describe, settle, told_by
from beff.store.tables import NAME_LENGTH, Entry, System
from beff.store.text import clean_text


@dataclass(frozen=True)
class Kept:
    """What became of a result: its entry, and whether that is new, replaced or was there."""

    entry: Entry
    new: bool
    replaced: bool = False


def system_named(session: Session, name: str) -> System:
    """Return the system of a name; makes it when there is none. Raises RefusedError."""
    plain = clean_text(name, NAME_LENGTH)
    if not plain:
        raise RefusedError("the name of a system must have at least one visible character")
    system = session.scalar(select(System).where(System.name == plain))
    if system is None:
        system = System(name=plain)
        session.add(system)
        session.flush()
    return system


def keep_hardware(
    session: Session, hardware: Hardware, name: str | None = None, *, actor: str = COMMAND_LINE
) -> System:
    """Write what people tell of a system; `name` outweighs the one given with it."""
    chosen = name or hardware.name
    if chosen is None:
        raise RefusedError("the hardware names no system; add a line 'name: ...' or use --system")
    system = system_named(session, chosen)
    describe(system, told_by(hardware))
    settle(session, system, actor)
    return system


def keep_result(
    session: Session,
    result: ReadResult,
    content: bytes,
    system_name: str | None = None,
    *,
    replace: bool = False,
    hardware: Hardware | None = None,
    actor: str = COMMAND_LINE,
    published: bool = True,
) -> Kept:
    """Store a result and its file, once. Without a name, the system's follows from the hosts'.

    What the result and the hardware sent with it tell of the system counts once it is published.

    Raises DuplicateError when the same measurement is there from a file with other bytes, unless
    `replace` is set: then the new file takes its place.
    """
    same = session.scalar(select(Entry).where(Entry.measurement == result.measurement))
    if same is not None and same.sha256 == result.sha256:
        return Kept(same, new=False)
    if same is not None and not replace:
        raise DuplicateError(
            f"{result.source}: holds the measurement of entry {same.id} with something else"
            " changed around it; nothing was stored"
        )
    system = same.system if same is not None and system_name is None else None
    if system is None:
        system = system_named(session, system_name or result.machine.name)
    entry = result.entry(content)
    entry.published, entry.submitted_by = False, actor
    entry.hardware = None if hardware is None else json.dumps(told_by(hardware))
    if same is not None:
        entry.id, entry.added_at = same.id, same.added_at
        session.delete(same)
        session.flush()
    entry.system = system
    session.add(entry)
    session.flush()
    action = "add" if same is None else "replace"
    note(session, actor, action, f"entry {entry.id}", f"{system.name}, SHA-256 {entry.sha256}")
    if published:
        _show(session, entry, actor)
    return Kept(entry, new=same is None, replaced=same is not None)


def publish_entry(
    session: Session, entry: Entry, *, published: bool, actor: str = COMMAND_LINE
) -> list[Difference]:
    """Show an entry in the public list, or take it out of there; returns what its system learns."""
    note(session, actor, "publish" if published else "withdraw", f"entry {entry.id}")
    if published:
        return _show(session, entry, actor)
    entry.published = False
    return settle(session, entry.system, actor)


def _show(session: Session, entry: Entry, actor: str) -> list[Difference]:
    """Publish an entry; from now on it tells what it knows of its system."""
    entry.published = True
    if entry.hardware is not None:
        describe(entry.system, json.loads(entry.hardware))
        entry.hardware = None
    return settle(session, entry.system, actor)


def remove_entry(session: Session, entry: Entry) -> None:
    """Remove an entry with its file, and its system when that has no other entry."""
    system = entry.system
    note(
        session,
        COMMAND_LINE,
        "remove",
        f"entry {entry.id}",
        f"{entry.system.name}, SHA-256 {entry.sha256}",
    )
    session.delete(entry)
    session.flush()
    if session.scalar(select(func.count()).where(Entry.system_id == system.id)):
        settle(session, system, COMMAND_LINE)
    else:
        session.execute(delete(System).where(System.id == system.id))
