"""Changes of the store: take in, replace, remove. Each runs in the caller's transaction."""

import json
from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from beff.store.audit import COMMAND_LINE, note
from beff.store.errors import DuplicateError, RefusedError
from beff.store.hardware import Hardware
from beff.store.measurement import same_measurement
from beff.store.owners import (
    hardware_counts,
    leave_to,
    look_alikes,
    shape_of,
    spelled_out,
    warnings_of,
)
from beff.store.reading import ReadResult
from beff.store.signers import signers_before
from beff.store.system_record import Difference, describe, settle, told_by, told_in
from beff.store.tables import NAME_LENGTH, TEXT_LENGTH, Entry, System
from beff.store.text import clean_text


@dataclass(frozen=True)
class Kept:
    """What became of a result: its entry, and whether that is new, replaced or was there."""

    entry: Entry
    new: bool
    replaced: bool = False


def system_named(session: Session, name: str, owner: str | None = None) -> System:
    """Return the system of a name; makes it when there is none. Raises RefusedError."""
    plain = clean_text(name, NAME_LENGTH)
    if not shape_of(plain):
        raise RefusedError("the name of a system must have at least one visible letter or digit")
    system = session.scalar(select(System).where(System.name == plain))
    if system is None:
        system = System(name=plain, owner=owner)
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

    What the result and the hardware sent with it tell of the system counts once it is published,
    the hardware only from those who may add to the system then. It waits whatever `published` says
    where somebody else has the system or the same measurement; the operator's own waits only where
    that is published.

    Raises DuplicateError when the same measurement is there from a file with other bytes, unless
    `replace` is set: then the new file takes its place.
    """
    alike = _same_measurements(session, result)
    own = [entry for entry in alike if (entry.submitted_by or COMMAND_LINE) == actor]
    same = next((entry for entry in own if entry.sha256 == result.sha256), own[0] if own else None)
    if same is not None and same.sha256 == result.sha256:
        return Kept(same, new=False)
    if same is not None and not replace:
        raise DuplicateError(
            f"{result.source}: holds the measurement of entry {same.id} with something else"
            " changed around it; nothing was stored"
        )
    system = same.system if same is not None and system_name is None else None
    if system is None:
        if system_name is None and actor != COMMAND_LINE:
            raise RefusedError(
                f"{result.source}: does not tell its system; name it with --system or in the field"
                " of the form, or by a line 'name: ...' of the hardware"
            )
        owner = None if actor == COMMAND_LINE else actor
        system = system_named(session, system_name or result.machine.name, owner)
        if system_name is None and system.owner is not None:
            raise RefusedError(
                f"{result.source}: its hosts are called '{system.name}', and that system belongs to"
                f" '{system.owner}'; name the system with --system"
            )
        leave_to(session, system, owner)
    entry = result.entry(content)
    entry.published, entry.submitted_by = False, actor
    others = [one for one in alike if one not in own and (one.published or actor != COMMAND_LINE)]
    warnings = _warnings(session, system, actor, others)
    if actor != COMMAND_LINE:
        warnings += [*result.oddities, *_signature_warnings(session, system, entry)]
    entry.warnings = "\n".join(warnings) or None
    entry.hardware = json.dumps(told_by(hardware)) if hardware is not None else None
    if same is not None:
        entry.id, entry.added_at = same.id, same.added_at
        session.delete(same)
        session.flush()
    entry.system = system
    session.add(entry)
    session.flush()
    action = "add" if same is None else "replace"
    note(session, actor, action, f"entry {entry.id}", f"{system.name}, SHA-256 {entry.sha256}")
    if published and not warnings_of(session, entry):
        _show(session, entry, actor)
    return Kept(entry, new=same is None, replaced=same is not None)


def _same_measurements(session: Session, result: ReadResult) -> list[Entry]:
    columns = result.columns
    candidates = session.scalars(
        select(Entry)
        .where(Entry.benchmark == columns["benchmark"], Entry.processes == columns["processes"])
        .order_by(Entry.published.desc(), Entry.id)
    )
    return [
        entry
        for entry in candidates
        if entry.sha256 == result.sha256 or same_measurement(entry.measurement, result.measurement)
    ]


def _warnings(session: Session, system: System, actor: str, others: list[Entry]) -> list[str]:
    """Return what the operator should know of a result, beside whose its system is."""
    found = [
        f"the same measurement is entry {entry.id} of system '{entry.system.name}', submitted by"
        f" '{entry.submitted_by}' and {'published' if entry.published else 'waiting'}"
        for entry in others
    ]
    found += [
        f"the name '{system.name}' looks like '{name}': {spelled_out(system.name)} beside"
        f" {spelled_out(name)}"
        for name in look_alikes(session, system)
        if actor != COMMAND_LINE
    ]
    return found


def _signature_warnings(session: Session, system: System, entry: Entry) -> list[str]:
    before = signers_before(session, system.id)
    breaks = before.breaks(entry.signed_by)
    return [f"signature: {before.words(entry.signed_by)}"] if breaks else []


def _check_alone(session: Session, entry: Entry) -> None:
    """Raise RefusedError where the same measurement is published already."""
    rivals = session.scalars(
        select(Entry).where(
            Entry.published,
            Entry.benchmark == entry.benchmark,
            Entry.processes == entry.processes,
            Entry.id != entry.id,
        )
    )
    for rival in rivals:
        if same_measurement(rival.measurement, entry.measurement):
            raise RefusedError(
                f"entry {rival.id} is published and has the measurement of entry {entry.id};"
                " withdraw one before you publish the other"
            )


def publish_entry(
    session: Session, entry: Entry, *, published: bool, actor: str = COMMAND_LINE
) -> list[Difference]:
    """Show an entry in the public list, or take it out of there; returns what its system learns."""
    if published:
        _check_alone(session, entry)
    note(session, actor, "publish" if published else "withdraw", f"entry {entry.id}")
    if published:
        return _show(session, entry, actor)
    entry.published = False
    return settle(session, entry.system, actor)


def refuse_entry(session: Session, entry: Entry, reason: str, actor: str = COMMAND_LINE) -> None:
    """Let an entry wait no more; its submitter is told why.

    Raises RefusedError for one that is published, and for a reason that nobody can read.
    """
    if entry.published:
        raise RefusedError(f"entry {entry.id} is published; withdraw it first")
    told = clean_text(reason, TEXT_LENGTH)
    if not any(letter.isalnum() for letter in told):
        raise RefusedError("the reason must have at least one visible letter or digit")
    entry.refusal = told
    note(session, actor, "refuse", f"entry {entry.id}", entry.refusal)


def _show(session: Session, entry: Entry, actor: str) -> list[Difference]:
    """Publish an entry; from now on it tells what it knows of its system."""
    leave_to(session, entry.system, entry.submitted_by)
    entry.published, entry.refusal = True, None
    if entry.hardware is not None and hardware_counts(session, entry):
        describe(entry.system, told_in(entry.hardware))
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
