"""Editions: the list as it was on a day, kept for ever under one address."""

from collections.abc import Sequence
from datetime import timedelta

from pydantic import TypeAdapter
from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.store.audit import COMMAND_LINE, note
from beff.store.errors import RefusedError
from beff.store.standings import Standing, standings
from beff.store.tables import Edition, now

_STANDINGS = TypeAdapter(list[Standing])


def make_edition(session: Session, name: str | None = None) -> Edition:
    """Keep the standings of now; the name is this month or the last. Raises RefusedError.

    They are those of runs that used at least half of their machine, as the list shows by default.
    """
    today = now()
    this, last = (f"{day:%Y-%m}" for day in (today, today.replace(day=1) - timedelta(days=1)))
    name = name or this
    if name not in (this, last):
        raise RefusedError(
            f"'{name}' is no name of an edition of today; it can be {this}, or {last} for the last"
            " month"
        )
    if session.get(Edition, name) is not None:
        raise RefusedError(f"edition {name} is there already, and editions stay as they are")
    text = _STANDINGS.dump_json(standings(session, "half")).decode("utf-8")
    made = Edition(name=name, made_at=today, standings=text)
    session.add(made)
    note(session, COMMAND_LINE, "edition", f"edition {name}")
    return made


def edition_standings(session: Session, name: str) -> list[Standing] | None:
    """Return the standings of an edition; None where there is none of that name."""
    found = session.get(Edition, name)
    return None if found is None else _STANDINGS.validate_json(found.standings)


def edition_names(session: Session) -> Sequence[str]:
    """Return the names of all editions, the newest first."""
    return session.scalars(select(Edition.name).order_by(Edition.name.desc())).all()
