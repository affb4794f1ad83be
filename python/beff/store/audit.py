"""The log of changes: who changed what and when. Notes are only ever added."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from beff.store.tables import NAME_LENGTH, TEXT_LENGTH, AuditNote, now
from beff.store.text import clean_text

COMMAND_LINE = "command line"
"""The actor of changes that were made on the machine of the store itself."""


def note(
    session: Session, actor: str, action: str, subject: str, detail: str | None = None
) -> None:
    """Add a note to the log, in the transaction of the change that it tells of."""
    session.add(
        AuditNote(
            at=now(),
            actor=clean_text(actor, NAME_LENGTH),
            action=action,
            subject=clean_text(subject, TEXT_LENGTH),
            detail=None if detail is None else clean_text(detail, TEXT_LENGTH),
        )
    )


def notes(session: Session, most: int) -> Sequence[AuditNote]:
    """Return the last notes, the oldest of them first."""
    found = session.scalars(select(AuditNote).order_by(AuditNote.id.desc()).limit(most)).all()
    return list(reversed(found))


def revision(session: Session) -> int:
    """Return a number that grows with every change of the store."""
    return session.scalar(select(func.max(AuditNote.id))) or 0
