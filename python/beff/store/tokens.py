"""Tokens that allow to submit results."""

import hashlib
import secrets
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from beff.store.audit import COMMAND_LINE, note
from beff.store.errors import StoreError
from beff.store.tables import NAME_LENGTH, Token, now
from beff.store.text import clean_text

_BYTES = 32
"""Random bytes of a token: far too many to guess, so a plain hash protects it."""


def _sha256(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def create_token(session: Session, name: str, *, operator: bool = False) -> str:
    """Return a new token; it cannot be shown again. Raises StoreError for a name in use."""
    plain = clean_text(name, NAME_LENGTH)
    if not plain:
        raise StoreError("the name of a token must have at least one visible character")
    if (
        plain == COMMAND_LINE
        or session.scalar(select(Token).where(Token.name == plain)) is not None
    ):
        raise StoreError(f"the name '{plain}' is in use; choose another name")
    token = secrets.token_urlsafe(_BYTES)
    session.add(Token(name=plain, sha256=_sha256(token), created_at=now(), operator=operator))
    kind = "for an operator" if operator else None
    note(session, COMMAND_LINE, "token", f"token {plain}", kind)
    return token


def revoke_token(session: Session, name: str) -> None:
    """Make a token useless. Raises StoreError when there is none of that name in use."""
    token = _in_use(session, name)
    token.revoked_at = now()
    note(session, COMMAND_LINE, "revoke", f"token {token.name}")


def owner_of(session: Session, token: str) -> str | None:
    """Return the name of a token in use that may submit, None for any other text."""
    return _name_of(session, token, operator=False)


def operator_of(session: Session, token: str) -> str | None:
    """Return the name of an operator's token in use, None for any other text."""
    return _name_of(session, token, operator=True)


def _name_of(session: Session, token: str, *, operator: bool) -> str | None:
    return session.scalar(
        select(Token.name).where(
            Token.sha256 == _sha256(token),
            Token.revoked_at.is_(None),
            Token.operator.is_(operator),
        )
    )


def set_quota(session: Session, name: str, most: int, *, actor: str = COMMAND_LINE) -> None:
    """Say how many results of a token may wait. Raises StoreError when there is none in use."""
    token = _in_use(session, name)
    token.quota = most
    note(session, actor, "quota", f"token {token.name}", f"{most} may wait")


def _in_use(session: Session, name: str) -> Token:
    token = session.scalar(select(Token).where(Token.name == name, Token.revoked_at.is_(None)))
    if token is None:
        raise StoreError(f"there is no token '{name}' in use; beff store tokens shows all")
    return token


def tokens(session: Session) -> Sequence[Token]:
    """Return all tokens by name."""
    return session.scalars(select(Token).order_by(Token.name)).all()
