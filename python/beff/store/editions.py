"""Editions: the list as it was on a day, kept for ever under one address."""

import re
from collections.abc import Sequence

from pydantic import TypeAdapter
from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.store.audit import COMMAND_LINE, note
from beff.store.errors import RefusedError
from beff.store.standings import Standing, standings
from beff.store.tables import Edition, now

_STANDINGS = TypeAdapter(list[Standing])


def make_edition(session: Session, name: str | None = None) -> Edition:
    """Keep the standings of now; the name is the month. Raises RefusedError for one that is there.

    They are those of runs that used at least half of their machine, as the list shows by default.
    """
    name = name or now().strftime("%Y-%m")
    if not re.fullmatch(r"[0-9]{4}-(0[1-9]|1[0-2])", name):
        raise RefusedError(f"'{name}' is no name of an edition; write it as 2026-11")
    if session.get(Edition, name) is not None:
        raise RefusedError(f"edition {name} is there already, and editions stay as they are")
    text = _STANDINGS.dump_json(standings(session, "half")).decode("utf-8")
    made = Edition(name=name, made_at=now(), standings=text)
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
