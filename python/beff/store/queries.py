"""Questions to the store that change nothing."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from beff.store.errors import StoreError
from beff.store.tables import RANKED, Entry, System

_WAITS = ~Entry.published & Entry.refusal.is_(None)


def entries(
    session: Session,
    *,
    benchmark: str | None = None,
    system: str | None = None,
    ranked_only: bool = False,
) -> Sequence[Entry]:
    """Return entries by system, benchmark, size and time, the newest last."""
    query = (
        select(Entry)
        .join(Entry.system)
        .order_by(System.name, Entry.benchmark, Entry.processes, Entry.measured_at, Entry.id)
    )
    return session.scalars(_narrowed(query, benchmark, system, ranked_only)).all()


def waiting(session: Session) -> Sequence[Entry]:
    """Return the entries that wait for publication, the oldest first."""
    return session.scalars(select(Entry).where(_WAITS).order_by(Entry.id)).all()


def waiting_of(session: Session) -> dict[str | None, int]:
    """Return how many entries of each submitter wait."""
    found = session.execute(
        select(Entry.submitted_by, func.count()).where(_WAITS).group_by(Entry.submitted_by)
    )
    return {row[0]: row[1] for row in found}


def count_entries(
    session: Session, *, benchmark: str | None = None, system: str | None = None
) -> int:
    """Return how many entries there are, whatever their status."""
    query = select(func.count(Entry.id)).join(Entry.system)
    return session.scalar(_narrowed(query, benchmark, system, ranked_only=False)) or 0


def _narrowed(
    query: Select[Any], benchmark: str | None, system: str | None, ranked_only: bool
) -> Select[Any]:
    if benchmark is not None:
        query = query.where(Entry.benchmark == benchmark)
    if system is not None:
        query = query.where(System.name == system)
    if ranked_only:
        query = query.where(Entry.status.in_(RANKED))
    return query


def systems(session: Session) -> Sequence[tuple[System, int]]:
    """Return all systems by name, each with its number of entries."""
    query = (
        select(System, func.count(Entry.id))
        .outerjoin(System.entries)
        .group_by(System.id)
        .order_by(System.name)
    )
    return [(system, count) for system, count in session.execute(query)]


def existing_system(session: Session, name: str) -> System:
    """Return the system of a name. Raises StoreError when there is none."""
    system = session.scalar(select(System).where(System.name == name))
    if system is None:
        raise StoreError(
            f"there is no system '{name}'; beff store list --systems shows the names of all"
        )
    return system


def entry_of(session: Session, key: str) -> Entry:
    """Return the entry with a number, or with a SHA-256 that begins so. Raises StoreError."""
    if key.isascii() and key.isdigit() and len(key) <= 9:
        found = session.get(Entry, int(key))
        if found is not None:
            return found
    begins = key.lower()
    if len(begins) >= 8 and begins.isalnum():
        matches = session.scalars(
            select(Entry).where(Entry.sha256.startswith(begins, autoescape=True)).limit(2)
        ).all()
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise StoreError(f"more than one entry has a SHA-256 that begins with {key}")
    raise StoreError(
        f"there is no entry {key}; beff store list --all shows the numbers of all entries"
    )
